# category: clean/hash-of-tracer
import functools

import jax
import jax.numpy as jnp


@functools.lru_cache
def compiled(degree, dtype="float32"):
    def evaluate(coefficients, x):
        return sum(coefficients[i] * x.astype(dtype) ** i for i in range(degree + 1))

    return jax.jit(evaluate)


@jax.jit
def by_rank(tree):
    groups = {}
    for name, leaf in tree.items():
        groups.setdefault((leaf.ndim, str(leaf.dtype)), []).append(name)
    return {len(names): sum(tree[n].sum() for n in names) for names in groups.values()}


print(compiled(2)(jnp.ones(3), jnp.arange(2)), by_rank({"a": jnp.ones(2), "b": jnp.ones(())}))

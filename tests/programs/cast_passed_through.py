# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp
import numpy as np

TABLE = jnp.array([3.0, 1.0, 2.0])


@jax.jit
def first(kept, other):
    return kept * 2.0


def mapped(x):
    whole, rest = divmod(7, 2)
    known = float(first(1.5, x)) + whole + rest
    same, slope = jax.value_and_grad(lambda p: p)(0.5)
    return x * known * float(same) * slope


@jax.jit
def traced(x):
    same = jnp.reshape(TABLE, (3,))
    ordered = np.sort(np.asarray(same))
    return x + ordered if any([x.ndim == 1, x[0] > 0]) else x


print(jax.vmap(mapped)(jnp.arange(3.0)))
print(traced(jnp.ones(3)))

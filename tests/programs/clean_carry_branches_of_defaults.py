# category: clean/carry-type-mismatch
import jax
import jax.numpy as jnp


def chosen(x, kinds):
    steps = [lambda x, kind=kind: float(x.size) if kind == "size" else x.sum() for kind in kinds]
    return [step(x) for step in steps]


def smoothed(x, level):
    branches = [lambda x, k=k: jnp.convolve(x, jnp.ones(k) / k, mode="same") for k in (1, 2, 3)]
    return jax.lax.switch(level, branches, x)


print(jax.jit(chosen, static_argnums=1)(jnp.ones(3), ("size", "sum")))
print(smoothed(jnp.arange(8.0), 1))

# category: dynamic-shape-op
import jax
import jax.numpy as jnp


def active_rows(mask, *, size=None, fill_value=0):
    return jnp.nonzero(mask, size=size, fill_value=fill_value)[0]  #! OAK210 12 #~ ConcretizationTypeError


@jax.jit
def summarize(x, mask):
    fixed = active_rows(mask, size=2)
    free = active_rows(mask)
    return x[fixed].sum(), x[free].sum()


x, mask = jnp.arange(4.0), jnp.array([True, False, True, False])
print(active_rows(mask))
print(summarize(x, mask))

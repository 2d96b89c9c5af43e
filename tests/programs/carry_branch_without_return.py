# category: carry-type-mismatch
import jax
import jax.numpy as jnp


def doubled(v):
    return v * 2


def skipped(v):
    """Leaves it."""
    pass


@jax.jit
def maybe(x, flag):
    return jax.lax.cond(flag, doubled, skipped, x)  #! OAK504  #~ TypeError


print(maybe(jnp.ones(2), True))

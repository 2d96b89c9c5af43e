# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


def inverse(x):
    return jnp.where(x == 0, 0.0, 1.0 / x)  #! OAK602


@jax.jit
def slope(x):
    return jax.grad(lambda v: inverse(v).sum())(x)


print(slope(jnp.zeros(3)))

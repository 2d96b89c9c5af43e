# category: silent/float64-without-x64
import jax
import jax.numpy as jnp


def use_single_precision():
    jax.config.update("jax_enable_x64", False)


def grid(points):
    return jnp.linspace(0.0, 1.0, points, dtype=jnp.float64)  #! OAK505


assert grid(7).dtype == jnp.float32

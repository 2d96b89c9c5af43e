# category: silent/float64-without-x64
import jax
import jax.numpy as jnp


def grid(points):
    # Whoever wants more digits may set jax_enable_x64, as the guide says.
    return jnp.linspace(0.0, 1.0, points, dtype=jnp.float64)  #! OAK505


if jax.config.read("jax_enable_x64"):
    print("with 64 bits")
assert grid(7).dtype == jnp.float32

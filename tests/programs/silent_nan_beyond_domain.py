# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


def growth(rate):
    return 100.0 * rate**0.7  #! OAK602


def tilt(cosine):
    return jnp.degrees(jnp.arccos(cosine))  #! OAK602


def amplitude(powers):
    return jnp.sum(jnp.sqrt(powers))  #! OAK602


def bearing(north, east):
    return jnp.arctan2(east, north)  #! OAK602


def apart(here, there):
    return jnp.linalg.norm(here - there)  #! OAK602


assert jnp.isnan(jax.grad(growth)(-2.0))
assert jnp.isinf(jax.grad(tilt)(1.0))
assert jnp.isnan(jax.grad(amplitude)(jnp.full(3, -1.0))).all()
assert jnp.isnan(jax.grad(bearing)(0.0, 0.0))
assert jnp.isnan(jax.grad(apart)(jnp.ones(2), jnp.ones(2))).all()

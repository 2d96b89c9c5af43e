# category: clean/nan-where-grad
import jax
import jax.numpy as jnp


def growth(rate):
    return jnp.abs(rate) ** 0.7 + rate**2.0 + rate**3 + jnp.cbrt(rate) + jnp.sqrt(-rate)


def tilt(cosine):
    inside = jnp.abs(cosine) < 1.0
    kept = jnp.where(inside, cosine, 0.0)
    return jnp.where(inside, jnp.arccos(kept), 0.0)


def clipped(sine):
    return jnp.arcsin(jnp.clip(sine, -0.999, 0.999)) + jnp.arcsin(sine / 2.0)


def bearing(north, east):
    return jnp.arctan2(east, north) + jnp.arctan2(north, east + 1.0)


def apart(here, there):
    return jnp.linalg.norm(here - there) + jnp.linalg.norm(here + there)


def phase(z):
    return jnp.abs(jnp.sqrt(z + 0j))


assert jnp.isfinite(jax.grad(growth)(-2.0))
assert jnp.isfinite(jax.grad(tilt)(1.0)) and jnp.isfinite(jax.grad(clipped)(1.0))
assert jnp.isfinite(jax.grad(bearing)(1.0, 0.0))
assert jnp.isfinite(jax.grad(apart)(jnp.ones(2), -jnp.ones(2) * 2.0)).all()
assert jnp.isfinite(jax.grad(phase)(-1.0))
jnp.arccos(1.0), jnp.sqrt(-1.0)

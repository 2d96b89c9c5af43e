# category: clean/nan-of-guarded-product
import jax
import jax.numpy as jnp


def slopes(x, heights):
    steps = jnp.diff(x)
    inverse = jnp.where(steps == 0, 0.0, 1.0 / jnp.where(steps == 0, 1.0, steps))
    secants = inverse * jnp.diff(heights)
    flat = (secants[1:] == 0) | (secants[:-1] == 0)
    before = jnp.where(flat, 1.0, secants[:-1])
    behind = jnp.where(flat, 1.0, secants[1:])
    return jnp.where(flat, 0.0, 2.0 / (1.0 / before + 1.0 / behind))


def scaled_error(error, spread):
    known = spread != 0
    divisor = jnp.where(known, spread, 1.0)
    ratio = jnp.minimum(1.0, (200.0 * error / divisor) ** 1.5)
    return jnp.where(known, spread * ratio, error)


def roughness(heights):
    return slopes(jnp.arange(4.0), heights).sum()


gradient = jax.grad(roughness)(jnp.array([0.0, 0.0, 1.0, 3.0]))
assert jnp.isfinite(gradient).all()
assert jnp.isfinite(jax.grad(scaled_error, argnums=1)(1.0, 0.0))

# category: clean/nan-where-grad
import jax
import jax.numpy as jnp


def cosine_logprob(x):
    return jnp.where(jnp.abs(x) < jnp.pi / 2, jnp.log(jnp.cos(x) / 2.0), -jnp.inf)


def secant(x, limit):
    return jnp.sum(jnp.where(x < limit, 1.0 / jnp.cos(x), 0.0))


def softened(x):
    return jnp.sum(jnp.where(x > 0, jnp.log(jnp.cosh(x)), 0.0))


x = jnp.array([-2.0, 0.0, 1.0, jnp.pi / 2])
assert jnp.isfinite(jax.vmap(jax.grad(cosine_logprob))(x)).all()
assert jnp.isfinite(jax.grad(secant)(x, 1.0)).all()
assert jnp.isfinite(jax.grad(softened)(x)).all()

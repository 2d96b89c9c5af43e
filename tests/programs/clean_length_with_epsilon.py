# category: clean/nan-behind-epsilon
import jax
import jax.numpy as jnp

EPSILON = 1e-8


def direction(velocity):
    return velocity / jnp.sqrt(jnp.sum(velocity**2) + EPSILON)


def friction(velocity):
    squares = jnp.sum(velocity**2, axis=-1)
    speed = jnp.sqrt(jnp.maximum(squares, EPSILON))
    return -velocity / (speed + EPSILON)[..., None]


def taxicab(velocity):
    return velocity / (jnp.linalg.norm(velocity, ord=1) + EPSILON)


def work(velocity, load):
    along = jnp.vdot(direction(velocity) + taxicab(velocity), load)
    return along + friction(velocity).sum()


rest = jnp.array([1.0, -2.0]) + jnp.array([-1.0, 2.0])
assert jnp.isfinite(jax.grad(work)(rest, 3.0 * jnp.ones(2))).all()

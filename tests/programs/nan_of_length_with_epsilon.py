# category: silent/nan-behind-epsilon
import jax
import jax.numpy as jnp

EPSILON = 1e-8


def direction(velocity):
    return velocity / (jnp.linalg.norm(velocity) + EPSILON)  #! OAK602


def friction(velocity):
    speed = jnp.sqrt(jnp.sum(velocity**2, axis=-1))
    return -velocity / jnp.maximum(speed, EPSILON)[..., None]  #! OAK602


def work(velocity, load):
    return jnp.vdot(direction(velocity), load) + friction(velocity).sum()


rest = jnp.array([1.0, -2.0]) + jnp.array([-1.0, 2.0])
assert jnp.isfinite(work(rest, 3.0 * jnp.ones(2)))
assert jnp.isnan(jax.grad(work)(rest, 3.0 * jnp.ones(2))).all()

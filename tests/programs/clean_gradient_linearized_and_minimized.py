# category: clean/irreversible-loop
import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.optimize import minimize


def halved(x):
    return jnp.sum(lax.while_loop(lambda y: jnp.sum(y * y) > 1.0, lambda y: 0.5 * y, x))


def smooth(x):
    return lax.fori_loop(0, 5, lambda i, y: y - 0.1 * jnp.sin(y), x)


def bowl(x, center, steps):
    shift = lax.fori_loop(0, steps, lambda i, y: y + 1.0, 0.0)
    return jnp.sum((smooth(x) - center) ** 2) + shift


value, pushforward = jax.linearize(halved, jnp.ones(3))
print(jax.vmap(pushforward)(jnp.eye(3)))
value, pushforward = jax.linearize(smooth, jnp.ones(3))
print(jax.linear_transpose(pushforward, jnp.ones(3))(jnp.ones(3)))
print(minimize(bowl, jnp.ones(3), args=(0.5, 3), method="BFGS").x)

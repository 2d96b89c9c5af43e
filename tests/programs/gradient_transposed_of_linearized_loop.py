# category: irreversible-loop
import jax
import jax.numpy as jnp
from jax import lax


def fixed_point(theta):
    def moves(state):
        return jnp.max(jnp.abs(state[0] - state[1])) > 1e-5

    def step(state):
        return jnp.cos(theta * state[0]), state[0]

    x, _ = lax.while_loop(moves, step, (theta, theta + 1.0))  #! OAK604
    return jnp.sum(x)


theta = jnp.ones(3)
value, pushforward = jax.linearize(fixed_point, theta)
print(pushforward(theta))
pull = jax.linear_transpose(pushforward, theta)
print(value, pull(jnp.float32(1.0)))  #~ ValueError

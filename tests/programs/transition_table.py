# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

TRANSITIONS = np.array([[1, 2], [0, 2], [2, 2]])
REWARD = {"table": np.array([[0.0, 1.0], [0.5, 0.0], [0.0, 0.0]])}


def transition(state, action):
    reward = jnp.asarray(REWARD["table"])[state, action]
    return TRANSITIONS[state, action], reward  #! OAK207  #~ TracerArrayConversionError


print(jax.lax.scan(transition, 0, jnp.array([1, 0, 1])))

# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

DIRECTIONS = np.array([[0, 1], [1, 0], [0, -1], [-1, 0]])
WALLS = np.zeros((4, 4), dtype=bool)
WALLS[1, 1] = True


def blocked(pos):
    return WALLS[pos[0], pos[1]]  #! OAK207 #~ TracerArrayConversionError


def env_step(pos, action):
    move = jnp.take(jnp.asarray(DIRECTIONS), action, axis=0)
    target = jnp.clip(pos + move, 0, 3)
    return jnp.where(blocked(target), pos, target)


def rollout(pos, actions):
    return jax.lax.scan(lambda p, a: (env_step(p, a),) * 2, pos, actions)


print(blocked(np.array([1, 1])))
print(rollout(jnp.zeros(2, int), jnp.array([0, 1, 1]))[0])

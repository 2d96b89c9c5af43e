# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np


def neighbour_offsets(ndim):
    grid = np.stack(np.meshgrid(*[[-1, 0, 1]] * ndim), -1).reshape(-1, ndim)
    return grid[np.any(grid != 0, axis=-1)]


@jax.jit
def random_walk(key, start):
    offsets = neighbour_offsets(start.shape[-1])

    def move(i, pos):
        k = jax.random.fold_in(key, i)
        pick = jax.random.randint(k, (), 0, len(offsets))
        return pos + offsets[pick, :]  #! OAK207 30 #~ TracerArrayConversionError

    return jax.lax.fori_loop(0, 5, move, start)


print(random_walk(jax.random.key(0), jnp.zeros(2, jnp.int32)))

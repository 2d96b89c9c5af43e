# category: clean/inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def game_of_life(board):
    offsets = np.zeros((3, 3), np.int32)
    offsets[:] = 1
    offsets[1, 1] = 0
    total = 0
    for (dy, dx), weight in np.ndenumerate(offsets):
        total += int(weight) * jnp.roll(board, (dy - 1, dx - 1), (0, 1))
    grids = {"next": board}
    grids["next"] = jnp.where((total == 3) | ((board == 1) & (total == 2)), 1, 0)
    grids["next"] = grids["next"].at[0].set(0)
    return grids["next"]


print(game_of_life(jnp.eye(4, dtype=jnp.int32)))

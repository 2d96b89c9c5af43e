# category: hash-of-tracer
import jax
import jax.numpy as jnp

VALUES = {0: -1.0, 1: 0.0, 2: 1.0}


def evaluate(board):
    winner = jnp.where(board.sum() > 0, 2, 0)
    return VALUES.get(winner, 0.0)  #! OAK216  #~ TypeError


def best_move(board, moves):
    return jnp.argmax(jax.vmap(lambda m: evaluate(board.at[m].set(1)))(moves))


print(best_move(jnp.zeros(4, int), jnp.arange(4)))

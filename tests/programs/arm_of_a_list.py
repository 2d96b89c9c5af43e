# category: sequence-to-jnp-function
import jax

MOVES = ["up", "down"]


def play(keys):
    for key in keys:
        yield int(jax.random.choice(key, [0, 1]))  #! OAK503 #~ TypeError


keys = jax.random.split(jax.random.key(0), 3)
print([MOVES[move] for move in play(keys)])

# category: clean/leak-global
import jax
import jax.numpy as jnp

worst = 0.0


def note(value):
    global worst
    worst = max(worst, float(value))


@jax.jit
def guarded(x):
    norm = jnp.linalg.norm(x)
    jax.debug.callback(note, norm)
    return x / norm


guarded(jnp.arange(1.0, 3.0)).block_until_ready()
jax.effects_barrier()
print(worst > 1)

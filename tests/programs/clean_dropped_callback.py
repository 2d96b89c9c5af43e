# category: clean/discarded-result
import jax
import jax.numpy as jnp

warned = []


def warn(x):
    warned.append(float(x))


@jax.jit
def shown(x):
    jax.debug.callback(warn, x)
    shifted = jax.pure_callback(lambda x: x + 1, jax.ShapeDtypeStruct((), x.dtype), x)
    return shifted


print(shown(jnp.ones(())).block_until_ready())
jax.effects_barrier()
assert len(warned) == 1

# category: bool-op-on-tracer
# What a generator function gives comes one after the other, `yield from` included.
import jax
import jax.numpy as jnp


def candidates(first, others):
    yield first
    yield from others


def widest(others):
    return max(candidates(0.5, others))  #! OAK203  #~ TracerBoolConversionError


print(jax.vmap(widest)([jnp.ones(4), jnp.zeros(4)]))


def parts(x):
    yield 3
    yield x


@jax.jit
def second(x):
    chosen = [part for part in parts(x)][1]
    return x if chosen > 0 else -x  #! OAK201  #~ TracerBoolConversionError


print(second(1.0))

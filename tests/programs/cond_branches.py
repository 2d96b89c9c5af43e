# category: python-branch-on-tracer
import jax
import jax.numpy as jnp
from jax import lax


def reflect(state):
    x, v = state
    return jnp.abs(x), -v


def damp(state):
    x, v = state
    return (x, 0.5 * v) if v > 1.0 else (x, v)  #! OAK201  #~ TracerBoolConversionError


def bounce(state, _):
    state = lax.cond(state[0] < 0, reflect, damp, state)
    x, v = state
    return (x + 0.1 * v, v - 0.98), x


print(lax.scan(bounce, (1.0, 0.0), None, length=5)[1])

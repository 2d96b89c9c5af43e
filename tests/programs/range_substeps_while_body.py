# category: range-of-tracer
from typing import NamedTuple

import jax
import jax.numpy as jnp


class SimState(NamedTuple):
    t: jax.Array
    pos: jax.Array
    substeps: jax.Array


def force(pos):
    return -pos


def integrate(state, dt=0.1):
    pos = state.pos
    h = dt / state.substeps
    for i in range(state.substeps):  #! OAK205 20 #~ TracerIntegerConversionError
        pos = pos + h * force(pos)
    return state._replace(t=state.t + dt, pos=pos)


def simulate(state, until):
    return jax.lax.while_loop(lambda s: s.t < until, integrate, state)


start = SimState(jnp.float32(0.0), jnp.ones(2), jnp.int32(4))
print(integrate(start).pos)
print(simulate(start, 0.5))

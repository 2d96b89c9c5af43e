# category: list-index-by-tracer
from enum import IntEnum

import jax
import jax.numpy as jnp


class Act(IntEnum):
    RELU = 0
    GELU = 1


FUNCTIONS = [jax.nn.relu, jax.nn.gelu]


def activate(x, act):
    return FUNCTIONS[act](x)  #! OAK206 22 #~ TracerIntegerConversionError


@jax.jit
def network(params, x):
    h = activate(x @ params["w1"], Act.RELU)
    h = activate(h @ params["w2"], params["act"])
    return h.sum()


params = {"w1": jnp.eye(2), "w2": jnp.eye(2), "act": int(Act.GELU)}
print(activate(jnp.ones(2), Act.GELU))
print(network(params, jnp.ones((1, 2))))

# category: clean/inplace-mutation
import jax
import jax.numpy as jnp
import numpy as np


class State(dict):
    pass


@jax.jit
def shuffle(xs, weights):
    xs = list(xs)
    xs[0], xs[-1] = xs[-1], xs[0]
    xs[1:] = [x * 2 for x in xs[1:]]
    del xs[0]
    table = np.zeros(3, dtype=object)
    table[0] = xs[0]
    state = State(a=xs[0])
    state["a"] += weights
    weights += 1.0
    consts = np.ones(2)
    consts[0] = weights.shape[0]
    consts *= 2
    return state["a"] * consts, table[0]


print(shuffle([jnp.ones(2), jnp.zeros(2), jnp.ones(2)], jnp.arange(2.0)))

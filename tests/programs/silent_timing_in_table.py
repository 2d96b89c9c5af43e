# category: silent/missing-block-until-ready
import functools
import time

import jax
import jax.numpy as jnp

TIMES = {}


def profiled(function):
    @functools.wraps(function)
    def wrapper(*args):
        begin = time.perf_counter()
        out = function(*args)
        TIMES.setdefault(function.__name__, []).append(time.perf_counter() - begin)  #! OAK711
        return out

    return wrapper


@profiled
@jax.jit
def attend(q, k):
    return jax.nn.softmax(q @ k.T)


for _ in range(2):
    attend(jnp.ones((8, 4)), jnp.ones((8, 4)))
print(len(TIMES["attend"]))

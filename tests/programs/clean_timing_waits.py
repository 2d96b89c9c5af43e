# category: clean/missing-block-until-ready
import time

import jax
import jax.numpy as jnp

square = jax.jit(lambda v: v @ v)


def timed(function, *args):
    begin = time.perf_counter()
    out = function(*args)
    jax.tree.map(lambda leaf: leaf.block_until_ready(), out)
    return time.perf_counter() - begin


for _ in range(2):
    print(timed(square, jnp.ones((4, 4))) >= 0)
start = time.perf_counter()
square.lower(jnp.ones((4, 4))).compile()
print(time.perf_counter() - start >= 0)

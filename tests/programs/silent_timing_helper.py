# category: silent/missing-block-until-ready
import time

import jax
import jax.numpy as jnp

square = jax.jit(lambda v: v @ v)


def timed(function, *args):
    begin = time.time()
    function(*args)
    end = time.time()  #! OAK711
    return end - begin


print(timed(square, jnp.ones((4, 4))) >= 0)

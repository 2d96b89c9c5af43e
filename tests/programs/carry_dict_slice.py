# category: carry-type-mismatch
from functools import partial

import jax.numpy as jnp
from jax import lax


def shrink(state, *, keep):
    return {"step": state["step"] + 1, "tail": state["tail"][:keep]}


def trim(tail):
    start = {"step": 0, "tail": tail}
    return lax.while_loop(  #! OAK504 #~ TypeError
        lambda state: state["step"] < 3, partial(shrink, keep=2), start
    )


print(trim(jnp.ones(5)))

# category: python-branch-on-tracer
"""A step over transitions asks for a field that its class declares as an array."""

import sys
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Transition(NamedTuple):
    reward: jax.Array
    done: jax.Array
    mask: jax.Array | None = None


def returns(batch: Transition, last: jax.Array):
    def step(total, at: Transition):
        if at.done:  #! OAK201 #~ TracerBoolConversionError
            total = jnp.zeros(())
        if at.mask is not None:
            total = total * at.mask
        total = at.reward + 0.9 * total
        return total, total

    return jax.lax.scan(step, last, batch, reverse=True)


seen = getattr(sys.modules[__name__], "".join(["Trans", "ition"]))(jnp.ones(3), jnp.zeros(3, bool))
getattr(sys.modules[__name__], "".join(["ret", "urns"]))(seen, jnp.zeros(()))

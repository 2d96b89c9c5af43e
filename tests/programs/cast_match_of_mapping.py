# category: scalar-cast-of-tracer
"""Settings are taken apart by what they hold: arrays and sets are no sequences for `match`."""

import jax
import jax.numpy as jnp


@jax.jit
def rescale(x):
    settings = {"kind": "mean", "by": x, "parts": [1.0, 0.5, x.sum()]}
    match settings:
        case {"kind": "mean", "from": start}:
            x = x - float(start)
        case {"kind": "mean", "parts": [_, 1.0, _]}:
            x = x / float(x)
        case {"kind": "sum"}:
            x = x * float(x)
        case {"kind": "mean", "by": [_, _, _]}:
            x = x + float(x)
        case {"kind": "mean", "parts": [first, *_, last]}:
            x = x * first / float(last)  #! OAK204 #~ ConcretizationTypeError
    return x


print(rescale(jnp.ones(3)))

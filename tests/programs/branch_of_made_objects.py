# category: python-branch-on-tracer
"""Two calls that make the same make two objects: what is put into one is not in the other."""

import jax
import jax.numpy as jnp


class Meter:
    def __init__(self, size):
        self.size = size
        self.seen = []


def make_log(size):
    return {"size": size, "values": [], "meters": (Meter(size), Meter(size))}


@jax.jit
def record(x):
    first, second = make_log(2), make_log(2)
    first["values"].append(x)
    second["values"].append(1.0)
    first["meters"][0].seen.append(x)
    first["meters"][1].seen.append(2.0)
    second["meters"][0].seen.append(3.0)
    if second["values"][0] > 0 and second["meters"][0].seen[0] > first["meters"][1].seen[0]:
        x = x + 1
    if not second["meters"][1].seen and second["size"] == 2:
        x = x + 1
    if first["meters"][0].seen[0] > 0:  #! OAK201 #~ TracerBoolConversionError
        x = x + 1
    return x


record(jnp.float32(1.0))

# category: python-branch-on-tracer
import copy
from collections import namedtuple
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp

Batch = namedtuple("Batch", ["inputs", "scale"])


@dataclass
class Options:
    rate: float
    schedule: object = None


class Bounded:
    limit = 1.0

    def clipped(self, x):
        if x > self.limit:  #! OAK201
            return self.limit
        return x


Loose = type("Loose", (Bounded,), {"limit": 2.0})


@jax.jit
def derived(x):
    """A class that a call makes has the methods of its bases."""
    kind = type(Loose())
    return kind().clipped(x) if Loose.limit > 1 and kind is Loose else float(x)


@jax.jit
def checked(batch):
    """What an object has is known where its class says so."""
    if not hasattr(batch, "scale") or callable(batch.scale):
        return batch.inputs
    return batch.inputs if batch.scale > 0 else 0.0  #! OAK201 #~ TracerBoolConversionError


@jax.jit
def copied(x):
    options = Options(x, jnp.sin)
    changed = copy.copy(options)
    changed.rate = 2.0
    if callable(changed.schedule) and changed.rate > 1:
        head = x[slice(2)]
        return bool(options.rate.sum() > head[1])  #! OAK204
    return False


@jax.jit
def raised(x):
    limit = pow(x, 2)
    if callable(limit) or not callable(Options) or not callable(partial(raised, x)):
        return x
    return [v for v in (limit,) if v.sum() > 1]  #! OAK201


@partial(jax.vmap, in_axes=(0,))
def mapped(x, *, scale, bias=None):
    if bias is None:
        return float(scale)  #! OAK204
    return x * scale


print(checked(Batch(jnp.ones(3), jnp.ones(()))))
for function in (copied, raised):
    print(function(jnp.ones(3)))
print(derived(jnp.ones(())))
print(mapped(jnp.ones(3), scale=jnp.ones(3)))

# category: clean/hash-of-tracer
from dataclasses import dataclass
from enum import Enum, auto

import jax
import jax.numpy as jnp


class Padding(Enum):
    SAME = auto()
    VALID = auto()


@dataclass(frozen=True)
class ConvSpec:
    width: int
    padding: Padding = Padding.SAME

    @property
    def mode(self):
        return {Padding.SAME: "same", Padding.VALID: "valid"}[self.padding]


_cache: dict = {}


def kernel_for(spec: ConvSpec):
    if spec not in _cache:
        _cache[spec] = jnp.ones(spec.width) / spec.width
    return _cache[spec]


kernel_for(ConvSpec(3))
kernel_for(ConvSpec(2, Padding.VALID))


def apply(spec, x):
    match spec:
        case ConvSpec(width=w) if w > x.shape[0]:
            raise ValueError("kernel too wide")
        case ConvSpec(padding=Padding.SAME):
            scale = 1.0
        case _:
            scale = 2.0
    return scale * jnp.convolve(x, kernel_for(spec), mode=spec.mode)


run = jax.jit(apply, static_argnums=0)
print([run(s, jnp.ones(4)).shape for s in list(_cache)])

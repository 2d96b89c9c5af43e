# category: hash-of-tracer
from dataclasses import dataclass
from functools import lru_cache

import jax


@dataclass(frozen=True)
class Window:
    width: float
    taps: int


@lru_cache
def ramp(window):
    return [window.width * tap for tap in range(window.taps)]


@jax.jit
def spread(width):
    return sum(ramp(window=Window(width, 3)))  #! OAK216 #~ TypeError


print(sum(ramp(Window(0.5, 3))))
print(spread(2.0))

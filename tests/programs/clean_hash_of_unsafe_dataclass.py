# category: clean/unhashable-static-argument
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(unsafe_hash=True, eq=False)
class Fit:
    """Compares itself, and asks for the hash that Python would else take away."""

    degree: int

    def __eq__(self, other):
        return isinstance(other, Fit) and self.degree == other.degree


@partial(jax.jit, static_argnames=("fit",))
def predict(x, fit):
    return sum(x**power for power in range(fit.degree))


print(predict(jnp.arange(3.0), fit=Fit(3)))

# category: unhashable-static-argument
import dataclasses
from functools import partial

import jax
import jax.numpy as jnp


@dataclasses.dataclass(eq=False)
class Fit:
    """Compares itself, and asks for no hash: Python takes it away."""

    degree: int

    def __eq__(self, other):
        return isinstance(other, Fit) and self.degree == other.degree


@partial(jax.jit, static_argnames=("fit",))
def predict(x, fit):
    return sum(x**power for power in range(fit.degree))


print(predict(jnp.arange(3.0), fit=Fit(3)))  #! OAK304 #~ ValueError

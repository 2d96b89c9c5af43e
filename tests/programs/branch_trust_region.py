# category: python-branch-on-tracer
"""A trust-region step: the accept test sits in a method two calls below the jitted entry."""

from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp


@dataclass(frozen=True)
class TrustRegion:
    shrink: float = 0.5
    grow: float = 2.0
    max_radius: float = 10.0

    def ratio(self, actual, predicted):
        return actual / (predicted + 1e-12)

    def update(self, radius, rho, *, verbose=False):
        if verbose:
            jax.debug.print("rho {}", rho)
        if rho < 0.25:  #! OAK201 12 #~ TracerBoolConversionError
            return radius * self.shrink
        return jnp.minimum(radius * self.grow, self.max_radius)


def objective(x):
    return jnp.sum((x - 3.0) ** 2)


def step(region, x, radius):
    g = jax.grad(objective)(x)
    p = -g * radius / (jnp.linalg.norm(g) + 1e-6)
    rho = region.ratio(objective(x) - objective(x + p), -jnp.vdot(g, p))
    return x + p, region.update(radius, rho)


solve = jax.jit(partial(step, TrustRegion()))
print(solve(jnp.zeros(3), 1.0))

# category: python-branch-on-tracer
"""Molecular dynamics with a cutoff."""
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Potential:
    epsilon: float = 1.0
    sigma: float = 1.0
    cutoff: float = 2.5

    def pair(self, a, b):
        r = jnp.linalg.norm(a - b)
        if r > self.cutoff:  #! OAK201  #~ TracerBoolConversionError
            return 0.0
        s = (self.sigma / r) ** 6
        return 4.0 * self.epsilon * (s * s - s)

    def total(self, positions):
        pair = jax.vmap(jax.vmap(self.pair, (None, 0)), (0, None))
        return 0.5 * pair(positions, positions + 0.1).sum()


energy = Potential().total
force = jax.grad(lambda r: -energy(r))
print(force(jnp.arange(6.0).reshape(3, 2)).shape)

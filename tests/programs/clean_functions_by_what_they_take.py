# category: clean/traced-static-argument
"""Of two functions each is called with as many arguments as it takes."""

import jax
import jax.numpy as jnp


def evolve(density, mass, targets, step, size):
    return density + step * jax.ops.segment_sum(mass, targets, size)


def limited(density, mass, ratio, speed, pressure, width, step):
    return density * mass + ratio * speed * pressure * width * step


class Solver:
    def __init__(self, kind):
        self.kind = kind
        if kind == "standard":
            self.change = evolve
        else:
            self.change = limited

    def advance(self, density, mass, targets):
        if self.kind == "standard":
            return self.change(density, mass, targets, 0.1, 3)
        return jax.vmap(self.change)(density, mass, mass, mass, mass, mass, mass)


for kind in ("".join(["stan", "dard"]), "".join(["lim", "ited"])):
    print(Solver(kind).advance(jnp.ones(3), jnp.ones(3), jnp.arange(3)))

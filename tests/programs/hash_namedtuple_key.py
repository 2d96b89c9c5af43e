# category: hash-of-tracer
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Site(NamedTuple):
    row: int
    col: int


class SparseLattice:
    def __init__(self, couplings):
        self.couplings = couplings

    def coupling(self, site: Site):
        return self.couplings.get(site, 0.0)  #! OAK216 #~ TypeError

    def energy(self, spins, site):
        return self.coupling(site) * spins[site.row] * spins[site.col]


lattice = SparseLattice({Site(0, 1): 1.0, Site(1, 2): -0.5})


@jax.jit
def total(spins):
    fixed = sum(lattice.energy(spins, s) for s in lattice.couplings)
    moving = jax.lax.fori_loop(0, 2, lambda i, e: e + lattice.energy(spins, Site(i, i + 1)), 0.0)
    return fixed + moving


print(lattice.energy(jnp.ones(3), Site(0, 1)))
print(total(jnp.ones(3)))

# category: silent/nan-where-grad
"""Angles of crystals that users fit: parameters have names of the project's own for arrays."""

import dataclasses

import jax
import jax.numpy as jnp

Angles = jax.Array


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Cell:
    lengths: Angles
    cosines: Angles


def tilt(cosine: Angles) -> Angles:
    bounded = jnp.clip(cosine, min=-1.0, max=1.0)
    return jnp.arccos(bounded)  #! OAK602


def corner(cell: Cell) -> Angles:
    bounded = jnp.clip(cell.cosines * cell.lengths, -1.0, 1.0)
    return jnp.arccos(bounded)  #! OAK602


def safe_tilt(cosine: Angles) -> Angles:
    bounded = jnp.clip(cosine, min=-1.0 + 1e-6, max=1.0 - 1e-6)
    return jnp.arccos(bounded)


def count(cells: int, cosine: Angles) -> Angles:
    return jnp.clip(cosine * cells, -1.0, 1.0)


slopes = jax.vmap(jax.grad(safe_tilt))(jnp.array([-2.0, 0.5, 2.0]))
assert not jnp.isnan(slopes).any()
assert count(2, jnp.ones(())) == 1

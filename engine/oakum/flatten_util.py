"""Trees of arrays as one vector."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import trees as rules
from oakum.array import Array
from oakum.pytrees import pytree as trees
from oakum.pytrees.pytree import PyTreeDef
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public
from oakum.values.records import dataclass


@public("flatten_util.ravel_pytree", rules.ravelled)
def ravel_pytree(pytree: object) -> tuple[Array, Callable[[Array], Any]]:
    """Flattens a tree of arrays to one vector, and returns the function that undoes it."""
    leaves, treedef = trees.flatten(pytree)
    if not leaves:
        return jnp.zeros((0,), "float32"), Unravel(treedef, ())
    dtypes = tuple(lax.dtype(leaf) for leaf in leaves)
    shapes = tuple(jnp.shape(leaf) for leaf in leaves)
    common = jnp.result_type(*dtypes)
    if all(dtype == common for dtype in dtypes):
        # A vector of any dtype can then be unravelled: derivatives and comparisons of this one.
        return _joined(leaves), Unravel(treedef, shapes)
    converted = [lax.convert_element_type(leaf, common) for leaf in leaves]
    return _joined(converted), Unravel(treedef, shapes, common, dtypes)


def _joined(arrays: Sequence[Any]) -> Array:
    return lax.concatenate([jnp.ravel(array) for array in arrays], 0)


@dataclass(frozen=True)
class Unravel:
    """Makes a tree from a vector; equal ones are equal, so that they can be static arguments."""

    treedef: PyTreeDef
    shapes: tuple[tuple[int, ...], ...]
    dtype: Any = None
    """What the vector has to have, if the leaves have several dtypes."""
    dtypes: tuple[Any, ...] = ()

    def __call__(self, flat: Array) -> Any:
        """Returns the tree whose elements are those of a vector."""
        if not self.shapes:
            return self.treedef.unflatten([])
        if self.dtype is not None and (given := lax.dtype(flat)) != self.dtype:
            raise TypeError(
                f"the function that undoes ravel_pytree was given an array of dtype {given}, but "
                f"expected dtype {self.dtype}, which the leaves of several dtypes were converted "
                f"to. Convert the array with astype({str(self.dtype)!r})"
            )
        pieces = lax.split(flat, [math.prod(shape) for shape in self.shapes])
        leaves = [
            jnp.reshape(piece, shape) for piece, shape in zip(pieces, self.shapes, strict=True)
        ]
        if self.dtypes:
            leaves = [_convert(leaf, to) for leaf, to in zip(leaves, self.dtypes, strict=True)]
        return self.treedef.unflatten(leaves)


def _convert(leaf: ArrayLike, dtype: DTypeLike) -> Any:
    """Converts a leaf back; the imaginary part that a real one was given is dropped."""
    if jnp.iscomplexobj(leaf) and not jnp.issubdtype(dtype, jnp.complexfloating):
        leaf = lax.real(leaf)
    return lax.convert_element_type(leaf, dtype)

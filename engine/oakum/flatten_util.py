"""Trees of arrays as one vector."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.abstract import trees
from oakum.array import Array
from oakum.facts import public


@public("flatten_util.ravel_pytree", trees.ravelled)
def ravel_pytree(pytree: Any) -> tuple[Array, Callable[[Array], Any]]:
    """Flattens a tree of arrays to one vector, and gives the function that undoes it."""
    ...

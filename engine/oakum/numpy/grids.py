"""Objects that are indexed to make arrays or indices: `r_`, `c_`, `mgrid`, `ogrid`, `s_`."""

from __future__ import annotations

from typing import Any, Final

from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import grid_parts
from oakum.values.declarations import public

__all__ = ["c_", "index_exp", "mgrid", "ogrid", "r_", "s_"]


class _Rows:
    """Joins the items of the index along the first axis; a slice stands for a range."""

    @public("numpy.r_.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Joins the items of the index."""
        return grid_parts.join(key, grid_parts.ROWS)


class _Columns:
    """Joins the items of the index along the last axis; a slice stands for a range."""

    @public("numpy.c_.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Joins the items of the index."""
        return grid_parts.join(key, grid_parts.COLUMNS)


class _DenseGrid:
    """Makes the dense coordinates of a grid of ranges; one array."""

    @public("numpy.mgrid.__getitem__", results.array)
    def __getitem__(self, key: Any) -> Array:
        """Makes the coordinates."""
        return grid_parts.dense(key)


class _OpenGrid:
    """Makes the coordinates of a grid of ranges, one array for each axis, for broadcasting."""

    @public("numpy.ogrid.__getitem__")
    def __getitem__(self, key: Any) -> Any:
        """Makes the coordinates."""
        return grid_parts.open_ranges(key)


class _Index:
    """Gives the index itself.

    >>> s_[1:3, ...]
    (slice(1, 3, None), Ellipsis)
    """

    def __init__(self, *, always_tuple: bool) -> None:
        self.always_tuple = always_tuple

    def __getitem__(self, key: Any) -> Any:
        is_tuple = issubclass(type(key), tuple)
        return (key,) if self.always_tuple and not is_tuple else key


r_: Final = _Rows()
c_: Final = _Columns()
mgrid: Final = _DenseGrid()
ogrid: Final = _OpenGrid()
s_: Final = _Index(always_tuple=False)
index_exp: Final = _Index(always_tuple=True)

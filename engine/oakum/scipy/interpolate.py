"""Interpolation on grids."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import numpy as jnp
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.numpy import arguments
from oakum.pytrees.node_types import NodeKind, register
from oakum.typing import ArrayLike
from oakum.values.declarations import public_class

_METHODS = ("linear", "nearest")


@public_class("scipy.interpolate.RegularGridInterpolator")
class RegularGridInterpolator:
    """A function between its values at the points of a rectangular grid.

    `points` has the increasing coordinates along each axis, `values` the values, whose further axes
    belong to each value. "linear" interpolates between the corners of a cell, "nearest" takes the
    nearest point. Beyond the grid lies `fill_value`; None goes on as in the outermost cell.

    >>> import jax.numpy as jnp
    >>> from jax.scipy.interpolate import RegularGridInterpolator
    >>> x, y = jnp.array([0.0, 1.0]), jnp.array([0.0, 2.0, 4.0])
    >>> between = RegularGridInterpolator((x, y), x[:, None] + y)
    >>> between(jnp.array([[0.5, 1.0], [0.25, 3.5]]))
    Array([1.5 , 3.75], dtype=float32)
    """

    grid: tuple[Array, ...]
    values: Array
    fill_value: Array | None
    method: str

    def __init__(
        self,
        points: Sequence[ArrayLike],
        values: ArrayLike,
        method: str = "linear",
        bounds_error: bool = False,
        fill_value: float | ArrayLike | None = math.nan,
    ) -> None:
        _check_method(method)
        if bounds_error:
            raise NotImplementedError("`bounds_error` takes no effect under JIT")
        arguments.check_arrays("RegularGridInterpolator", values, *points)
        (self.values,) = arguments.promote_inexact(values)
        self.grid = tuple(map(jnp.asarray, points))
        if len(self.grid) > self.values.ndim:
            raise ShapeError(
                f"there are {len(self.grid)} point arrays, but values has {self.values.ndim} "
                "dimensions",
                hint="Give the coordinates along each of the leading axes of values.",
            )
        for number, (own, size) in enumerate(zip(self.grid, self.values.shape, strict=False)):
            if own.shape != (size,):
                raise ShapeError(
                    f"points[{number}] has shape {own.shape}, and values has {size} elements along "
                    f"axis {number}",
                    hint="Give one coordinate for each element.",
                )
        self.method = method
        self.fill_value = None if fill_value is None else jnp.asarray(fill_value)
        beyond = self.values if self.fill_value is None else self.fill_value
        if arguments.is_complex(beyond) and not arguments.is_complex(self.values):
            raise ValueError("fill_value must be None or of a type compatible with values")

    def __call__(self, xi: ArrayLike | tuple[ArrayLike, ...], method: str | None = None) -> Array:
        """Returns the values at points, whose coordinates are along the last axis of `xi`, or the
        arrays of a tuple. A vector is a list of points, too.
        """
        method = self.method if method is None else method
        _check_method(method)
        rank = len(self.grid)
        at = _points(xi, rank)
        if at.shape[-1] != rank:
            raise ShapeError(
                f"the requested sample points xi have dimension {at.shape[-1]}, but this "
                f"RegularGridInterpolator has dimension {rank}",
                hint="Put the coordinates of each point along the last axis.",
            )
        found = [_place(own, at[..., axis]) for axis, own in enumerate(self.grid)]
        result = self._nearest(found) if method == "nearest" else self._linear(found)
        if self.fill_value is None:
            return result
        outside = jnp.zeros(at.shape[:-1], bool)
        for axis, own in enumerate(self.grid):
            outside |= (at[..., axis] < own[0]) | (at[..., axis] > own[-1])
        further = result.ndim - outside.ndim
        outside = outside.reshape(outside.shape + (1,) * further)
        return jnp.where(outside, self.fill_value.astype(result.dtype), result)

    def _linear(self, found: Sequence[tuple[Array, Array]]) -> Array:
        """Returns the sum over the corners of each cell, weighted by the opposite volumes."""
        further = self.values.ndim - len(found)
        total: Any = 0
        for corner in range(1 << len(found)):
            place: list[Array] = []
            weight: Any = 1
            for axis, (cell, share) in enumerate(found):
                upper = corner >> axis & 1
                place.append(cell + upper)
                weight = weight * (share if upper else 1 - share)
            weight = weight.reshape(weight.shape + (1,) * further)
            total = total + weight * self.values[tuple(place)]
        return total

    def _nearest(self, found: Sequence[tuple[Array, Array]]) -> Array:
        place = [jnp.where(share <= 0.5, cell, cell + 1) for cell, share in found]
        return self.values[tuple(place)]


def _check_method(method: str) -> None:
    if method not in _METHODS:
        raise ValueError(f"method {method!r} is not defined")


def _points(xi: ArrayLike | tuple[ArrayLike, ...], rank: int) -> Array:
    if isinstance(xi, tuple):
        arguments.check_arrays("RegularGridInterpolator", *xi)
        return jnp.stack(jnp.broadcast_arrays(*xi), axis=-1)
    arguments.check_arrays("RegularGridInterpolator", xi)
    points = jnp.asarray(xi)
    return points if points.ndim > 1 else points.reshape(-1, rank)


def _place(own: Array, at: Array) -> tuple[Array, Array]:
    """Returns in which cell of an axis coordinates lie, and which share of it is below them."""
    cell = jnp.clip(jnp.searchsorted(own, at) - 1, 0, max(own.shape[0] - 2, 0))
    width = own[cell + 1] - own[cell]
    # An axis of one point has no cell: all lies at its point.
    share = jnp.where(width == 0, 0, (at - own[cell]) / jnp.where(width == 0, 1, width))
    return cell, share


_FIELDS = ("grid", "values", "fill_value")


def _take_apart(made: RegularGridInterpolator) -> tuple[tuple[Any, ...], str]:
    return tuple(getattr(made, name) for name in _FIELDS), made.method


def _put_together(method: str, fields: tuple[Any, ...]) -> RegularGridInterpolator:
    made = RegularGridInterpolator.__new__(RegularGridInterpolator)
    vars(made).update(zip(_FIELDS, fields, strict=True), method=method)
    return made


register(NodeKind(RegularGridInterpolator, _take_apart, _put_together))

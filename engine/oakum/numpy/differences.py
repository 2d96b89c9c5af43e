"""Differences of neighbours, and the derivatives that they estimate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments
from oakum.tracing.trace import aval_of


def diff(a: Any, n: int, axis: int, prepend: Any, append: Any) -> Any:
    """The differences of neighbours along an axis, taken n times."""
    (a,) = arguments.arrays("diff", a)
    arguments.check_arrays_or_none("diff", prepend, append)
    n = arguments.size(n, "the order of jnp.diff()")
    if n == 0:
        return a
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if arguments.rank_of(a) == 0:
        raise errors.ShapeError(
            f"diff requires input that is at least one dimensional; got {aval_of(a)}"
        )
    axis = arguments.axis(axis, arguments.rank_of(a))
    parts = [_edge(a, prepend, axis), a, _edge(a, append, axis)]
    if prepend is not None or append is not None:
        a = jnp.concatenate([part for part in parts if part is not None], axis)
    subtract = jnp.not_equal if arguments.is_kind(a, Kind.BOOL) else jnp.subtract
    for _ in range(n):
        size = arguments.shape_of(a)[axis]
        after = lax.slice_in_dim(a, min(1, size), size, axis=axis)
        a = subtract(after, lax.slice_in_dim(a, 0, max(size - 1, 0), axis=axis))
    return a


def _edge(a: Any, value: Any, axis: int) -> Any:
    """What is put before or behind an array; a number is repeated along the other axes."""
    if value is None or arguments.rank_of(value):
        return value
    shape = list(arguments.shape_of(a))
    shape[axis] = 1
    return arguments.broadcast_to(value, shape)


def neighbours(ary: Any, to_end: Any, to_begin: Any) -> Any:
    """The differences of neighbours of a flat array, with values put at the ends."""
    (ary,) = arguments.arrays("ediff1d", ary)
    arguments.check_arrays_or_none("ediff1d", to_end, to_begin)
    flat = jnp.ravel(ary)
    result = jnp.subtract(flat[1:], flat[:-1])
    dtype = arguments.dtype_of(ary)
    for value, name in ((to_begin, "to_begin"), (to_end, "to_end")):
        if value is not None and arguments.promote_dtype(value, dtype) is not dtype:
            raise errors.DTypeError(
                f"dtype of {name} must be compatible with that of the array, {dtype}"
            )
    parts = [
        jnp.ravel(arguments.convert(to_begin, dtype)) if to_begin is not None else None,
        result,
        jnp.ravel(arguments.convert(to_end, dtype)) if to_end is not None else None,
    ]
    given = [part for part in parts if part is not None]
    return given[0] if len(given) == 1 else jnp.concatenate(given)


def gradient(
    f: Any, spacing: Sequence[Any], axis: int | Sequence[int] | None, edge_order: int | None
) -> Any:
    """Central differences along axes, one-sided ones at the ends."""
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    given = [arguments.array_of_list(h) if isinstance(h, (tuple, list)) else h for h in spacing]
    f, *steps = arguments.promote_inexact(*arguments.arrays("gradient", f, *given))
    rank = arguments.rank_of(f)
    axes = arguments.axes(axis, rank)
    if not axes:
        return []
    if any(arguments.shape_of(f)[each] < 2 for each in axes):
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least 2 elements are "
            "required."
        )
    if len(steps) not in (0, 1, len(axes)):
        raise TypeError(f"Invalid number of spacing arguments {len(steps)} for axis={axis}")
    chosen: list[Any] = [1.0] * len(axes)
    if steps:
        chosen = [steps[0]] * len(axes) if len(steps) == 1 else steps
    results = [_along(f, h, each) for h, each in zip(chosen, axes, strict=True)]
    return results[0] if len(axes) == 1 else results


def _along(f: Any, h: Any, axis: int) -> Any:
    if not isinstance(h, float) and arguments.rank_of(h):
        return _uneven(f, h, axis)
    size = arguments.shape_of(f)[axis]

    def cut(start: int, stop: int) -> Any:
        return lax.slice_in_dim(f, start, stop, axis=axis)

    parts = [
        cut(1, 2) - cut(0, 1),
        (cut(2, size) - cut(0, size - 2)) * 0.5,
        cut(size - 1, size) - cut(size - 2, size - 1),
    ]
    return jnp.divide(jnp.concatenate(parts, axis), h)


def _uneven(f: Any, x: Any, axis: int) -> Any:
    """Derivatives for points that are not evenly spaced."""
    size = arguments.shape_of(f)[axis]
    if arguments.rank_of(x) != 1:
        raise ValueError("distances must be either scalars or 1d")
    if arguments.size_of(x) != size:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    shape = [1] * arguments.rank_of(f)
    shape[axis] = size - 1
    gaps = jnp.reshape(jnp.diff(x), shape)

    def cut(a: Any, start: int, stop: int) -> Any:
        return lax.slice_in_dim(a, start, stop, axis=axis)

    slopes = (cut(f, 1, size) - cut(f, 0, size - 1)) / gaps
    before, after = cut(gaps, 0, size - 2), cut(gaps, 1, size - 1)
    # The slope on either side counts by the length of the other side.
    inner = (cut(slopes, 0, size - 2) * after + cut(slopes, 1, size - 1) * before) / (
        before + after
    )
    ends = cut(slopes, 0, 1), cut(slopes, size - 2, size - 1)
    return jnp.concatenate([ends[0], inner, ends[1]], axis)

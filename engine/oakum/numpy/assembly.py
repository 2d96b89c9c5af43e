"""Joining arrays: along an axis, along a new one, and as blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from oakum import errors, lax
from oakum.array import Array
from oakum.numpy import arguments, layout, promoting


def _parts(function: str, values: Any) -> list[Any]:
    """The arrays of a sequence of arrays, or those along the first axis of one array."""
    if isinstance(values, Sequence):
        # Also one that says itself what array it is: that may well be this very call.
        return arguments.arrays(function, *cast("Sequence[Any]", values))
    if arguments.is_array_like(values):
        arrays = arguments.array(values)
        if arguments.rank_of(arrays) == 0:
            raise errors.ShapeError(f"Need at least one array to {function}: got a scalar")
        count = arguments.shape_of(arrays)[0]
        return [lax.index_in_dim(arrays, i, 0, keepdims=False) for i in range(count)]
    raise errors.InvalidValueError(
        f"{function} requires ndarray or scalar arguments, or a sequence of them, got "
        f"{type(values)} at position 0",
        hint="Give a list or a tuple of arrays.",
    )


def _common(parts: list[Any], dtype: Any) -> list[Any]:
    if dtype is None:
        return arguments.promote(*parts)
    wanted = arguments.requested_dtype(dtype)
    return [arguments.convert(part, wanted) for part in parts]


def concatenate(values: Any, axis: Any, dtype: Any) -> Any:
    """Arrays joined along an axis that they have; flat without an axis."""
    parts = _parts("concatenate", values)
    if not parts:
        raise errors.ShapeError("Need at least one array to concatenate.")
    if axis is None:
        parts = [lax.reshape(part, (arguments.size_of(part),)) for part in parts]
        axis = 0
    if any(arguments.rank_of(part) == 0 for part in parts):
        raise errors.ShapeError("Zero-dimensional arrays cannot be concatenated.")
    axis = arguments.axis(axis, arguments.rank_of(parts[0]))
    joined = lax.concatenate(_common(parts, dtype), axis)
    return joined if len(parts) > 1 else promoting.owned(joined, _only(values))


def stack(values: Any, axis: Any, dtype: Any) -> Any:
    """Arrays of one shape joined along a new axis."""
    parts = _parts("stack", values)
    if not parts:
        raise errors.ShapeError("Need at least one array to stack.")
    shapes = {arguments.shape_of(part) for part in parts}
    if len(shapes) > 1:
        raise errors.ShapeError(
            f"All input arrays must have the same shape, and these have {sorted(shapes)}"
        )
    axis = arguments.axis(axis, len(shapes.pop()) + 1)
    return lax.concatenate([layout.expand_dims(part, axis) for part in _common(parts, dtype)], axis)


def stacked(function: str, values: Any, form: Callable[[Any], Any], axis: int, dtype: Any) -> Any:
    """Arrays brought into a form and joined along an axis."""
    parts = [form(part) for part in _parts(function, values)]
    return promoting.staged(concatenate(parts, axis, dtype))


def side_by_side(values: Any, dtype: Any) -> Any:
    """Arrays joined along the second axis, vectors along their only one."""
    parts = [layout.one_dimensional(part) for part in _parts("hstack", values)]
    axis = 0 if not parts or arguments.rank_of(parts[0]) == 1 else 1
    return promoting.staged(concatenate(parts, axis, dtype))


def _only(values: Any) -> Any:
    """The one array of a sequence; None of another array, which is taken apart."""
    return cast("Sequence[Any]", values)[0] if isinstance(values, (tuple, list)) else None


def as_column(part: Any) -> Any:
    """A vector as a matrix of one column; other arrays as they are."""
    rank = arguments.rank_of(part)
    if rank >= 2:
        return part
    return lax.reshape(part, (arguments.size_of(part), 1))


def block(arrays: Any) -> Any:
    """The array assembled from nested lists of blocks."""
    joined, _ = _block(arrays)
    return joined


def _block(blocks: Any) -> tuple[Any, int]:
    """The joined blocks, and how deep their lists are nested."""
    if isinstance(blocks, tuple):
        raise ValueError(f"jax.numpy.block does not allow tuples, got {blocks}")
    if not isinstance(blocks, list):
        (array,) = arguments.arrays("block", blocks)
        return array, 1
    if not blocks:
        raise ValueError("jax.numpy.block does not allow empty list arguments")
    inner: list[tuple[Any, int]] = [_block(each) for each in blocks]  # pyright: ignore[reportUnknownVariableType]
    depths = {depth for _, depth in inner}
    if len(depths) > 1:
        raise ValueError("Mismatched list depths in jax.numpy.block")
    depth = depths.pop()
    parts: list[Array] = [part for part, _ in inner]
    rank = max(depth, *(arguments.rank_of(part) for part in parts))
    padded = [_raise_rank(part, rank) for part in parts]
    return concatenate(padded, -depth, None), depth + 1


def _raise_rank(part: Any, rank: int) -> Any:
    missing = rank - arguments.rank_of(part)
    return layout.expand_dims(part, tuple(range(missing))) if missing else part

"""Orders of the elements along an axis: sorted, by several keys, and in part."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments


def _check_options(function: str, kind: Any, order: Any) -> None:
    if kind is not None:
        raise TypeError(
            f"'kind' argument to {function} is not supported. Use stable=True or stable=False to "
            "specify sort stability."
        )
    if order is not None:
        raise TypeError(f"'order' argument to {function} is not supported.")


def _along(a: Any, axis: Any) -> tuple[Any, int]:
    if axis is None:
        return lax.reshape(a, (arguments.size_of(a),)), 0
    return a, arguments.axis(axis, arguments.rank_of(a))


def sort(a: Any, axis: Any, kind: Any, order: Any, stable: bool, descending: bool) -> Any:
    """The elements sorted along an axis, the greatest ones first if so asked."""
    (a,) = arguments.arrays("sort", a)
    _check_options("sort", kind, order)
    a, axis = _along(a, axis)
    result: Any = lax.sort(a, dimension=axis, is_stable=stable)
    return lax.rev(result, (axis,)) if descending else result


def argsort(
    a: Any, axis: Any, kind: Any, order: Any, stable: bool, descending: bool, dtype: Any
) -> Any:
    """The positions of the elements in their order along an axis."""
    (a,) = arguments.arrays("argsort", a)
    _check_options("argsort", kind, order)
    a, axis = _along(a, axis)
    index = arguments.default_int() if dtype is None else arguments.requested_dtype(dtype)
    places = lax.broadcasted_iota(index, arguments.shape_of(a), axis)
    # Of a stable descending order equal elements stay in theirs: two reversals keep them so.
    if descending and stable:
        a, places = lax.rev(a, (axis,)), lax.rev(places, (axis,))
    _, result = lax.sort_key_val(a, places, dimension=axis, is_stable=stable)
    return lax.rev(result, (axis,)) if descending else result


def lexsort(keys: Any, axis: Any) -> Any:
    """The positions in the order of several keys, of which the last counts most."""
    arrays = arguments.arrays("lexsort", *keys)
    if not arrays:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    shape = arguments.shape_of(arrays[0])
    if any(arguments.shape_of(each) != shape for each in arrays):
        raise errors.ShapeError("all keys need to be the same shape")
    index = arguments.default_int()
    if not shape:
        return lax.full((), 0, index)
    axis = arguments.axis(axis, len(shape))
    places = lax.broadcasted_iota(index, shape, axis)
    operands = (*arrays[::-1], places)
    return lax.sort(operands, dimension=axis, num_keys=len(arrays))[-1]


def _partitioned(function: str, a: Any, kth: Any, axis: Any) -> tuple[Any, int, int]:
    (a,) = arguments.arrays("partition", a)
    if arguments.is_kind(a, Kind.COMPLEX):
        raise NotImplementedError(f"jnp.{function} for complex dtype is not implemented.")
    place = arguments.axis(axis, arguments.rank_of(a))
    length = arguments.shape_of(a)[place]
    return jnp.swapaxes(a, place, -1), arguments.axis(kth, length), place


def _negated(a: Any) -> Any:
    """Values in the opposite order."""
    if arguments.is_kind(a, Kind.UINT):
        return lax.neg(lax.add(a, lax.full_like(a, 1)))
    return lax.neg(a)


def partition(a: Any, kth: Any, axis: Any) -> Any:
    """The elements with the `kth + 1` least ones before the others."""
    a, kth, axis = _partitioned("partition", a, kth, axis)
    size = arguments.shape_of(a)[-1]
    bottom = _negated(lax.top_k(_negated(a), kth + 1)[0])
    top = lax.top_k(a, size - kth - 1)[0]
    return jnp.swapaxes(lax.concatenate([bottom, top], arguments.rank_of(a) - 1), -1, axis)


def argpartition(a: Any, kth: Any, axis: Any) -> Any:
    """The positions of the elements with those of the `kth + 1` least ones first."""
    a, kth, axis = _partitioned("argpartition", a, kth, axis)
    shape = arguments.shape_of(a)
    bottom = lax.top_k(_negated(a), kth + 1)[1]
    taken = jnp.put_along_axis(jnp.ones(shape), bottom, 0.0, -1, inplace=False)
    top = lax.top_k(taken, shape[-1] - kth - 1)[1]
    return jnp.swapaxes(lax.concatenate([bottom, top], len(shape) - 1), -1, axis)

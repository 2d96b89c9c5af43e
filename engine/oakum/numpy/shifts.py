"""Rolling around the ends, and trimming of the ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from oakum import lax
from oakum.numpy import arguments
from oakum.values import host


def roll(a: Any, shift: Any, axis: int | Sequence[int] | None) -> Any:
    """The array shifted along axes, around the ends; without axes as if it were flat."""
    if isinstance(shift, (tuple, list)):
        # What is made of a list under tracing is not known any more.
        amounts = cast("Sequence[Any]", shift)
        known = all(isinstance(each, int) for each in amounts)
        shift = host.np.asarray(amounts) if known else arguments.array_of_list(amounts)
    a, shift = arguments.arrays("roll", a, shift)
    shape = arguments.shape_of(a)
    if axis is None:
        return lax.reshape(roll(lax.reshape(a, (arguments.size_of(a),)), shift, 0), shape)
    axes = [arguments.axis(each, len(shape)) for each in _listed(axis)]
    for each, amount in _pairs(axes, shift):
        a = _roll_one(a, amount, each)
    return a


def _listed(axis: int | Sequence[int]) -> Sequence[Any]:
    return axis if isinstance(axis, (tuple, list, range)) else (axis,)


def _pairs(axes: list[int], shift: Any) -> list[tuple[int, Any]]:
    """Each axis with its shift, an integer where it is known."""
    if arguments.rank_of(shift) > 1:
        raise ValueError("'shift' and 'axis' arguments to roll must be scalars or 1D arrays")
    count = arguments.size_of(shift) if arguments.rank_of(shift) else 1
    (total,) = arguments.broadcast_shapes((len(axes),), (count,))
    known = arguments.known(shift)
    if known is not None:
        amounts: list[Any] = [int(each) for each in known.reshape(-1)]
    else:
        flat = lax.reshape(shift, (count,))
        amounts = [lax.index_in_dim(flat, i, 0, keepdims=False) for i in range(count)]
    if len(axes) == 1:
        axes = axes * total
    if len(amounts) == 1:
        amounts = amounts * total
    return list(zip(axes, amounts, strict=True))


def _roll_one(a: Any, amount: Any, axis: int) -> Any:
    size = arguments.shape_of(a)[axis]
    if size == 0:
        return a
    if isinstance(amount, int):
        cut = -amount % size
        if cut == 0:
            return a
        parts = [lax.slice_in_dim(a, cut, size, axis=axis), lax.slice_in_dim(a, 0, cut, axis=axis)]
        return lax.concatenate(parts, axis)
    # The start is in [0, size], whatever the shift, so that the slice lies in the doubled array.
    start = lax.sub(lax.full_like(amount, size), _modulo(amount, size))
    return lax.dynamic_slice_in_dim(lax.concatenate([a, a], axis), start, size, axis)


def _modulo(value: Any, size: int) -> Any:
    limit = lax.full_like(value, size)
    return lax.rem(lax.add(lax.rem(value, limit), limit), limit)


def trim_zeros(filt: Any, trim: str, axis: int | Sequence[int] | None) -> Any:
    """The array without the zeros at its ends, which must be known."""
    (filt,) = arguments.arrays("trim_zeros", filt)
    known = arguments.demand(filt, "jnp.trim_zeros()")
    rank = len(known.shape)
    for each in arguments.axes(axis, rank):
        others = tuple(i for i in range(rank) if i != each)
        filled = (known != 0).any(axis=others).nonzero()[0]
        start, stop = (0, known.shape[each]) if filled.size else (0, 0)
        if filled.size and "f" in trim.lower():
            start = int(filled[0])
        if filled.size and "b" in trim.lower():
            stop = int(filled[-1]) + 1
        filt = lax.slice_in_dim(filt, start, stop, axis=each)
    return filt

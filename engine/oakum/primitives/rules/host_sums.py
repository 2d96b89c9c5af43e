"""Sums, and running sums, by NumPy whose rounding errors do not grow with the number of terms.

NumPy adds in pairs along the axis whose elements lie side by side, and one row after another along
the other axes: the mean of 100,000 rows of float32 had an error of 1e-5. Compiled sums are cut in
the same way: see `compile/loops/summation`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from oakum.values import host

_CHUNK: Final = 128
"""The rows that are added one after another. A chunk costs a row more: 10,000 rows of 256 take the
same time as uncut, with an error of 4e-7 for 4.5e-6."""


def accurate_sum(np: ModuleType, operand: host.Array, axes: Sequence[int]) -> Any:
    """Returns the sum of an array over axes, in its own dtype."""
    if operand.dtype.kind not in "fc" or math.prod(operand.shape[a] for a in axes) <= _CHUNK:
        return np.add.reduce(operand, axis=tuple(axes), dtype=operand.dtype)
    # From the axis whose elements lie side by side outwards: what is left gets smaller each time.
    # An element that is repeated along an axis lies beside nothing.
    apart = [abs(stride) or math.inf for stride in operand.strides]
    order = sorted(axes, key=apart.__getitem__)
    beside: list[int] = []
    reach = min(apart)
    for axis in order:
        if apart[axis] != reach:
            break
        beside.append(axis)
        reach *= operand.shape[axis]
    found: Any = operand
    if beside:
        found = np.add.reduce(operand, axis=tuple(beside), keepdims=True, dtype=operand.dtype)
    for axis in order[len(beside) :]:
        found = _sum_of_rows(np, found, axis)
    return found.reshape([n for axis, n in enumerate(operand.shape) if axis not in axes])


def _sum_of_rows(np: ModuleType, operand: host.Array, axis: int) -> Any:
    """Returns the sum over one axis, which stays with one element."""
    before, after = operand.shape[:axis], operand.shape[axis + 1 :]
    while (rows := operand.shape[axis]) > _CHUNK:
        whole = rows // _CHUNK * _CHUNK
        place = (*[slice(None)] * axis, slice(whole))
        # To cut an axis in two never copies.
        cut = operand[place].reshape(*before, whole // _CHUNK, _CHUNK, *after)
        parts = np.add.reduce(cut, axis=axis + 1, dtype=operand.dtype)
        if whole < rows:
            place = (*[slice(None)] * axis, slice(whole, rows))
            rest = np.add.reduce(operand[place], axis=axis, keepdims=True, dtype=operand.dtype)
            parts = np.concatenate([parts, rest], axis=axis)
        operand = parts
    return np.add.reduce(operand, axis=axis, keepdims=True, dtype=operand.dtype)


def accurate_running_sum(np: ModuleType, operand: host.Array, axis: int) -> Any:
    """Returns the running sums along an axis, in the dtype of the array: of chunks, to which what
    came before them is added.
    """
    rows = operand.shape[axis]
    if operand.dtype.kind not in "fc" or rows <= _CHUNK:
        return np.add.accumulate(operand, axis=axis, dtype=operand.dtype)
    before, after = operand.shape[:axis], operand.shape[axis + 1 :]
    chunks = -(-rows // _CHUNK)
    found = np.zeros((*before, chunks * _CHUNK, *after), operand.dtype)
    here = (*[slice(None)] * axis, slice(rows))
    found[here] = operand
    cut = found.reshape(*before, chunks, _CHUNK, *after)
    np.add.accumulate(cut, axis=axis + 1, dtype=operand.dtype, out=cut)
    places = [slice(None)] * axis
    totals = accurate_running_sum(np, cut[(*places, slice(-1), -1)], axis)
    cut[(*places, slice(1, None))] += np.expand_dims(totals, axis + 1)
    return found[here]

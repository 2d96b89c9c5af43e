"""Sorts as selections of all elements: the greatest of codes whose order is that of the elements
turned around. Several keys are sorted by one after another, the last one first.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.loops.operations import NATIVE
from oakum.compile.rewrite import rewriter
from oakum.compile.rewrite.expand_primitives import inline, stage_function
from oakum.dtypes import DTYPES, Kind
from oakum.primitives.sorting import take_along, top_k_p
from oakum.tracing.ir import ClosedJaxpr, Equation
from oakum.tracing.trace import aval_of
from oakum.values.avals import ShapedArray


def sort_by_selection(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program with its sorts as selections, in loops and branches too."""

    def selected(eqn: Equation) -> ClosedJaxpr | None:
        avals = [atom.aval for atom in eqn.inputs]
        kinds = [dtypes.to_real(aval.dtype) if _is_complex(aval) else aval.dtype for aval in avals]
        if eqn.primitive.name != "sort" or not all(kind in NATIVE for kind in kinds):
            return None
        return stage_function(functools.partial(_sort, **eqn.params), avals, "sort")

    def rewrite(each: ClosedJaxpr) -> ClosedJaxpr:
        is_sorting = any(eqn.primitive.name == "sort" for eqn in each.eqns)
        return inline(each, selected) if is_sorting else each

    return rewriter.rewrite_all(closed, rewrite)


def _sort(*operands: Array, dimension: int, num_keys: int, is_stable: bool) -> Sequence[Any]:
    """Sorts along an axis; equal elements keep their order, whether that is asked for or not."""
    del is_stable
    shape: tuple[int, ...] = operands[0].shape
    last, length = len(shape) - 1, shape[dimension]
    # Lines side by side in memory: the axis changes places with the last one, and back.
    swap = [*range(len(shape))]
    swap[dimension], swap[last] = last, dimension

    def swapped(x: Array) -> Any:
        return x if dimension == last else lax.transpose(x, tuple(swap))

    lines = [swapped(x) for x in operands]
    if len(lines) == 1 and not (_is_float(lines[0]) or _is_complex(aval_of(lines[0]))):
        values, _ = top_k_p.bind(_code(lines[0]), k=length, axis=last)
        return [swapped(lax.bitwise_not(values))]
    order: Any = None
    keys = [key for line in lines[:num_keys] for key in _keys(line)]
    for key in reversed(keys):
        code = _code(key) if order is None else take_along(_code(key), order, last)
        _, places = top_k_p.bind(code, k=length, axis=last)
        order = places if order is None else take_along(order, places, last)
    return [swapped(take_along(x, order, last)) for x in lines]


def _keys(x: Array) -> list[Any]:
    """Returns by what an array is sorted: complex numbers by their parts, those with a NaN last."""
    if not _is_complex(aval_of(x)):
        return [x]
    parts = [lax.real(x), lax.imag(x)]
    first, second = (lax.convert_element_type(lax.ne(y, y), dtypes.int32) for y in parts)
    return [lax.add(lax.add(first, first), second), *parts]


def _is_complex(aval: ShapedArray) -> bool:
    return aval.dtype is not None and aval.dtype.kind is Kind.COMPLEX


def _code(x: Array) -> Any:
    """Returns integers, greater for lesser elements; zeros of both signs have one, and all NaNs."""
    if not _is_float(x):
        return lax.bitwise_not(x)
    dtype = aval_of(x).dtype
    assert dtype is not None
    bits = lax.bitcast_convert_type(x, DTYPES[f"int{dtype.bits}"])
    greatest = (1 << (dtype.bits - 1)) - 1
    turned = lax.bitwise_xor(bits, lax.full_like(bits, greatest))
    code = lax.select(lax.lt(bits, lax.full_like(bits, 0)), turned, bits)
    code = lax.select(lax.eq(x, lax.full_like(x, 0)), lax.full_like(bits, 0), code)
    code = lax.select(lax.ne(x, x), lax.full_like(bits, greatest), code)
    return lax.bitwise_not(code)


def _is_float(x: Array) -> bool:
    dtype = aval_of(x).dtype
    return dtype is not None and dtype.kind is Kind.FLOAT

"""Pairs: the representation of complex arrays in compiled programs.

Either two arrays, of real and imaginary parts, or one array with both along a last axis, as they
lie in memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.compile.loops.elements import shape_of
from oakum.compile.rewrite.rewriter import real_of, rows_aval
from oakum.primitives.rules.lowering import Joined, Part, Position
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Pair:
    """Complex numbers as their parts, two arrays of one shape."""

    real: Any
    imag: Any


@dataclass(frozen=True, slots=True)
class Rows:
    """Complex numbers as an array with a last axis of two, their parts."""

    array: Any

    @property
    def pair(self) -> Pair:
        """Splits rows into parts."""
        shape = shape_of(self.array.aval)
        real, imag = (
            lax.reshape(
                lax.slice_in_dim(self.array, part, part + 1, axis=len(shape) - 1), shape[:-1]
            )
            for part in range(2)
        )
        return Pair(real, imag)


def part_aval(aval: ShapedArray) -> ShapedArray:
    """Returns the aval of the real or the imaginary parts."""
    return ShapedArray(shape_of(aval), real_of(aval.dtype))


# What the host takes and gives are complex numbers, which lie in memory as their parts do.


def _rows(xp: ModuleType, numbers: host.Array) -> Any:
    return rows_of(numbers)


def rows_of(numbers: host.Array) -> Any:
    """Returns the host's array of both parts along a last axis."""
    whole = host.np.ascontiguousarray(numbers).reshape((*numbers.shape, 1))
    return whole.view(numbers.real.dtype)


def _numbers_abstract(rows: ShapedArray) -> ShapedArray:
    return ShapedArray(shape_of(rows)[:-1], dtypes.to_complex(rows.dtype))


def _numbers(xp: ModuleType, rows: host.Array) -> Any:
    return numbers_of(rows)


def numbers_of(rows: host.Array) -> Any:
    """Returns the host's array of complex numbers of rows of both parts."""
    whole = host.np.ascontiguousarray(rows)
    kind = host.dtype(dtypes.to_complex(host.read_dtype(rows.dtype)) or dtypes.complex64)
    return whole.view(kind).reshape(rows.shape[:-1])


rows_of_complex_p = Primitive("rows_of_complex", abstract=rows_aval, evaluate=_rows)
complex_of_rows_p = Primitive("complex_of_rows", abstract=_numbers_abstract, evaluate=_numbers)


# A complex number as the matrix that multiplies pairs as it does.


def _matrices_abstract(
    real: ShapedArray, imag: ShapedArray, minus: ShapedArray, *, given: int, result: int
) -> ShapedArray:
    shape = list(shape_of(real))
    for axis in sorted((given, result)):
        shape.insert(axis, 2)
    return ShapedArray(tuple(shape), real.dtype)


def _matrices(
    xp: ModuleType,
    real: host.Array,
    imag: host.Array,
    minus: host.Array,
    *,
    given: int,
    result: int,
) -> Any:
    shape = list(real.shape)
    for axis in sorted((given, result)):
        shape.insert(axis, 2)
    whole = xp.empty(shape, real.dtype)
    moved = xp.moveaxis(whole, (given, result), (0, 1))
    moved[0, 0], moved[0, 1], moved[1, 0], moved[1, 1] = real, imag, minus, real
    return whole


def _matrix_parts(
    shape: Sequence[int], operands: Sequence[Sequence[int]], *, given: int, result: int
) -> list[Part]:
    """Returns the four places of each matrix."""
    places = ((0, 0, 0), (1, 0, 1), (2, 1, 0), (0, 1, 1))

    def same(position: Position) -> Position:
        return position

    def part(operand: int, row: int, column: int) -> Part:
        def target(position: Position) -> Position:
            place = list(position)
            for axis, at in sorted(((given, row), (result, column))):
                place.insert(axis, at)
            return tuple(place)

        return Part(operand, tuple(operands[operand]), same, target)

    return [part(*each) for each in places]


matrices_p = Primitive(
    "matrices_of_complex",
    abstract=_matrices_abstract,
    evaluate=_matrices,
    lower=Joined(_matrix_parts),
)


def matrices(numbers: Pair, given: int, result: int) -> Any:
    """Returns the two-by-two matrices that multiply pairs as complex numbers do; pairs lie along
    the axis `given`, products along the axis `result`.
    """
    minus = lax.neg(numbers.imag)
    return matrices_p.bind(numbers.real, numbers.imag, minus, given=given, result=result)


def size_of(aval: ShapedArray) -> int:
    """Returns the number of elements."""
    return math.prod(shape_of(aval))

"""Squares of vectors, transposed in registers."""

from __future__ import annotations

from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.dtypes import DType


def transpose(f: Function, rows: list[Value | None], dtype: DType) -> list[Value]:
    """Returns the columns of a square of vectors; rows that are None do not count."""
    width = len(rows)
    part = min(16 // dtype.itemsize, width)
    unit = 1
    rows = list(rows)
    while unit < width:
        for number in range(width):
            if number & unit:
                continue
            pair = rows[number], rows[number | unit]
            low, high = _interleaving(width, part, unit) if unit < part else _swap(width, unit)
            rows[number] = _shuffled(f, pair, low)
            rows[number | unit] = _shuffled(f, pair, high)
        unit *= 2
    columns = [rows[_reversed_bits(number, part)] for number in range(width)]
    return [column for column in columns if column is not None]


def _shuffled(
    f: Function, pair: tuple[Value | None, Value | None], lanes: list[int]
) -> Value | None:
    x, y = pair
    if x is None:
        return None
    if y is None:
        return f.shuffle(x, x, [lane if lane < x.width else -1 for lane in lanes])
    return f.shuffle(x, y, lanes)


def _interleaving(width: int, part: int, unit: int) -> tuple[list[int], list[int]]:
    """Returns the lanes of two vectors in turns, within parts of 16 bytes: what one instruction
    does.
    """
    found: tuple[list[int], list[int]] = [], []
    for start in range(0, width, part):
        for half, lanes in enumerate(found):
            for number in range(0, part // 2, unit):
                at = start + half * part // 2 + number
                lanes += [*range(at, at + unit), *range(width + at, width + at + unit)]
    return found


def _swap(width: int, unit: int) -> tuple[list[int], list[int]]:
    """Returns the lanes whose number has a bit not set, of both vectors; and those whose number
    has.
    """
    low = [lane if not lane & unit else width + (lane ^ unit) for lane in range(width)]
    high = [lane | unit if not lane & unit else width + lane for lane in range(width)]
    return low, high


def _reversed_bits(number: int, part: int) -> int:
    """Returns the number with its lowest bits, as many as count up to `part`, in the other
    order.
    """
    bits = part.bit_length() - 1
    low = sum(1 << (bits - 1 - bit) for bit in range(bits) if number >> bit & 1)
    return number - number % part + low

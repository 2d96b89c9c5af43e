"""Fourier transforms whose lengths have small factors.

A transform along an axis is a chain of passes over rows of the elements behind it, in Stockham's
order: each splits by a factor of the length, combines, and multiplies by twiddle factors. If there
are few elements behind the axis, it is split in two: transforms of columns, twiddle factors,
transforms of rows, which are transposed to columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import lax
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.rewrite.complex.complex_arithmetic import map_parts, mul, scaled
from oakum.compile.rewrite.complex.complex_pair import Pair
from oakum.lax.options import FftType
from oakum.values import host

_LONGEST: Final = 1 << 18
"""The longest transform: its twiddle factors are constants of the program, up to 2 MiB."""

_ROW: Final = 16
"""The elements behind an axis that fill vectors: one AVX-512 register of f32."""


def applies(shape: Sequence[int], fft_type: FftType, fft_lengths: Sequence[int]) -> bool:
    """Returns whether there are passes for complex transforms of these lengths."""
    if fft_type not in (FftType.FFT, FftType.IFFT) or 0 in shape:
        return False
    return all(n <= _LONGEST and factors(n) is not None for n in fft_lengths)


def factors(length: int) -> list[int] | None:
    """Returns the factors of a length that there are passes for, small ones first, or None.

    >>> factors(240), factors(14)
    ([3, 4, 4, 5], None)
    """
    found: list[int] = []
    for factor in (5, 4, 3, 2):
        while length % factor == 0:
            found.append(factor)
            length //= factor
    return sorted(found) if length == 1 else None


def transformed(x: Pair, *, fft_type: FftType, fft_lengths: Sequence[int]) -> Pair:
    """Returns the transform along the last axes; an inverse one exchanges the parts before and
    after.
    """
    shape = shape_of(x.real.aval)
    backward = fft_type is FftType.IFFT
    if backward:
        x = Pair(x.imag, x.real)
    for axis in range(len(shape) - len(fft_lengths), len(shape)):
        before, after = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
        x = map_parts(_reshape((before, shape[axis], after)), x)
        x = map_parts(_reshape(shape), _along(x))
    if backward:
        x = scaled(Pair(x.imag, x.real), 1 / math.prod(fft_lengths))
    return x


def _reshape(shape: Sequence[int]) -> Callable[[Any], Any]:
    return lambda part: lax.reshape(part, shape)


def _along(x: Pair) -> Pair:
    """Returns the transforms along the middle of three axes."""
    before, length, after = shape_of(x.real.aval)
    steps = factors(length)
    assert steps is not None
    prefixes = [math.prod(steps[:count]) for count in range(len(steps))]
    rows = min(prefixes, key=lambda n: max(n, length // n), default=1)
    columns = length // rows
    if after >= _ROW or rows == 1:
        return _columns(x, steps)
    x = map_parts(_reshape((before, rows, columns * after)), x)
    x = map_parts(_reshape((before, rows, columns, after)), _columns(x, factors(rows) or []))
    x = map_parts(lambda part: lax.transpose(part, (0, 2, 1, 3)), x)
    x = mul(x, _turns(length, columns, rows, shape_of(x.real.aval), x))
    x = map_parts(_reshape((before, columns, rows * after)), x)
    return map_parts(_reshape((before, length, after)), _columns(x, factors(columns) or []))


def _turns(length: int, first: int, second: int, shape: Sequence[int], like: Pair) -> Pair:
    """Returns the twiddle factors, whose exponents are products of positions along the second and
    third axis.
    """
    np = host.np
    exponents = np.outer(np.arange(first), np.arange(second)) % length
    angles = exponents * (-2 * math.pi / length)
    kind = host.dtype(like.real.aval.dtype)
    tables = [function(angles).astype(kind) for function in (np.cos, np.sin)]
    return Pair(*(lax.broadcast_in_dim(table, shape, (1, 2)) for table in tables))


def _columns(x: Pair, steps: Sequence[int]) -> Pair:
    """Returns the transforms along the middle of three axes, by passes over the whole of it."""
    before, length, after = whole = shape_of(x.real.aval)
    for step in steps:
        rest = length // step
        x = map_parts(_reshape((before, step, rest, after)), x)
        parts = _SMALL[step]([map_parts(_slice(place), x) for place in range(step)])
        if rest > 1:
            turned = _turns(length, rest, step, (before, rest, step, after), x)
            parts = [
                part if not place else mul(part, map_parts(_column(place), turned))
                for place, part in enumerate(parts)
            ]
        shape = (before, rest, 1, after)
        x = Pair(
            lax.concatenate([lax.reshape(part.real, shape) for part in parts], 2),
            lax.concatenate([lax.reshape(part.imag, shape) for part in parts], 2),
        )
        length, after = rest, step * after
    return map_parts(_reshape(whole), x)


def _slice(place: int) -> Callable[[Any], Any]:
    def cut(part: Array) -> Any:
        before, _, rest, after = shape_of(part.aval)
        return lax.reshape(lax.slice_in_dim(part, place, place + 1, axis=1), (before, rest, after))

    return cut


def _column(place: int) -> Callable[[Any], Any]:
    def cut(part: Array) -> Any:
        before, rest, _, after = shape_of(part.aval)
        return lax.reshape(lax.slice_in_dim(part, place, place + 1, axis=2), (before, rest, after))

    return cut


# Transforms of a few numbers.


def _add(x: Pair, y: Pair) -> Pair:
    return Pair(lax.add(x.real, y.real), lax.add(x.imag, y.imag))


def _sub(x: Pair, y: Pair) -> Pair:
    return Pair(lax.sub(x.real, y.real), lax.sub(x.imag, y.imag))


def _right(x: Pair) -> Pair:
    """Returns -i times a number."""
    return Pair(x.imag, lax.neg(x.real))


def _of_two(x: Sequence[Pair]) -> list[Pair]:
    return [_add(x[0], x[1]), _sub(x[0], x[1])]


def _of_three(x: Sequence[Pair]) -> list[Pair]:
    total, across = _add(x[1], x[2]), _right(scaled(_sub(x[1], x[2]), math.sqrt(0.75)))
    middle = _sub(x[0], scaled(total, 0.5))
    return [_add(x[0], total), _add(middle, across), _sub(middle, across)]


def _of_four(x: Sequence[Pair]) -> list[Pair]:
    even, odd = _of_two([x[0], x[2]]), _of_two([x[1], x[3]])
    across = _right(odd[1])
    return [
        _add(even[0], odd[0]),
        _add(even[1], across),
        _sub(even[0], odd[0]),
        _sub(even[1], across),
    ]


def _of_five(x: Sequence[Pair]) -> list[Pair]:
    first, second = _of_two([x[1], x[4]]), _of_two([x[2], x[3]])
    cosines = [math.cos(0.4 * math.pi * n) for n in (1, 2)]
    sines = [math.sin(0.4 * math.pi * n) for n in (1, 2)]
    found = [_add(x[0], _add(first[0], second[0]))]
    ends: list[Pair] = []
    for one, other, sign in ((0, 1, 1.0), (1, 0, -1.0)):
        along = _add(scaled(first[0], cosines[one]), scaled(second[0], cosines[other]))
        middle = _add(x[0], along)
        across = _add(scaled(first[1], sines[one]), scaled(second[1], sign * sines[other]))
        found.append(_add(middle, _right(across)))
        ends.append(_sub(middle, _right(across)))
    return [*found, *reversed(ends)]


_SMALL: Final[dict[int, Callable[[Sequence[Pair]], list[Pair]]]] = {
    2: _of_two,
    3: _of_three,
    4: _of_four,
    5: _of_five,
}
"""The transforms of a few numbers, by their number."""


RULES: Final[dict[str, Callable[..., Any]]] = {"fft": transformed}
"""The operations by name, as functions of pairs."""

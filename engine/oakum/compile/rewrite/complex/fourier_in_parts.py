"""Fourier transforms in parts that a back end has kernels for.

Several axes are transformed one after another, real transforms are complex ones, of long powers of
two the columns are transformed, and then the rows, and other lengths are convolutions with a chirp
(Bluestein's algorithm), for which there are powers of two.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, Final

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.problems.problem import Fourier, Kernels
from oakum.compile.rewrite import rewriter
from oakum.compile.rewrite.complex import fourier_passes
from oakum.compile.rewrite.expand_primitives import inline, stage_function
from oakum.dtypes import DType
from oakum.lax.options import FftType
from oakum.primitives.fourier import fft_p
from oakum.tracing.ir import ClosedJaxpr, Equation
from oakum.tracing.trace import aval_of
from oakum.values import host

_LONGEST_CHIRP: Final = 1 << 16
"""The longest transform as a convolution: its factors are constants, of up to 2 MiB."""

_LONGEST: Final = 1 << 24
"""The longest transform of columns and rows: float32 counts so far."""


def fourier_in_parts(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program with transforms that have no kernel in parts, in loops and branches
    too.
    """

    def parted(eqn: Equation) -> ClosedJaxpr | None:
        if eqn.primitive is not fft_p or not _Transform(eqn, kernels).is_parted:
            return None
        function = functools.partial(_transform, kernels, **eqn.params)
        return stage_function(function, [atom.aval for atom in eqn.inputs], "fft")

    def rewrite(each: ClosedJaxpr) -> ClosedJaxpr:
        has_some = any(eqn.primitive is fft_p for eqn in each.eqns)
        return inline(each, parted) if has_some else each

    return rewriter.rewrite_all(closed, rewrite)


class _Transform:
    """What there is to know of a transform."""

    def __init__(self, eqn: Equation, kernels: Kernels) -> None:
        aval = eqn.inputs[0].aval
        self._shape, self._kernels = shape_of(aval), kernels
        self._lengths: tuple[int, ...] = tuple(eqn.params["fft_lengths"])
        self._type: FftType = eqn.params["fft_type"]
        real = dtypes.to_real(aval.dtype)
        assert real is not None
        self._dtype = real

    @property
    def is_parted(self) -> bool:
        """Whether it is done in parts."""
        if 0 in (*self._shape, *self._lengths) or not self._lengths:
            return False
        if len(self._lengths) > 1:
            return not fourier_passes.applies(self._shape, self._type, self._lengths) or any(
                _has_kernel(self._kernels, n, self._dtype) for n in self._lengths
            )
        length = math.prod(self._lengths)
        if _has_kernel(self._kernels, length, self._dtype):
            return False
        if self._type in (FftType.RFFT, FftType.IRFFT):
            return True
        if _halves(self._kernels, length, self._dtype) is not None:
            return True
        is_known = fourier_passes.applies(self._shape, self._type, self._lengths)
        return not is_known and length <= _LONGEST_CHIRP


def _has_kernel(kernels: Kernels, length: int, dtype: DType) -> bool:
    return kernels.takes(Fourier(1, length, dtype, FftType.FFT))


def _halves(kernels: Kernels, length: int, dtype: DType) -> tuple[int, int] | None:
    """Returns two factors of a power of two that there are kernels for; None for other lengths."""
    if length.bit_count() != 1 or length > _LONGEST:
        return None
    rows = 1 << (length.bit_length() // 2)
    found = rows, length // rows
    return found if all(_has_kernel(kernels, n, dtype) for n in found) else None


def _fft(x: Array, kind: FftType, *lengths: int) -> Any:
    return fft_p.bind(x, fft_type=kind, fft_lengths=lengths)


def _transform(
    kernels: Kernels, x: Array, *, fft_type: FftType, fft_lengths: Sequence[int]
) -> list[Any]:
    """Returns the transform in parts; these may be done in parts again."""
    if len(fft_lengths) > 1:
        return [_of_axes(x, fft_type, fft_lengths)]
    (length,) = fft_lengths
    match fft_type:
        case FftType.RFFT:
            whole = _fft(lax.complex(x, lax.full_like(x, 0)), FftType.FFT, length)
            return [_part(whole, 0, length // 2 + 1)]
        case FftType.IRFFT:
            return [lax.real(_fft(_whole(x, length), FftType.IFFT, length))]
        case FftType.IFFT:
            made = lax.conj(_fft(lax.conj(x), FftType.FFT, length))
            return [lax.mul(made, lax.full_like(made, 1 / length))]
        case FftType.FFT:
            dtype = dtypes.to_real(aval_of(x).dtype)
            assert dtype is not None
            halves = _halves(kernels, length, dtype)
            return [_by_chirp(x, length) if halves is None else _by_halves(x, halves)]


def _of_axes(x: Array, kind: FftType, lengths: Sequence[int]) -> Any:
    rank = len(shape_of(aval_of(x)))
    last = rank - 1
    others = range(rank - len(lengths), last)
    inner = FftType.IFFT if kind in (FftType.IFFT, FftType.IRFFT) else FftType.FFT
    if kind in (FftType.FFT, FftType.RFFT):
        x = _fft(x, kind, lengths[-1])
    for axis, length in zip(others, lengths, strict=False):
        order = [*range(rank)]
        order[axis], order[last] = last, axis
        x = lax.transpose(_fft(lax.transpose(x, order), inner, length), order)
    return x if kind in (FftType.FFT, FftType.RFFT) else _fft(x, kind, lengths[-1])


def _part(x: Array, start: int, stop: int) -> Any:
    return lax.slice_in_dim(x, start, stop, axis=-1)


def _whole(x: Array, length: int) -> Any:
    """Returns the spectrum that half of it stands for; its first number is real, and the middle
    one of even lengths.
    """
    count = length // 2 + 1
    places = lax.broadcasted_iota(dtypes.int32, shape_of(aval_of(x)), len(shape_of(aval_of(x))) - 1)
    is_real = lax.eq(places, lax.full_like(places, 0))
    if length % 2 == 0:
        is_real = lax.bitwise_or(is_real, lax.eq(places, lax.full_like(places, count - 1)))
    imaginary = lax.imag(x)
    imaginary = lax.select(is_real, lax.full_like(imaginary, 0), imaginary)
    half = lax.complex(lax.real(x), imaginary)
    rest = _part(half, 1, (length + 1) // 2)
    rest = lax.conj(lax.rev(rest, (len(shape_of(aval_of(x))) - 1,)))
    return lax.concatenate([half, rest], len(shape_of(aval_of(x))) - 1)


def _by_halves(x: Array, halves: tuple[int, int]) -> Any:
    """Returns transforms of columns, turned, and then of rows."""
    *batch, length = shape_of(aval_of(x))
    rows, columns = halves
    first = len(batch)
    turn = (*range(first), first + 1, first)
    x = lax.transpose(lax.reshape(x, (*batch, rows, columns)), turn)
    x = lax.transpose(lax.mul(_fft(x, FftType.FFT, rows), _turns(x, length)), turn)
    x = lax.transpose(_fft(x, FftType.FFT, columns), turn)
    return lax.reshape(x, (*batch, length))


def _turns(x: Array, length: int) -> Any:
    """Returns the roots of unity whose exponents are the products of both positions."""
    shape, dtype = shape_of(aval_of(x)), dtypes.to_real(aval_of(x).dtype)
    places = [lax.broadcasted_iota(dtypes.int32, shape, len(shape) - n) for n in (2, 1)]
    # In half turns either way, which are exact and small: so are the errors of the angles.
    exponents = lax.mul(*places)
    is_late = lax.gt(exponents, lax.full_like(exponents, length // 2))
    exponents = lax.select(is_late, lax.sub(exponents, lax.full_like(exponents, length)), exponents)
    angles = lax.convert_element_type(exponents, dtype)
    angles = lax.mul(angles, lax.full_like(angles, -2 * math.pi / length))
    return lax.complex(lax.cos(angles), lax.sin(angles))


def _by_chirp(x: Array, length: int) -> Any:
    """Returns a convolution: products of positions are differences of squares."""
    *batch, _ = shape_of(aval_of(x))
    size = 1 << (2 * length - 2).bit_length()
    np, kind = host.np, host.dtype(_dtype_of(x))
    squares = np.arange(length, dtype=np.int64) ** 2 % (2 * length)
    chirp = np.exp(-1j * np.pi * squares / length)
    around = np.zeros(size, np.complex128)
    around[:length] = chirp.conj()
    around[size - length + 1 :] = chirp[:0:-1].conj()
    factors = np.fft.fft(around)

    def spread(table: host.Array, extent: int) -> Any:
        return lax.broadcast_in_dim(table.astype(kind), (*batch, extent), (len(batch),))

    turned = lax.mul(x, spread(chirp, length))
    zero = lax.full((), 0, _dtype_of(x))
    padded = lax.pad(turned, zero, [*[(0, 0, 0)] * len(batch), (0, size - length, 0)])
    made = lax.mul(_fft(padded, FftType.FFT, size), spread(factors, size))
    return lax.mul(_part(_fft(made, FftType.IFFT, size), 0, length), spread(chirp, length))


def _dtype_of(x: Array) -> DType:
    dtype = aval_of(x).dtype
    assert dtype is not None
    return dtype

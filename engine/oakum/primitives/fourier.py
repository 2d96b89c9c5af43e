"""Discrete Fourier transforms of the last axes: complex, real to complex, and complex to real."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.lax.options import FftType
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.primitives.rules.batching import move
from oakum.primitives.rules.lowering import Kernel
from oakum.tracing.trace import AxisData, Primitive
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray

_INPUTS = {
    FftType.FFT: "FFT input must be complex64 or complex128",
    FftType.IFFT: "FFT input must be complex64 or complex128",
    FftType.RFFT: "RFFT input must be float32 or float64",
    FftType.IRFFT: "IRFFT input must be complex64 or complex128",
}


def _abstract(x: ShapedArray, *, fft_type: FftType, fft_lengths: Sequence[int]) -> ShapedArray:
    shape, lengths = shape_of(x), tuple(fft_lengths)
    if len(lengths) > len(shape):
        raise ShapeError(
            f"FFT input shape {shape} must have at least as many input dimensions as fft_lengths "
            f"{lengths}.",
            hint="Give one length for each transformed axis.",
        )
    dtype = _result_dtype(x, fft_type)
    rest, last = shape[: len(shape) - len(lengths)], shape[len(shape) - len(lengths) :]
    if fft_type is FftType.IRFFT:
        if last[:-1] != lengths[:-1]:
            raise ShapeError(
                f"IRFFT input shape {shape} minor dimensions must be equal to all except the last "
                f"fft_length, got fft_lengths={lengths}",
                hint="Pad or slice the array.",
            )
        return ShapedArray((*rest, *lengths), dtype, x.weak_type)
    if last != lengths:
        raise ShapeError(
            f"{'RFFT' if fft_type is FftType.RFFT else 'FFT'} input shape {shape} minor dimensions "
            f"must be equal to fft_lengths {lengths}",
            hint="Pad or slice the array.",
        )
    if fft_type is FftType.RFFT:
        return ShapedArray((*rest, *lengths[:-1], lengths[-1] // 2 + 1), dtype, x.weak_type)
    return ShapedArray(shape, dtype, x.weak_type)


def _result_dtype(x: ShapedArray, fft_type: FftType) -> Any:
    wanted = Kind.FLOAT if fft_type is FftType.RFFT else Kind.COMPLEX
    if x.dtype is None or x.dtype.kind is not wanted or x.dtype.bits < 32:
        raise DTypeError(f"{_INPUTS[fft_type]}, got {x.dtype}", hint="Convert it with astype.")
    if fft_type is FftType.RFFT:
        return dtypes.to_complex(x.dtype)
    return dtypes.to_real(x.dtype) if fft_type is FftType.IRFFT else x.dtype


def _evaluate(
    np: ModuleType, x: host.Array, *, fft_type: FftType, fft_lengths: Sequence[int]
) -> Any:
    if not x.size or 0 in fft_lengths:
        aval = ShapedArray(x.shape, host.read_dtype(x.dtype))
        out = _abstract(aval, fft_type=fft_type, fft_lengths=fft_lengths)
        return np.zeros(out.shape, host.dtype(dtype_of(out)))
    name = fft_type.name.lower()
    kind = host.dtype(_result_dtype(ShapedArray((), host.read_dtype(x.dtype)), fft_type))
    if len(fft_lengths) == 1:
        found = getattr(np.fft, name)(x, fft_lengths[0])
    else:
        axes = tuple(range(x.ndim - len(fft_lengths), x.ndim))
        found = getattr(np.fft, f"{name}n")(x, tuple(fft_lengths), axes)
    return found.astype(kind, copy=False)


def _transpose(
    cotangent: ArrayLike, x: object, *, fft_type: FftType, fft_lengths: Sequence[int]
) -> list[Any]:
    if fft_type is FftType.RFFT:
        return [_transpose_real(cotangent, fft_lengths)]
    if fft_type is FftType.IRFFT:
        return [_transpose_inverse_real(cotangent, fft_lengths)]
    return [fft_p.bind(cotangent, fft_type=fft_type, fft_lengths=fft_lengths)]


def _transpose_real(cotangent: ArrayLike, lengths: Sequence[int]) -> Any:
    """Transposes a real transform.

    Each coefficient represents two, except the first and, for even lengths, the middle one.
    """
    halves = lax.div(lax.conj(cotangent), _multiplicity(cotangent, lengths[-1]))
    back = fft_p.bind(halves, fft_type=FftType.IRFFT, fft_lengths=lengths)
    return lax.mul(back, float(math.prod(lengths)))


def _transpose_inverse_real(cotangent: ArrayLike, lengths: Sequence[int]) -> Any:
    transformed = fft_p.bind(cotangent, fft_type=FftType.RFFT, fft_lengths=lengths)
    weighted = lax.mul(transformed, _multiplicity(transformed, lengths[-1]))
    return lax.conj(lax.mul(weighted, 1.0 / math.prod(lengths)))


def _multiplicity(halves: object, length: int) -> Any:
    """For how many coefficients each of the first half stands, spread over the array."""
    shape = shape_of(halves)
    counts = host.np.full(shape[-1], 2)
    counts[0] = 1
    if length % 2 == 0:
        counts[-1] = 1
    counts = counts.astype(host.dtype(dtype_of(halves)))
    return lax.broadcast_in_dim(counts, shape, (len(shape) - 1,))


def _batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int], **params: object
) -> tuple[Any, int]:
    return fft_p.bind(move(operands[0], dims[0], 0), **params), 0


fft_p = Primitive(
    "fft",
    abstract=_abstract,
    evaluate=_evaluate,
    linear=True,
    transpose=_transpose,
    batch=_batch,
    lower=Kernel("fft"),
)


def transformed(x: ArrayLike, fft_type: FftType, lengths: tuple[int, ...]) -> Any:
    """Returns the transform of an array of any numbers, which are converted to those that
    it takes.
    """
    dtype = dtype_of(x)
    if fft_type is FftType.RFFT:
        if dtype.kind is Kind.COMPLEX:
            raise DTypeError(
                "only real valued inputs supported for rfft", hint="Use the complex transform."
            )
        x = lax.convert_element_type(x, dtypes.to_inexact(dtype))
    else:
        x = lax.convert_element_type(x, dtypes.to_complex(dtype))
    return fft_p.bind(x, fft_type=fft_type, fft_lengths=lengths) if lengths else x


def read_type(fft_type: object) -> FftType:
    """Returns the kind of transform that an argument names."""
    if isinstance(fft_type, FftType):
        return fft_type
    if not isinstance(fft_type, str):
        raise DTypeError(f"Unknown FFT type value '{fft_type}'", hint='Give "fft" or "rfft".')
    name = fft_type.upper()
    if name not in FftType.__members__ or fft_type not in (name, name.lower()):
        raise DTypeError(f"Unknown FFT type '{fft_type}'", hint='Give "fft" or "rfft".')
    return FftType[name]

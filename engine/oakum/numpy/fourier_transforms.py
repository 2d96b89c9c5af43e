"""Fourier transforms over chosen axes, with sizes and norms as NumPy has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.lax.options import FftType
from oakum.numpy import arguments, promoting


def _kind(function: str) -> FftType:
    """The transform that a function of NumPy is made of."""
    names = {"hfft": "IRFFT", "ihfft": "RFFT"}
    return FftType[names.get(function) or function.rstrip("2n").upper()]


def over(
    function: str, a: Any, s: Sequence[int] | None, axes: Sequence[int] | None, norm: str | None
) -> Any:
    """A transform over axes, of which the last is the real one of a real transform."""
    (a,) = arguments.arrays(f"jax.numpy.fft.{function}", a)
    rank = arguments.rank_of(a)
    kind = _kind(function)
    sizes = None if s is None else [arguments.size(each, f"jnp.fft.{function}()") for each in s]
    if sizes is not None and any(size <= 0 for size in sizes):
        raise ValueError("Shape should be positive.")
    if sizes is not None and axes is not None and len(sizes) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    count = len(axes) if axes is not None else rank if sizes is None else len(sizes)
    last = tuple(range(rank - count, rank))
    if axes is not None:
        if len(set(axes)) != len(axes):
            raise ValueError(
                f"jax.numpy.fft.{function} does not support repeated axes. Got axes {axes}."
            )
        a = jnp.moveaxis(a, tuple(axes), last)
    a, lengths = _fitted(a, sizes, count, kind)
    result = _transformed(a, kind, lengths)
    if norm is not None:
        factor = _factor(norm, lengths, inverse=function.startswith("i"))
        if factor != 1:
            result = lax.mul(result, arguments.convert(factor, arguments.dtype_of(result)))
    return result if axes is None else jnp.moveaxis(result, last, tuple(axes))


def _fitted(
    a: Any, sizes: list[int] | None, count: int, kind: FftType
) -> tuple[Any, tuple[int, ...]]:
    """The array cut or filled up with zeros to the sizes of the transform, and those sizes."""
    shape = arguments.shape_of(a)
    lead = len(shape) - count
    if sizes is None:
        lengths = list(shape[lead:])
        if kind is FftType.IRFFT and lengths:
            lengths[-1] = max(0, 2 * (lengths[-1] - 1))
        return a, tuple(lengths)
    wanted = [*shape[:lead], *sizes]
    if kind is FftType.IRFFT:
        wanted[-1] = wanted[-1] // 2 + 1
    cut = a[tuple(slice(each) for each in wanted)]
    have = arguments.shape_of(cut)
    if have != tuple(wanted):
        cut = jnp.pad(cut, [(0, want - size) for want, size in zip(wanted, have, strict=True)])
    return cut, tuple(sizes)


def _transformed(a: Any, kind: FftType, lengths: tuple[int, ...]) -> Any:
    """A transform of the last axes: at most three of them at a time."""
    if kind in (FftType.FFT, FftType.IFFT):
        a = arguments.convert(a, promoting.to_complex(arguments.dtype_of(a)))
    if len(lengths) <= 3:
        return lax.fft(a, kind, lengths)
    rank, taken = arguments.rank_of(a), 3
    here = tuple(range(rank - len(lengths), rank - taken))
    there = tuple(range(rank - len(here), rank))
    if kind in (FftType.FFT, FftType.RFFT):
        a = jnp.moveaxis(lax.fft(a, kind, lengths[-taken:]), here, there)
        return jnp.moveaxis(_transformed(a, FftType.FFT, lengths[:-taken]), there, here)
    a = _transformed(jnp.moveaxis(a, here, there), FftType.IFFT, lengths[:-taken])
    return lax.fft(jnp.moveaxis(a, there, here), kind, lengths[-taken:])


def _factor(norm: str, lengths: Sequence[int], *, inverse: bool) -> float:
    """What a transform is multiplied by: the inverse one divides by the number of elements."""
    total = math.prod(lengths)
    if norm == "backward":
        return 1
    if norm not in ("ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward","ortho" or "forward".')
    amount = math.sqrt(total) if norm == "ortho" else total
    return amount if inverse else 1 / amount


def along(function: str, a: Any, n: int | None, axis: Any, norm: str | None) -> Any:
    """A transform along one axis."""
    if isinstance(axis, (list, tuple)):
        raise ValueError(
            f"jax.numpy.fft.{function} does not support multiple axes. Please use "
            f"jax.numpy.fft.{function}n. Got axis = {axis!r}."
        )
    return over(function, a, None if n is None else [n], None if axis is None else [axis], norm)


def over_two(
    function: str, a: Any, s: Sequence[int] | None, axes: Sequence[int], norm: str | None
) -> Any:
    """A transform over two axes."""
    if len(axes) != 2:
        raise ValueError(f"jax.numpy.fft.{function} only supports 2 axes. Got axes = {axes!r}.")
    return over(function, a, s, axes, norm)


def hermitian(a: Any, n: int | None, axis: int, norm: str | None) -> Any:
    """The real transform of data that are Hermitian."""
    (a,) = arguments.arrays("jax.numpy.fft.hfft", a)
    size = (arguments.shape_of(a)[axis] - 1) * 2 if n is None else n
    return jnp.multiply(along("hfft", jnp.conj(a), n, axis, norm), size)


def inverse_hermitian(a: Any, n: int | None, axis: int, norm: str | None) -> Any:
    """The Hermitian data whose transform is real."""
    (a,) = arguments.arrays("jax.numpy.fft.ihfft", a)
    size = arguments.shape_of(a)[axis] if n is None else n
    return jnp.multiply(jnp.conj(along("ihfft", a, n, axis, norm)), 1 / size)


def frequencies(function: str, n: Any, d: Any, dtype: Any) -> Any:
    """The frequencies of a transform of `n` points that are `d` apart."""
    for name, value in (("n", n), ("d", d)):
        if isinstance(value, (list, tuple)):
            kind = "an int" if name == "n" else "a single value"
            raise ValueError(
                f"The {name} argument of jax.numpy.fft.{function} only takes {kind}. "
                f"Got {name} = {value}."
            )
    count = arguments.size(n, f"n of jnp.fft.{function}()")
    wanted = arguments.requested_dtype(float if dtype is None else dtype)
    inexact = arguments.inexact(wanted)
    if function == "rfftfreq":
        steps = jnp.arange(count // 2 + 1, dtype=wanted)
        return jnp.divide(steps, arguments.convert(jnp.multiply(d, count), wanted))
    half = count // 2
    steps = jnp.arange(count, dtype=inexact)
    places = jnp.remainder(jnp.add(steps, half), max(count, 1)) - half
    spacing = arguments.convert(jnp.multiply(d, count), inexact)
    return arguments.convert(jnp.divide(places, spacing), wanted)


def shift(function: str, x: Any, axes: Any, sign: int) -> Any:
    """The array rolled by half its sizes along axes."""
    (x,) = arguments.arrays(function, x)
    shape = arguments.shape_of(x)
    chosen = arguments.axes(axes, len(shape))
    return jnp.roll(x, [sign * (shape[each] // 2) for each in chosen], chosen)

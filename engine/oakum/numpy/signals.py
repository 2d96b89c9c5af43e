"""Sampled functions: convolution, interpolation, differences, integrals, phases and windows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.abstract import (
    contraction,
    creation,
    elementwise,
    padding,
    reduction,
    reshaping,
    results,
)
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DTypeError, ShapeError
from oakum.numpy import arguments, coercion
from oakum.tracing.dtype_requests import canonical
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike, DTypeLike, PrecisionLike
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.uses import Use


@public("numpy.convolve", contraction.convolve, static=("mode",))
def convolve(
    a: ArrayLike,
    v: ArrayLike,
    mode: str = "full",
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Convolves two one-dimensional arrays."""
    options: dict[str, Any] = {
        "precision": precision,
        "preferred_element_type": preferred_element_type,
    }
    return _convolve("convolve", a, v, mode, **options)


def _convolve(function: str, a: object, v: object, mode: str, **options: Any) -> Any:
    """Sums of products of a vector with another that slides along it."""
    x, y = arguments.arrays(function, a, v)
    if x.ndim != 1 or y.ndim != 1:
        raise ShapeError(
            f"{function}() only support 1-dimensional inputs.", hint="Flatten the arrays."
        )
    if options["preferred_element_type"] is None:
        x, y = coercion.promote_dtypes([x, y], coercion.to_inexact)
    else:
        x, y = coercion.promote_dtypes([x, y])
    if not x.shape[0] or not y.shape[0]:
        raise ShapeError(
            f"{function}: inputs cannot be empty, got shapes {x.shape} and {y.shape}.",
            hint="Give vectors of one element or more.",
        )
    swapped = x.shape[0] < y.shape[0]
    if function == "correlate":
        y = jnp.conj(y)
    if swapped:
        x, y = y, x
    if function == "convolve":
        y = lax.rev(y, (0,))
    pad = _padding(mode, y.shape[0])
    signal, kernel = lax.expand_dims(x, (0, 1)), lax.expand_dims(y, (0, 1))
    result = lax.conv_general_dilated(signal, kernel, (1,), [pad], **options)
    result = lax.squeeze(result, (0, 1))
    return lax.rev(result, (0,)) if swapped and function == "correlate" else result


def _padding(mode: str, size: int) -> tuple[int, int]:
    match mode:
        case "valid":
            return 0, 0
        case "same":
            return size // 2, size - size // 2 - 1
        case "full":
            return size - 1, size - 1
        case _:
            raise ValueError(f"mode must be one of ['full', 'same', 'valid'], not {mode!r}")


@public("numpy.correlate", contraction.convolve, static=("mode",))
def correlate(
    a: ArrayLike,
    v: ArrayLike,
    mode: str = "valid",
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Correlates two one-dimensional arrays."""
    options: dict[str, Any] = {
        "precision": precision,
        "preferred_element_type": preferred_element_type,
    }
    return _convolve("correlate", a, v, mode, **options)


@public("numpy.trapezoid", reduction.integrated, static=("axis",))
def trapezoid(
    y: ArrayLike, x: ArrayLike | None = None, dx: ArrayLike = 1.0, axis: int = -1
) -> Array:
    """Integrates with the trapezoidal rule."""
    if x is None:
        (heights,) = coercion.promote_inexact("trapezoid", y)
        widths = jnp.asarray(dx)
        if widths.ndim:
            missing = tuple(range(heights.ndim - widths.ndim))
            widths = jnp.moveaxis(lax.expand_dims(widths, missing), axis, -1)
    else:
        given = coercion.check("trapezoid", y, x)
        heights, at = coercion.promote_dtypes(given, coercion.to_inexact)
        widths = diff(at) if at.ndim == 1 else jnp.moveaxis(diff(at, axis=axis), axis, -1)
    array = jnp.moveaxis(heights, axis, -1)
    if widths.ndim == 0 or widths.shape[-1] == 1:
        width = widths if widths.ndim == 0 else widths[..., 0]
        ends = 0.5 * (array[..., 0] + array[..., -1])
        return width * (jnp.sum(array, -1) - ends)
    return 0.5 * jnp.sum(widths * (array[..., 1:] + array[..., :-1]), -1)


@public("numpy.unwrap", elementwise.inexact.over("p"), static=("axis",))
def unwrap(
    p: ArrayLike,
    discont: ArrayLike | None = None,
    axis: int = -1,
    period: ArrayLike = 6.283185307179586,
) -> Array:
    """Removes jumps of whole periods from a signal of angles."""
    (x,) = arguments.arrays("unwrap", p)
    x, array = coercion.promote_dtypes(coercion.check("unwrap", x, period))
    if arguments.is_complex(x):
        raise DTypeError("jnp.unwrap does not support complex inputs", hint="Give real angles.")
    at = arguments.axis(axis, x.ndim)
    if x.shape[at] == 0:
        return x
    inexact = arguments.is_inexact(x)
    half = array / 2 if inexact else array // 2
    step = diff(x, axis=at)
    turned = jnp.mod(step + half, array) - half
    turned = jnp.where((turned == -half) & (step > 0), half, turned)
    limit = array / 2 if discont is None else discont
    correction = jnp.where(jnp.abs(step) < limit, 0, turned - step)
    first = lax.slice_in_dim(x, 0, 1, axis=at)
    rest = lax.slice_in_dim(x, 1, None, axis=at) + jnp.cumsum(correction, axis=at)
    return jnp.concatenate((first, rest), axis=at)


@public("numpy.interp", elementwise.interpolated)
def interp(
    x: ArrayLike,
    xp: ArrayLike,
    fp: ArrayLike,
    left: ArrayLike | str | None = None,
    right: ArrayLike | str | None = None,
    period: ArrayLike | None = None,
) -> Array:
    """Interpolates linearly between given points."""
    x_array, xp_array, fp_array = arguments.arrays("interp", x, xp, fp)
    if xp_array.shape != fp_array.shape or xp_array.ndim != 1:
        raise ShapeError(
            "xp and fp must be one-dimensional arrays of equal size", hint="Flatten the points."
        )
    x_array, xp_array = coercion.promote_dtypes([x_array, xp_array], coercion.to_inexact)
    (fp_array,) = coercion.promote_dtypes([fp_array], coercion.to_inexact)
    beyond = _extrapolates("left", left), _extrapolates("right", right)
    if arguments.is_complex(x_array):
        raise DTypeError("jnp.interp: complex x values not supported", hint="Give real points.")
    if period is not None:
        x_array, xp_array, fp_array = _periodic(x_array, xp_array, fp_array, period)
    result = _between(x_array, xp_array, fp_array)
    if not beyond[0] and period is None:
        result = jnp.where(x_array < xp_array[0], fp_array[0] if left is None else left, result)
    if not beyond[1] and period is None:
        result = jnp.where(x_array > xp_array[-1], fp_array[-1] if right is None else right, result)
    return result


def _between(x: Any, xp: Any, fp: Any) -> Any:
    at = jnp.clip(jnp.searchsorted(xp, x, side="right"), 1, xp.shape[0] - 1)
    rise, run = fp[at] - fp[at - 1], xp[at] - xp[at - 1]
    eps = host.ml_dtypes.finfo(xp.dtype).eps
    flat = jnp.abs(run) <= float(host.np.spacing(host.np.float32(eps)))
    sloped = fp[at - 1] + (x - xp[at - 1]) / jnp.where(flat, 1, run) * rise
    return jnp.where(flat, fp[at - 1], sloped)


def _periodic(x: host.Array, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """Returns the points of one period, with a neighbour from the period before and the one
    after.
    """
    if arguments.rank_of(period) != 0:
        raise ShapeError(f"period must be a scalar; got {period}", hint="Give one number.")
    period = jnp.abs(period)
    xp, fp = lax.sort_key_val(xp % period, fp)
    xp = jnp.concatenate([xp[-1:] - period, xp, xp[:1] + period])
    return x % period, xp, jnp.concatenate([fp[-1:], fp, fp[:1]])


def _extrapolates(side: str, value: object) -> bool:
    if not isinstance(value, str):
        return False
    if value != "extrapolate":
        raise ValueError(
            f"the only valid string value of `{side}` is 'extrapolate', but got: {value!r}"
        )
    return True


@public("numpy.diff", padding.diff, static=("n", "axis"))
def diff(
    a: ArrayLike,
    n: int = 1,
    axis: int = -1,
    prepend: ArrayLike | None = None,
    append: ArrayLike | None = None,
) -> Array:
    """Computes the differences of neighbours along an axis, several times."""
    (x,) = arguments.arrays("diff", a)
    arguments.check_arrays_or_none("diff", prepend, append)
    n = arguments.size(n, "the order of jnp.diff()")
    if n == 0:
        return x
    if n < 0:
        raise ValueError(f"order must be non-negative but got {n}")
    if arguments.rank_of(x) == 0:
        raise errors.ShapeError(
            f"diff requires input that is at least one dimensional; got {aval_of(x)}"
        )
    axis = arguments.axis(axis, arguments.rank_of(x))
    parts = [_edge(x, prepend, axis), x, _edge(x, append, axis)]
    if prepend is not None or append is not None:
        x = jnp.concatenate([part for part in parts if part is not None], axis)
    subtract = jnp.not_equal if arguments.is_kind(x, Kind.BOOL) else jnp.subtract
    for _ in range(n):
        size = arguments.shape_of(x)[axis]
        after = lax.slice_in_dim(x, min(1, size), size, axis=axis)
        x = subtract(after, lax.slice_in_dim(x, 0, max(size - 1, 0), axis=axis))
    return x


def _edge(a: ArrayLike, value: object, axis: int) -> Any:
    """Returns what is put before or behind an array; a number is repeated along the other axes."""
    if value is None or arguments.rank_of(value):
        return value
    shape = list(arguments.shape_of(a))
    shape[axis] = 1
    return arguments.broadcast_to(value, shape)


@public("numpy.ediff1d", results.array)
def ediff1d(
    ary: ArrayLike, to_end: ArrayLike | None = None, to_begin: ArrayLike | None = None
) -> Array:
    """Computes the differences of neighbours of a flattened array."""
    (ary,) = arguments.arrays("ediff1d", ary)
    arguments.check_arrays_or_none("ediff1d", to_end, to_begin)
    flat = jnp.ravel(ary)
    result = jnp.subtract(flat[1:], flat[:-1])
    dtype = arguments.dtype_of(ary)
    for value, name in ((to_begin, "to_begin"), (to_end, "to_end")):
        if value is not None and arguments.promote_dtype(value, dtype) is not dtype:
            raise errors.DTypeError(
                f"dtype of {name} must be compatible with that of the array, {dtype}"
            )
    parts = [
        jnp.ravel(arguments.convert(to_begin, dtype)) if to_begin is not None else None,
        result,
        jnp.ravel(arguments.convert(to_end, dtype)) if to_end is not None else None,
    ]
    given = [part for part in parts if part is not None]
    return given[0] if len(given) == 1 else jnp.concatenate(given)


@public("numpy.gradient", reshaping.along_axes, static=("axis", "edge_order"))
def gradient(
    f: ArrayLike,
    *varargs: ArrayLike,
    axis: int | Sequence[int] | None = None,
    edge_order: int | None = None,
) -> Array | list[Array]:
    """Estimates derivatives by differences of neighbours, along each axis."""
    if edge_order is not None:
        raise NotImplementedError("The 'edge_order' argument to jnp.gradient is not supported.")
    given = [jnp.asarray(h) if isinstance(h, (tuple, list)) else h for h in varargs]
    f, *steps = arguments.promote_inexact(*arguments.arrays("gradient", f, *given))
    rank = arguments.rank_of(f)
    axes = arguments.axes(axis, rank)
    if not axes:
        return []
    if any(arguments.shape_of(f)[each] < 2 for each in axes):
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least 2 elements are "
            "required."
        )
    if len(steps) not in (0, 1, len(axes)):
        raise TypeError(f"Invalid number of spacing arguments {len(steps)} for axis={axis}")
    chosen: list[Any] = [1.0] * len(axes)
    if steps:
        chosen = [steps[0]] * len(axes) if len(steps) == 1 else steps
    results = [_along(f, h, each) for h, each in zip(chosen, axes, strict=True)]
    return results[0] if len(axes) == 1 else results


def _along(f: Any, h: ArrayLike, axis: int) -> Any:
    if not isinstance(h, float) and arguments.rank_of(h):
        return _uneven(f, h, axis)
    size = arguments.shape_of(f)[axis]

    def cut(start: int, stop: int) -> Any:
        return lax.slice_in_dim(f, start, stop, axis=axis)

    parts = [
        cut(1, 2) - cut(0, 1),
        (cut(2, size) - cut(0, size - 2)) * 0.5,
        cut(size - 1, size) - cut(size - 2, size - 1),
    ]
    return jnp.divide(jnp.concatenate(parts, axis), h)


def _uneven(f: Any, x: ArrayLike, axis: int) -> Any:
    """Returns derivatives for points that are not evenly spaced."""
    size = arguments.shape_of(f)[axis]
    if arguments.rank_of(x) != 1:
        raise ValueError("distances must be either scalars or 1d")
    if arguments.size_of(x) != size:
        raise ValueError("when 1d, distances must match the length of the corresponding dimension")
    shape = [1] * arguments.rank_of(f)
    shape[axis] = size - 1
    gaps = jnp.reshape(diff(x), shape)

    def cut(a: ArrayLike, start: int, stop: int) -> Any:
        return lax.slice_in_dim(a, start, stop, axis=axis)

    slopes = (cut(f, 1, size) - cut(f, 0, size - 1)) / gaps
    before, after = cut(gaps, 0, size - 2), cut(gaps, 1, size - 1)
    # The slope on either side counts by the length of the other side.
    inner = (cut(slopes, 0, size - 2) * after + cut(slopes, 1, size - 1) * before) / (
        before + after
    )
    ends = cut(slopes, 0, 1), cut(slopes, size - 2, size - 1)
    return jnp.concatenate([ends[0], inner, ends[1]], axis)


@public("numpy.bartlett", creation.window, sizes=("M",))
def bartlett(M: int) -> Array:
    """Makes a triangular window."""
    size = arguments.static_integer(M, "the size of jnp.bartlett()", Use.SIZE)
    if size <= 1:
        return _trivial(size)
    return 1 - jnp.abs(2 * _positions(size) + 1 - size) / (size - 1)


def _positions(size: int) -> Any:
    return lax.iota(host.dtype(canonical(dtypes.float64)), size)


def _trivial(size: int) -> Any:
    """Returns the window of one point or none."""
    return lax.full((size,), 1, host.dtype(canonical(dtypes.float64)))


@public("numpy.blackman", creation.window, sizes=("M",))
def blackman(M: int) -> Array:
    """Makes a Blackman window."""
    size = arguments.static_integer(M, "the size of jnp.blackman()", Use.SIZE)
    if size <= 1:
        return _trivial(size)
    return 0.42 - 0.5 * _wave(size, 1) + 0.08 * _wave(size, 2)


def _wave(size: int, periods: int) -> Any:
    return jnp.cos(2 * periods * math.pi * _positions(size) / (size - 1))


@public("numpy.hamming", creation.window, sizes=("M",))
def hamming(M: int) -> Array:
    """Makes a Hamming window."""
    size = arguments.static_integer(M, "the size of jnp.hamming()", Use.SIZE)
    return _trivial(size) if size <= 1 else 0.54 - 0.46 * _wave(size, 1)


@public("numpy.hanning", creation.window, sizes=("M",))
def hanning(M: int) -> Array:
    """Makes a Hann window."""
    size = arguments.static_integer(M, "the size of jnp.hanning()", Use.SIZE)
    return _trivial(size) if size <= 1 else 0.5 * (1 - _wave(size, 1))


@public("numpy.kaiser", creation.window, sizes=("M",))
def kaiser(M: int, beta: ArrayLike) -> Array:
    """Makes a Kaiser window."""
    size = arguments.static_integer(M, "the size of jnp.kaiser()", Use.SIZE)
    if size <= 1:
        return _trivial(size)
    middle = 0.5 * (size - 1)
    place = (_positions(size) - middle) / middle
    return jnp.i0(jnp.multiply(beta, jnp.sqrt(1 - place**2))) / jnp.i0(beta)

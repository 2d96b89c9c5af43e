"""Conversion of values to dtypes, and arrays of one repeated number."""

from __future__ import annotations

import warnings
from typing import Any

from oakum import dtypes, primitives
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.errors import InvalidValueError, ShapeError
from oakum.primitives.rules import arguments
from oakum.pytrees import pytree
from oakum.runtime import evaluation, result_checks
from oakum.runtime.arrays import wrap
from oakum.tracing.dtype_requests import requested
from oakum.tracing.jaxpr_trace import StagedTracer, StagingTrace, folds_numbers, is_recording
from oakum.tracing.trace import Tracer, as_operand, aval_of, is_evaluating
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def converted(value: object, dtype: DType, weak_type: bool = False) -> Any:
    """Returns a value as an array of a dtype; an array that has the type already is given
    as it is.
    """
    value = as_operand(value)
    if not isinstance(value, Array):
        return _of_host(value, dtype, weak_type)
    aval = aval_of(value)
    if aval.dtype is dtype and bool(aval.weak_type) == weak_type:
        return value
    number = number_behind(value)
    if number is not None and dtype.kind not in _OPAQUE:
        return staged_number(_by_host(number.raw, dtype, weak_type))
    return _bound(value, aval, dtype, weak_type)


def _bound(value: object, aval: ShapedArray, dtype: DType, weak_type: bool) -> Any:
    if aval.dtype is not None and aval.dtype.kind is Kind.COMPLEX is not dtype.kind:
        warnings.warn(
            "Casting complex values to real discards the imaginary part",
            host.np.exceptions.ComplexWarning,
            stacklevel=5,
        )
    return primitives.conversion.convert_element_type_p.bind(
        value, new_dtype=dtype, weak_type=weak_type
    )


def staged(array: ArrayLike) -> Any:
    """Returns an array as the trace sees it: where operations are recorded, what returns
    it is one.
    """
    # Most often nothing is traced at all, which is quicker to see.
    if isinstance(array, Tracer) or is_evaluating() or not is_recording():
        return array
    return primitives.conversion.copy_p.bind(array)


def staged_number(array: Array) -> Any:
    """Returns a number of the user's as the trace sees it, which remembers that it is one."""
    result = staged(array)
    if type(result) is StagedTracer and result is not array and not result.shape:
        trace = result.owner
        if isinstance(trace, StagingTrace) and folds_numbers():
            trace.numbers[result.variable] = array
    return result


def number_behind(value: object) -> Any:
    """Returns the number of the user's that a tracer stands for; None where it stands for
    a result.
    """
    if type(value) is not StagedTracer or not isinstance(value.owner, StagingTrace):
        return None
    return value.owner.numbers.get(value.variable)


def _of_host(value: object, dtype: DType, weak_type: bool) -> Any:
    """Returns a number, or an array of the host, as an array of a dtype.

    Where operations are recorded, JAX has the host convert numbers, which takes the low bits of
    what C makes of a float; otherwise the device does, which returns the nearest integer in range.
    A finite scalar of NumPy is converted by the host in both cases.
    """
    if not hasattr(value, "dtype"):
        return number(value, dtype, weak_type)
    aval = aval_of(value)
    opaque = dtype.kind in _OPAQUE or aval.dtype in dtypes.KEYS
    if aval.shape or opaque:
        if _is_done(value, aval, dtype, weak_type) and not opaque:
            return evaluation.enter(value)
        return _bound(value, aval, dtype, weak_type)
    np = host.np
    if folds_numbers():
        value = _canonical(value)
    elif weak_type or not isinstance(value, np.generic) or not np.isfinite(value):
        return _bound(value, aval, dtype, weak_type)
    return _by_host(value, dtype, weak_type)


def _is_done(value: object, aval: ShapedArray, dtype: DType, weak_type: bool) -> bool:
    """Returns whether nothing is left to convert of an array of the host that becomes one of
    ours, and nobody looks at the operation.
    """
    return (
        type(value) is host.np.ndarray
        and aval.dtype is dtype
        and not weak_type
        and is_evaluating()
        and not result_checks.are_on()
    )


def number(value: object, dtype: DType, weak_type: bool = False) -> Any:
    """Returns a Python number as a constant; integers may be greater than the default
    dtype holds.
    """
    if not isinstance(value, (bool, int, float, complex)):
        aval_of(value)  # Says what is wrong with the value.
    np = host.np
    if isinstance(value, int):
        raw = np.asarray(value).astype(host.dtype(dtype)) if _fits(value) else _large(value, dtype)
        return wrap(raw, ShapedArray((), dtype, weak_type))
    if dtype.kind in _INTEGERS and folds_numbers():
        return _by_host(_canonical(value), dtype, weak_type)
    with np.errstate(all="ignore"):
        raw = primitives.conversion.convert(np, np.asarray(value), dtype)
    return wrap(raw, ShapedArray((), dtype, weak_type))


def _canonical(value: object) -> Any:
    """Returns a number of the host, of the dtype that it has here."""
    own = aval_of(value).dtype
    assert own is not None
    return host.np.asarray(value).astype(host.dtype(own))


def _by_host(value: object, dtype: DType, weak_type: bool) -> Any:
    np = host.np
    raw = np.asarray(value)
    if raw.dtype.kind == "c" and dtype.kind not in (Kind.COMPLEX, Kind.BOOL):
        raw = raw.real
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        raw = raw.astype(host.dtype(dtype))
    return wrap(raw, ShapedArray((), dtype, weak_type))


_INTEGERS = (Kind.INT, Kind.UINT)
_OPAQUE = (Kind.KEY, Kind.FLOAT0)


def _fits(value: int) -> bool:
    return -(2**63) <= value < 2**64


def _large(value: int, dtype: DType) -> Any:
    if dtype.kind in (Kind.FLOAT, Kind.COMPLEX):
        return host.np.asarray(float(value)).astype(host.dtype(dtype))
    return host.np.asarray(value, host.dtype(dtype))


def full(shape: object, fill_value: object, dtype: object) -> Any:
    """Returns an array of one repeated value; without a dtype it has that of the value."""
    sizes = arguments.sizes(shape)
    given = aval_of(as_operand(fill_value))
    if given.shape:
        raise ShapeError(
            f"full must be called with scalar fill_value, got fill_value.shape {given.shape}",
            hint="Give one number, or broadcast the array with jax.numpy.broadcast_to.",
        )
    if dtype is None:
        dtype, weak = given.dtype, bool(given.weak_type)
    else:
        dtype, weak = requested(dtype, "full"), False
    assert dtype is not None
    return filled(sizes, fill_value, dtype, weak)


def filled(sizes: tuple[int, ...], fill_value: object, dtype: DType, weak_type: bool) -> Any:
    """Returns an array of one repeated number of a dtype."""
    given = aval_of(as_operand(fill_value))
    if dtype.kind in (Kind.KEY, Kind.FLOAT0) and given.dtype is not dtype:
        return _opaque(sizes, fill_value, dtype)
    value = converted(fill_value, dtype, weak_type)
    if not sizes:
        return staged(value) if value is fill_value else staged_number(value)
    return primitives.broadcasting.broadcast_in_dim_p.bind(
        value, shape=sizes, broadcast_dimensions=(), sharding=None
    )


def _opaque(shape: tuple[int, ...], fill_value: object, dtype: DType) -> Any:
    """Returns random keys all of whose words are one number, or zeros of the tangents of
    integers.
    """
    np = host.np
    if dtype.kind is Kind.FLOAT0:
        return np.zeros(shape, host.dtype(dtype))
    words = np.full((*shape, dtype.bits // 32), fill_value, np.uint32)
    raw = words.view(host.dtype(dtype)).reshape(shape)
    return wrap(raw, ShapedArray(shape, dtype))


def full_like(x: ArrayLike, fill_value: object, dtype: object, shape: object) -> Any:
    """Returns an array of one repeated value, with the shape and dtype of another array where none
    are given.
    """
    like = _described(as_operand(x))
    sizes = like.shape if shape is None else shape
    if dtype is not None:
        return full(sizes, fill_value, dtype)
    assert like.dtype is not None
    return filled(arguments.sizes(sizes), fill_value, like.dtype, bool(like.weak_type))


def _described(x: Any) -> ShapedArray:
    """Returns the aval of an array, or of an object that has a shape and a dtype."""
    if not isinstance(x, Array) and hasattr(x, "shape") and hasattr(x, "dtype"):
        dtype = dtypes.canonicalize(host.read_dtype(x.dtype))
        return ShapedArray(tuple(x.shape), dtype, bool(getattr(x, "weak_type", False)))
    return aval_of(x)


def stop_gradient(x: ArrayLike) -> Any:
    """Returns the tree of arrays, each of which has no derivative."""
    return pytree.map(_stopped, x)


def _stopped(x: ArrayLike) -> Any:
    try:
        aval = aval_of(as_operand(x))
    except InvalidValueError:
        raise InvalidValueError(
            f"Argument {x!r} of type {type(x)} is not a valid JAX type",
            hint="Give stop_gradient trees of arrays and numbers.",
        ) from None
    if aval.dtype is not None and aval.dtype.kind in (Kind.KEY, Kind.FLOAT0):
        return x
    return primitives.conversion.stop_gradient_p.bind(x)

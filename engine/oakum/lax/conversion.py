"""Conversion of values to dtypes, and arrays of one repeated number."""

from __future__ import annotations

import warnings
from typing import Any

from oakum import dtypes, host, primitives, trees
from oakum.array import Array
from oakum.avals import ShapedArray
from oakum.dtype_requests import requested
from oakum.dtypes import DType, Kind
from oakum.errors import InvalidValueError, ShapeError
from oakum.rules import arguments
from oakum.runtime.arrays import wrap
from oakum.staging import is_recording
from oakum.trace import Tracer, as_operand, aval_of


def converted(value: Any, dtype: DType, weak_type: bool = False) -> Any:
    """A value as an array of a dtype; an array that has the type already is given as it is."""
    value = as_operand(value)
    if not isinstance(value, Array) and not hasattr(value, "dtype"):
        return _number(value, dtype, weak_type)
    aval = aval_of(value)
    if isinstance(value, Array) and aval.dtype is dtype and bool(aval.weak_type) == weak_type:
        return value
    if aval.dtype is not None and aval.dtype.kind is Kind.COMPLEX is not dtype.kind:
        warnings.warn(
            "Casting complex values to real discards the imaginary part",
            host.np.exceptions.ComplexWarning,
            stacklevel=4,
        )
    return primitives.conversion.convert_element_type_p.bind(
        value, new_dtype=dtype, weak_type=weak_type
    )


def staged(array: Any) -> Any:
    """An array as the trace sees it: where operations are recorded, what gives it is one."""
    if isinstance(array, Tracer) or not is_recording():
        return array
    return primitives.conversion.copy_p.bind(array)


def _number(value: Any, dtype: DType, weak_type: bool) -> Any:
    """A Python number as a constant; integers may be greater than the default dtype holds."""
    if not isinstance(value, (bool, int, float, complex)):
        aval_of(value)  # Says what is wrong with the value.
    np = host.np
    if isinstance(value, int):
        raw = np.asarray(value).astype(host.dtype(dtype)) if _fits(value) else _large(value, dtype)
    else:
        with np.errstate(all="ignore"):
            raw = primitives.conversion.convert(np, np.asarray(value), dtype)
    return wrap(raw, ShapedArray((), dtype, weak_type))


def _fits(value: int) -> bool:
    return -(2**63) <= value < 2**64


def _large(value: int, dtype: DType) -> Any:
    if dtype.kind in (Kind.FLOAT, Kind.COMPLEX):
        return host.np.asarray(float(value)).astype(host.dtype(dtype))
    return host.np.asarray(value, host.dtype(dtype))


def full(shape: Any, fill_value: Any, dtype: Any, weak_type: bool | None = None) -> Any:
    """An array of one repeated value; without a dtype it has that of the value."""
    sizes = arguments.sizes(shape)
    given = aval_of(as_operand(fill_value))
    if given.shape:
        raise ShapeError(
            f"full must be called with scalar fill_value, got fill_value.shape {given.shape}",
            mend="Give one number, or broadcast the array with jax.numpy.broadcast_to.",
        )
    if dtype is None:
        dtype, weak = given.dtype, bool(given.weak_type)
    else:
        dtype, weak = requested(dtype, "full"), False
    assert dtype is not None
    if dtype.kind in (Kind.KEY, Kind.FLOAT0) and given.dtype is not dtype:
        return _opaque(sizes, fill_value, dtype)
    value = converted(fill_value, dtype, weak if weak_type is None else weak_type)
    return primitives.broadcasting.broadcast_in_dim_p.bind(
        value, shape=sizes, broadcast_dimensions=(), sharding=None
    )


def _opaque(shape: tuple[int, ...], fill_value: Any, dtype: DType) -> Any:
    """Random keys all of whose words are one number, or zeros of the tangents of integers."""
    np = host.np
    if dtype.kind is Kind.FLOAT0:
        return np.zeros(shape, host.dtype(dtype))
    words = np.full((*shape, dtype.bits // 32), fill_value, np.uint32)
    raw = words.view(host.dtype(dtype)).reshape(shape)
    return wrap(raw, ShapedArray(shape, dtype))


def full_like(x: Any, fill_value: Any, dtype: Any, shape: Any) -> Any:
    """An array of one repeated value, with the shape and dtype of another array where none are
    given.
    """
    like = _described(as_operand(x))
    sizes = like.shape if shape is None else shape
    if dtype is not None:
        return full(sizes, fill_value, dtype)
    return full(sizes, fill_value, like.dtype, bool(like.weak_type))


def _described(x: Any) -> ShapedArray:
    """The aval of an array, or of an object that has a shape and a dtype."""
    if not isinstance(x, Array) and hasattr(x, "shape") and hasattr(x, "dtype"):
        dtype = dtypes.canonicalize(host.read_dtype(x.dtype))
        return ShapedArray(tuple(x.shape), dtype, bool(getattr(x, "weak_type", False)))
    return aval_of(x)


def stop_gradient(x: Any) -> Any:
    """The tree of arrays, each of which has no derivative."""
    return trees.map(_stopped, x)


def _stopped(x: Any) -> Any:
    try:
        aval = aval_of(as_operand(x))
    except InvalidValueError:
        raise InvalidValueError(
            f"Argument {x!r} of type {type(x)} is not a valid JAX type",
            mend="Give stop_gradient trees of arrays and numbers.",
        ) from None
    if aval.dtype is not None and aval.dtype.kind in (Kind.KEY, Kind.FLOAT0):
        return x
    return primitives.conversion.stop_gradient_p.bind(x)

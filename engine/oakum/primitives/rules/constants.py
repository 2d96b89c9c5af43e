"""Constants that rules compute with: numbers of the dtype of an operand."""

from __future__ import annotations

from oakum.dtypes import DType
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def constant(value: object, dtype: DType, weak_type: bool = False) -> ArrayImpl:
    """Returns a number as a scalar array of a dtype."""
    return wrap(host.np.array(value, host.dtype(dtype)), ShapedArray((), dtype, weak_type))


def repeated(value: object, dtype: DType, shape: tuple[int, ...], weak_type: bool) -> ArrayImpl:
    """Returns a number as an array of a shape, all of whose elements lie at one place if that can
    be.
    """
    scalar = host.np.array(value, host.dtype(dtype))
    return stretched(scalar, ShapedArray((), dtype, weak_type), shape)


def stretched(scalar: host.Array, aval: ShapedArray, shape: tuple[int, ...]) -> ArrayImpl:
    """Returns a scalar of the host and an aval as an array of a shape."""
    np, kind = host.np, scalar.dtype
    if kind.isbuiltin == 1 and 0 not in shape:
        raw = np.ndarray(shape, kind, scalar, 0, (0,) * len(shape))
    else:
        raw = np.full(shape, scalar)
    return wrap(raw, aval.update(shape=shape))


def number_like(x: ArrayLike, value: object) -> ArrayImpl:
    """Returns a number as a scalar array of the dtype and the weak type of an operand."""
    aval = aval_of(x)
    assert aval.dtype is not None
    return constant(value, aval.dtype, bool(aval.weak_type))

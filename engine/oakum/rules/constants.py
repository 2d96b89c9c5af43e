"""Constants that rules compute with: numbers of the dtype of an operand."""

from __future__ import annotations

from typing import Any

from oakum import host
from oakum.avals import ShapedArray
from oakum.dtypes import DType
from oakum.runtime.arrays import ArrayImpl
from oakum.trace import aval_of


def constant(value: Any, dtype: DType, weak_type: bool = False) -> ArrayImpl:
    """A number as a scalar array of a dtype."""
    return ArrayImpl(host.np.array(value, host.dtype(dtype)), ShapedArray((), dtype, weak_type))


def number_like(x: Any, value: Any) -> ArrayImpl:
    """A number as a scalar array of the dtype and the weak type of an operand."""
    aval = aval_of(x)
    assert aval.dtype is not None
    return constant(value, aval.dtype, bool(aval.weak_type))

"""Evaluation with NumPy's functions, also for dtypes that NumPy has none for."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from oakum.dtypes import Kind
from oakum.tracing.trace import Rule
from oakum.values import host

_CUSTOM = 2
"""What `isbuiltin` of the dtypes of ml_dtypes is."""


@functools.cache
def wide_dtype(dtype: object) -> Any:
    """Returns the dtype of NumPy's own in which operations on a small dtype are computed."""
    match host.read_dtype(dtype).kind:
        case Kind.INT:
            return host.np.dtype("int8")
        case Kind.UINT:
            return host.np.dtype("uint8")
        case _:
            return host.np.dtype("float32")


def is_custom(dtype: host.ArrayDType) -> bool:
    """Whether a dtype of the host is one of ml_dtypes, such as bfloat16."""
    return dtype.isbuiltin == _CUSTOM


def widened(function: Rule) -> Rule:
    """Evaluates a function of arrays of one dtype, small dtypes in a wider one."""

    @functools.wraps(function)
    def evaluate(xp: ModuleType, *operands: host.Array, **params: object) -> Any:
        dtype = operands[0].dtype
        if dtype.isbuiltin != _CUSTOM:
            return function(xp, *operands, **params)
        wide = wide_dtype(dtype)
        result = function(xp, *[x.astype(wide) for x in operands], **params)
        return result.astype(dtype) if result.dtype == wide else result

    return evaluate


def by(name: str) -> Rule:
    """Evaluates with the function of NumPy of this name."""

    def function(xp: ModuleType, *operands: host.Array, **params: object) -> Any:
        return getattr(xp, name)(*operands)

    return widened(function)


def by_kind(real: str, complex: Callable[[Any, Any], Any]) -> Rule:
    """Evaluates with the function of NumPy of this name, complex operands with another one."""

    def function(xp: ModuleType, x: host.Array, **params: object) -> Any:
        return complex(xp, x) if x.dtype.kind == "c" else getattr(xp, real)(x)

    return widened(function)

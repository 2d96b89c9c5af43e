"""Dtypes that users ask for: read, checked, and narrowed where 64-bit dtypes are off.

Invariants:
- A Python scalar type asks for the default dtype of its kind, without a warning.
- A dtype of 64 bits that is asked for by name is narrowed with a warning, or refused, as the option
  `jax_explicit_x64_dtypes` says.
"""

from __future__ import annotations

import sys
import warnings
from typing import Any, Final

from oakum import config, dtypes, errors
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.values import host
from oakum.values.user_frames import is_internal

_PYTHON_TYPES: Final[dict[Any, DType]] = {
    bool: dtypes.bool_,
    int: dtypes.int64,
    float: dtypes.float64,
    complex: dtypes.complex128,
}


def requested(dtype: object, function: str = "") -> DType:
    """Returns the canonical dtype that a dtype argument of a function asks for.

    >>> requested(float), requested("bfloat16", "zeros")
    (dtype(float32), dtype(bfloat16))
    """
    if type(dtype) is type and dtype in _PYTHON_TYPES:
        return canonical(_PYTHON_TYPES[dtype])
    if isinstance(dtype, Array):
        raise ValueError(
            "Passing an array as a dtype argument is not supported; write dtype=x.dtype"
        )
    if dtype is None:
        raise ValueError("dtype must be specified.")
    return narrowed(_read(dtype, function), function)


def _read(dtype: object, function: str) -> DType:
    try:
        return host.read_dtype(dtype)
    except errors.DTypeError:
        place = f" in {function}" if function else ""
        raise errors.DTypeError(
            f"JAX only supports number, bool, and string dtypes, got dtype {dtype}{place}",
            hint="Give one of the dtypes of jax.numpy, such as jnp.float32.",
        ) from None


def canonical(dtype: DType) -> DType:
    """Returns the dtype that arrays have where this one is meant, without a warning."""
    result = dtypes.canonicalize(dtype)
    assert result is not None
    return result


def narrowed(dtype: DType, function: str = "") -> DType:
    """Returns the canonical dtype of one that is asked for by name; warns where it is narrower."""
    result = canonical(dtype)
    if result is dtype or dtype.kind is Kind.KEY:
        return dtype
    option = config.explicit_x64_dtypes.value
    if option == config.ExplicitX64Mode.ALLOW:
        return dtype
    place = f" requested in {function}" if function else ""
    if option == config.ExplicitX64Mode.ERROR:
        raise errors.DTypeError(
            f"Explicitly requested dtype {dtype}{place} is not available",
            hint="Set the option jax_enable_x64, or jax_explicit_x64_dtypes to 'allow'.",
        )
    warn(
        f"Explicitly requested dtype {dtype}{place} is not available, and will be truncated to "
        f"dtype {result}; set the option jax_enable_x64 to have dtypes of 64 bits"
    )
    return result


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warns at the line of the user's program that is running."""
    level, frame = 1, sys._getframe()  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and is_internal(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)

"""Dtypes that users ask for: read, and made canonical with a word about it."""

from __future__ import annotations

import warnings
from typing import Any, Final

from oakum import config, dtypes, host
from oakum.array import Array
from oakum.config import ExplicitX64Mode
from oakum.dtypes import DType
from oakum.errors import DTypeError

_PYTHON: Final = (bool, int, float, complex)


def requested_dtype(value: Any, function: str = "") -> DType:
    """The canonical dtype of a dtype argument; 64-bit dtypes that are off give a warning.

    >>> requested_dtype(float, "full"), requested_dtype("bfloat16", "full")
    (dtype(float32), dtype(bfloat16))
    """
    if value is None:
        raise DTypeError("dtype must be specified", mend="Give a dtype such as jnp.float32.")
    if isinstance(value, Array):
        raise DTypeError(
            "Passing an array as a dtype argument is not supported",
            mend="Instead of dtype=arr write dtype=arr.dtype.",
        )
    read = host.read_dtype(value)
    canonical = dtypes.canonicalize(read)
    assert canonical is not None
    if canonical is not read and value not in _PYTHON:
        return _instead(read, canonical, function)
    return canonical


def _instead(asked: DType, canonical: DType, function: str) -> DType:
    mode = config.explicit_x64_dtypes.value
    if mode is ExplicitX64Mode.ALLOW:
        return asked
    where = f" requested in {function}" if function else ""
    if mode is ExplicitX64Mode.ERROR:
        raise DTypeError(
            f"Explicitly requested dtype {asked}{where} is not available",
            mend="Switch on jax_enable_x64, or ask for a dtype of 32 bits.",
        )
    warnings.warn(
        f"Explicitly requested dtype {asked}{where} is not available, and will be truncated to "
        f"dtype {canonical}. To enable more dtypes, set the option jax_enable_x64.",
        UserWarning,
        stacklevel=5,
    )
    return canonical

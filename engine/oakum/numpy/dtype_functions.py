"""The functions and groups of JAX's `jax.dtypes`; `oakum.dtypes` has them as attributes."""

from __future__ import annotations

from typing import Any, Final

from oakum.abstract import inspection
from oakum.dtypes import Kind
from oakum.errors import DTypeError
from oakum.errors import TypePromotionError as TypePromotionError
from oakum.numpy import inspection as numpy_inspection
from oakum.numpy.dtypes import DTypeGroup
from oakum.numpy.dtypes import finfo as finfo
from oakum.numpy.dtypes import iinfo as iinfo
from oakum.typing import DTypeLike
from oakum.values import host
from oakum.values.declarations import public

extended: Final = DTypeGroup("extended")
"""The group of dtypes that NumPy does not have."""

prng_key: Final = DTypeGroup("prng_key")
"""The group of dtypes of random keys."""


@public("dtypes.canonicalize_dtype", static_result=True)
def canonicalize_dtype(dtype: DTypeLike, allow_extended_dtype: bool = False) -> Any:
    """Returns the dtype that JAX makes of this one: 64-bit types need the x64 switch."""
    found = host.read_dtype(dtype)
    if found.kind is Kind.KEY and not allow_extended_dtype:
        raise DTypeError(
            f"canonicalize_dtype called on extended dtype {found} with allow_extended_dtype=False",
            hint="Give allow_extended_dtype=True, or the dtype of numbers.",
        )
    from oakum.tracing import dtype_requests  # with the options, which the linter does without

    return host.visible_dtype(dtype_requests.canonical(found))


@public("dtypes.issubdtype", inspection.is_subdtype, static_result=True)
def issubdtype(a: DTypeLike, b: DTypeLike) -> bool:
    """Returns whether a dtype belongs to a group of dtypes."""
    return numpy_inspection.is_subdtype(a, b)


@public("dtypes.itemsize_bits", static_result=True)
def itemsize_bits(dtype: DTypeLike) -> int:
    """Returns the number of bits of an element."""
    found = host.read_dtype(dtype)
    if found.kind is Kind.KEY:
        raise DTypeError(f"unexpected input: dtype={found}", hint="Give the dtype of numbers.")
    return found.bits


@public("dtypes.result_type", inspection.result_type, static_result=True)
def result_type(*args: object, return_weak_type_flag: bool = False) -> Any:
    """Returns the dtype that operands promote to."""
    dtype, weak_type = numpy_inspection.promoted_dtype(args)
    return (
        (host.visible_dtype(dtype), weak_type)
        if return_weak_type_flag
        else host.visible_dtype(dtype)
    )


_SCALAR_TYPES: Final[dict[Kind, type]] = {
    Kind.BOOL: bool,
    Kind.INT: int,
    Kind.UINT: int,
    Kind.FLOAT: float,
    Kind.COMPLEX: complex,
}


@public("dtypes.scalar_type_of", static_result=True)
def scalar_type_of(x: object) -> type:
    """Returns the Python scalar type of a value."""
    dtype = numpy_inspection.described(x).dtype
    if dtype is None or dtype.kind not in _SCALAR_TYPES:
        raise DTypeError(
            f"{x!r} has the dtype {dtype}, of which Python has no numbers",
            hint="Give an array or a dtype of numbers.",
        )
    return _SCALAR_TYPES[dtype.kind]

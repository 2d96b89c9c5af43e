"""The functions of JAX's `jax.dtypes`; `oakum.dtypes` has them as attributes."""

from __future__ import annotations

from typing import Any

from oakum.abstract import inspection
from oakum.dtypes import DType
from oakum.facts import public
from oakum.numpy.dtypes import finfo as finfo
from oakum.numpy.dtypes import iinfo as iinfo
from oakum.typing import DTypeLike


@public("dtypes.canonicalize_dtype", static_result=True)
def canonicalize_dtype(dtype: DTypeLike, allow_extended_dtype: bool = False) -> DType:
    """Gives the dtype that JAX makes of this one: 64-bit types need the x64 switch."""
    ...


@public("dtypes.issubdtype", inspection.is_subdtype, static_result=True)
def issubdtype(a: DTypeLike, b: DTypeLike) -> bool:
    """Tells whether a dtype belongs to a group of dtypes."""
    ...


@public("dtypes.itemsize_bits", static_result=True)
def itemsize_bits(dtype: DTypeLike) -> int:
    """Gives the number of bits of an element."""
    ...


@public("dtypes.result_type", inspection.result_type, static_result=True)
def result_type(*args: Any, return_weak_type_flag: bool = False) -> Any:
    """Gives the dtype that operands promote to."""
    ...


@public("dtypes.scalar_type_of", static_result=True)
def scalar_type_of(x: Any) -> type:
    """Gives the Python scalar type of a value."""
    ...

"""Scalar types, which convert when they are called, and the groups that dtypes belong to."""

from __future__ import annotations

import inspect
from typing import Any, Final

from oakum import dtypes
from oakum.abstract import creation
from oakum.abstract.operands import Arguments
from oakum.array import Array
from oakum.dtypes import DType
from oakum.facts import Facts, PublicFunction, public
from oakum.typing import DTypeLike

__all__ = [
    "DTypeGroup",
    "ScalarType",
    "bfloat16",
    "bool",
    "bool_",
    "cdouble",
    "character",
    "complex64",
    "complex128",
    "complex_",
    "complexfloating",
    "csingle",
    "double",
    "dtype",
    "finfo",
    "flexible",
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float16",
    "float32",
    "float64",
    "float_",
    "floating",
    "generic",
    "iinfo",
    "inexact",
    "int1",
    "int2",
    "int4",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "integer",
    "ndarray",
    "number",
    "object_",
    "signedinteger",
    "single",
    "uint",
    "uint1",
    "uint2",
    "uint4",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "unsignedinteger",
]


def _cast(x: Any) -> Array:
    """Converts a value to an array of this dtype."""
    ...


_CAST: Final = inspect.signature(_cast)


class ScalarType(PublicFunction[[Any], Array]):
    """A dtype that is called to convert a value: `jnp.float32(x)`.

    >>> float32.dtype, print(float32.facts.rule({"x": 3}))
    f32[]
    (dtype(float32), None)
    """

    def __init__(self, dtype: DType) -> None:
        super().__init__(_cast, self._declare_cast)
        self.dtype = dtype
        self.__name__ = self.__qualname__ = dtype.name

    def _declare_cast(self) -> Facts:
        return Facts(f"numpy.{self.dtype.name}", _CAST, self._rule)

    def _rule(self, arguments: Arguments) -> Any:
        return creation.array({"object": arguments["x"], "dtype": self.dtype})

    def __eq__(self, other: object) -> Any:
        return self.dtype is dtypes.read(other)

    def __hash__(self) -> int:
        return hash(self.dtype)


class DTypeGroup:
    """A group of dtypes in NumPy's hierarchy, for `issubdtype`: `jnp.floating`."""

    __slots__ = ("__name__", "name")

    def __init__(self, name: str) -> None:
        self.name = self.__name__ = name

    def __repr__(self) -> str:
        return f"oakum.numpy.{self.name}"


bool_: Final = ScalarType(dtypes.bool_)
uint1: Final = ScalarType(dtypes.uint1)
uint2: Final = ScalarType(dtypes.uint2)
uint4: Final = ScalarType(dtypes.uint4)
uint8: Final = ScalarType(dtypes.uint8)
uint16: Final = ScalarType(dtypes.uint16)
uint32: Final = ScalarType(dtypes.uint32)
uint64: Final = ScalarType(dtypes.uint64)
int1: Final = ScalarType(dtypes.int1)
int2: Final = ScalarType(dtypes.int2)
int4: Final = ScalarType(dtypes.int4)
int8: Final = ScalarType(dtypes.int8)
int16: Final = ScalarType(dtypes.int16)
int32: Final = ScalarType(dtypes.int32)
int64: Final = ScalarType(dtypes.int64)
float4_e2m1fn: Final = ScalarType(dtypes.float4_e2m1fn)
float6_e2m3fn: Final = ScalarType(dtypes.float6_e2m3fn)
float6_e3m2fn: Final = ScalarType(dtypes.float6_e3m2fn)
float8_e3m4: Final = ScalarType(dtypes.float8_e3m4)
float8_e4m3: Final = ScalarType(dtypes.float8_e4m3)
float8_e8m0fnu: Final = ScalarType(dtypes.float8_e8m0fnu)
float8_e4m3b11fnuz: Final = ScalarType(dtypes.float8_e4m3b11fnuz)
float8_e4m3fn: Final = ScalarType(dtypes.float8_e4m3fn)
float8_e4m3fnuz: Final = ScalarType(dtypes.float8_e4m3fnuz)
float8_e5m2: Final = ScalarType(dtypes.float8_e5m2)
float8_e5m2fnuz: Final = ScalarType(dtypes.float8_e5m2fnuz)
bfloat16: Final = ScalarType(dtypes.bfloat16)
float16: Final = ScalarType(dtypes.float16)
float32: Final = ScalarType(dtypes.float32)
float64: Final = ScalarType(dtypes.float64)
complex64: Final = ScalarType(dtypes.complex64)
complex128: Final = ScalarType(dtypes.complex128)

bool = bool_
uint = uint64
int_ = int64
float_ = double = float64
single = float32
complex_ = cdouble = complex128
csingle = complex64

ndarray = Array

generic: Final = DTypeGroup("generic")
number: Final = DTypeGroup("number")
integer: Final = DTypeGroup("integer")
signedinteger: Final = DTypeGroup("signedinteger")
unsignedinteger: Final = DTypeGroup("unsignedinteger")
inexact: Final = DTypeGroup("inexact")
floating: Final = DTypeGroup("floating")
complexfloating: Final = DTypeGroup("complexfloating")
flexible: Final = DTypeGroup("flexible")
character: Final = DTypeGroup("character")
object_: Final = DTypeGroup("object_")


@public("numpy.dtype", static_result=True)
def dtype(dtype: DTypeLike, align: Any = False, copy: Any = False, metadata: Any = None) -> DType:
    """Gives the dtype that a name, a type or an array stands for."""
    ...


@public("numpy.finfo", static_result=True)
def finfo(dtype: DTypeLike) -> Any:
    """Gives the limits and the precision of a floating-point dtype."""
    ...


@public("numpy.iinfo", static_result=True)
def iinfo(int_type: DTypeLike) -> Any:
    """Gives the limits of an integer dtype."""
    ...

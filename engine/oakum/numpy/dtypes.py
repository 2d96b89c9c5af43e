"""Scalar types, which convert when they are called, and the groups that dtypes belong to."""

from __future__ import annotations

import inspect
import sys
from typing import Any, Final, Union

from oakum import dtypes
from oakum.abstract import creation as rules
from oakum.abstract.operands import Arguments
from oakum.array import Array
from oakum.dtypes import DType
from oakum.numpy.creation import conversion
from oakum.typing import ArrayLike, DTypeLike
from oakum.values import host
from oakum.values.declarations import PublicFunction, public
from oakum.values.facts import Facts


def _cast(x: ArrayLike) -> Array:
    """Converts a value to an array of this dtype."""
    ...


_CAST: Final = inspect.signature(_cast)


class ScalarType(PublicFunction[[Any], Array]):
    """A dtype that is called to convert a value: `jnp.float32(x)`.

    It stands for its dtype wherever NumPy takes one, and is equal to NumPy's type of that name.

    >>> float32.element, print(float32.facts.rule({"x": 3}))
    f32[]
    (dtype(float32), None)
    """

    def __init__(self, element: DType) -> None:
        super().__init__(self._convert, self._declare_cast)
        self.element = element
        self.__name__ = self.__qualname__ = element.name
        self.__module__ = "oakum.numpy"
        self.__doc__ = f"Converts a value to {element.name}; uncalled, it stands for that dtype."

    def _convert(self, x: ArrayLike) -> Array:
        return conversion.asarray(x, self.dtype)

    def _declare_cast(self, function: object) -> Facts:
        return Facts(f"numpy.{self.element.name}", _CAST, self._rule)

    def _rule(self, arguments: Arguments) -> Any:
        return rules.array({"object": arguments["x"], "dtype": self.element})

    @property
    def dtype(self) -> Any:
        """The host's dtype."""
        return host.dtype(self.element)

    @property
    def __numpy_dtype__(self) -> Any:
        return self.dtype

    def __instancecheck__(self, instance: object) -> Any:
        return isinstance(instance, self.dtype.type)

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Returns the type itself, also as an attribute of a class: it is no method."""
        return self

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """It passes for a type: `isinstance(jnp.float32, type)`."""
        return type

    @property
    def __bases__(self) -> tuple[Any, ...]:
        return (object,)

    def __or__(self, other: object) -> Any:
        return Union[self, other]  # noqa: UP007

    def __ror__(self, other: object) -> Any:
        return Union[other, self]  # noqa: UP007

    def __eq__(self, other: object) -> Any:
        if isinstance(other, (ScalarType, DType)):
            return self.element is dtypes.read(other)
        numpy = sys.modules.get("numpy")
        if numpy is not None and isinstance(other, (numpy.dtype, type)):
            return self.dtype.type == other or self.dtype == other
        return False

    def __hash__(self) -> int:
        return hash(self.dtype.type)

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return f"<scalar type oakum.numpy.{self.element.name}>"


class DTypeGroup:
    """A group of dtypes in NumPy's hierarchy, for `issubdtype`: `jnp.floating`.

    It is equal to NumPy's class of that name, and passes for it where classes are compared.
    """

    def __init__(self, name: str) -> None:
        self.name = self.__name__ = self.__qualname__ = name

    @property
    def host(self) -> Any:
        """NumPy's class."""
        return getattr(host.np, self.name, host.np.void)

    @property
    def __bases__(self) -> tuple[Any, ...]:
        return (self.host,)

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """It passes for a type: `isinstance(jnp.floating, type)`."""
        return type

    def __call__(self, *args: object) -> Any:
        """Raises TypeError, as NumPy's abstract class does; types can be called."""
        return self.host(*args)

    def __subclasscheck__(self, subclass: Any) -> Any:
        return subclass is self or issubclass(subclass, self.host)

    def __instancecheck__(self, instance: object) -> Any:
        return isinstance(instance, self.host)

    def __or__(self, other: object) -> Any:
        return Union[self, other]  # noqa: UP007

    def __ror__(self, other: object) -> Any:
        return Union[other, self]  # noqa: UP007

    def __eq__(self, other: object) -> Any:
        if isinstance(other, DTypeGroup):
            return self.name == other.name
        return "numpy" in sys.modules and self.host == other

    def __hash__(self) -> int:
        return hash(self.host)

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


class _DTypeFunction(PublicFunction[..., Any]):
    """`jnp.dtype`: a function that makes dtypes, and passes for NumPy's class of them."""

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return type

    @property
    def __bases__(self) -> tuple[Any, ...]:
        return (host.np.dtype,)

    def __subclasscheck__(self, subclass: Any) -> Any:
        return issubclass(subclass, host.np.dtype)

    def __or__(self, other: object) -> Any:
        return Union[self, other]  # noqa: UP007

    def __ror__(self, other: object) -> Any:
        return Union[other, self]  # noqa: UP007

    def __eq__(self, other: object) -> Any:
        return self is other or ("numpy" in sys.modules and other is host.np.dtype)

    def __hash__(self) -> int:
        return hash(host.np.dtype)

    def __instancecheck__(self, instance: object) -> Any:
        return isinstance(instance, (host.np.dtype, DType))


@_DTypeFunction.of
@public("numpy.dtype", static_result=True)
def dtype(
    dtype: DTypeLike, align: object = False, copy: object = False, metadata: object = None
) -> Any:
    """Returns the dtype that a name, a type or an array stands for."""
    if isinstance(dtype, (DType, ScalarType)):
        element = dtypes.read(dtype)
        assert element is not None
        return element if element.kind is dtypes.Kind.KEY else host.dtype(element)
    return host.np.dtype(dtype, align=align, copy=copy)


@public("numpy.finfo", static_result=True)
def finfo(dtype: DTypeLike) -> Any:
    """Returns the limits and the precision of a floating-point dtype."""
    found = host.dtype(host.read_dtype(dtype))
    # By its kind alone a float8_e5m2 would be NumPy's.
    is_numpys = issubclass(found.type, host.np.inexact)
    return host.np.finfo(found) if is_numpys else host.ml_dtypes.finfo(found)


@public("numpy.iinfo", static_result=True)
def iinfo(int_type: DTypeLike) -> Any:
    """Returns the limits of an integer dtype."""
    found = host.dtype(host.read_dtype(int_type))
    return host.np.iinfo(found) if found.kind in "iu" else host.ml_dtypes.iinfo(found)

"""Dtypes: JAX's element types, their promotion lattice with weak types, and the x64 switch.

Invariants:
- A `DType` is interned: one object for each dtype, compared by identity.
- Functions take None for a dtype that is not known and give None where the result is not certain;
  what holds for every completion of the unknown is still said.
- Importing this module imports nothing but the standard library; in particular not numpy.
"""

import contextlib
import enum
import importlib
from collections.abc import Generator
from typing import Any, Final

from oakum.values import lazy_modules
from oakum.values.option_values import X64
from oakum.values.option_values import x64_enabled as x64_enabled
from oakum.values.records import dataclass


class Kind(enum.StrEnum):
    """The kinds of element types."""

    BOOL = "bool"
    UINT = "uint"
    INT = "int"
    FLOAT = "float"
    COMPLEX = "complex"
    KEY = "key"
    FLOAT0 = "float0"
    """The tangent type of integers and booleans; it has one value and no arithmetic."""


@dataclass(frozen=True, slots=True, eq=False)
class DType:
    """One element type.

    >>> float32.name, float32.kind.value, float32.bits, float32.short
    ('float32', 'float', 32, 'f32')
    """

    name: str
    kind: Kind
    bits: int
    short: str

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return self.name if self.kind is Kind.KEY else f"dtype({self.name})"

    @property
    def itemsize(self) -> int:
        """The number of bytes of an element."""
        return -(-self.bits // 8)

    def __reduce__(self) -> tuple[object, ...]:
        return (_interned, (self.name,))

    @property
    def dtype(self) -> Any:
        """The host's dtype: by this attribute NumPy takes, and compares with, what is no dtype of
        its own.
        """
        if self.kind is Kind.KEY:
            raise AttributeError(f"the host has no dtype {self.name}")
        return importlib.import_module("oakum.values.host").dtype(self)

    def __instancecheck__(self, instance: object) -> bool:
        """Returns whether a value is a scalar of the host of this dtype."""
        return hasattr(instance, "dtype") and type(instance).__name__ == self.name


def _interned(name: str) -> DType:
    return DTYPES[name]


def _dtype(name: str, kind: Kind, bits: int, short: str) -> DType:
    return DType(name, kind, bits, short)


bool_: Final = _dtype("bool", Kind.BOOL, 8, "bool")
uint1: Final = _dtype("uint1", Kind.UINT, 1, "u1")
uint2: Final = _dtype("uint2", Kind.UINT, 2, "u2")
uint4: Final = _dtype("uint4", Kind.UINT, 4, "u4")
uint8: Final = _dtype("uint8", Kind.UINT, 8, "u8")
uint16: Final = _dtype("uint16", Kind.UINT, 16, "u16")
uint32: Final = _dtype("uint32", Kind.UINT, 32, "u32")
uint64: Final = _dtype("uint64", Kind.UINT, 64, "u64")
int1: Final = _dtype("int1", Kind.INT, 1, "i1")
int2: Final = _dtype("int2", Kind.INT, 2, "i2")
int4: Final = _dtype("int4", Kind.INT, 4, "i4")
int8: Final = _dtype("int8", Kind.INT, 8, "i8")
int16: Final = _dtype("int16", Kind.INT, 16, "i16")
int32: Final = _dtype("int32", Kind.INT, 32, "i32")
int64: Final = _dtype("int64", Kind.INT, 64, "i64")
float4_e2m1fn: Final = _dtype("float4_e2m1fn", Kind.FLOAT, 4, "f4_e2m1fn")
float6_e2m3fn: Final = _dtype("float6_e2m3fn", Kind.FLOAT, 6, "f6_e2m3fn")
float6_e3m2fn: Final = _dtype("float6_e3m2fn", Kind.FLOAT, 6, "f6_e3m2fn")
float8_e3m4: Final = _dtype("float8_e3m4", Kind.FLOAT, 8, "f8_e3m4")
float8_e4m3: Final = _dtype("float8_e4m3", Kind.FLOAT, 8, "f8_e4m3")
float8_e8m0fnu: Final = _dtype("float8_e8m0fnu", Kind.FLOAT, 8, "f8_e8m0fnu")
float8_e4m3b11fnuz: Final = _dtype("float8_e4m3b11fnuz", Kind.FLOAT, 8, "f8_e4m3b11fnuz")
float8_e4m3fn: Final = _dtype("float8_e4m3fn", Kind.FLOAT, 8, "f8_e4m3fn")
float8_e4m3fnuz: Final = _dtype("float8_e4m3fnuz", Kind.FLOAT, 8, "f8_e4m3fnuz")
float8_e5m2: Final = _dtype("float8_e5m2", Kind.FLOAT, 8, "f8_e5m2")
float8_e5m2fnuz: Final = _dtype("float8_e5m2fnuz", Kind.FLOAT, 8, "f8_e5m2fnuz")
bfloat16: Final = _dtype("bfloat16", Kind.FLOAT, 16, "bf16")
float16: Final = _dtype("float16", Kind.FLOAT, 16, "f16")
float32: Final = _dtype("float32", Kind.FLOAT, 32, "f32")
float64: Final = _dtype("float64", Kind.FLOAT, 64, "f64")
complex64: Final = _dtype("complex64", Kind.COMPLEX, 64, "c64")
complex128: Final = _dtype("complex128", Kind.COMPLEX, 128, "c128")
float0: Final = _dtype("float0", Kind.FLOAT0, 0, "float0")
key_fry: Final = _dtype("key<fry>", Kind.KEY, 64, "key<fry>")
key_rbg: Final = _dtype("key<rbg>", Kind.KEY, 128, "key<rbg>")
key_unsafe_rbg: Final = _dtype("key<urbg>", Kind.KEY, 128, "key<urbg>")
key_fry4: Final = _dtype("key<fry4>", Kind.KEY, 128, "key<fry4>")
key_phx2: Final = _dtype("key<phx2>", Kind.KEY, 32, "key<phx2>")
key_phx4: Final = _dtype("key<phx4>", Kind.KEY, 64, "key<phx4>")

_SMALL_FLOATS: Final = (
    float4_e2m1fn,
    float6_e2m3fn,
    float6_e3m2fn,
    float8_e3m4,
    float8_e4m3,
    float8_e8m0fnu,
    float8_e4m3b11fnuz,
    float8_e4m3fn,
    float8_e4m3fnuz,
    float8_e5m2,
    float8_e5m2fnuz,
)
_UINTS: Final = (uint1, uint2, uint4, uint8, uint16, uint32, uint64)
_INTS: Final = (int1, int2, int4, int8, int16, int32, int64)
_FLOATS: Final = (*_SMALL_FLOATS, bfloat16, float16, float32, float64)

NUMERIC: Final = (bool_, *_UINTS, *_INTS, *_FLOATS, complex64, complex128)
"""The dtypes of the promotion lattice."""

KEYS: Final = (key_fry, key_rbg, key_unsafe_rbg, key_fry4, key_phx2, key_phx4)

DTYPES: Final = {dtype.name: dtype for dtype in (*NUMERIC, float0, *KEYS)}
"""All dtypes by name."""

_ALIASES: Final = {
    "bool_": bool_,
    "?": bool_,
    "int": int64,
    "uint": uint64,
    "float": float64,
    "complex": complex128,
    "half": float16,
    "single": float32,
    "double": float64,
    "csingle": complex64,
    "cdouble": complex128,
    "byte": int8,
    "ubyte": uint8,
    "short": int16,
    "ushort": uint16,
    "intc": int32,
    "uintc": uint32,
    "longlong": int64,
    "ulonglong": uint64,
    "intp": int64,
    "uintp": uint64,
    "int_": int64,
    "float_": float64,
    "complex_": complex128,
    "b1": bool_,
    "b": int8,
    "B": uint8,
    "h": int16,
    "H": uint16,
    "i": int32,
    "I": uint32,
    "l": int64,
    "L": uint64,
    "q": int64,
    "Q": uint64,
    "e": float16,
    "f": float32,
    "d": float64,
    "F": complex64,
    "D": complex128,
    "i1": int8,
    "i2": int16,
    "i4": int32,
    "i8": int64,
    "u1": uint8,
    "u2": uint16,
    "u4": uint32,
    "u8": uint64,
    "f2": float16,
    "f4": float32,
    "f8": float64,
    "c8": complex64,
    "c16": complex128,
}
"""NumPy's other spellings, where sizes count bytes; short names such as `f32` count bits."""

_SHORT: Final = {dtype.short: dtype for dtype in DTYPES.values()}


def find(word: str) -> DType | None:
    """Finds a dtype by its name or one of NumPy's spellings of it.

    >>> find("float32"), find("<f4"), find("bfloat16"), find("banana")
    (dtype(float32), dtype(float32), dtype(bfloat16), None)
    """
    if word[:1] in "<>=|" and word[1:] in _ALIASES:
        word = word[1:]
    return DTYPES.get(word) or _ALIASES.get(word)


def find_short(word: str) -> DType | None:
    """Finds a dtype by the short name that printed avals use.

    >>> find_short("f32"), find_short("u8"), find_short("key<fry>")
    (dtype(float32), dtype(uint8), key<fry>)
    """
    return _SHORT.get(word)


@contextlib.contextmanager
def assume_x64(enabled: bool | None) -> Generator[None]:
    """Evaluates the block with 64-bit dtypes on, off, or (None) in either way.

    >>> with assume_x64(True):
    ...     canonicalize(float64)
    dtype(float64)
    >>> canonicalize(float64)
    dtype(float32)
    """
    token = X64.set(enabled)
    try:
        yield
    finally:
        X64.reset(token)


_NARROW: Final = {
    int64: int32,
    uint64: uint32,
    float64: float32,
    complex128: complex64,
}


def canonicalize(dtype: DType) -> DType | None:
    """Returns the dtype that JAX makes of this one: 64-bit types become 32-bit ones unless x64 is
    on.
    """
    narrow = _NARROW.get(dtype)
    if narrow is None:
        return dtype
    match x64_enabled():
        case True:
            return dtype
        case False:
            return narrow
        case None:
            return None


_PYTHON: Final[dict[type, DType]] = {
    bool: bool_,
    int: int64,
    float: float64,
    complex: complex128,
}


def of_python_type(kind: type) -> DType | None:
    """Returns the dtype of a Python scalar type under the x64 switch; None for any other type.

    >>> of_python_type(float), of_python_type(bool), of_python_type(str)
    (dtype(float32), dtype(bool), None)
    """
    dtype = _PYTHON.get(kind)
    return None if dtype is None else canonicalize(dtype)


def read(value: object) -> DType | None:
    """Reads a dtype argument: a `DType`, a name, a Python scalar type, or an object with a dtype.

    Returns None for what is not a dtype or not known. The result is not canonicalised.

    >>> read("f4"), read(int), read(float32), read(3)
    (dtype(float32), dtype(int64), dtype(float32), None)
    """
    match value:
        case DType():
            return value
        case str():
            return find(value)
        case type() if value in _PYTHON:
            return _PYTHON[value]
        case type():
            return find(value.__name__)
        case _:
            inner = getattr(value, "element", None) or getattr(value, "dtype", None)
            if isinstance(inner, DType):
                return inner
            name = getattr(inner if inner is not None else value, "name", None)
            return find(name) if isinstance(name, str) else None


def is_kind(dtype: DType | None, *kinds: Kind) -> bool | None:
    """Whether the dtype is of one of these kinds; None when the dtype is not known."""
    return None if dtype is None else dtype.kind in kinds


def is_subdtype(dtype: DType, group: str) -> bool:
    """Whether the dtype belongs to a group of NumPy's hierarchy.

    >>> is_subdtype(bfloat16, "floating"), is_subdtype(int8, "inexact")
    (True, False)
    """
    return dtype.kind in GROUPS[group]


GROUPS: Final = {
    "generic": frozenset(Kind),
    "number": frozenset((Kind.UINT, Kind.INT, Kind.FLOAT, Kind.COMPLEX)),
    "integer": frozenset((Kind.UINT, Kind.INT)),
    "signedinteger": frozenset((Kind.INT,)),
    "unsignedinteger": frozenset((Kind.UINT,)),
    "inexact": frozenset((Kind.FLOAT, Kind.COMPLEX)),
    "floating": frozenset((Kind.FLOAT,)),
    "complexfloating": frozenset((Kind.COMPLEX,)),
    "bool": frozenset((Kind.BOOL,)),
    "extended": frozenset((Kind.KEY,)),
    "prng_key": frozenset((Kind.KEY,)),
}
"""NumPy's abstract types, and JAX's, as sets of kinds."""


def to_inexact(dtype: DType | None) -> DType | None:
    """Returns the float dtype that functions such as `sin` compute in for this dtype.

    >>> to_inexact(int8), to_inexact(bool_), to_inexact(bfloat16)
    (dtype(float32), dtype(float32), dtype(bfloat16))
    """
    match dtype:
        case None:
            return None
        case DType(kind=Kind.BOOL):
            return float32
        case DType(kind=Kind.INT | Kind.UINT):
            return canonicalize(float64) if dtype.bits == 64 else float32
        case _:
            return dtype


def to_real(dtype: DType | None) -> DType | None:
    """Returns the dtype of the real part.

    >>> to_real(complex64), to_real(int8)
    (dtype(float32), dtype(int8))
    """
    if dtype is complex64:
        return float32
    return float64 if dtype is complex128 else dtype


def to_complex(dtype: DType | None) -> DType | None:
    """Returns the complex dtype that holds values of this dtype.

    >>> to_complex(float32), to_complex(float64)
    (dtype(complex64), dtype(complex128))
    """
    if dtype is None or dtype.kind is Kind.COMPLEX:
        return dtype
    return complex128 if to_inexact(dtype) is float64 else complex64


def __getattr__(name: str) -> Any:
    """JAX's functions and groups of dtypes, which stand above this module."""
    return lazy_modules.find_added(__name__, name)

"""Values of LLVM's text: a name or constant, with the dtype and the number of its lanes."""

from __future__ import annotations

import struct
from typing import Final

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar (width 1) or a vector, by what it is called in the text."""

    text: str
    dtype: DType
    width: int = 1

    @property
    def type(self) -> str:
        """LLVM's type."""
        return vector_type(self.dtype, self.width)

    @property
    def typed(self) -> str:
        """The type and the name, as an operand is written."""
        return f"{self.type} {self.text}"


# Nothing is computed in bfloat16, and LLVM asks a library for help to move its own type about.
_FLOATS: Final = {
    dtypes.float16: "half",
    dtypes.bfloat16: "i16",
    dtypes.float32: "float",
    dtypes.float64: "double",
}

_SUFFIXES: Final = {"half": "f16", "float": "f32", "double": "f64"}


def scalar_type(dtype: DType) -> str:
    """LLVM's type of one element in a register.

    >>> scalar_type(dtypes.float32), scalar_type(dtypes.uint8), scalar_type(dtypes.bool_)
    ('float', 'i8', 'i1')
    """
    if dtype is dtypes.bool_:
        return "i1"
    return _FLOATS.get(dtype) or f"i{dtype.bits}"


def vector_type(dtype: DType, width: int) -> str:
    """LLVM's type of this many elements.

    >>> vector_type(dtypes.float64, 8)
    '<8 x double>'
    """
    scalar = scalar_type(dtype)
    return scalar if width == 1 else f"<{width} x {scalar}>"


def suffix(dtype: DType, width: int) -> str:
    """How the names of intrinsics end.

    >>> suffix(dtypes.float32, 16), suffix(dtypes.int64, 1)
    ('v16f32', 'i64')
    """
    scalar = scalar_type(dtype)
    scalar = _SUFFIXES.get(scalar, scalar)
    return scalar if width == 1 else f"v{width}{scalar}"


def is_float(dtype: DType) -> bool:
    """Returns whether arithmetic is that of floats."""
    return dtype.kind is Kind.FLOAT


def is_signed(dtype: DType) -> bool:
    """Returns whether integers have a sign."""
    return dtype.kind is Kind.INT


def number_text(number: complex, dtype: DType) -> str:
    """Returns a constant scalar as LLVM writes it.

    >>> number_text(1.5, dtypes.float32), number_text(-1, dtypes.uint8)
    ('0x3FF8000000000000', '255')
    """
    if dtype is dtypes.bool_:
        return "true" if number else "false"
    if not is_float(dtype):
        assert isinstance(number, int)
        return str(number % (1 << dtype.bits) if not is_signed(dtype) else number)
    assert isinstance(number, (int, float))
    if dtype is dtypes.float32:
        number = struct.unpack("<f", struct.pack("<f", number))[0]
    if dtype is dtypes.float16:
        return f"0xH{struct.unpack('<H', struct.pack('<e', number))[0]:04X}"
    if dtype is dtypes.bfloat16:
        bits = struct.unpack("<I", struct.pack("<f", number))[0]
        if number == number:
            bits += 0x7FFF + (bits >> 16 & 1)
        return str(bits >> 16)
    return f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"


def constant(number: complex, dtype: DType, width: int = 1) -> Value:
    """Returns a constant, the same in all lanes."""
    text = number_text(number, dtype)
    return Value(text if width == 1 else f"splat ({scalar_type(dtype)} {text})", dtype, width)

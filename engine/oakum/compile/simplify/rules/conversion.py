"""Rules of conversions, complex parts and operations that give their operand."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.simplify.rule_engine.patterns import (
    COMPLEX,
    FLOATS,
    WIDE_FLOATS,
    Bindings,
    Match,
    Rule,
)
from oakum.dtypes import DType, Kind
from oakum.values import host


def holds(wide: DType, narrow: DType) -> bool:
    """Whether one dtype has every number of another.

    >>> holds(dtypes.float64, dtypes.int32), holds(dtypes.float32, dtypes.int32)
    (True, False)
    """
    if wide is narrow:
        return True
    match narrow.kind, wide.kind:
        case Kind.BOOL, (Kind.INT | Kind.UINT):
            return wide.bits >= 2
        case Kind.BOOL, (Kind.FLOAT | Kind.COMPLEX):
            return wide in FLOATS or wide in COMPLEX
        case (Kind.UINT, Kind.UINT) | (Kind.INT, Kind.INT):
            return wide.bits >= narrow.bits
        case Kind.UINT, Kind.INT:
            return wide.bits > narrow.bits
        case ((Kind.INT | Kind.UINT), Kind.FLOAT):
            return wide in FLOATS and _digits(wide) >= narrow.bits - (narrow.kind is Kind.INT)
        case Kind.FLOAT, Kind.FLOAT:
            return (narrow, wide) in _WIDER
        case Kind.COMPLEX, Kind.COMPLEX:
            return wide.bits >= narrow.bits
        case _:
            return False


_WIDER: Final = frozenset(
    (narrow, wide)
    for narrow, wides in {
        dtypes.bfloat16: WIDE_FLOATS,
        dtypes.float16: WIDE_FLOATS,
        dtypes.float32: (dtypes.float64,),
    }.items()
    for wide in wides
)


def _digits(dtype: DType) -> int:
    return int(host.ml_dtypes.finfo(host.dtype(dtype)).nmant) + 1


def is_same_through(start: DType, middle: DType, end: DType) -> bool:
    """Whether converting through another dtype gives what converting at once gives.

    >>> is_same_through(dtypes.bfloat16, dtypes.float32, dtypes.bfloat16)
    True
    >>> is_same_through(dtypes.float32, dtypes.int32, dtypes.float32)
    False
    """
    if start is middle or middle is end:
        return True
    kinds = start.kind, middle.kind, end.kind
    if all(kind in (Kind.INT, Kind.UINT) for kind in kinds):
        # Bits are cut off or repeat the sign: the low ones are those of the first.
        return middle.bits >= end.bits or holds(middle, start)
    if not holds(middle, start):
        return False
    if start is end or holds(end, start):
        return True
    return kinds == (Kind.FLOAT,) * 3


def _direct(found: Match) -> Bindings | None:
    middle, end = found.params["q"]["new_dtype"], found.params["p"]["new_dtype"]
    return {} if is_same_through(found.dtype("x"), middle, end) else None


def _is_same(found: Match) -> Bindings | None:
    return {} if found.params["p"]["new_dtype"] is found.dtype("x") else None


def _keeps_all(found: Match) -> Bindings | None:
    info = host.ml_dtypes.finfo(host.dtype(found.dtype("x")))
    params = found.params["p"]
    enough = params["exponent_bits"] >= info.nexp and params["mantissa_bits"] >= info.nmant
    return {} if enough else None


RULES: Final = (
    Rule("identity", "identity[p](x)", "x", "Values in place; devices are not the program's."),
    Rule(
        "convert-to-same",
        "convert_element_type[p](x)",
        "x",
        "No conversion.",
        None,
        _is_same,
    ),
    Rule(
        "convert-twice",
        "convert_element_type[p](convert_element_type[q](x))",
        "convert_element_type[p](x)",
        "Where the dtype between has every number of the first.",
        None,
        _direct,
    ),
    Rule(
        "reduce-no-precision",
        "reduce_precision[p](x)",
        "x",
        "The format has all digits and exponents.",
        WIDE_FLOATS,
        _keeps_all,
    ),
    Rule("real-of-complex", "real(complex(x, y))", "x", "The parts as given."),
    Rule("imaginary-of-complex", "imag(complex(y, x))", "x", "The parts as given."),
    Rule("complex-of-parts", "complex(real(x), imag(x))", "x", "The number as given."),
    Rule("real-of-conjugate", "real(conj[p](x))", "real(x)", "The same part.", COMPLEX),
    Rule("imaginary-of-conjugate", "imag(conj[p](x))", "neg(imag(x))", "The sign turns.", COMPLEX),
    Rule("conjugate-twice", "conj[p](conj[q](x))", "x", "The sign turns back.", COMPLEX),
)

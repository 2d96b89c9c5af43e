"""Rules of bits, comparisons, choices, conversions, and of operations that give their operand."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.simplify.patterns import (
    BITS,
    BOOL,
    COMPLEX,
    FLOATS,
    INTEGERS,
    REALS,
    WIDE_FLOATS,
    Bindings,
    Match,
    Rule,
)
from oakum.dtypes import DType, Kind
from oakum.values import host


def _select(found: Match) -> Bindings | None:
    """The case that a known condition chooses."""
    if found.dtype("C") not in BOOL:
        return None
    return {"z": found.atoms["y" if bool(found.number("C")) else "x"]}


def _is_condition(found: Match) -> Bindings | None:
    return {} if found.dtype("c") in BOOL else None


_BITWISE: Final = (
    Rule("not-twice", "not(not(x))", "x", "Bits come back.", BITS),
    Rule("and-itself", "and(x, x)", "x", "Bits as they are.", BITS),
    Rule("and-zero", "and(x, 0)", "0", "No bit.", BITS),
    Rule("and-ones", "and(x, ~0)", "x", "All bits.", BITS),
    Rule("and-complement", "and(x, not(x))", "0", "No bit is in both.", BITS),
    Rule("and-absorbs", "and(x, or(x, y))", "x", "Bits of x only.", BITS),
    Rule("or-itself", "or(x, x)", "x", "Bits as they are.", BITS),
    Rule("or-zero", "or(x, 0)", "x", "No further bit.", BITS),
    Rule("or-ones", "or(x, ~0)", "~0", "All bits.", BITS),
    Rule("or-complement", "or(x, not(x))", "~0", "Each bit is in one.", BITS),
    Rule("or-absorbs", "or(x, and(x, y))", "x", "Bits of x at least.", BITS),
    Rule("xor-itself", "xor(x, x)", "0", "No bit differs.", BITS),
    Rule("xor-zero", "xor(x, 0)", "x", "No bit is turned.", BITS),
    Rule("xor-ones", "xor(x, ~0)", "not(x)", "Each bit is turned.", BITS),
    Rule("shift-left-by-zero", "shift_left(x, 0)", "x", "Bits stay.", INTEGERS),
    Rule("shift-right-by-zero", "shift_right_logical(x, 0)", "x", "Bits stay.", INTEGERS),
    Rule("shift-sign-by-zero", "shift_right_arithmetic(x, 0)", "x", "Bits stay.", INTEGERS),
)

_COMPARISONS: Final = (
    Rule("equal-itself", "eq(x, x)", "1", "Not of floats: NaN differs from itself.", BITS),
    Rule("unequal-itself", "ne(x, x)", "0", "Not of floats: NaN differs from itself.", BITS),
    Rule("at-most-itself", "le(x, x)", "1", "Not of floats, for NaN.", BITS),
    Rule("at-least-itself", "ge(x, x)", "1", "Not of floats, for NaN.", BITS),
    Rule("less-than-itself", "lt(x, x)", "0", "Also of NaN.", REALS | BITS),
    Rule("greater-than-itself", "gt(x, x)", "0", "Also of NaN.", REALS | BITS),
    Rule("not-equal", "not(eq(x, y))", "ne(x, y)", "Also of NaN.", REALS | BITS),
    Rule("not-unequal", "not(ne(x, y))", "eq(x, y)", "Also of NaN.", REALS | BITS),
    Rule("not-less", "not(lt(x, y))", "ge(x, y)", "Not of floats, for NaN.", BITS),
    Rule("not-at-most", "not(le(x, y))", "gt(x, y)", "Not of floats, for NaN.", BITS),
    Rule("not-greater", "not(gt(x, y))", "le(x, y)", "Not of floats, for NaN.", BITS),
    Rule("not-at-least", "not(ge(x, y))", "lt(x, y)", "Not of floats, for NaN.", BITS),
    Rule("is-true", "eq(x, 1)", "x", "A truth value is its own test.", BOOL),
    Rule("is-false", "eq(x, 0)", "not(x)", "A truth value is its own test.", BOOL),
    Rule("is-not-true", "ne(x, 1)", "not(x)", "A truth value is its own test.", BOOL),
    Rule("is-not-false", "ne(x, 0)", "x", "A truth value is its own test.", BOOL),
    Rule(
        "converted-is-nonzero",
        "ne(convert_element_type[p](x), 0)",
        "x",
        "A truth value as a number, and back.",
        BOOL,
    ),
)

_CHOICES: Final = (
    Rule("choose-same", "select_n(c, x, x)", "x", "Both cases are one."),
    Rule("choose-known", "select_n(C, x, y)", "z", "The condition is known.", where=_select),
    Rule(
        "choose-by-complement",
        "select_n(not(c), x, y)",
        "select_n(c, y, x)",
        "The cases change places.",
        where=_is_condition,
    ),
    Rule(
        "choose-greater",
        "select_n(gt(x, y), max(x, y), x)",
        "max(x, y)",
        "Where x is greater it is the maximum, as the derivative of relu has it.",
        REALS | BITS,
    ),
    Rule(
        "choose-less",
        "select_n(lt(x, y), min(x, y), x)",
        "min(x, y)",
        "Where x is less it is the minimum.",
        REALS | BITS,
    ),
    Rule(
        "choose-again-first",
        "select_n(c, select_n(c, x, y), z)",
        "select_n(c, x, z)",
        "The inner choice is made.",
        where=_is_condition,
    ),
    Rule(
        "choose-again-second",
        "select_n(c, x, select_n(c, y, z))",
        "select_n(c, x, z)",
        "The inner choice is made.",
        where=_is_condition,
    ),
)

RULES: Final = (*_BITWISE, *_COMPARISONS, *_CHOICES)


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


CONVERSIONS: Final = (
    Rule("identity", "identity[p](x)", "x", "Values in place; devices are not the program's."),
    Rule("convert-to-same", "convert_element_type[p](x)", "x", "No conversion.", where=_is_same),
    Rule(
        "convert-twice",
        "convert_element_type[p](convert_element_type[q](x))",
        "convert_element_type[p](x)",
        "Where the dtype between has every number of the first.",
        where=_direct,
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

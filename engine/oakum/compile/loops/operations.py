"""The operations of the loop IR as code: how each name is written, for scalars and vectors, and
what it is estimated to cost, by which one nest is compared with another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from oakum import dtypes
from oakum.compile import elementary
from oakum.compile.elementary.formats import saturated
from oakum.compile.llvm.instructions import is_small, narrow, widen
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value, is_float, is_signed
from oakum.compile.loops.loop_ir import Instruction, Operation
from oakum.dtypes import DType, Kind
from oakum.primitives.rules.lowering import MACHINE

NATIVE: Final = MACHINE
"""The dtypes that code is written for."""

Writer = Callable[[Function, Sequence[Value]], Value]


def _relation(name: str) -> Writer:
    return lambda f, x: f.compare(name, x[0], x[1])


def _not(f: Function, x: Sequence[Value]) -> Value:
    return f.bit_not(x[0])


def _neg(f: Function, x: Sequence[Value]) -> Value:
    return f.neg(x[0])


def _max(f: Function, x: Sequence[Value]) -> Value:
    if x[0].dtype is dtypes.bool_:
        return f.bit_or(x[0], x[1])
    return greater(f, x[0], x[1])


def _min(f: Function, x: Sequence[Value]) -> Value:
    if x[0].dtype is dtypes.bool_:
        return f.bit_and(x[0], x[1])
    return lesser(f, x[0], x[1])


def greater(f: Function, x: Value, y: Value) -> Value:
    """Returns the greater of two numbers, NaN where one is NaN; zeros are equal whatever their
    signs.
    """
    if not is_float(x.dtype):
        return f.maximum(x, y)
    # The first where it is NaN: a comparison with it fails. The second where it is.
    chosen = f.select(f.compare("ogt", x, y), x, y)
    return f.select(f.compare("uno", x, x), x, chosen)


def lesser(f: Function, x: Value, y: Value) -> Value:
    """Returns the lesser of two numbers, NaN where one is NaN; zeros are equal whatever their
    signs.
    """
    if not is_float(x.dtype):
        return f.minimum(x, y)
    chosen = f.select(f.compare("olt", x, y), x, y)
    return f.select(f.compare("uno", x, x), x, chosen)


def _select(f: Function, x: Sequence[Value]) -> Value:
    return f.select(x[0], x[1], x[2])


def _abs(f: Function, x: Sequence[Value]) -> Value:
    return f.abs(x[0])


def _square(f: Function, x: Sequence[Value]) -> Value:
    return f.mul(x[0], x[0])


def _sqrt(f: Function, x: Sequence[Value]) -> Value:
    return f.sqrt(x[0])


def _bits(name: str) -> Writer:
    return lambda f, x: f.binary(name, x[0], x[1])


def _arithmetic(name: str) -> Writer:
    def write(f: Function, x: Sequence[Value]) -> Value:
        if x[0].dtype is dtypes.bool_:
            return f.bit_or(x[0], x[1]) if name == "add" else f.bit_and(x[0], x[1])
        return getattr(f, name)(x[0], x[1])

    return write


_BASIC: Final[dict[str, Writer]] = {
    "add": _arithmetic("add"),
    "sub": lambda f, x: f.sub(x[0], x[1]),
    "mul": _arithmetic("mul"),
    "neg": _neg,
    "abs": _abs,
    "square": _square,
    "sqrt": _sqrt,
    "max": _max,
    "min": _min,
    "and": _bits("and"),
    "or": _bits("or"),
    "xor": _bits("xor"),
    "not": _not,
    "select": _select,
    **{name: _relation(name) for name in ("eq", "ne", "lt", "le", "gt", "ge")},
}


_CONVERSIONS: Final = ("convert_element_type", "bitcast_convert_type")
_ANY: Final = frozenset(("select", *elementary.UNWIDENED))
"""Operations that take small floats without widening them."""


def is_known(name: str, dtype: DType) -> bool:
    """Returns whether there is code for an operation that gives a dtype."""
    if name in _BASIC or name in elementary.TABLE or name in _CONVERSIONS:
        return True
    return name == "div" and is_float(dtype)


def write(
    f: Function,
    name: str,
    dtype: DType,
    operands: Sequence[Value],
    params: Sequence[int | float] = (),
) -> Value:
    """Writes an operation; `dtype` is that of the result."""
    if name == "convert_element_type":
        return convert(f, operands[0], dtype)
    if name == "bitcast_convert_type":
        return f.bitcast(operands[0], dtype)
    if name not in _ANY and any(is_small(x.dtype) for x in operands):
        # Each operation is rounded to the small dtype, as in NumPy.
        wide = [widen(f, x) if is_small(x.dtype) else x for x in operands]
        result = write(f, name, dtypes.float32 if is_small(dtype) else dtype, wide, params)
        return narrow(f, result, dtype) if is_small(dtype) else result
    if name == "div" and is_float(dtype):
        return f.div(operands[0], operands[1])
    basic = _BASIC.get(name)
    if basic is not None:
        return basic(f, operands)
    if f.calls and name in elementary.CALLED and is_float(dtype):
        return elementary.call(f, name, operands)
    return elementary.TABLE[name](f, *operands, *params)


def convert(f: Function, x: Value, dtype: DType) -> Value:
    """Returns the value in another dtype: floats to the nearest integer in range toward zero, NaN
    to zero, integers by their low bits.
    """
    old = x.dtype
    if old is dtype:
        return x
    if is_small(old):
        return convert(f, widen(f, x), dtype)
    if dtype is dtypes.bool_:
        return f.compare("ne", x, 0.0 if is_float(old) else 0)
    if is_small(dtype):
        return narrow(f, convert(f, x, dtypes.float32) if not is_float(old) else x, dtype)
    if is_float(old):
        if is_float(dtype):
            return f.cast("fpext" if dtype.bits > old.bits else "fptrunc", x, dtype)
        return saturated(f, x, dtype)
    return _from_integer(f, x, dtype)


def _from_integer(f: Function, x: Value, dtype: DType) -> Value:
    old = x.dtype
    if is_float(dtype):
        return f.to_float(x, dtype) if old is not dtypes.bool_ else f.cast("uitofp", x, dtype)
    if old is dtypes.bool_:
        return f.cast("zext", x, dtype)
    if dtype.bits == old.bits:
        return Value(x.text, dtype, x.width)
    if dtype.bits < old.bits:
        return f.cast("trunc", x, dtype)
    return f.cast("sext" if is_signed(old) else "zext", x, dtype)


MONOIDS: Final = ("add", "mul", "max", "min", "and", "or", "xor")
"""The operations that elements are reduced by."""


def identity(monoid: str, dtype: DType) -> complex:
    """Returns the neutral element of a reduction."""
    match monoid:
        case "add" | "or" | "xor":
            return 0.0 if is_float(dtype) else 0
        case "mul":
            return 1.0 if is_float(dtype) else 1
        case "and":
            return 1 if dtype is dtypes.bool_ else -1 if is_signed(dtype) else (1 << dtype.bits) - 1
        case _:
            return _least(dtype) if monoid == "max" else _greatest(dtype)


def _least(dtype: DType) -> float | int:
    if is_float(dtype):
        return float("-inf")
    return -(1 << (dtype.bits - 1)) if dtype.kind is Kind.INT else 0


def _greatest(dtype: DType) -> float | int:
    if is_float(dtype):
        return float("inf")
    if dtype is dtypes.bool_:
        return 1
    return (1 << (dtype.bits - is_signed(dtype))) - 1


def combine(f: Function, monoid: str, x: Value, y: Value) -> Value:
    """Combines two values of a reduction."""
    return _BASIC[monoid](f, (x, y))


def fold(f: Function, monoid: str, x: Value) -> Value:
    """Reduces all lanes of a vector to one value."""
    while x.width > 1:
        half = x.width // 2
        low = f.shuffle(x, x, range(half))
        high = f.shuffle(x, x, range(half, x.width))
        if half == 1:
            low, high = f.lane(x, 0), f.lane(x, 1)
        x = combine(f, monoid, low, high)
    return x


_NS: Final = {"light": 0.12, "div": 0.6, "heavy": 1.0, "long": 2.5}
"""Estimated nanoseconds per element. Measured on AVX-512 with one thread: sqrt 0.09, exp 0.17, sin
0.31, tan 0.43, erfc 1.05, lgamma 1.16 (`benchmarks/cost_constants.md`). The estimates are two to
six times higher: their ratios decide between forms of code; their sum decides when threads are
worth it, and then errs towards more threads.
"""

LIGHT: Final = frozenset(
    (
        "add sub mul neg abs square max min and or xor not select eq ne lt le gt ge "
        "convert_element_type bitcast_convert_type shift_left shift_right_logical "
        "shift_right_arithmetic"
    ).split()
)

_LONG: Final = frozenset(("pow", "atan2", "tan", "lgamma", "digamma", "erfc", "erf_inv"))


def weight(name: str) -> float:
    """Returns the estimated nanoseconds per element."""
    if name in LIGHT:
        return _NS["light"]
    if name in _LONG:
        return _NS["long"]
    return _NS["div"] if name in ("div", "sqrt", "rsqrt", "rem") else _NS["heavy"]


def is_heavy(instruction: Instruction) -> bool:
    """Returns whether an instruction is an operation that is not light."""
    return isinstance(instruction, Operation) and instruction.name not in LIGHT

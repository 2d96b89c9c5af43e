"""Arithmetic as LLVM instructions, for scalars and vectors alike.

What is written in these operations (elementary functions, kernels) works for every target that has
them. The operands of an operation have one dtype and one width; numbers stand for constants.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager

from oakum import dtypes
from oakum.compile.llvm.llvm_value import (
    Value,
    constant,
    is_float,
    is_signed,
    scalar_type,
    suffix,
    vector_type,
)
from oakum.dtypes import DType

Operand = Value | int | float


class Arithmetic:
    """Writes operations as lines of text."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.declarations: dict[str, None] = {}
        self.requirements: dict[str, str] = {}
        """The definitions of functions and tables that the code needs, by name."""
        self.flags = "contract "
        """The fast-math flags; see `exactly`."""
        self._count = 0

    def fresh(self, stem: str = "t") -> str:
        """Returns an unused name."""
        self._count += 1
        return f"%{stem}{self._count}"

    def write(self, line: str) -> None:
        """Writes a line without a result."""
        self.lines.append(f"  {line}")

    def assign(self, text: str, dtype: DType, width: int) -> Value:
        """Writes a line with a result, and returns that."""
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return Value(name, dtype, width)

    @contextmanager
    def exactly(self) -> Generator[None]:
        """Forbids contracting two operations into one, which would break compensated arithmetic."""
        before, self.flags = self.flags, ""
        yield
        self.flags = before

    def outlined(
        self, name: str, body: Callable[..., Sequence[Value]], *operands: Value, rare: bool = False
    ) -> list[Value]:
        """Returns the results of `body(arithmetic, *operands)`, written as a function of its own
        where there can be such: for long or rare code.

        The name says all that the body depends on but the types of the operands; within, arithmetic
        is as in `exactly`.
        """
        with self.exactly():
            return list(body(self, *operands))

    def rarely(
        self, condition: Value, usual: Sequence[Value], otherwise: Callable[[], Sequence[Value]]
    ) -> list[Value]:
        """Returns the usual values, replaced in lanes where a condition holds; where code has
        blocks, the replacement is computed only if there is such a lane.
        """
        others = otherwise()
        return [self.select(condition, x, y) for x, y in zip(others, usual, strict=True)]

    def like(self, operand: Operand, other: Value) -> Value:
        """Returns the operand with the dtype and width of another."""
        if isinstance(operand, Value):
            return operand
        return constant(operand, other.dtype, other.width)

    def _pair(self, x: Operand, y: Operand) -> tuple[Value, Value]:
        if isinstance(x, Value):
            return x, self.like(y, x)
        assert isinstance(y, Value)
        return self.like(x, y), y

    def binary(self, name: str, x: Operand, y: Operand) -> Value:
        """Returns an instruction of two operands."""
        left, right = self._pair(x, y)
        return self.assign(f"{name} {left.typed}, {right.text}", left.dtype, left.width)

    def intrinsic(self, name: str, *operands: Value, extra: str = "") -> Value:
        """Returns a function of LLVM's on operands of one type, which the result has too."""
        first = operands[0]
        symbol = f"llvm.{name}.{suffix(first.dtype, first.width)}"
        types = ", ".join([first.type] * len(operands)) + (", i1" if extra else "")
        self.declarations[f"declare {first.type} @{symbol}({types})"] = None
        arguments = ", ".join([x.typed for x in operands] + ([extra] if extra else []))
        return self.assign(f"call {first.type} @{symbol}({arguments})", first.dtype, first.width)

    def _arithmetic(self, stem: str, x: Operand, y: Operand) -> Value:
        left, right = self._pair(x, y)
        name = f"f{stem} {self.flags}".rstrip() if is_float(left.dtype) else stem
        return self.binary(name, left, right)

    def add(self, x: Operand, y: Operand) -> Value:
        """Returns the sum; integers wrap around."""
        return self._arithmetic("add", x, y)

    def sub(self, x: Operand, y: Operand) -> Value:
        """Returns the difference; integers wrap around."""
        return self._arithmetic("sub", x, y)

    def mul(self, x: Operand, y: Operand) -> Value:
        """Returns the product; integers wrap around."""
        return self._arithmetic("mul", x, y)

    def div(self, x: Operand, y: Operand) -> Value:
        """Returns the quotient; of integers, toward zero, where the divisor is neither zero nor
        makes it overflow.
        """
        left, right = self._pair(x, y)
        if is_float(left.dtype):
            return self.binary(f"fdiv {self.flags}".rstrip(), left, right)
        return self.binary("sdiv" if is_signed(left.dtype) else "udiv", left, right)

    def rem(self, x: Operand, y: Operand) -> Value:
        """Returns the remainder of integers, with the sign of the dividend."""
        left, right = self._pair(x, y)
        return self.binary("srem" if is_signed(left.dtype) else "urem", left, right)

    def neg(self, x: Value) -> Value:
        """Returns the value with its sign changed."""
        if is_float(x.dtype):
            return self.assign(f"fneg {x.typed}", x.dtype, x.width)
        return self.sub(constant(0, x.dtype, x.width), x)

    def bit_and(self, x: Operand, y: Operand) -> Value:
        """Bits that are set in both."""
        return self.binary("and", x, y)

    def bit_or(self, x: Operand, y: Operand) -> Value:
        """Bits that are set in one or both."""
        return self.binary("or", x, y)

    def bit_xor(self, x: Operand, y: Operand) -> Value:
        """Bits that are set in one of both."""
        return self.binary("xor", x, y)

    def bit_not(self, x: Value) -> Value:
        """All bits changed."""
        return self.binary(
            "xor", x, constant(1 if x.dtype is dtypes.bool_ else -1, x.dtype, x.width)
        )

    def shift_left(self, x: Operand, y: Operand) -> Value:
        """Shifts left by less than the number of bits."""
        return self.binary("shl", x, y)

    def shift_right(self, x: Operand, y: Operand) -> Value:
        """Shifts right by less than the number of bits; signed integers keep their sign."""
        left, right = self._pair(x, y)
        return self.binary("ashr" if is_signed(left.dtype) else "lshr", left, right)

    def shift_right_zeros(self, x: Operand, y: Operand) -> Value:
        """Shifts right by less than the number of bits, zeros in."""
        return self.binary("lshr", x, y)

    def fma(self, x: Operand, y: Operand, z: Operand) -> Value:
        """`x * y + z`, rounded once."""
        first = next(each for each in (x, y, z) if isinstance(each, Value))
        return self.intrinsic("fma", *[self.like(each, first) for each in (x, y, z)])

    def minimum(self, x: Operand, y: Operand) -> Value:
        """Returns the lesser; NaN where one of two floats is NaN, and -0 is less than 0."""
        left, right = self._pair(x, y)
        stem = "minimum" if is_float(left.dtype) else "smin" if is_signed(left.dtype) else "umin"
        return self.intrinsic(stem, left, right)

    def maximum(self, x: Operand, y: Operand) -> Value:
        """Returns the greater; NaN where one of two floats is NaN, and -0 is less than 0."""
        left, right = self._pair(x, y)
        stem = "maximum" if is_float(left.dtype) else "smax" if is_signed(left.dtype) else "umax"
        return self.intrinsic(stem, left, right)

    def abs(self, x: Value) -> Value:
        """Returns the absolute value; that of the least integer is itself."""
        if is_float(x.dtype):
            return self.intrinsic("fabs", x)
        return self.intrinsic("abs", x, extra="i1 false") if is_signed(x.dtype) else x

    def sqrt(self, x: Value) -> Value:
        """Returns the square root, correctly rounded."""
        return self.intrinsic("sqrt", x)

    def copysign(self, x: Operand, sign: Value) -> Value:
        """Returns the first with the sign of the second."""
        return self.intrinsic("copysign", self.like(x, sign), sign)

    def round_even(self, x: Value) -> Value:
        """Returns the nearest integer, ties to even."""
        return self.intrinsic("roundeven" if x.dtype is dtypes.float16 else "rint", x)

    def floor(self, x: Value) -> Value:
        """Returns the greatest integer not above."""
        return self.intrinsic("floor", x)

    def ceil(self, x: Value) -> Value:
        """Returns the least integer not below."""
        return self.intrinsic("ceil", x)

    def trunc(self, x: Value) -> Value:
        """Returns the integer part."""
        return self.intrinsic("trunc", x)

    def compare(self, relation: str, x: Operand, y: Operand) -> Value:
        """Compares: eq, ne, lt, le, gt, ge, which hold for NaN as IEEE has it; floats also know
        `uno` (one is NaN) and `ult` (less, or NaN) and their like.
        """
        left, right = self._pair(x, y)
        if is_float(left.dtype):
            word = {"eq": "oeq", "ne": "une", "lt": "olt", "le": "ole", "gt": "ogt", "ge": "oge"}
            text = f"fcmp {word.get(relation, relation)}"
        else:
            prefix = "" if relation in ("eq", "ne") else "s" if is_signed(left.dtype) else "u"
            text = f"icmp {prefix}{relation}"
        return self.assign(f"{text} {left.typed}, {right.text}", dtypes.bool_, left.width)

    def select(self, condition: Value, x: Operand, y: Operand) -> Value:
        """Returns the first where the condition holds, else the second."""
        left, right = self._pair(x, y)
        text = f"select {condition.typed}, {left.typed}, {right.typed}"
        return self.assign(text, left.dtype, left.width)

    def bitcast(self, x: Value, dtype: DType) -> Value:
        """Returns the same bits as another dtype of the same size."""
        if scalar_type(x.dtype) == scalar_type(dtype):
            return Value(x.text, dtype, x.width)
        to = vector_type(dtype, x.width)
        return self.assign(f"bitcast {x.typed} to {to}", dtype, x.width)

    def cast(self, word: str, x: Value, dtype: DType) -> Value:
        """Returns an instruction that converts."""
        to = vector_type(dtype, x.width)
        return self.assign(f"{word} {x.typed} to {to}", dtype, x.width)

    def conversion(self, name: str, x: Value, dtype: DType) -> Value:
        """Returns a function of LLVM's that converts."""
        to = vector_type(dtype, x.width)
        symbol = f"llvm.{name}.{suffix(dtype, x.width)}.{suffix(x.dtype, x.width)}"
        self.declarations[f"declare {to} @{symbol}({x.type})"] = None
        return self.assign(f"call {to} @{symbol}({x.typed})", dtype, x.width)

    def to_float(self, x: Value, dtype: DType) -> Value:
        """Returns an integer as the nearest float."""
        return self.cast("sitofp" if is_signed(x.dtype) else "uitofp", x, dtype)

    def splat(self, x: Value, width: int) -> Value:
        """Returns a scalar in all lanes."""
        if width == 1 or x.width == width:
            return x
        to = vector_type(x.dtype, width)
        first = self.assign(f"insertelement {to} poison, {x.typed}, i64 0", x.dtype, width)
        text = f"shufflevector {to} {first.text}, {to} poison, <{width} x i32> zeroinitializer"
        return self.assign(text, x.dtype, width)

    def lane(self, x: Value, number: int | Value) -> Value:
        """One lane of a vector."""
        place = f"i64 {number}" if isinstance(number, int) else number.typed
        return self.assign(f"extractelement {x.typed}, {place}", x.dtype, 1)

    def with_lane(self, x: Value, number: int | Value, scalar: Value) -> Value:
        """Returns the vector with one lane replaced."""
        place = f"i64 {number}" if isinstance(number, int) else number.typed
        text = f"insertelement {x.typed}, {scalar.typed}, {place}"
        return self.assign(text, x.dtype, x.width)

    def shuffle(self, x: Value, y: Value, lanes: Sequence[int]) -> Value:
        """Returns the lanes of these numbers, those of the second after those of the first; -1 for
        any.
        """
        picked = ", ".join("i32 poison" if n < 0 else f"i32 {n}" for n in lanes)
        text = f"shufflevector {x.typed}, {y.typed}, <{len(lanes)} x i32> <{picked}>"
        return self.assign(text, x.dtype, len(lanes))

    def iota(self, dtype: DType, width: int) -> Value:
        """Returns the numbers of the lanes."""
        if width == 1:
            return constant(0, dtype)
        element = scalar_type(dtype)
        lanes = ", ".join(f"{element} {constant(n, dtype).text}" for n in range(width))
        return Value(f"<{lanes}>", dtype, width)


def is_small(dtype: DType) -> bool:
    """Returns whether a dtype is computed in float32."""
    return dtype is dtypes.bfloat16 or dtype is dtypes.float16


def widen(f: Arithmetic, x: Value) -> Value:
    """Returns a small float as float32, exactly."""
    if x.dtype is dtypes.float16:
        return f.cast("fpext", x, dtypes.float32)
    bits = f.cast("zext", f.bitcast(x, dtypes.uint16), dtypes.uint32)
    return f.bitcast(f.shift_left(bits, 16), dtypes.float32)


def narrow(f: Arithmetic, x: Value, dtype: DType) -> Value:
    """Returns the nearest small float, ties to even."""
    if x.dtype is dtypes.float64:
        # To bfloat16, NumPy and XLA round twice.
        single = f.cast("fptrunc", x, dtypes.float32)
        x = _to_odd(f, x, single) if dtype is dtypes.float16 else single
    if dtype is dtypes.float16:
        return f.cast("fptrunc", x, dtypes.float16)
    bits = f.bitcast(x, dtypes.uint32)
    odd = f.bit_and(f.shift_right(bits, 16), 1)
    rounded = f.add(f.add(bits, odd), 0x7FFF)
    quiet = f.bit_or(bits, 0x400000)
    chosen = f.select(f.compare("uno", x, x), quiet, rounded)
    half = f.cast("trunc", f.shift_right(chosen, 16), dtypes.uint16)
    return f.bitcast(half, dtypes.bfloat16)


def _to_odd(f: Arithmetic, x: Value, near: Value) -> Value:
    """Rounds to odd: the last bit of the float32 is set if anything was lost, so rounding again is
    correct.
    """
    back = f.cast("fpext", near, dtypes.float64)
    bits = f.bitcast(near, dtypes.uint32)
    beyond = f.compare("ogt", f.abs(back), f.abs(x))
    toward = f.select(beyond, f.sub(bits, 1), bits)
    inexact = f.compare("one", back, x)
    odd = f.select(inexact, f.bit_or(toward, 1), bits)
    return f.bitcast(odd, dtypes.float32)

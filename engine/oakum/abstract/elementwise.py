"""Elementwise functions: operands broadcast, and the dtype follows from the promoted one.

The operands are the parameters of the signature that are positional and have no default; `over`
names others where a function differs.
"""

import inspect
from typing import Final, Literal

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError
from oakum.values import promotion
from oakum.values.avals import ShapedArray
from oakum.values.promotion import Typing
from oakum.values.records import dataclass, replace

Result = Literal[
    "same",
    "arithmetic",
    "inexact",
    "real",
    "real inexact",
    "integer",
    "boolean",
    "keep",
    "index",
]
"""What becomes of the promoted dtype: itself; itself, and int32 for booleans; a float if it is
none; its real part; that as a float; itself where it is an integer or boolean, else an error; bool;
the dtype of the first operand, not promoted; the default integer."""


@dataclass(frozen=True, slots=True)
class Elementwise:
    """The rule of an elementwise function.

    >>> from oakum.values.avals import parse_aval
    >>> print(inexact({"x": parse_aval("i32[8]")}))
    f32[8]
    >>> print(same.over("x", "y")({"x": parse_aval("f32[8,1]"), "y": parse_aval("f32[3]")}))
    f32[8,3]
    """

    result: Result
    operands: tuple[str, ...] = ()
    weak: bool | None = True
    """Whether the result of weakly typed operands is weakly typed; None where JAX varies."""
    refuses: tuple[Kind, ...] = ()
    """The kinds of the promoted dtype that the function does not take."""

    def over(self, *names: str) -> "Elementwise":
        """This rule with the operands of these names."""
        return replace(self, operands=names)

    def refusing(self, *kinds: Kind) -> "Elementwise":
        """This rule without the operands whose promoted dtype is of these kinds."""
        return replace(self, refuses=kinds)

    def with_signature(self, signature: inspect.Signature) -> "Elementwise":
        """This rule with the operands that the signature tells."""
        if self.operands:
            return self
        names = [
            each.name
            for each in signature.parameters.values()
            if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
            and each.default is each.empty
        ]
        return self.over(*names)

    def __call__(self, arguments: Arguments) -> ShapedArray:
        names = self.operands or tuple(arguments)[:1]
        arrays = [operands.array(arguments[name]) for name in names]
        shape = operands.broadcast_shapes(arrays)
        if self.refuses:
            _refuse(arrays, self.refuses)
        dtype, weak_type = result_type(arrays, self.result)
        if weak_type is not False:
            weak_type = weak_type if self.weak else self.weak
        return operands.ranked(ShapedArray(shape, dtype, weak_type), arrays)


def _refuse(arrays: list[ShapedArray], kinds: tuple[Kind, ...]) -> None:
    dtype, _ = promotion.promote(each.typing for each in arrays)
    if dtype is None or dtype.kind not in kinds:
        return
    if dtype.kind is Kind.BOOL:
        hint = "Use ~, & and ^ on booleans, or convert an operand with astype(int)."
    else:
        hint = "Convert an operand with astype, or take its real part."
    raise DTypeError(f"the operation does not take {dtype} numbers", hint=hint)


def result_type(arrays: list[ShapedArray], result: Result) -> Typing:
    """The dtype and weak type of an elementwise result of these operands."""
    if result == "keep":
        return arrays[0].typing
    dtype, weak_type = promotion.promote(each.typing for each in arrays)
    match result:
        case "boolean":
            return dtypes.bool_, False
        case "index":
            return dtypes.canonicalize(dtypes.int64), False
        case _:
            operands.reject_keys(arrays, "arithmetic")
            return _converted(dtype, result), weak_type


def _converted(dtype: DType | None, result: Result) -> DType | None:
    match result:
        case "arithmetic":
            return dtypes.int32 if dtype is dtypes.bool_ else dtype
        case "inexact":
            return dtypes.to_inexact(dtype)
        case "real":
            return dtypes.to_real(dtype)
        case "real inexact":
            return dtypes.to_real(dtypes.to_inexact(dtype))
        case "integer" if operands.of_kind(dtype, Kind.FLOAT, Kind.COMPLEX):
            raise DTypeError(f"the operation takes integers or booleans, not {dtype} numbers")
        case _:
            return dtype


same: Final = Elementwise("same")
"""`add`, `maximum`, `negative`: the promoted dtype."""

numbers: Final = same.refusing(Kind.BOOL)
"""`subtract`, `negative`: the promoted dtype, of numbers only."""

rounded: Final = same.refusing(Kind.COMPLEX)
"""`floor`, `ceil`, `trunc`: the dtype, of real numbers only."""

quotients: Final = Elementwise("arithmetic").refusing(Kind.COMPLEX)
"""`floor_divide`, `remainder`: as `arithmetic`, of real numbers only."""

arithmetic: Final = Elementwise("arithmetic")
"""`floor_divide`, `remainder`, `square`: the promoted dtype, int32 for booleans."""

powers: Final = Elementwise("arithmetic", weak=None)
"""`power`: as `arithmetic`; whether integers stay weakly typed is not told."""

inexact: Final = Elementwise("inexact")
"""`sin`, `true_divide`, `arctan2`: integers become floats."""

strong_inexact: Final = Elementwise("inexact", weak=False)
"""`log2`, `log10`: as `inexact`, never weakly typed."""

loose_inexact: Final = Elementwise("inexact", weak=None)
"""`rint`, `hypot`, `logaddexp`: as `inexact`; whether the result is weakly typed is not told."""

boolean: Final = Elementwise("boolean")
"""`equal`, `isnan`: bool."""

loose_boolean: Final = Elementwise("boolean", weak=None)
"""`logical_and`, `logical_not`: as `boolean`; whether the result is weakly typed is not told."""

integer: Final = Elementwise("integer")
"""`bitwise_and`, `gcd`: integers or booleans only."""

loose_integer: Final = Elementwise("integer", weak=None)
"""`gcd`, `lcm`: as `integer`; whether the result is weakly typed is not told."""

real: Final = Elementwise("real")
"""`abs`, `real`, `imag`: complex numbers become real."""

real_inexact: Final = Elementwise("real inexact", weak=None)
"""`angle`: integers become floats, complex numbers real."""

keep: Final = Elementwise("keep", weak=None)
"""The dtype of the first operand as it is."""

index: Final = Elementwise("index")
"""`searchsorted`, `digitize`: the default integer type."""


def rule(
    result: Result, operands: tuple[str, ...] = (), *, weak: bool | None = True
) -> Elementwise:
    """The rule with this result over the operands of these names."""
    return Elementwise(result, operands, weak)

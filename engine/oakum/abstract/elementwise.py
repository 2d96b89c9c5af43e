"""Elementwise functions: operands meet element by element, and the dtype follows the family.

Functions of `jax.numpy` promote their operands and broadcast them; those of `jax.lax` take operands
of one dtype and one shape, where weakly typed numbers and scalars adapt. Which parameters are
operands comes from the signature: all without a default, unless the rule names them (`over`).
"""

import inspect
from collections.abc import Sequence
from typing import Final, Literal

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType, Kind
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import UNKNOWN_DIM, Shape, ShapedArray
from oakum.values.facts import AbstractRule
from oakum.values.promotion import Typing
from oakum.values.records import dataclass, replace

Groups = tuple[str, ...]
"""The dtypes that a function takes: names of JAX's groups, and of single dtypes."""

FLOATS: Final[Groups] = ("floating",)
INEXACT: Final[Groups] = ("floating", "complexfloating")
INTEGERS: Final[Groups] = ("integer",)
BITS: Final[Groups] = ("integer", "bool")
REALS: Final[Groups] = ("integer", "floating")
NUMBERS: Final[Groups] = ("integer", "floating", "complexfloating")
ORDERED: Final[Groups] = ("integer", "floating", "bool")
ANYTHING: Final[Groups] = ("integer", "floating", "complexfloating", "bool")
KEYS_TOO: Final[Groups] = (*ANYTHING, "prng_key")
SIGNED: Final[Groups] = ("floating", "complexfloating", "signedinteger")
COMPLEX: Final[Groups] = ("complexfloating",)
PARTS: Final[Groups] = ("float32", "float64")

Result = Literal[
    "same",
    "arithmetic",
    "inexact",
    "real",
    "real inexact",
    "complex",
    "boolean",
    "keep",
    "index",
]
"""What becomes of the common dtype: itself; itself, and int32 for booleans; a float if it is
none; its real part; that as a float; its complex type; bool; the dtype of the first operand, not
promoted; the default integer."""


@dataclass(frozen=True, slots=True)
class Elementwise:
    """The rule of an elementwise function.

    >>> from oakum.values.avals import parse_aval
    >>> print(inexact({"x": parse_aval("i32[8]")}))
    f32[8]
    >>> print(same.over("x", "y")({"x": parse_aval("f32[8,1]"), "y": parse_aval("f32[3]")}))
    f32[8,3]
    >>> print(exact(NUMBERS).over("x", "y")({"x": parse_aval("f32[3]"), "y": 2.0}))
    f32[3]
    """

    result: Result
    accepts: Groups = ANYTHING
    operands: tuple[str, ...] = ()
    weak: bool | None = True
    """Whether the result of weakly typed operands is weakly typed; None where JAX varies."""
    promotes: bool = True
    """Whether operands are promoted and broadcast, as those of `jax.numpy` are."""
    name: str = "the operation"
    """What messages call the function."""
    promoting: str = ""
    """The function of `jax.numpy` that does the same and promotes."""

    def over(self, *names: str) -> "Elementwise":
        """Returns this rule with the operands of these names."""
        return replace(self, operands=names)

    def accepting(self, groups: Groups) -> "Elementwise":
        """Returns this rule for operands whose common dtype is of these groups."""
        return replace(self, accepts=groups)

    def named(self, name: str) -> "Elementwise":
        """Returns this rule with the name of a function for its messages."""
        return replace(self, name=name)

    def declared(self, name: str, signature: inspect.Signature) -> "Elementwise":
        """Returns this rule with the name of a public function, and its operands by its
        signature.
        """
        short = name.rpartition(".")[2]
        if self.operands:
            return self.named(short)
        given = signature.parameters.values()
        positional = [p for p in given if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        return self.named(short).over(*(p.name for p in positional if p.default is p.empty))

    def __call__(self, arguments: Arguments) -> ShapedArray:
        names = self.operands or tuple(arguments)[:1]
        arrays = [operands.array(arguments[name]) for name in names]
        shape = operands.broadcast_shapes(arrays) if self.promotes else self.common_shape(arrays)
        dtype, weak_type = self.typing_of(arrays)
        return operands.ranked(ShapedArray(shape, dtype, weak_type), arrays)

    def exact(self, *avals: ShapedArray) -> ShapedArray:
        """Returns the result of a primitive: operands of one known shape and dtype, no promotion.

        >>> from oakum.values.avals import parse_aval
        >>> print(exact(INEXACT).named("sin").exact(parse_aval("f32[3]")))
        f32[3]
        """
        first = avals[0]
        for position, aval in enumerate(avals):
            if not takes(aval.dtype, self.accepts):
                raise refused(self.name, aval.dtype, self.accepts, _place(position, avals))
        for aval in avals:
            if aval.dtype is not first.dtype:
                raise self.different_dtypes(avals)
            if aval.shape != first.shape:
                raise different_shapes(self.name, avals)
        dtype = _convert(first.dtype, self.result)
        return ShapedArray(first.shape, dtype, all(aval.weak_type for aval in avals))

    def _promoted(self, arrays: list[ShapedArray]) -> Typing:
        """Returns the dtype that all operands promote to."""
        check_keys(self.name, [each.dtype for each in arrays])
        for position, aval in enumerate(arrays):
            if operands.of_kind(aval.dtype, Kind.KEY, Kind.FLOAT0):
                self._check(aval.dtype, _place(position, arrays))
        common = promotion.promote(each.typing for each in arrays)
        if not takes(common[0], self.accepts):
            for position, aval in enumerate(arrays):
                self._check(aval.dtype, _place(position, arrays))
            self._check(common[0], None)
        return common

    def _check(self, dtype: DType | None, position: int | None) -> None:
        if not takes(dtype, self.accepts):
            raise refused(self.name, dtype, self.accepts, position, promotes=self.promotes)

    def _agreed(self, arrays: list[ShapedArray]) -> Typing:
        """Returns the one dtype of all strongly typed operands, which the others take."""
        strong = {each.dtype for each in arrays if each.weak_type is False} - {None}
        promoted = _promotable(arrays)
        only = next(iter(strong)) if len(strong) == 1 else None
        adapts = only is not None and promoted is not None and promoted[0] in (None, only)
        for position, each in enumerate(arrays):
            dtype = only if adapts and each.weak_type else each.dtype
            self._check(dtype, _place(position, arrays))
        if promoted is None or len(strong) > 1 or (strong and not adapts):
            raise self.different_dtypes(arrays)
        return (only, False) if only is not None else promoted

    def common_shape(self, arrays: Sequence[ShapedArray]) -> Shape | None:
        """Returns the shape of operands of equal rank, in which sizes of 1 stretch, and scalars."""
        shape: Shape = ()
        for each in arrays:
            if not shape:
                shape = each.shape or ()
            elif each.shape:
                pairs = list(zip(shape, each.shape, strict=False))
                fits = len(shape) == len(each.shape)
                if not fits or any(dims.broadcast(a, b) is None for a, b in pairs):
                    raise different_shapes(self.name, [each for each in arrays if each.shape])
                shape = tuple(_merge_sizes(a, b) for a, b in pairs)
        if all(each.shape is not None for each in arrays):
            return shape
        return tuple(UNKNOWN_DIM if size == 1 else size for size in shape) if shape else None

    def typing_of(self, arrays: list[ShapedArray]) -> Typing:
        """Returns the dtype and the weak type of the result."""
        if self.result == "keep":
            common = arrays[0].typing
        else:
            common = self._promoted(arrays) if self.promotes else self._agreed(arrays)
        dtype, weak_type = _convert(common[0], self.result), common[1]
        if self.result in ("boolean", "index"):
            weak_type = False
        if weak_type is not False and not self.weak:
            weak_type = self.weak
        return dtype, weak_type

    def different_dtypes(self, avals: Sequence[ShapedArray]) -> DTypeError:
        """Returns the error of operands of different dtypes."""
        names = ", ".join(str(aval.dtype) for aval in avals)
        tip = f"(Tip: jnp.{self.promoting} is a similar function that does automatic type promotion"
        return DTypeError(
            f"lax.{self.name} requires arguments to have the same dtypes, got {names}",
            detail=f"{tip} on inputs)" if self.promoting else "",
            hint="Convert an operand with astype.",
        )


def _place(position: int, avals: Sequence[ShapedArray]) -> int | None:
    """Returns the position of an operand among several."""
    return position if len(avals) > 1 else None


def _promotable(arrays: list[ShapedArray]) -> Typing | None:
    try:
        return promotion.promote(each.typing for each in arrays)
    except DTypeError:
        return None


def _merge_sizes(left: dims.Dim, right: dims.Dim) -> dims.Dim:
    merged = dims.broadcast(left, right)
    return UNKNOWN_DIM if merged is None else merged


def takes(dtype: DType | None, groups: Groups) -> bool:
    """Whether a dtype may be one of these groups; so may one that is not known."""
    if dtype is None:
        return True
    kinds = dtypes.GROUPS
    return any(dtype.kind in kinds.get(group, ()) or dtype.name == group for group in groups)


_FLOAT0: Final = (
    "float0s do not support any operations by design, because they are not compatible with "
    "non-trivial vector spaces. If you did not expect a float0, you may have taken a gradient with "
    "respect to an integer argument"
)


def check(name: str, aval: ShapedArray, groups: Groups, position: int | None = None) -> None:
    """Raises a `DTypeError` when an operand is certainly of none of these groups."""
    if not takes(aval.dtype, groups):
        raise refused(name, aval.dtype, groups, position)


def check_keys(name: str, found: Sequence[DType | None]) -> None:
    """Raises a `DTypeError` where a function takes random keys together with something else."""
    if (
        None not in found
        and len(set(found)) > 1
        and any(each.kind is Kind.KEY for each in found if each)
    ):
        raise DTypeError(
            f"{name} does not accept dtypes {', '.join(map(str, found))}",
            hint="Random keys are compared with keys only; draw numbers with jax.random.",
        )


def refused(
    name: str,
    dtype: DType | None,
    groups: Groups,
    position: int | None = None,
    *,
    promotes: bool = False,
) -> DTypeError:
    """Returns the error of an operand of a dtype that a function does not take."""
    where = "" if position is None else f" at position {position}"
    if dtype is dtypes.float0:
        return DTypeError(f"Called {name} with a float0{where or ' array'}", detail=_FLOAT0)
    return DTypeError(
        f"{name} does not accept dtype {dtype}{where}",
        detail=f"Accepted dtypes{where} are subtypes of {', '.join(groups)}",
        hint=_conversion(dtype, groups, promotes=promotes),
    )


def _conversion(dtype: DType | None, groups: Groups, *, promotes: bool) -> str:
    if not promotes:
        return "Convert the operand with astype, or use the jax.numpy function, which promotes."
    if operands.of_kind(dtype, Kind.KEY):
        return "Draw numbers from the key with jax.random."
    if dtype is dtypes.bool_:
        return "Use ~, & and ^ on booleans, or convert an operand with astype(int)."
    if operands.of_kind(dtype, Kind.COMPLEX) and "floating" in groups:
        return "Convert an operand with astype, or take its real part."
    return "Convert the operand with astype."


def different_shapes(name: str, avals: Sequence[ShapedArray]) -> ShapeError:
    """Returns the error of operands of different shapes, which `jax.lax` does not broadcast."""
    ranks = {len(aval.shape or ()) for aval in avals}
    hint = "Use the jax.numpy function, or jax.lax.broadcast_in_dim."
    if len(ranks) > 1:
        return ShapeError(
            f"{name}: arrays must have the same number of dimensions, got {ranks}", hint=hint
        )
    shapes = ", ".join(operands.shape_text(aval.shape) for aval in avals)
    return ShapeError(f"{name} got incompatible shapes for broadcasting: {shapes}", hint=hint)


def result_type(arrays: list[ShapedArray], result: Result, name: str = "") -> Typing:
    """Returns the dtype and weak type of an elementwise result of these operands."""
    return Elementwise(result, name=name or "the operation").typing_of(arrays)


def _convert(dtype: DType | None, result: Result) -> DType | None:
    match result:
        case "boolean":
            return dtypes.bool_
        case "index":
            return dtypes.canonicalize(dtypes.int64)
        case "arithmetic":
            return dtypes.int32 if dtype is dtypes.bool_ else dtype
        case "inexact":
            return dtypes.to_inexact(dtype)
        case "real":
            return dtypes.to_real(dtype)
        case "real inexact":
            return dtypes.to_real(dtypes.to_inexact(dtype))
        case "complex":
            return dtypes.to_complex(dtype)
        case "same" | "keep":
            return dtype


same: Final = Elementwise("same")
"""`add`, `maximum`, `positive`: the promoted dtype."""

numbers: Final = same.accepting(NUMBERS)
"""`subtract`, `negative`: the promoted dtype, of numbers only."""

rounded: Final = same.accepting(ORDERED)
"""`floor`, `ceil`, `trunc`: the dtype, of real numbers only."""

arithmetic: Final = Elementwise("arithmetic")
"""`square`: the promoted dtype, int32 for booleans."""

quotients: Final = arithmetic.accepting(ORDERED)
"""`floor_divide`, `remainder`: as `arithmetic`, of real numbers only."""

powers: Final = Elementwise("arithmetic", weak=None)
"""`power`: as `arithmetic`; whether integers stay weakly typed is unknown."""

shifts: Final = powers.accepting(BITS)
"""`left_shift`, `right_shift`: as `powers`, of integers and booleans only."""

inexact: Final = Elementwise("inexact")
"""`sin`, `true_divide`, `arctan2`: integers become floats."""

strong_inexact: Final = Elementwise("inexact", weak=False)
"""`log2`, `log10`, `gelu`: as `inexact`, never weakly typed."""

loose_inexact: Final = Elementwise("inexact", weak=None)
"""`rint`, `hypot`, `logaddexp`: as `inexact`; whether the result is weakly typed is unknown."""

boolean: Final = Elementwise("boolean")
"""`less`, `isnan`: bool."""

equality: Final = boolean.accepting(KEYS_TOO)
"""`equal`, `not_equal`: bool, also of random keys."""

loose_boolean: Final = Elementwise("boolean", weak=None)
"""`logical_and`, `logical_not`: as `boolean`; whether the result is weakly typed is unknown."""

integer: Final = Elementwise("same", BITS)
"""`bitwise_and`: integers or booleans only."""

loose_integer: Final = Elementwise("same", BITS, weak=None)
"""`gcd`, `lcm`: as `integer`; whether the result is weakly typed is unknown."""

real: Final = Elementwise("real")
"""`abs`, `real`, `imag`: complex numbers become real."""

real_inexact: Final = Elementwise("real inexact", weak=None)
"""`angle`: integers become floats, complex numbers real."""

keep: Final = Elementwise("keep", KEYS_TOO, weak=None)
"""The dtype of the first operand as it is."""

index: Final = Elementwise("index", KEYS_TOO)
"""`searchsorted`, `digitize`: the default integer type."""


def exact(accepts: Groups, result: Result = "same", *, promoting: str = "") -> Elementwise:
    """Returns the rule of a function of `jax.lax`, which does not promote; `promoting` is the
    function of `jax.numpy` that does the same and promotes.
    """
    return Elementwise(result, accepts, promotes=False, promoting=promoting)


def rule(
    result: Result, operands: tuple[str, ...] = (), *, weak: bool | None = True
) -> Elementwise:
    """Returns the rule with this result over the operands of these names."""
    return Elementwise(result, operands=operands, weak=weak)


def bit_count(arguments: Arguments) -> ShapedArray:
    """`bitwise_count`: small unsigned integers."""
    given = operands.operand(arguments)
    check("bitwise_count", given, BITS)
    return ShapedArray(given.shape, dtypes.uint8)


def scaled(arguments: Arguments) -> ShapedArray:
    """`ldexp`: the float type of the first operand, in the shape of both."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 2)]
    dtype, _ = result_type(arrays[:1], "inexact")
    return ShapedArray(operands.broadcast_shapes(arrays), dtype, None)


def interpolated(arguments: Arguments) -> ShapedArray:
    """`interp`: the shape of the points asked for, the type of all operands."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 3)]
    _, places, values = arrays
    flat = all(each.ndim in (None, 1) for each in (places, values))
    if not flat or dims.equal(places.size, values.size) is False:
        raise ShapeError(
            "xp and fp must be one-dimensional arrays of equal size",
            detail=f"Got {places} and {values}",
            hint="Give as many values as there are places.",
        )
    dtype, _ = result_type(arrays, "inexact")
    return ShapedArray(arrays[0].shape, dtype, None)


def polynomial(arguments: Arguments) -> ShapedArray:
    """`polyval`: the shape of the points and of the coefficients behind their leading axis."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 2)]
    dtype, _ = result_type(arrays, "same")
    coefficients, points = arrays
    if not coefficients.shape:
        return ShapedArray(None, dtype, None)
    rows = [ShapedArray(coefficients.shape[1:], None), points]
    return ShapedArray(operands.broadcast_shapes(rows), dtype, None)


def twice(rule: Elementwise) -> AbstractRule:
    """Two results like that of an elementwise function: `divmod`, `modf`.

    >>> from oakum.values.avals import parse_aval
    >>> print(*twice(same.over("x"))({"x": parse_aval("f32[3]")}))
    f32[3] f32[3]
    """

    def both(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
        one = rule(arguments)
        return one, one

    return both


def mantissa(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`frexp`: a float and the exponent, which is an `int32`."""
    given = operands.operand(arguments)
    fraction = strong_inexact(arguments)
    return fraction, ShapedArray(given.shape, dtypes.int32)

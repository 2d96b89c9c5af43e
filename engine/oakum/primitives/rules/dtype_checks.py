"""Abstract rules of elementwise primitives: which dtypes they accept, and what comes out.

Operands have one shape and one dtype; the functions of `oakum.lax` see to that before they bind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.dtypes import GROUPS, DType
from oakum.errors import DTypeError, NotEvaluatedError, ShapeError
from oakum.lax.options import AccuracyMode, Tolerance
from oakum.tracing.trace import Rule
from oakum.values.avals import ShapedArray

FLOATS: Final = ("floating",)
INEXACT: Final = ("floating", "complexfloating")
INTEGERS: Final = ("integer",)
BITS: Final = ("integer", "bool")
REALS: Final = ("integer", "floating")
NUMBERS: Final = ("integer", "floating", "complexfloating")
ORDERED: Final = ("integer", "floating", "bool")
ANYTHING: Final = ("integer", "floating", "complexfloating", "bool")

_ACCURACIES: Final = (type(None), AccuracyMode, Tolerance)
"""What elementary functions are asked for; they are as accurate as is asked for in any case."""

_NUMPY_FUNCTIONS: Final = {
    "add": "add",
    "atan2": "arctan2",
    "div": "divide",
    "eq": "equal",
    "ge": "greater_equal",
    "gt": "greater",
    "le": "less_equal",
    "max": "maximum",
    "min": "minimum",
    "mul": "multiply",
    "ne": "not_equal",
    "nextafter": "nextafter",
    "pow": "power",
    "rem": "remainder",
    "select": "where",
    "shift_left": "left_shift",
    "shift_right_arithmetic": "right_shift",
    "shift_right_logical": "right_shift",
    "sub": "subtract",
}
"""The functions of `jax.numpy` that do the same and promote."""

_FLOAT0: Final = (
    "float0s do not support any operations by design, because they are not compatible with "
    "non-trivial vector spaces. If you did not expect a float0, you may have taken a gradient with "
    "respect to an integer argument"
)


def _boolean(dtype: DType) -> DType:
    return dtypes.bool_


def _real(dtype: DType) -> DType:
    real = dtypes.to_real(dtype)
    assert real is not None
    return real


def unary(name: str, groups: Sequence[str], result: Callable[[DType], DType] | None = None) -> Rule:
    """The abstract rule of an operation on one operand."""

    def abstract(x: ShapedArray, **params: Any) -> ShapedArray:
        check_dtype(name, x.dtype, groups)
        if params and not isinstance(wanted := params.get("accuracy"), _ACCURACIES):
            raise NotEvaluatedError(
                f"{name} with an accuracy of {wanted!r} is not known to this version of oakum",
                hint="Give an AccuracyMode or a Tolerance of jax.lax, or leave it out.",
            )
        return x if result is None else x.update(dtype=result(known(x)))

    return abstract


def nary(
    name: str,
    groups: Sequence[str],
    result: Callable[[DType], DType] | None = None,
    *,
    keys: bool = False,
) -> Rule:
    """The abstract rule of an operation on several operands; `keys` says that it takes keys."""

    def abstract(*avals: ShapedArray, **params: Any) -> ShapedArray:
        first = avals[0]
        for position, aval in enumerate(avals):
            if not (keys and aval.dtype is not None and aval.dtype.kind is dtypes.Kind.KEY):
                check_dtype(name, aval.dtype, groups, position)
        check_same(name, avals)
        weak_type = all(aval.weak_type for aval in avals)
        dtype = known(first) if result is None else result(known(first))
        return ShapedArray(first.shape, dtype, weak_type)

    return abstract


def boolean(name: str, groups: Sequence[str], *, keys: bool = False) -> Rule:
    """The abstract rule of a comparison."""
    return nary(name, groups, _boolean, keys=keys)


def real(name: str, groups: Sequence[str]) -> Rule:
    """The abstract rule of an operation that gives the real type of a complex operand."""
    return unary(name, groups, _real)


def test(name: str, groups: Sequence[str]) -> Rule:
    """The abstract rule of an operation on one operand that gives a boolean."""
    return unary(name, groups, _boolean)


def known(aval: ShapedArray) -> DType:
    """The dtype of an aval at run time, which is always known."""
    assert aval.dtype is not None
    return aval.dtype


def check_dtype(
    name: str, dtype: DType | None, groups: Sequence[str], position: int | None = None
) -> None:
    """Raises `DTypeError` for a dtype that is none of the groups and in none of them."""
    assert dtype is not None
    if any(dtype.kind in GROUPS.get(group, ()) or dtype.name == group for group in groups):
        return
    if dtype is dtypes.float0:
        where = "array" if position is None else f"at position {position}"
        raise DTypeError(f"Called {name} with a float0 {where}. {_FLOAT0}")
    where = "" if position is None else f" at position {position}"
    raise DTypeError(
        f"{name} does not accept dtype {dtype}{where}. "
        f"Accepted dtypes{where} are subtypes of {', '.join(groups)}",
        hint="Convert the operand with astype, or use the jax.numpy function, which promotes.",
    )


def check_same(name: str, avals: Sequence[ShapedArray]) -> None:
    """Raises an error where dtypes or shapes of operands differ."""
    first = avals[0]
    for aval in avals[1:]:
        if aval.dtype is not first.dtype:
            raise different_dtypes(name, avals)
        if aval.shape != first.shape:
            raise different_shapes(name, avals)


def different_dtypes(name: str, avals: Sequence[ShapedArray]) -> DTypeError:
    """The error of operands of different dtypes."""
    names = ", ".join(str(aval.dtype) for aval in avals)
    message = f"lax.{name} requires arguments to have the same dtypes, got {names}."
    numpy = _NUMPY_FUNCTIONS.get(name)
    if numpy is not None:
        tip = "is a similar function that does automatic type promotion on inputs"
        message += f" (Tip: jnp.{numpy} {tip})."
    return DTypeError(message, hint="Convert an operand with astype.")


def different_shapes(name: str, avals: Sequence[ShapedArray]) -> ShapeError:
    """The error of operands of different shapes."""
    ranks = {len(aval.shape or ()) for aval in avals}
    hint = "Use the jax.numpy function, or jax.lax.broadcast_in_dim."
    if len(ranks) > 1:
        return ShapeError(
            f"{name}: arrays must have the same number of dimensions, got {ranks}", hint=hint
        )
    shapes = ", ".join(str(aval.shape) for aval in avals)
    return ShapeError(f"{name} got incompatible shapes for broadcasting: {shapes}", hint=hint)

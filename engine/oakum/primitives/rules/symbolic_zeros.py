"""Tangents that are known to be zero, and operands that are not known when a rule is transposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

from oakum import dtypes, lax
from oakum.dtypes import Kind
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@dataclass(frozen=True, slots=True)
class Zero:
    """A tangent or cotangent that is zero; it is never computed."""

    aval: ShapedArray


@dataclass(frozen=True, slots=True)
class UndefinedPrimal:
    """An operand in which an operation is linear, while it is transposed: it has only an aval."""

    aval: ShapedArray

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise UndefinedOperandError


Operand = ArrayLike | UndefinedPrimal
"""An operand of an operation that is transposed."""


class UndefinedOperandError(Exception):
    """An operation that is transposed asks for the numbers of an operand in which it is linear."""


def is_undefined(value: object) -> TypeIs[UndefinedPrimal]:
    """Whether an operand is one of those whose cotangent is asked for."""
    return isinstance(value, UndefinedPrimal)


def tangent_aval(aval: ShapedArray) -> ShapedArray:
    """Returns the aval of tangents: the same for floats and complex numbers, else float0.

    >>> from oakum.values.avals import parse_aval
    >>> print(tangent_aval(parse_aval("f32[3]")), tangent_aval(parse_aval("i32[3]")))
    f32[3] float0[3]
    """
    if aval.dtype is not None and aval.dtype.kind in (Kind.FLOAT, Kind.COMPLEX):
        return aval
    return ShapedArray(aval.shape, dtypes.float0)


def zero_of(primal: object) -> Zero:
    """Returns the zero tangent of a value."""
    return Zero(tangent_aval(aval_of(primal)))


def instantiate(tangent: object) -> Any:
    """Returns the array that a tangent stands for: zeros for a `Zero`, else itself."""
    return zeros(tangent.aval) if isinstance(tangent, Zero) else tangent


def zeros(aval: ShapedArray) -> Any:
    """Returns an array of zeros, of the aval's weak type too."""
    from oakum.lax import conversion

    if aval.dtype is dtypes.float0:
        return host.np.zeros(aval.shape, host.dtype(dtypes.float0))
    assert aval.dtype is not None
    return conversion.full(aval.shape, 0, aval.dtype, bool(aval.weak_type))


def add_tangents(left: ArrayLike | Zero, right: ArrayLike | Zero) -> Any:
    """Returns the sum of two tangents of one value."""
    if isinstance(left, Zero):
        return right
    if isinstance(right, Zero):
        return left
    if aval_of(left).dtype is dtypes.float0:
        return left
    return lax.add(left, right)

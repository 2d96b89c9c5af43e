"""Derivatives: rules of elementwise operations, from a tangent, the result and the operands; and
the derivatives of an operation and of a program, by the rules of their primitives;
and tangents that are known to be zero, and operands that a transposed rule does not know.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from oakum import dtypes, lax
from oakum.errors import DifferentiationRuleError
from oakum.primitives.rules.arguments import shape_of
from oakum.tracing.ir import Atom, ClosedJaxpr, Var
from oakum.tracing.trace import Primitive, Rule, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Of1 = Callable[[Any, Any, Any], Any]
Of2 = Callable[[Any, Any, Any, Any], Any]
Of3 = Callable[[Any, Any, Any, Any, Any], Any]


def unary(rule: Of1) -> tuple[Rule]:
    """Returns the derivative of an operation on one operand."""
    return (rule,)


def binary(left: Of2, right: Of2) -> tuple[Rule, Rule]:
    """Returns the derivatives of an operation on two operands."""
    return (left, right)


def ternary(first: Of3, second: Of3, third: Of3) -> tuple[Rule, Rule, Rule]:
    """Returns the derivatives of an operation on three operands."""
    return (first, second, third)


def differentiate(
    primitive: Primitive, primals: Sequence[Any], tangents: Sequence[Any], params: Mapping[str, Any]
) -> tuple[Any, Any]:
    """Returns the value and the tangent of one operation, under the current trace."""
    if primitive.jvp is not None:
        return primitive.jvp(primals, tangents, **params)
    if primitive.linear:
        out = primitive.bind(*primals, **params)
        return out, primitive.bind(*map(instantiate, tangents), **params)
    if primitive.derivatives is None:
        raise DifferentiationRuleError(
            f"Differentiation rule for '{primitive.name}' not implemented",
            hint="Give the function a rule of its own with jax.custom_jvp or jax.custom_vjp.",
        )
    out = primitive.bind(*primals, **params)
    tangent: Any = None
    for rule, each in zip(primitive.derivatives, tangents, strict=True):
        if rule is not None and not isinstance(each, Zero):
            part = rule(each, out, *primals, **params)
            tangent = part if tangent is None else add_tangents(tangent, part)
    return out, Zero(tangent_aval(aval_of(out))) if tangent is None else tangent


def eval_jvp(
    closed: ClosedJaxpr, primals: Sequence[Any], tangents: Sequence[Any]
) -> tuple[list[Any], list[Any]]:
    """Returns the results of a program and their tangents, under the current trace.

    Tangents in and out may be `Zero`. It is what `jvp` returns of the program, without a trace.
    """
    jaxpr = closed.jaxpr
    variables = (*jaxpr.constvars, *jaxpr.invars)
    values: dict[Var, Any] = dict(zip(variables, (*closed.consts, *primals), strict=True))
    changes: dict[Var, Any] = dict(zip(jaxpr.invars, tangents, strict=True))

    def read(atom: Atom) -> tuple[Any, Any]:
        value = values[atom] if isinstance(atom, Var) else atom.val
        change = changes.get(atom) if isinstance(atom, Var) else None
        return value, zero_of(value) if change is None else change

    for eqn in jaxpr.eqns:
        pairs = [read(atom) for atom in eqn.inputs]
        operands, given = [value for value, _ in pairs], [change for _, change in pairs]
        several = eqn.primitive.multiple_results
        if all(isinstance(change, Zero) for change in given):
            result = eqn.primitive.bind(*operands, **eqn.params)
            out: Any = [None] * len(eqn.outputs)
        else:
            result, out = differentiate(eqn.primitive, operands, given, eqn.params)
            out = out if several else [out]
        values.update(zip(eqn.outputs, result if several else [result], strict=True))
        changes.update(zip(eqn.outputs, out, strict=True))
    results = [read(atom) for atom in jaxpr.outvars]
    return [value for value, _ in results], [change for _, change in results]


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
    """Returns the aval of tangents."""
    return aval.to_tangent_aval()


def zero_of(primal: object) -> Zero:
    """Returns the zero tangent of a value."""
    return Zero(tangent_aval(aval_of(primal)))


def with_zeros(
    tangents: Iterable[Any], nonzero: Iterable[bool], avals: Iterable[ShapedArray]
) -> list[Any]:
    """Returns tangents, or cotangents, for values of all avals, with zeros where none is marked."""
    known = iter(tangents)
    pairs = zip(nonzero, avals, strict=True)
    return [next(known) if marked else Zero(tangent_aval(aval)) for marked, aval in pairs]


def instantiate(tangent: object) -> Any:
    """Returns the array that a tangent stands for: zeros for a `Zero`, else itself."""
    return zeros(tangent.aval) if isinstance(tangent, Zero) else tangent


def zeros(aval: ShapedArray) -> Any:
    """Returns an array of zeros, of the aval's weak type too."""
    from oakum.lax import conversion

    if aval.dtype is dtypes.float0:
        return host.np.zeros(aval.shape, host.dtype(dtypes.float0))
    assert aval.dtype is not None
    return conversion.filled(shape_of(aval), 0, aval.dtype, bool(aval.weak_type))


def add_tangents(left: ArrayLike | Zero, right: ArrayLike | Zero) -> Any:
    """Returns the sum of two tangents of one value."""
    if isinstance(left, Zero):
        return right
    if isinstance(right, Zero):
        return left
    if aval_of(left).dtype is dtypes.float0:
        return left
    return lax.add(left, right)

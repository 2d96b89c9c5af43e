"""Transposition: cotangents go backwards through a linear program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.errors import TranspositionRuleError
from oakum.primitives.rules.derivatives import (
    UndefinedOperandError,
    UndefinedPrimal,
    Zero,
    add_tangents,
    instantiate,
    is_undefined,
    tangent_aval,
    with_zeros,
)
from oakum.tracing.ir import Atom, AtSources, ClosedJaxpr, Equation, Jaxpr, Literal, Var, kept
from oakum.tracing.jaxpr_trace import stage
from oakum.typing import ArrayLike


class _Pass:
    """The state of one pass: the values that are known, and the cotangents gathered so far."""

    def __init__(self) -> None:
        self.values: dict[Any, Any] = {}
        self.cotangents: dict[Any, Any] = {}

    def operand(self, atom: Atom) -> Any:
        """Returns the value of an input, or an `UndefinedPrimal`."""
        if isinstance(atom, Literal):
            return atom.val
        return self.values[atom] if atom in self.values else UndefinedPrimal(atom.aval)

    def is_linear(self, eqn: Equation) -> bool:
        """Whether an equation depends on what is not known."""
        return any(isinstance(v, Var) and v not in self.values for v in eqn.inputs)

    def evaluate(self, eqn: Equation) -> None:
        """Computes an equation whose inputs are known."""
        result = eqn.primitive.bind(*map(self.operand, eqn.inputs), **eqn.params)
        results = result if eqn.primitive.multiple_results else [result]
        self.values.update(zip(eqn.outputs, results, strict=True))

    def gather(self, atom: Atom, cotangent: ArrayLike | Zero | None) -> None:
        """Adds to the cotangent of a variable."""
        if isinstance(atom, Var) and cotangent is not None and not isinstance(cotangent, Zero):
            known = self.cotangents.get(atom)
            self.cotangents[atom] = cotangent if known is None else add_tangents(known, cotangent)

    def cotangent(self, var: Var) -> Any:
        """Returns the cotangent of a variable."""
        found = self.cotangents.get(var)
        return Zero(tangent_aval(var.aval)) if found is None else found

    def transpose(self, eqn: Equation) -> None:
        """Hands the cotangents of an equation's results on to its inputs."""
        cotangents = [self.cotangents.pop(var, None) for var in eqn.outputs]
        if all(each is None for each in cotangents):
            return
        primitive = eqn.primitive
        if primitive.transpose is None:
            raise TranspositionRuleError(
                f"Transpose rule (for reverse-mode differentiation) for '{primitive.name}' not "
                "implemented",
                frame=eqn.source[0].frame if eqn.source else None,
                hint="Differentiate in forward mode (jax.jvp, jax.jacfwd), or give the function a "
                "rule of its own with jax.custom_vjp.",
            )
        operands = [self.operand(v) for v in eqn.inputs]
        if primitive.multiple_results:
            given: Any = [
                Zero(tangent_aval(v.aval)) if c is None else c
                for c, v in zip(cotangents, eqn.outputs, strict=True)
            ]
        else:
            given = cotangents[0]
        try:
            results = primitive.transpose(given, *operands, **eqn.params)
        except TranspositionRuleError as error:
            if error.frame is None and eqn.source:
                error.frame = eqn.source[0].frame
            raise
        except UndefinedOperandError:
            raise TranspositionRuleError(
                f"The function is not linear: '{primitive.name}' is applied to several values that "
                "depend on its argument",
                frame=eqn.source[0].frame if eqn.source else None,
                hint="Take the derivative of such a function with jax.vjp or jax.linearize.",
            ) from None
        for atom, operand, result in zip(eqn.inputs, operands, results, strict=True):
            if is_undefined(operand):
                self.gather(atom, result)


def backward_pass(
    jaxpr: Jaxpr, consts: Sequence[Any], operands: Sequence[Any], cotangents: Sequence[Any]
) -> list[Any]:
    """Returns the cotangents of the operands that are `UndefinedPrimal`, for cotangents of the
    results.

    Equations that depend on known operands alone are evaluated first. The list has one entry for
    each operand: an array, a `Zero`, or None where the operand is known.
    """
    state = _Pass()
    state.values.update(zip(jaxpr.constvars, consts, strict=True))
    pairs = list(zip(jaxpr.invars, operands, strict=True))
    state.values.update((var, x) for var, x in pairs if not is_undefined(x))
    linear: list[Equation] = []
    with AtSources() as sources:
        for eqn in jaxpr.eqns:
            if state.is_linear(eqn):
                linear.append(eqn)
            else:
                sources.move(eqn.source)
                state.evaluate(eqn)
        for atom, cotangent in zip(jaxpr.outvars, cotangents, strict=True):
            if isinstance(atom, Var) and atom not in state.values:
                state.gather(atom, cotangent)
        for eqn in reversed(linear):
            sources.move(eqn.source)
            state.transpose(eqn)
    return [state.cotangent(var) if is_undefined(x) else None for var, x in pairs]


@kept
def transpose_jaxpr(
    closed: ClosedJaxpr, linear: Sequence[bool], nonzero: Sequence[bool]
) -> ClosedJaxpr:
    """Returns the program that takes the operands that are not linear and the cotangents of the
    results marked in `nonzero`, and returns the cotangents of the linear operands, zeros included.
    """
    avals = closed.in_avals
    known = [a for a, is_linear in zip(avals, linear, strict=True) if not is_linear]
    given = [tangent_aval(a) for a, nz in zip(closed.out_avals, nonzero, strict=True) if nz]

    def function(*arguments: object) -> list[Any]:
        values = iter(arguments[: len(known)])
        operands = [
            UndefinedPrimal(a) if is_linear else next(values)
            for a, is_linear in zip(avals, linear, strict=True)
        ]
        out = with_zeros(arguments[len(known) :], nonzero, closed.out_avals)
        results = backward_pass(closed.jaxpr, closed.consts, operands, out)
        return [instantiate(r) for r, is_linear in zip(results, linear, strict=True) if is_linear]

    return stage(function, [*known, *given], name=closed.jaxpr.name, transform="transpose")

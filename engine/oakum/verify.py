"""The verifier of jaxprs: what every pass may rely on, checked.

Invariants that it checks:
- each variable is bound once, before it is used;
- the operands of an equation have the avals that its primitive's abstract rule takes, and the
  results the avals that it gives;
- the same holds for the programs in parameters.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from oakum.avals import ShapedArray
from oakum.errors import JaxprTypeError, OakumError
from oakum.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Var


def check_jaxpr(jaxpr: Jaxpr) -> None:
    """Raises `JaxprTypeError` for a program that is not well typed.

    >>> check_jaxpr(Jaxpr((), (), (), ()))
    """
    waiting = [jaxpr]
    while waiting:
        program = waiting.pop()
        _check_program(program)
        for eqn in program.eqns:
            waiting += subprograms(eqn)


def subprograms(eqn: Equation) -> Iterator[Jaxpr]:
    """The programs in the parameters of an equation."""
    waiting = list(eqn.params.values())
    while waiting:
        value = waiting.pop()
        match value:
            case ClosedJaxpr():
                yield value.jaxpr
            case Jaxpr():
                yield value
            case tuple():
                waiting += value  # pyright: ignore[reportUnknownVariableType]
            case _:
                pass


def _check_program(jaxpr: Jaxpr) -> None:
    bound: set[Var] = set()

    def bind(var: Var, where: str) -> None:
        if var in bound:
            raise JaxprTypeError(f"the variable {var} is bound twice, again {where}", mend=_MEND)
        bound.add(var)

    def use(atom: Atom, where: str) -> None:
        if isinstance(atom, Var) and atom not in bound:
            raise JaxprTypeError(f"the variable {atom} is not bound, {where}", mend=_MEND)

    for var in (*jaxpr.constvars, *jaxpr.invars):
        bind(var, "as an argument")
    for eqn in jaxpr.eqns:
        for atom in eqn.inputs:
            use(atom, f"in {eqn}")
        _check_equation(eqn)
        for var in eqn.outputs:
            bind(var, f"in {eqn}")
    for atom in jaxpr.outvars:
        use(atom, "as a result")


_MEND = "The fault is in oakum, or in what made the program: report it with the function."


def _check_equation(eqn: Equation) -> None:
    avals = [atom.aval for atom in eqn.inputs]
    try:
        given: Any = eqn.primitive.abstract(*avals, **eqn.params)
    except OakumError as error:
        raise JaxprTypeError(f"{eqn} does not type: {error.message}", mend=_MEND) from error
    wanted = list(given) if eqn.primitive.multiple_results else [given]
    found = [var.aval for var in eqn.outputs]
    if len(wanted) != len(found) or any(map(_differ, wanted, found)):
        raise JaxprTypeError(
            f"{eqn} gives {', '.join(map(str, wanted))}, not {', '.join(map(str, found))}", mend=_MEND
        )


def _differ(left: ShapedArray, right: ShapedArray) -> bool:
    return left.shape != right.shape or left.dtype is not right.dtype

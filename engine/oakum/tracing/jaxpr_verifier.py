"""The verifier of jaxprs: what every pass may rely on, checked.

`OAKUM_ENABLE_CHECKS=1`, or `config.enable_checks`, has every program checked that a trace or a
transformation makes.

Invariants that it checks:
- each variable is bound once, before it is used, and its aval is fully known;
- a literal is a scalar of its aval, a constant an array of its variable's;
- the operands of an equation have the avals that its primitive's abstract rule takes, and the
  results the avals that it returns; its effects are those that the primitive states;
- the same holds for the programs in parameters, and these fit the operands that they get, which
  the abstract rules of the primitives that hold programs see to.

Abstract rules of control flow ask here too whether operands fit the programs that it holds. Weak
types are not checked: a program takes an operand whether it is weakly typed or not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.errors import JaxprTypeError, OakumError
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var, subprograms
from oakum.tracing.trace import aval_of
from oakum.values import host
from oakum.values.avals import ShapedArray

_CHECKED: Final = "checked"


def check_jaxpr(program: Jaxpr | ClosedJaxpr) -> None:
    """Raises `JaxprTypeError` for a program that is not well typed.

    >>> check_jaxpr(Jaxpr((), (), (), ()))
    """
    waiting = [program]
    while waiting:
        current = waiting.pop()
        if isinstance(current, ClosedJaxpr):
            _check_constants(current)
            current = current.jaxpr
        if _CHECKED not in current.cache:
            _check_program(current)
            current.cache[_CHECKED] = True
            waiting += [each for eqn in current.eqns for each in subprograms(eqn.params)]


def _check_constants(closed: ClosedJaxpr) -> None:
    for var, value in zip(closed.jaxpr.constvars, closed.consts, strict=True):
        aval = aval_of(value)
        if not same(aval, var.aval):
            raise JaxprTypeError(f"the value of the constant {var} is {aval}", hint=HINT)


def _check_program(jaxpr: Jaxpr) -> None:
    scope = _Scope()
    scope.bind((*jaxpr.constvars, *jaxpr.invars), "the arguments")
    for eqn in jaxpr.eqns:
        scope.use(eqn.inputs, eqn)
        _check_equation(eqn)
        scope.bind(eqn.outputs, eqn)
    scope.use(jaxpr.outvars, "the results")
    if jaxpr.effects != frozenset().union(*(eqn.effects for eqn in jaxpr.eqns)):
        raise JaxprTypeError("the effects of a program are not those of its equations", hint=HINT)


class _Scope:
    """The variables that are bound so far."""

    def __init__(self) -> None:
        self._bound: set[Var] = set()

    def bind(self, variables: Iterable[Var], where: object) -> None:
        """Binds variables; an error says where."""
        for var in variables:
            if var in self._bound:
                raise JaxprTypeError(f"the variable {var} is bound twice, in {where}", hint=HINT)
            _check_known(var.aval, where)
            self._bound.add(var)

    def use(self, atoms: Iterable[Atom], where: object) -> None:
        """Checks that variables are bound, and literals well formed."""
        for atom in atoms:
            if isinstance(atom, Literal):
                _check_literal(atom)
            elif atom not in self._bound:
                raise JaxprTypeError(f"the variable {atom} is not bound, in {where}", hint=HINT)


def _check_known(aval: ShapedArray, where: object) -> None:
    shape, dtype = aval.shape, aval.dtype
    if shape is None or dtype is None or not all(type(size) is int for size in shape):
        raise JaxprTypeError(f"the aval {aval} is not fully known, in {where}", hint=HINT)


def _check_literal(literal: Literal) -> None:
    aval, raw = literal.aval, literal.raw
    assert aval.dtype is not None
    if aval.shape != () or raw.shape != () or raw.dtype != host.dtype(aval.dtype):
        raise JaxprTypeError(f"{raw.dtype}{raw.shape} is no literal of the aval {aval}", hint=HINT)


def _check_equation(eqn: Equation) -> None:
    primitive = eqn.primitive
    try:
        given: Any = primitive.abstract(*[atom.aval for atom in eqn.inputs], **eqn.params)
    except OakumError as error:
        raise JaxprTypeError(f"{eqn} does not type: {error.message}", hint=HINT) from error
    wanted: Sequence[ShapedArray] = list(given) if primitive.multiple_results else [given]
    found = [var.aval for var in eqn.outputs]
    if len(wanted) != len(found) or not all(map(same, wanted, found)):
        raise JaxprTypeError(
            f"{eqn} gives {', '.join(map(str, wanted))}, not {', '.join(map(str, found))}",
            hint=HINT,
        )
    effects = frozenset[str]() if primitive.effects is None else primitive.effects(**eqn.params)
    if effects != eqn.effects:
        raise JaxprTypeError(
            f"{eqn} states the effects {sorted(eqn.effects)}, not {sorted(effects)}", hint=HINT
        )


HINT = "The fault is in oakum, or in what made the program: report it with the function."

_SCALAR_BOOL = ShapedArray((), dtypes.bool_)
_INDEX = ShapedArray((), dtypes.int32)


def same(left: ShapedArray, right: ShapedArray) -> bool:
    """Whether two avals are equal but for the weak type."""
    return left is right or (left.shape == right.shape and left.dtype is right.dtype)


def check_same(what: str, given: Sequence[ShapedArray], wanted: Sequence[ShapedArray]) -> None:
    """Raises `JaxprTypeError` where avals are not those that are wanted.

    >>> check_same("the operands of jit", [_INDEX], [_INDEX])
    """
    if len(given) != len(wanted) or not all(map(same, given, wanted)):
        raise JaxprTypeError(
            f"{what} are {_list_avals(given)}, not {_list_avals(wanted)}", hint=HINT
        )


def _list_avals(avals: Sequence[ShapedArray]) -> str:
    return f"({', '.join(map(str, avals))})"


def check_call(name: str, program: ClosedJaxpr, avals: Sequence[ShapedArray]) -> list[ShapedArray]:
    """Checks the operands of a program that is called, as by `jit`; returns its results."""
    check_same(f"the operands of {name}", avals, program.in_avals)
    return program.out_avals


def check_branches(
    branches: Sequence[ClosedJaxpr], avals: Sequence[ShapedArray]
) -> list[ShapedArray]:
    """Checks the branches of `cond`; the first operand is the index. Returns the results."""
    check_same("the index of cond", avals[:1], [_INDEX])
    for branch in branches:
        check_call("a branch of cond", branch, avals[1:])
        check_same("the results of a branch", branch.out_avals, branches[0].out_avals)
    return branches[0].out_avals


def check_loop(
    condition: ClosedJaxpr,
    body: ClosedJaxpr,
    counts: tuple[int, int],
    avals: Sequence[ShapedArray],
) -> list[ShapedArray]:
    """Returns the results of a while loop; its operands are the constants of both programs, and a
    state.
    """
    first, second = counts
    state = avals[first + second :]
    tested = check_call("the condition of while", condition, [*avals[:first], *state])
    check_same("the results of the condition of while", tested, [_SCALAR_BOOL])
    out = check_call("the body of while", body, avals[first:])
    check_same("the results of the body of while", out, state)
    return out


def check_scan(
    body: ClosedJaxpr, length: int, counts: tuple[int, int], avals: Sequence[ShapedArray]
) -> list[ShapedArray]:
    """Returns the results of a scan; its operands are constants, a state, and what it goes over."""
    before = sum(counts)
    steps = avals[before:]
    sizes = [each.shape[:1] if each.shape else () for each in steps]
    if any(size != (length,) for size in sizes):
        raise JaxprTypeError(f"a scan of {length} steps goes over {_list_avals(steps)}", hint=HINT)
    slices = [each.update(shape=each.shape[1:]) for each in steps if each.shape]
    out = check_call("the body of scan", body, [*avals[:before], *slices])
    carry = counts[1]
    check_same("the state that the body of scan gives", out[:carry], avals[counts[0] : before])
    stacked = [each.update(shape=(length, *(each.shape or ()))) for each in out[carry:]]
    return [*out[:carry], *stacked]

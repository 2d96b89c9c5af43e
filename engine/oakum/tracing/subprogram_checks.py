"""Checks that operands fit the programs which control-flow operations hold, for abstract rules.

Weak types are not checked: a program takes an operand whether it is weakly typed or not.
"""

from __future__ import annotations

from collections.abc import Sequence

from oakum import dtypes
from oakum.errors import JaxprTypeError
from oakum.tracing.ir import ClosedJaxpr
from oakum.values.avals import ShapedArray

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

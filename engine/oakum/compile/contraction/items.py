"""Units of work: the batch items and the parts of their rows that one call goes through."""

from __future__ import annotations

from collections.abc import Callable

from oakum.compile.contraction.placing import parameter
from oakum.compile.contraction.planning import Plan
from oakum.compile.emit import Function, Index

Body = Callable[[Index, Index, Index], None]
"""Writes what is done for a batch item, from a row to another."""


def signature(extras: tuple[str, ...]) -> list[tuple[str, str]]:
    """The parameters of a contraction."""
    return [
        ("ptr", "lhs"),
        ("ptr", "rhs"),
        ("ptr", "result"),
        ("ptr", "scratch"),
        ("i64", "begin"),
        ("i64", "end"),
        *(("ptr", extra) for extra in extras),
    ]


def each_item(f: Function, plan: Plan, body: Body) -> None:
    """Writes the body for the units from `begin` to `end`."""
    problem, units = plan.contraction, plan.units
    begin, end = parameter("begin"), parameter("end")
    if units == 1:
        if problem.b == 1:
            with f.when(f.compare("lt", begin, end)):
                body(0, 0, problem.m)
            return
        with f.loop(begin, end) as loop:
            body(loop.index, 0, problem.m)
        return
    if problem.b == 1:
        body(0, *_rows(f, plan, begin, end))
        return
    first = f.binary("udiv", begin, units)
    last = f.binary("udiv", f.add(end, units - 1), units)
    with f.loop(first, last) as loop:
        start = f.mul(loop.index, units)
        some = f.maximum(f.sub(begin, start), 0)
        body(loop.index, *_rows(f, plan, some, f.minimum(f.sub(end, start), units)))


def _rows(f: Function, plan: Plan, begin: Index, end: Index) -> tuple[Index, Index]:
    last = f.times(end, plan.unit_rows)
    if plan.contraction.m % plan.unit_rows:
        last = f.minimum(f.index(last), plan.contraction.m)
    return f.times(begin, plan.unit_rows), last

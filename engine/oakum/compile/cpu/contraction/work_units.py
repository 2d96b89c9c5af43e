"""Units of work: the batch items, and the parts of their rows or columns, that one call goes
through.
"""

from __future__ import annotations

from collections.abc import Callable

from oakum.compile.cpu.contraction.planning import Plan
from oakum.compile.cpu.contraction.result_store import parameter
from oakum.compile.llvm.llvm_function import Function, Index

Span = tuple[Index, Index]
"""The first row or column, and the one after the last."""

Body = Callable[[Index, Span, Span], None]
"""Writes what is done for a batch item: some of its rows, and some of its columns."""


def signature(extras: tuple[str, ...], *, swapped: bool) -> list[tuple[str, str]]:
    """Returns the parameters of a contraction; the names are those after operands were
    exchanged.
    """
    return [
        ("ptr", "rhs" if swapped else "lhs"),
        ("ptr", "lhs" if swapped else "rhs"),
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
    rows, columns = (0, problem.m), (0, problem.n)
    if units == 1 and problem.b == 1:
        with f.when(f.compare("lt", begin, end)):
            body(0, rows, columns)
    elif units == 1:
        with f.loop(begin, end) as loop:
            body(loop.index, rows, columns)
    elif problem.b == 1:
        body(0, *_spans(f, plan, begin, end))
    else:
        first = f.binary("udiv", begin, units)
        last = f.binary("udiv", f.add(end, units - 1), units)
        with f.loop(first, last) as loop:
            start = f.mul(loop.index, units)
            some = f.maximum(f.sub(begin, start), 0)
            many = f.minimum(f.sub(end, start), units)
            body(loop.index, *_spans(f, plan, some, many))


def _spans(f: Function, plan: Plan, begin: Index, end: Index) -> tuple[Span, Span]:
    problem = plan.contraction
    if plan.unit_columns < problem.n:
        return (0, problem.m), _span(f, begin, end, plan.unit_columns, problem.n)
    return _span(f, begin, end, plan.unit_rows, problem.m), (0, problem.n)


def _span(f: Function, begin: Index, end: Index, unit: int, extent: int) -> Span:
    last = f.mul_index(end, unit)
    if extent % unit:
        last = f.minimum(f.index(last), extent)
    return f.mul_index(begin, unit), last

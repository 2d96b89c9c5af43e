"""The functions of `itertools` that choose, group and combine items."""

import itertools
from collections.abc import Callable, Iterable

from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Constant,
    Items,
    TupleValue,
    Value,
)
from oakum_lint.python.objects.containers import MAX_ELEMENTS, iterate, make_list
from oakum_lint.syntax import nodes

Rows = Iterable[tuple[Value, ...]]
MAX_REPEAT = 8


def _whole(value: Value | None) -> int | None:
    """A number of the program that is known, and not negative."""
    known = value.value if isinstance(value, Constant) else None
    return known if isinstance(known, int) and known >= 0 else None


def _make_rows(machine: Machine, rows: Rows, frame: Frame) -> Value:
    """Makes an iterator of tuples, if they are not too many to be distinguished."""
    found = tuple(itertools.islice(rows, MAX_ELEMENTS + 1))
    tuples = tuple(map(TupleValue, found))
    if len(tuples) <= MAX_ELEMENTS:
        return make_list(machine, tuples, UNKNOWN, frame, "iterator")
    columns = zip(*found, strict=True)
    row = TupleValue(tuple(element_of(Items(column)) for column in columns))
    return make_list(machine, None, row, frame, "iterator")


def _choosing(choose: Callable[[tuple[Value, ...], int], Rows]) -> LibraryCall:
    """A function that chooses some items after the other: `combinations(items, 2)`."""

    def call(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        items = iterate(machine, arguments.get(0, "iterable") or UNKNOWN, frame, node)
        size = _whole(arguments.get(1, "r"))
        if size is None or size > MAX_REPEAT:
            return make_list(machine, None, TupleValue(None, element_of(items)), frame, "iterator")
        if items.elements is None:
            row = TupleValue((element_of(items),) * size)
            return make_list(machine, None, row, frame, "iterator")
        return _make_rows(machine, choose(items.elements, size), frame)

    return call


def _product(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    repeat = _whole(arguments.get(-1, "repeat") or Constant(1))
    columns = [iterate(machine, value, frame, node) for value in arguments.positional]
    if repeat is None or repeat > MAX_REPEAT or arguments.more is not None:
        return make_list(machine, None, UNKNOWN, frame, "iterator")
    columns *= repeat
    known = [column.elements for column in columns if column.elements is not None]
    if len(known) == len(columns):
        return _make_rows(machine, itertools.product(*known), frame)
    row = TupleValue(tuple(map(element_of, columns)))
    return make_list(machine, None, row, frame, "iterator")


def _pairs(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.pairwise(items)`."""
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    if items.elements is not None:
        return _make_rows(machine, itertools.pairwise(items.elements), frame)
    return make_list(machine, None, TupleValue((element_of(items),) * 2), frame, "iterator")


def _zip_longest(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    columns = [iterate(machine, value, frame, node) for value in arguments.positional]
    fill = arguments.get(-1, "fillvalue") or NONE
    known = [column.elements for column in columns if column.elements is not None]
    if arguments.more is not None:
        return make_list(machine, None, UNKNOWN, frame, "iterator")
    if len(known) == len(columns):
        return _make_rows(machine, itertools.zip_longest(*known, fillvalue=fill), frame)
    row = TupleValue(tuple(join(element_of(column), fill) for column in columns))
    return make_list(machine, None, row, frame, "iterator")


def _slice(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.islice(items, stop)` and `islice(items, start, stop, step)`."""
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    bounds = [None if b == NONE else _whole(b) for b in arguments.positional[1:]]
    stated = [b for b in arguments.positional[1:] if b != NONE]
    known = len([b for b in bounds if b is not None]) == len(stated) and arguments.more is None
    if items.elements is None or not known or not bounds or 0 in bounds[2:]:
        return make_list(machine, None, element_of(items), frame, "iterator")
    chosen = tuple(itertools.islice(items.elements, *bounds[:3]))
    return make_list(machine, chosen, UNKNOWN, frame, "iterator")


ITERTOOLS_CALLS: dict[str, LibraryCall] = {
    "itertools.combinations": _choosing(itertools.combinations),
    "itertools.combinations_with_replacement": _choosing(itertools.combinations_with_replacement),
    "itertools.islice": _slice,
    "itertools.pairwise": _pairs,
    "itertools.permutations": _choosing(itertools.permutations),
    "itertools.product": _product,
    "itertools.zip_longest": _zip_longest,
}

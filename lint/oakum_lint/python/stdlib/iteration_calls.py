"""Builtins about iteration: `range`, `zip`, `map`, `sorted`, `functools.reduce` and their kin."""

import itertools
import operator
from collections.abc import Callable, Iterable, Sequence

from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.doubts import UNSEEN_ITERATOR, note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import content_of
from oakum_lint.domain.moments import advance, compute_for_each
from oakum_lint.domain.names import bound_in
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    BOOL,
    INT,
    NONE,
    UNKNOWN,
    Constant,
    HeapObject,
    Items,
    TupleValue,
    Unknown,
    Value,
    next_uid,
)
from oakum_lint.python.expressions.conditions import decide
from oakum_lint.python.expressions.failures import note_lacking
from oakum_lint.python.expressions.operators import binary
from oakum_lint.python.expressions.truth import builtin_asks
from oakum_lint.python.objects.containers import iterate, make_list, one_of_several
from oakum_lint.python.statements.loop_counts import count_of
from oakum_lint.python.stdlib.number_calls import (
    called_name,
    compares_tracers,
    results_of,
    without_value,
)
from oakum_lint.syntax import nodes

Elements = tuple[Value, ...]
MAX_RANGE = 16


def _range(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    bounds = [
        v.value
        for v in arguments.positional
        if isinstance(v, Constant) and isinstance(v.value, int)
    ]
    if bounds and len(bounds) == len(arguments.positional) <= 3 and bounds[2:] != [0]:
        numbers = range(*bounds)
        count = count_of(numbers)
        if count <= MAX_RANGE:
            return TupleValue(tuple(Constant(number) for number in numbers))
        return TupleValue(None, INT, length=count)
    if any(isinstance(v, Constant) and not isinstance(v.value, int) for v in arguments.positional):
        note_stop(machine, frame, node)
    return TupleValue(None, INT)


def _enumerate(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    start = arguments.get(1, "start") or Constant(0)
    pairs: tuple[Value, ...] = ()
    if isinstance(start, Constant) and isinstance(start.value, int):
        known = items.first if items.elements is None else items.elements
        pairs = tuple(TupleValue((Constant(start.value + i), x)) for i, x in enumerate(known))
        if items.elements is not None:
            return make_list(machine, pairs, UNKNOWN, frame, "iterator")
    row = TupleValue((INT, element_of(items)))
    return make_list(machine, None, row, frame, "iterator", items.count, pairs)


def _zip(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    columns = [iterate(machine, value, frame, node) for value in arguments.positional]
    known = [column.elements for column in columns if column.elements is not None]
    if columns and len(known) == len(columns) and arguments.more is None:
        rows = tuple(TupleValue(row) for row in zip(*known, strict=False))
        return make_list(machine, rows, UNKNOWN, frame, "iterator")
    row = (
        TupleValue(tuple(element_of(column) for column in columns))
        if arguments.more is None
        else UNKNOWN
    )
    begun = [column.first if column.elements is None else column.elements for column in columns]
    rows = tuple(TupleValue(row) for row in zip(*begun, strict=False))
    rows = rows if arguments.more is None else ()
    length = _shortest(columns, arguments)
    return make_list(machine, None, row, frame, "iterator", length, rows)


def _shortest(columns: Sequence[Items], arguments: Arguments) -> int | None:
    """How many rows there are of columns that are gone through at once."""
    lengths = [column.count for column in columns]
    known = [length for length in lengths if length is not None]
    complete = len(known) == len(lengths) and arguments.more is None
    return min(known) if known and complete else None


def _map(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    function = arguments.get(0) or UNKNOWN
    columns = [iterate(machine, value, frame, node) for value in arguments.positional[1:]]
    known = [column.elements for column in columns if column.elements is not None]
    if columns and len(known) == len(columns):
        rows = list(zip(*known, strict=False))[:MAX_RANGE]
        results = tuple(machine.call(function, Arguments(row), frame, node) for row in rows)
        if len(rows) < MAX_RANGE:
            return make_list(machine, results, UNKNOWN, frame, "iterator")
    else:
        row, since = tuple(element_of(column) for column in columns), next_uid()
        result = machine.call(function, Arguments(row), frame, node)
        results = (one_of_several(machine, result, since),)
    items = Items(None, join_all(results), _shortest(columns, arguments))
    reported = compute_for_each(machine, arguments.place(1, "", node), items, results, frame)
    length = None if reported else items.length
    return make_list(machine, None, items.rest, frame, "iterator", length)


def _filtering(choose: Callable[[Elements, Sequence[bool]], Iterable[Value]]) -> LibraryCall:
    """`filter(function, items)` and what asks a function of items like it; `choose` says which of
    the items stay by what it answered.
    """

    def call(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        function = arguments.get(0) or UNKNOWN
        items = iterate(machine, arguments.get(1) or UNKNOWN, frame, node)
        if function == NONE:
            verdicts = items.elements if items.elements is not None else (items.rest,)
        else:
            verdicts = results_of(machine, function, items, frame, node)
        name = called_name(node, frame)
        asks = any(builtin_asks(machine, it, name, arguments, frame, node, 1) for it in verdicts)
        truths = [truth for each in verdicts if (truth := decide(machine, each)) is not None]
        if asks or items.elements is None or len(truths) < len(items.elements):
            return make_list(machine, None, element_of(items), frame, "iterator")
        stay = tuple(choose(items.elements, truths))
        return make_list(machine, stay, UNKNOWN, frame, "iterator")

    return call


def _holding(items: Elements, truths: Sequence[bool]) -> Iterable[Value]:
    return itertools.compress(items, truths)


def _failing(items: Elements, truths: Sequence[bool]) -> Iterable[Value]:
    return itertools.compress(items, map(operator.not_, truths))


def _before_failing(items: Elements, truths: Sequence[bool]) -> Iterable[Value]:
    return items[: [*truths, False].index(False)]


def _from_failing(items: Elements, truths: Sequence[bool]) -> Iterable[Value]:
    return items[[*truths, False].index(False) :]


def _sorted(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    passed = arguments.get(0) or UNKNOWN
    items = iterate(machine, passed, frame, node)
    key = arguments.get(-1, "key")
    element = element_of(items)
    if key is not None and key != NONE:
        verdicts = results_of(machine, key, items, frame, node)
        compared = verdicts if items.elements is None or len(items.elements) > 1 else ()
        for verdict in compared:
            if builtin_asks(machine, verdict, "sorted", arguments, frame, node):
                break
    elif (items.elements is None or len(items.elements) > 1) and builtin_asks(
        machine, element, "sorted", arguments, frame, node
    ):
        element = UNKNOWN
    elif compares_tracers(machine, items.elements or (), "<", arguments, frame, node):
        return make_list(machine, None, UNKNOWN, frame)
    if items.elements is None or (isinstance(passed, HeapObject) and passed.kind == "set"):
        return make_list(machine, None, element, frame)
    numbers = [v for v in items.elements if isinstance(v, Constant) and _is_real(v.value)]
    if len(numbers) == len(items.elements) and not arguments.keywords:
        ordered = tuple(sorted(numbers, key=operator.attrgetter("value")))
        return make_list(machine, ordered, element, frame)
    return make_list(machine, (element,) * len(items.elements), element, frame)


def _is_real(value: object) -> bool:
    return isinstance(value, int | float) and value == value


def _any(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return _asked_in_turn(machine, arguments, True, frame, node)


def _all(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    return _asked_in_turn(machine, arguments, False, frame, node)


def _asked_in_turn(
    machine: Machine, arguments: Arguments, stop: bool, frame: Frame, node: nodes.Node
) -> Value:
    """Asks the truths of items until one is `stop`."""
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    name, guards = called_name(node, frame), frame.guards
    undecided = False
    for value in items.elements if items.elements is not None else (items.rest,):
        if builtin_asks(machine, value, name, arguments, frame, node):
            frame.guards = guards
            return UNKNOWN if not undecided else BOOL
        truth = decide(machine, value)
        if truth is None and not undecided:
            # It may be the one that decides: whether the next are asked hangs on it.
            undecided = True
            frame.guards = (*guards, frame.text(arguments.place(0, "", node)))
        if truth is stop:
            break
    else:
        stop = not stop
        undecided |= items.elements is None
    frame.guards = guards
    return BOOL if undecided else Constant(stop)


def _reversed(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    elements = None if items.elements is None else items.elements[::-1]
    return make_list(machine, elements, items.rest, frame, "iterator", items.length)


def _iter(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    if isinstance(value, HeapObject) and value.kind in ("iterator", "generator"):
        return value
    items = iterate(machine, value, frame, node)
    return make_list(machine, items.elements, items.rest, frame, "iterator", items.length)


def _next(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    value = arguments.get(0) or UNKNOWN
    if isinstance(value, HeapObject) and value.kind in ("iterator", "generator"):
        advance(machine, value, "next", frame, node)
        if arguments.get(1) is None and content_of(machine, value).elements == ():
            note_stop(machine, frame, node)
        return _advanced(machine, value, arguments.get(1))
    if isinstance(value, HeapObject) and value.kind == "instance":
        found = machine.call_special(value, "__next__", (), node, frame)
        if found is None:
            note_lacking(machine, value, ("__next__",), frame, node)
        return UNKNOWN if found is None else found
    if isinstance(value, Unknown):
        level = _level_outside(machine, arguments.place(0, "", node), frame)
        if level is not None:
            advance(
                machine, HeapObject("iterator", level, label=UNSEEN_ITERATOR), "next", frame, node
            )
    return UNKNOWN


def _level_outside(machine: Machine, place: nodes.Node, frame: Frame) -> int | None:
    """The depth of the trace around the code of which a function has a name, or what holds
    something under one: that was there before the function was called.
    """
    while isinstance(place, nodes.Attribute):
        place = place.value
    if not isinstance(place, nodes.Name):
        return None
    scope = bound_in(machine, place.identifier, frame)
    return None if scope is None or scope is frame.scope else scope.level


def _advanced(machine: Machine, iterator: HeapObject, default: Value | None) -> Value:
    """Advances an iterator, and returns the item that comes next."""
    items = content_of(machine, iterator)
    if items.elements is None:
        element = element_of(items)
        if items.length is not None:
            machine.write(iterator, CONTENT, Items(None, items.rest))
        return element if default is None else join(element, default)
    if not items.elements:
        return UNKNOWN if default is None else default
    machine.write(iterator, CONTENT, Items(items.elements[1:]))
    return items.elements[0]


def _starmap(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    function = arguments.get(0) or UNKNOWN
    rows = iterate(machine, arguments.get(1) or UNKNOWN, frame, node)
    row = element_of(rows)
    passed = (
        Arguments(row.elements)
        if isinstance(row, TupleValue) and row.elements
        else Arguments(more=UNKNOWN)
    )
    since = next_uid()
    result = one_of_several(machine, machine.call(function, passed, frame, node), since)
    return make_list(machine, None, result, frame, "iterator")


def _repeated(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.repeat(value)`, or so many times."""
    value, times = arguments.get(0, "object") or UNKNOWN, arguments.get(1, "times")
    passed = times.value if isinstance(times, Constant) else None
    length = max(0, passed) if isinstance(passed, int) else None
    return make_list(machine, None, value, frame, "iterator", length)


def _count(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.count()`."""
    return make_list(machine, None, UNKNOWN, frame, "iterator")


def _chain(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.chain(first, second)`."""
    parts = [iterate(machine, value, frame, node) for value in arguments.positional]
    known = [part.elements for part in parts if part.elements is not None]
    if len(known) == len(parts) and arguments.more is None:
        elements = tuple(element for part in known for element in part)
        return make_list(machine, elements, UNKNOWN, frame, "iterator")
    possible = [element_of(part) for part in parts if part.elements != ()]
    if arguments.more is not None:
        possible.append(UNKNOWN)
    return make_list(machine, None, join_all(tuple(possible)), frame, "iterator")


def _chain_parts(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.chain.from_iterable(parts)`."""
    parts = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    if parts.elements is not None:
        return _chain(machine, Arguments(parts.elements), frame, node)
    element = element_of(iterate(machine, parts.rest, frame, node))
    return make_list(machine, None, element, frame, "iterator")


def _cycle(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.cycle(items)`, which does not end unless there are no items."""
    items = iterate(machine, arguments.get(0) or UNKNOWN, frame, node)
    if items.elements == ():
        return make_list(machine, (), UNKNOWN, frame, "iterator")
    return make_list(machine, None, element_of(items), frame, "iterator")


def _reduce(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    function = arguments.get(0) or UNKNOWN
    items = iterate(machine, arguments.get(1) or UNKNOWN, frame, node)
    elements = items.elements if items.elements is not None else (items.rest, items.rest)
    start = arguments.get(2)
    values = list(elements if start is None else (start, *elements))
    if not values:
        return UNKNOWN
    total = values[0]
    totals: list[Value] = []
    for value in values[1:MAX_RANGE]:
        total = machine.call(function, Arguments((total, value)), frame, node)
        totals.append(total)
    compute_for_each(machine, arguments.place(1, "", node), items, totals, frame)
    certain = items.elements is not None and len(values) <= MAX_RANGE
    return total if certain else without_value(total)


def _accumulate(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """`itertools.accumulate(items, function, initial=...)`: all totals on the way."""
    items = iterate(machine, arguments.get(0, "iterable") or UNKNOWN, frame, node)
    function, start = arguments.get(1, "func"), arguments.get(-1, "initial")
    start = None if start == NONE else start
    values = list(items.elements if items.elements is not None else (items.rest, items.rest))
    totals = [start] if start is not None else values[:1]
    for value in values[len(totals) if start is None else 0 : MAX_RANGE]:
        if function is None or function == NONE:
            totals.append(binary(machine, "+", totals[-1], value, node, frame))
        else:
            passed = Arguments((totals[-1], value))
            totals.append(machine.call(function, passed, frame, node))
    place = arguments.place(0, "iterable", node)
    reported = compute_for_each(machine, place, items, totals[1:], frame)
    if items.elements is not None and len(items.elements) < MAX_RANGE:
        return make_list(machine, tuple(totals), UNKNOWN, frame, "iterator")
    length = None if items.count is None or reported else items.count + (start is not None)
    total = without_value(join_all(tuple(totals)))
    return make_list(machine, None, total, frame, "iterator", length)


ITERATION_CALLS: dict[str, LibraryCall] = {
    "builtins.range": _range,
    "builtins.enumerate": _enumerate,
    "builtins.zip": _zip,
    "builtins.map": _map,
    "builtins.filter": _filtering(_holding),
    "builtins.sorted": _sorted,
    "builtins.any": _any,
    "builtins.all": _all,
    "builtins.reversed": _reversed,
    "builtins.iter": _iter,
    "builtins.next": _next,
    "functools.reduce": _reduce,
    "itertools.accumulate": _accumulate,
    "itertools.chain": _chain,
    "itertools.chain.from_iterable": _chain_parts,
    "itertools.dropwhile": _filtering(_from_failing),
    "itertools.filterfalse": _filtering(_failing),
    "itertools.takewhile": _filtering(_before_failing),
    "itertools.count": _count,
    "itertools.cycle": _cycle,
    "itertools.repeat": _repeated,
    "itertools.starmap": _starmap,
}

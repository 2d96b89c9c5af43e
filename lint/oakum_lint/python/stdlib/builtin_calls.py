"""Calls of Python's builtins and standard library.

Uses that fail on a tracer come from the measured model (`models.builtins`); here are the results
of calls, where the interpreter knows more than their kind.
"""

from oakum_lint.arrays.argument_uses import check_arguments
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Method
from oakum_lint.domain.frames import Frame, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join_all
from oakum_lint.domain.look_ups import container_in, content_of, entries_of
from oakum_lint.domain.moments import read_elements, store_in
from oakum_lint.domain.names import spelling
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.reporting import MEANT
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Entries,
    HeapObject,
    Items,
    LibraryObject,
    Place,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.models.habits import SAYS_COMPILING
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.models.host.objects import LIBRARY_OBJECTS, READERS, SHOWING, UNBOUND, of_logging
from oakum_lint.models.packages import builtin_name
from oakum_lint.models.transforms import NOT_RUNNING, REPEATING
from oakum_lint.models.types import is_builtin_type
from oakum_lint.python.objects.containers import iterate, known_elements, make_list
from oakum_lint.python.objects.lifetimes import find_tracer
from oakum_lint.python.objects.single_dispatch import DISPATCH_CALLS
from oakum_lint.python.stdlib.clock_calls import TIMING_CALLS
from oakum_lint.python.stdlib.collection_calls import COLLECTION_CALLS
from oakum_lint.python.stdlib.iteration_calls import ITERATION_CALLS
from oakum_lint.python.stdlib.itertools_calls import ITERTOOLS_CALLS
from oakum_lint.python.stdlib.number_calls import NUMBER_CALLS
from oakum_lint.python.stdlib.object_calls import OBJECT_CALLS
from oakum_lint.python.stdlib.operator_functions import OPERATOR_FUNCTIONS
from oakum_lint.python.stdlib.record_calls import RECORD_CALLS
from oakum_lint.syntax import nodes

SAYS_SO = "the text says that it is printed while tracing"


def is_builtin(path: str) -> bool:
    """Whether a name is Python's own, as far as it is modelled."""
    return (
        is_builtin_type(path)
        or of_logging(path)
        or path in BUILTINS
        or path in LIBRARY_OBJECTS
        or builtin_facts(path) is not None
    )


def call_builtin(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a builtin or a function of the standard library."""
    name = builtin_name(path)
    if path in LIBRARY_OBJECTS:
        return LibraryObject(LIBRARY_OBJECTS[path], frame.level)
    # Of a tuple they read none of the elements.
    read = [each for each in arguments.positional if not isinstance(each, TupleValue)]
    read_elements(machine, read if name in READERS else (), frame, node)
    facts = builtin_facts(name)
    shows = facts is not None and facts.effect in SHOWING
    if shows or of_logging(name):
        once = facts is not None and facts.effect == "warning"
        return _print(machine, arguments, frame, node, spelling(node, name, frame), once=once)
    owner, _, method = name.rpartition(".")
    first = arguments.get(0)
    if owner in UNBOUND and isinstance(first, HeapObject):
        first = container_in(machine, first) or first
        if first.kind == owner:
            return machine.call(Method(first, method), arguments.without_first(), frame, node)
    spelled = name if is_builtin_type(path) else spelling(node, path, frame)
    if facts is not None and check_arguments(machine, facts, arguments, frame, node, spelled):
        return UNKNOWN
    handler = BUILTINS.get(path)
    if handler is not None:
        return handler(machine, arguments, frame, node)
    if facts is None:
        return UNKNOWN
    if facts.effect == "mutates" and isinstance(first, HeapObject):
        # `heappush(queue, item)`, `insort(items, item)`, `delitem(table, key)`
        added = arguments.positional[1:]
        for value in added:
            store_in(machine, first, value, method, frame, node)
        _mix_in(machine, first, added)
    return _by_kind(machine, facts.result, facts.calls, arguments, frame, node)


def _mix_in(machine: Machine, owner: HeapObject, added: tuple[Value, ...]) -> None:
    """Forgets where in a container everything is that it holds, or gets."""
    if owner.kind == "dict":
        held = join_all((element_of(entries_of(machine, owner)), *added))
        machine.write(owner, CONTENT, Entries((), held))
    if owner.kind not in ("list", "deque"):
        return
    known = (*known_elements(content_of(machine, owner)), *added)
    machine.write(owner, CONTENT, Items(None, join_all(known)) if known else Items(()))


def _by_kind(
    machine: Machine,
    result: str,
    calls: tuple[str, ...],
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """The result of a function where only its kind is known."""
    first = arguments.get(0)
    match result:
        case "none":
            return NONE
        case "number":
            return Scalar("number")
        case "argument":
            return UNKNOWN if first is None else first
        case "element" if first is not None:
            return element_of(iterate(machine, first, frame, node))
        case "iterator":
            if calls:
                return make_list(machine, None, UNKNOWN, frame, "iterator")
            items = Items(None) if first is None else iterate(machine, first, frame, node)
            return make_list(machine, None, element_of(items), frame, "iterator")
        case "list" | "set" as kind if first is not None and not calls:
            return make_list(
                machine, None, element_of(iterate(machine, first, frame, node)), frame, kind
            )
        case "sequence" if first is not None and not calls:
            return TupleValue(None, element_of(iterate(machine, first, frame, node)))
        case _:
            return UNKNOWN


def _print(
    machine: Machine,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    name: str,
    *,
    once: bool,
) -> Value:
    """Printing under tracing shows tracers, once; `once` says that it is meant so."""
    if not frame.staged_level:
        return NONE
    kinds = [trace.kind for trace in traces(frame.trace)]
    for position, value in enumerate(arguments.positional):
        traced_text = isinstance(value, Scalar) and value.traced
        tracer = find_tracer(machine, value, 0)
        if traced_text or (isinstance(tracer, Array) and tracer.place is Place.ABSTRACT):
            place = arguments.place(position, "", node)
            shown = value if tracer is None else tracer
            runs_once = (REPEATING | NOT_RUNNING).isdisjoint(kinds)
            doubt = SAYS_SO if SAYS_COMPILING.search(frame.text(node)) is not None else ""
            machine.emit(
                events.SideEffect, frame, node, shown, place, doubt, function=name, once=runs_once
            )
            return NONE
    in_loop = frame.trace is not None and frame.trace.kind in REPEATING
    # What other functions print they may print outside loops too.
    in_body = frame.caller is not None and frame.caller.called.site is None
    if in_loop and in_body and not once and arguments.positional:
        meant = machine.assumptions.counts_traces(frame.text(node))
        machine.emit(
            events.OuterChange,
            frame,
            node,
            NONE,
            node,
            MEANT if meant else "",
            target=name,
            how="write",
            meant=meant,
        )
    return NONE


BUILTINS: dict[str, LibraryCall] = {
    **DISPATCH_CALLS,
    **OBJECT_CALLS,
    **NUMBER_CALLS,
    **ITERATION_CALLS,
    **ITERTOOLS_CALLS,
    **COLLECTION_CALLS,
    **OPERATOR_FUNCTIONS,
    **RECORD_CALLS,
    **TIMING_CALLS,
}

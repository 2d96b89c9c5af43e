"""By what a compiled function finds its program: the forms of what a call passes."""

from collections.abc import Iterable

from oakum.values.records import dataclass
from oakum_lint.analyses.repeated_arguments import form_of
from oakum_lint.arrays.pytrees import MAX_TREE_DEPTH, take_apart
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import CompiledCall
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    Array,
    Constant,
    Entries,
    HeapObject,
    TupleValue,
    Value,
)
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class Called:
    """By what a compiled function finds its program: two calls of the same shape run the same one,
    also under `grad` and `vmap`. `doubt`: some arguments are unknown, but the next call gets the
    like.
    """

    shape: Value
    doubt: str


def shape_of_call(machine: Machine, call: CompiledCall) -> Called | None:
    """By what the call of a compiled function finds its program; None where it is not known, or
    the call is part of a program.
    """
    arguments, static, frame, node = call.lifted, call.static, call.frame, call.node
    if frame.kept_level or frame.called.speculative:
        return None
    if arguments.more is not None or arguments.more_keywords is not None:
        return None
    named = sorted(arguments.keywords.items())
    names = tuple(Constant(name) for name, _ in named)
    shapes: list[Value] = []
    doubt = ""
    passed: list[tuple[int | str, Value]] = [*enumerate(arguments.positional), *named]
    for position, value in passed:
        shape = _shape(machine, value, frame, node, MAX_TREE_DEPTH)
        if shape is None and static is not None and position not in static:
            shape = form_of(machine, _place(arguments, position), node, frame)
            doubt = "some arguments are known by their form only"
        if shape is None:
            return None
        shapes.append(shape)
    return Called(TupleValue((*names, *shapes)), doubt)


def _place(arguments: Arguments, position: int | str) -> nodes.Node | None:
    """The code of an argument, if it stands in the call."""
    if isinstance(position, str):
        return arguments.keyword_places.get(position)
    return arguments.places[position] if position < len(arguments.places) else None


def _shapes(
    machine: Machine, values: Iterable[Value], frame: Frame, node: nodes.Node, depth: int
) -> list[Value] | None:
    found: list[Value] = []
    for value in values:
        shape = _shape(machine, value, frame, node, depth)
        if shape is None:
            return None
        found.append(shape)
    return found


def _shape(
    machine: Machine, value: Value, frame: Frame, node: nodes.Node, depth: int
) -> Value | None:
    match value:
        case Array(aval, place):
            known = aval.shape is not None and aval.dtype is not None
            return Array(aval, place) if known else None
        case FunctionValue():
            return None if _is_made_again(value, frame, node) else value
        case Constant():
            return value
        case HeapObject(kind="instance", cls=cls) if cls is None or not cls.pytree:
            return value
        case _:
            pass
    opens = depth > 0 and machine.spend(frame, node)
    container = take_apart(machine, value, frame.level, frame, node) if opens else None
    if container is None or container.rest is not None:
        return None
    parts = _shapes(machine, container.children, frame, node, depth - 1)
    held = tuple(item for _, item in container.metadata)
    metadata = _shapes(machine, held, frame, node, depth - 1)
    if parts is None or metadata is None:
        return None
    content = machine.read(value, CONTENT) if isinstance(value, HeapObject) else None
    keys = tuple(Constant(key) for key, _ in content.known) if isinstance(content, Entries) else ()
    cls = value.cls if isinstance(value, HeapObject | TupleValue) else None
    kind = Constant(value.kind if isinstance(value, HeapObject) else "tuple")
    return TupleValue((kind, *keys, *parts, *metadata), cls=cls)


def _is_made_again(function: FunctionValue, frame: Frame, node: nodes.Node) -> bool:
    """Whether the next call like this one gets another function of the same code, as functions are
    compared by identity: the call makes it, or the iteration.
    """
    made = function.definition
    spans = [(node.start, node.end), *(loop.span for loop in frame.flow.loops)]
    return function.unit is frame.unit and any(
        start <= made.start and made.end <= end for start, end in spans
    )

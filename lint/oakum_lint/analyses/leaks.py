"""Leaks: a tracer stored where it outlives its trace.

Every object knows the depth of the trace that made it, and every tracer the depth of the trace it
belongs to. A store is a leak when the object is older than the tracer's trace.
"""

from collections.abc import Callable, Sequence
from functools import partial

from oakum.values.records import replace
from oakum_lint.domain import events
from oakum_lint.domain.assigned import attribute_names
from oakum_lint.domain.callables import ClassValue, FunctionValue, Partial, Scope, Transformed
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import KeptStore, Machine
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    Array,
    Constant,
    Entries,
    HeapObject,
    Items,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Unknown,
    Value,
    is_tracer,
)
from oakum_lint.python.objects.access_paths import (
    is_handed_back,
    is_managed,
    is_restored,
    is_undone,
    level_of_owner,
    presumed_origin,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import READ_VARIABLE

MAX_SEARCH = 64


def find_tracer(
    machine: Machine, value: Value, above: int, *, in_objects: bool = False
) -> Array | Tree | None:
    """A tracer in the value, or in the containers that it holds, of a trace deeper than `above`;
    with `in_objects` in the attributes of objects, too. Of one that a function closes over it is
    presumed that someone calls the function later.
    """
    stack, seen = [value], 0
    functions: list[FunctionValue] = []
    while stack and seen < MAX_SEARCH:
        current = stack.pop()
        seen += 1
        if isinstance(current, Array | Tree):
            if is_tracer(current) and current.level > above:
                return current
        else:
            stack.extend(_held(machine, current))
            if in_objects and isinstance(current, HeapObject) and current.level > above:
                stack.extend(_attributes(machine, current))
            if isinstance(current, FunctionValue) and current.scope.level > above:
                functions.append(current)
    for function in functions:
        for captured in _captured(machine, function):
            if is_tracer(captured) and captured.level > above:
                origin = captured.origin
                return (
                    captured
                    if origin is None
                    else replace(captured, origin=replace(origin, presumed=True))
                )
    return None


def _attributes(machine: Machine, owner: HeapObject) -> list[Value]:
    """What an instance holds in its attributes, if no framework looks after these. A context takes
    itself away where it ends.
    """
    if owner.cls is None or is_managed(owner):
        return []
    for cls in owner.cls.order:
        if isinstance(cls, ClassValue) and machine.read(cls.body, "__exit__") is not None:
            return []
    held = (machine.read(owner, name) for name in sorted(attribute_names(owner.cls)))
    return [value for value in held if value is not None]


def _captured(machine: Machine, function: FunctionValue) -> list[Array | Tree]:
    """The arrays in variables of the function around it that a function reads."""
    definition = function.definition
    own = {parameter.name for parameter in definition.parameters.items}
    text = function.unit.text[definition.start : definition.end]
    held = [
        machine.read(function.scope, name)
        for name in dict.fromkeys(READ_VARIABLE.findall(text))
        if name not in own
    ]
    return [value for value in held if isinstance(value, Array | Tree)]


def _held(machine: Machine, value: Value) -> Sequence[Value]:
    """What a container or a function certainly holds, the last first; of a choice nothing."""
    match value:
        case TupleValue(elements, rest) | Items(elements, rest):
            return elements[::-1] if elements is not None else (rest,)
        case Entries(known, rest):
            items = [item for _, item in known]
            return items if rest is None else [*items, rest]
        case HeapObject(kind="list" | "dict" | "set" | "deque"):
            content = machine.read(value, CONTENT)
            return () if content is None else (content,)
        case FunctionValue(defaults=defaults):
            return tuple(defaults.values())
        case Partial(_, given, named):
            return (*given, *(item for _, item in named))
        case _:
            return ()


def adopt(machine: Machine, value: Value, level: int) -> None:
    """An object stored in an older one lives as long as that: from now on a store into it may leak
    too.
    """
    stack, seen = [value], 0
    while stack and seen < MAX_SEARCH:
        current = stack.pop()
        seen += 1
        match current:
            case HeapObject(kind="instance"):
                # Often a context on a stack of contexts: taken off again before the trace ends.
                pass
            case HeapObject() if current.level > level:
                current.level = level
                content = machine.read(current, CONTENT)
                if content is not None:
                    stack.append(content)
            case TupleValue(elements, rest) | Items(elements, rest):
                stack.extend(elements if elements is not None else (rest,))
            case Entries(known, rest):
                stack.extend(item for _, item in known)
                if rest is not None:
                    stack.append(rest)
            case _:
                pass


def _guarded_by_membership(frame: Frame, target: str) -> bool:
    """Whether the store fills a cache that may have been filled before: `if key not in cache:
    cache[key] = ...`.
    """
    return any(
        guard.endswith(f" not in {target}") for caller in frame.callers() for guard in caller.guards
    )


def _target(node: nodes.Node, frame: Frame) -> str:
    """The user's name for the container whose method is called, or item assigned."""
    if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Attribute):
        return frame.text(node.function.value)
    if isinstance(node, nodes.Subscript | nodes.Attribute):
        return frame.text(node.value)
    return frame.text(node)


def check_store(
    machine: Machine,
    owner: HeapObject,
    value: Value,
    how: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a tracer put into a container that is older than its trace."""
    adopt(machine, value, owner.level)
    tracer = find_tracer(machine, value, owner.level, in_objects=True)
    if tracer is None or _guarded_by_membership(frame, _target(node, frame)):
        return
    kind = {"list": "list", "dict": "dict", "set": "set", "deque": "deque"}.get(
        owner.kind, "container"
    )
    if owner.kind in ("iterator", "generator"):
        kind = "iterator"
    if owner.label == "default":
        kind = "default"
    still = partial(_may_hold, machine, owner, owner.level)
    _emit(machine, frame, node, tracer, kind, _target(node, frame), how, still)


def check_attribute_store(
    machine: Machine, owner: Value, name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports a tracer assigned to an attribute of an object that is older than its trace."""
    match owner:
        case HeapObject(kind="instance" | "opaque", level=level):
            pass
        case ClassValue(level=level):
            pass
        case FunctionValue(scope=scope) | Transformed(function=FunctionValue(scope=scope)):
            level = scope.level
        case Unknown():
            level = level_of_owner(machine, node, frame)
        case _:
            return
    adopt(machine, value, level)
    tracer = find_tracer(machine, value, level, in_objects=True)
    if tracer is None or is_restored(node, frame) or is_handed_back(tracer, frame):
        return
    if isinstance(owner, Unknown):
        # What it is nobody knows: setting the attribute may do anything.
        tracer = replace(tracer, origin=presumed_origin(tracer, frame, node))
    still = partial(_may_keep, machine, owner, name, level)
    _emit(machine, frame, node, tracer, "attribute", frame.text(node), "=", still)


def check_cached_property(
    machine: Machine,
    owner: HeapObject,
    getter: Value,
    value: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a tracer that a cached property keeps on an older instance, where it is returned."""
    tracer = find_tracer(machine, value, owner.level)
    if tracer is None or not isinstance(getter, FunctionValue):
        return
    frame, node = place_of_return(getter, frame, node)
    _emit(machine, frame, node, tracer, "cache", getter.name, "return", lambda: True)


def place_of_return(
    function: FunctionValue, frame: Frame, node: nodes.Node
) -> tuple[Frame, nodes.Node]:
    """Where a function called here says last what it gives; the call, where it does not."""
    unit, module, definition = function.unit, function.scope.module, function.definition
    if isinstance(definition, nodes.Lambda):
        given = [definition.body]
    else:
        returns = (each for each in walk(definition.body) if isinstance(each, nodes.Return))
        given = [each.value for each in returns if each.value is not None]
    if not given:
        return frame, node
    at = Frame(frame.scope, unit, module, frame.trace, caller=frame)
    at.call_site, at.function = frame.site(node), function
    return at, given[-1]


def check_binding(
    machine: Machine, scope: Scope, name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports a tracer bound to a global or nonlocal name that is older than its trace."""
    adopt(machine, value, scope.level)
    tracer = find_tracer(machine, value, scope.level, in_objects=True)
    if tracer is None or is_undone(name, frame):
        return
    kind = "global" if scope.kind == "module" else "nonlocal"
    still = partial(_may_keep, machine, scope, name, scope.level)
    _emit(machine, frame, node, tracer, kind, name, "=", still)


def _emit(
    machine: Machine,
    frame: Frame,
    node: nodes.Node,
    tracer: Array | Tree,
    kind: str,
    target: str,
    how: str,
    still: Callable[[], bool],
) -> None:
    """Reports a store when the tracer's trace ends, if it is there `still`."""
    stored = node
    if isinstance(node, nodes.Call) and len(node.arguments) == 1:
        stored = node.arguments[0]
    with machine.collecting() as told:
        machine.emit(events.Leak, frame, node, tracer, stored, kind=kind, target=target, how=how)
    trace = machine.trace_of(tracer, frame)
    running = None if trace is None else machine.stores.get(trace.uid)
    if running is None:
        machine.tell(told)
    else:
        functions = [caller.function for caller in frame.callers()]
        ran = frozenset(id(each.definition) for each in functions if each is not None)
        running.append(KeptStore(still, told, ran))


def _may_keep(machine: Machine, owner: Value | Scope, name: str, above: int) -> bool:
    """Whether a variable or an attribute may hold a tracer of a trace deeper than `above`."""
    if not isinstance(owner, HeapObject | Scope):
        return True
    held = machine.read(owner, name)
    return held is None or _may_hold(machine, held, above)


def _may_hold(machine: Machine, value: Value, above: int) -> bool:
    """Whether a value may be, or hold, a tracer of a trace deeper than `above`. Containers may hold
    themselves.
    """
    stack = [value]
    opened: set[HeapObject] = set()
    while stack:
        match stack.pop():
            case Array(place=place, level=level):
                if level > above or place is Place.ANY:
                    return True
            case Constant() | Scalar():
                pass
            case TupleValue() | Items() | Entries() as held:
                stack.extend(_held(machine, held))
            case HeapObject(kind="list" | "dict" | "set" | "deque") as container:
                content = () if container in opened else _held(machine, container)
                if not content and container not in opened:
                    return True
                opened.add(container)
                stack.extend(content)
            case _:
                return True
    return False


def check_advance(
    machine: Machine, iterator: HeapObject, how: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports an iterator made outside a staged trace and advanced inside it."""
    name = frame.text(node) if how == "for" else _target(node, frame)
    if iterator.level < frame.staged_level:
        meant = machine.assumptions.counts_calls(name)
        machine.emit(
            events.IteratorAdvance,
            frame,
            node,
            iterator,
            node,
            meant,
            iterator=name,
            how=how,
            meant=meant,
        )

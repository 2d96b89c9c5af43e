"""Leaks: a tracer stored where it outlives its trace.

Every object knows the depth of the trace that made it, and every tracer the depth of the trace it
belongs to. A store is a leak when the object is older than the tracer's trace.
"""

from collections.abc import Callable
from functools import partial

from oakum.values.records import dataclass, field, replace
from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue, FunctionValue, Scope, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.names import bound_in
from oakum_lint.domain.reporting import MEANT, trace_of
from oakum_lint.domain.summaries.memory import forget_calls
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
)
from oakum_lint.python.objects.access_paths import (
    doubtful_origin,
    is_handed_back,
    is_managed,
    is_restored,
    is_undone,
    level_of_owner,
)
from oakum_lint.python.objects.lifetimes import adopt, contents, find_tracer, place_of_return
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

KEEPING = frozenset({"append", "appendleft", "extend", "add", "update"})
"""Methods that containers have to keep what they get."""


@dataclass(frozen=True, slots=True)
class IteratorAdvance(Event):
    """An iterator or generator made outside the trace is advanced inside it: it moves once, when
    tracing. `meant`: its name says that it numbers what is made.
    """

    iterator: str
    how: str
    meant: bool = False


@dataclass(frozen=True, slots=True)
class KeptStore:
    """A store of a tracer in something older than its trace."""

    is_there: Callable[[], bool]
    """Whether it may be there still: asked where the trace ends."""
    kept: list[Event]
    """What is to be reported if so."""
    definitions: frozenset[int]
    """The identities of the functions that were running."""


@dataclass(slots=True)
class _FilledCaches:
    """The arguments by which calls outside of traces have filled the caches of functions, by the
    identities of these."""

    keys: dict[int, tuple[tuple[Value | None, ...], ...]] = field(
        default_factory=dict[int, tuple[tuple[Value | None, ...], ...]]
    )


@dataclass(slots=True)
class Stores:
    """Where tracers of each running trace were stored, by the trace's identity."""

    by_trace: dict[int, list[KeptStore]] = field(default_factory=dict[int, list[KeptStore]])


def _begin_trace(machine: Machine, trace: Trace) -> None:
    machine.state_of(Stores).by_trace[trace.uid] = []


def _end_trace(machine: Machine, trace: Trace) -> None:
    """Reports the stores that are there still."""
    for store in machine.state_of(Stores).by_trace.pop(trace.uid):
        if store.is_there():
            machine.reports.report(store.kept)
        else:
            # Elsewhere what they store may stay.
            forget_calls(machine, store.definitions)


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


def _check_store(
    machine: Machine,
    owner: HeapObject,
    value: Value,
    how: str,
    _source: nodes.Node | None,
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


def _check_attribute_store(
    machine: Machine, owner: Value, name: str, value: Value, frame: Frame, node: nodes.Node
) -> None:
    """Reports a tracer assigned to an attribute of an object that is older than its trace."""
    match owner:
        case HeapObject(kind="instance" | "opaque", level=level):
            if is_managed(owner):
                return
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
        tracer = replace(tracer, origin=doubtful_origin(tracer, frame, node))
    still = partial(_may_keep, machine, owner, name, level)
    _emit(machine, frame, node, tracer, "attribute", frame.text(node), "=", still)


def _check_dropped(machine: Machine, _result: Value, frame: Frame, node: nodes.Node) -> None:
    """Reports a tracer that an object of unknown class gets to keep: `log.append(x)` is called for
    nothing else where nobody takes its result.
    """
    match node:
        case nodes.Call(
            function=nodes.Attribute(value=nodes.Name() as owner, attribute=how),
            arguments=(nodes.Name() | nodes.Attribute() as passed,),
            keywords=(),
        ) if frame.trace is not None and how in KEEPING:
            pass
        case _:
            return
    scope = bound_in(machine, owner.identifier, frame)
    if scope is None or not isinstance(machine.evaluate(owner, frame), Unknown):
        return
    tracer = find_tracer(machine, machine.evaluate(passed, frame), scope.level)
    name = owner.identifier
    # A second update may put back what was there.
    put_back = how == "update" and frame.unit.text.count(f"{name}.update(") > 1
    if tracer is not None and not put_back:
        doubt = f"what `{name}` is, and does with it, is not seen"
        details = {"kind": "container", "target": name, "how": how}
        machine.emit(events.Leak, frame, node, tracer, passed, doubt, **details)


def _check_updated(
    machine: Machine,
    target: nodes.Expression,
    source: nodes.Expression,
    value: Value,
    frame: Frame,
) -> None:
    """Reports an attribute that unseen code updates by tracers: `self.state = f(self.state, x)`."""
    if frame.trace is None or not (isinstance(value, Unknown) and isinstance(source, nodes.Call)):
        return
    passed = (*source.arguments, *(keyword.value for keyword in source.keywords))
    # Calls would be heard twice.
    plain = [each for each in passed if not any(isinstance(n, nodes.Call) for n in walk((each,)))]
    texts = {frame.text(each) for each in plain}
    targets = target.elements if isinstance(target, nodes.Display) else (target,)
    for each in targets:
        if not isinstance(each, nodes.Attribute) or frame.text(each) not in texts:
            continue
        owner = machine.look(each.value, frame)
        if isinstance(owner, HeapObject) and owner.kind == "instance" and not is_managed(owner):
            level = owner.level
        elif isinstance(owner, Unknown):
            level = level_of_owner(machine, each, frame)
        else:
            continue
        held = (find_tracer(machine, machine.look(one, frame), level) for one in passed)
        tracer = next((one for one in held if one is not None), None)
        if tracer is None or is_restored(each, frame) or is_handed_back(tracer, frame):
            continue
        name = frame.text(each)
        doubt = f"what `{frame.text(source.function)}` makes of tracers is not seen"
        details = {"kind": "attribute", "target": name, "how": "="}
        machine.emit(events.Leak, frame, each, tracer, each, doubt, **details)


def _check_cached(
    machine: Machine,
    owner: HeapObject | None,
    function: FunctionValue,
    value: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a tracer that a cached property keeps on an older instance, where it is returned, or
    that a cached function returns: its cache outlives every trace.
    """
    if owner is None:
        tracer = find_tracer(machine, value, 0, in_objects=True)
        _check_cached_call(machine, function, tracer, frame, node)
        return
    tracer = find_tracer(machine, value, owner.level)
    if tracer is None:
        return
    frame, node = place_of_return(function, frame, node)
    _emit(machine, frame, node, tracer, "cache", function.name, "return", lambda: True)


def _check_cached_call(
    machine: Machine,
    function: FunctionValue,
    tracer: Array | Tree | None,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a tracer that a cached function returns, unless a call outside of traces came before,
    which has filled the cache.
    """
    names = [parameter.name for parameter in function.definition.parameters.items]
    key = tuple(machine.store.get((frame.scope, name)) for name in names)
    filled = machine.state_of(_FilledCaches).keys
    before = filled.get(id(function.definition), ())
    if tracer is None:
        callers = tuple(frame.callers())
        if any(caller.guards for caller in callers):
            key = (None,)  # it need not have been called
        seen = frame.trace is None and not any(caller.called.speculative for caller in callers)
        if seen and key not in before:
            filled[id(function.definition)] = (*before, key)
        return
    plain = all(isinstance(part, Constant) for part in key)
    if plain and key in before:
        return
    same = next((other for other in before if not (plain and all(map(_is_constant, other)))), None)
    doubt = "" if same is None else "a call outside of traces may have filled the cache"
    details = {"kind": "cache", "target": function.name, "how": "return"}
    machine.emit(events.Leak, frame, node, tracer, node, doubt, **details)


def _is_constant(value: Value | None) -> bool:
    return isinstance(value, Constant)


def _check_binding(
    machine: Machine,
    scope: Scope,
    name: str,
    _old: Value | None,
    value: Value,
    frame: Frame,
    node: nodes.Node,
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
    with machine.reports.collecting() as kept:
        machine.emit(events.Leak, frame, node, tracer, stored, kind=kind, target=target, how=how)
    trace = trace_of(tracer, frame)
    running = None if trace is None else machine.state_of(Stores).by_trace.get(trace.uid)
    if running is None:
        machine.reports.report(kept)
    else:
        functions = [caller.called.function for caller in frame.callers()]
        ran = frozenset(id(each.definition) for each in functions if each is not None)
        running.append(KeptStore(still, kept, ran))


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
                stack.extend(contents(machine, held))
            case HeapObject(kind="list" | "dict" | "set" | "deque") as container:
                content = () if container in opened else contents(machine, container)
                if not content and container not in opened:
                    return True
                opened.add(container)
                stack.extend(content)
            case _:
                return True
    return False


def _check_advance(
    machine: Machine, iterator: HeapObject, how: str, frame: Frame, node: nodes.Node
) -> None:
    """Reports an iterator made outside a staged trace and advanced inside it."""
    name = frame.text(node) if how == "for" else _target(node, frame)
    if iterator.level < frame.staged_level:
        meant = machine.assumptions.counts_calls(name)
        machine.emit(
            IteratorAdvance,
            frame,
            node,
            iterator,
            node,
            MEANT if meant else iterator.label,
            iterator=name,
            how=how,
            meant=meant,
        )


GUEST = Guest(
    "leaks",
    Moments(
        trace_entered=(_begin_trace,),
        trace_left=(_end_trace,),
        bound_outside=(_check_binding,),
        attribute_stored=(_check_attribute_store,),
        assigning=(_check_updated,),
        cached=(_check_cached,),
        advanced=(_check_advance,),
        stored=(_check_store,),
        dropped=(_check_dropped,),
    ),
    after=("impure_calls",),
)

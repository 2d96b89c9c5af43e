"""Updates that a trace loses: a transform of JAX takes the objects among its arguments apart, and
the function gets copies. What is done to a copy stays inside, unless the copy, or its new state, is
returned.
"""

from typing import Literal

from oakum.values.facts import TraceKind
from oakum.values.records import dataclass, field, replace
from oakum_lint.arrays.graph_modules import is_graph
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Method
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Trace, TraceEntry
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import (
    ARRIVED,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Entries,
    HeapObject,
    Items,
    LibraryObject,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.models.frameworks.flax_nnx import COUNTING_LAYERS, how_it_changes
from oakum_lint.python.objects.lifetimes import MAX_SEARCH, contents
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

UpdateKind = Literal["variable", "attribute", "method", "layer", "draw"]

_SHOWN_ONLY: frozenset[TraceKind] = frozenset(("eval", "make_jaxpr"))
"""Kinds of transforms from which nobody expects that anything is done."""
EVALUATES = "in evaluation mode the layer changes nothing"
DRAWS_ONCE = "where the function runs once, nothing is drawn twice"
SCRATCH = "nobody need read the attribute afterwards"
MEANT = "the function may use the copy that it has changed, and no one else"


@dataclass(frozen=True, slots=True)
class LostUpdate(Event):
    """An object that a trace of `transform` got as an argument is changed by `update`, and does not
    come out of it.
    """

    update: str
    kind: UpdateKind
    transform: str


@dataclass(slots=True)
class _Update:
    kept: list[Event]
    owner: Value
    place: str
    value: Value


@dataclass(slots=True)
class _Updates:
    by_trace: dict[int, list[_Update]] = field(default_factory=dict[int, list[_Update]])


def _trace_at(frame: Frame, level: int) -> Trace | None:
    """The trace of a level around a frame."""
    trace = frame.trace
    while trace is not None and trace.level > level:
        trace = trace.parent
    return trace


def _note(
    machine: Machine,
    owner: HeapObject | LibraryObject,
    kind: UpdateKind,
    value: Value,
    frame: Frame,
    node: nodes.Node,
    doubt: str = MEANT,
) -> None:
    """Notes an update of an object that has come into a trace, the last of each place in it."""
    level = owner.level if isinstance(owner, HeapObject) else owner.arrived
    trace = _trace_at(frame, level) if level else None
    if trace is None or trace.lifted or trace.presumed or trace.kind in _SHOWN_ONLY:
        return
    with machine.reports.collecting() as kept:
        details = {"update": frame.text(node), "kind": kind, "transform": trace.label}
        machine.emit(LostUpdate, frame, node, UNKNOWN, node, doubt, **details)
    noted = machine.state_of(_Updates).by_trace.setdefault(trace.uid, [])
    place = frame.text(node)
    if kind in ("variable", "attribute"):
        noted[:] = [each for each in noted if each.owner != owner or each.place != place]
    noted.append(_Update(kept, owner, place, value))
    if machine.recorder is not None:
        machine.recorder.lapses.add(_updates)


def _updates(_machine: Machine) -> bool:
    """A call that updates an object of a trace is followed again: it does so in each trace."""
    return True


def _check_assignment(
    machine: Machine,
    target: nodes.Expression,
    source: nodes.Expression,
    value: Value,
    frame: Frame,
) -> None:
    """Notes `self.mean = 0.9 * self.mean + x`, and what an NNX variable is set to."""
    if frame.trace is None or not isinstance(target, nodes.Attribute | nodes.Subscript):
        return
    if not _sets_variable(machine, target, value, frame) and isinstance(target, nodes.Attribute):
        spelled = frame.text(target)
        own = (node for node in walk((source,)) if isinstance(node, nodes.Attribute))
        if any(frame.text(node) == spelled for node in own):
            _change(machine, machine.look(target.value, frame), value, frame, target)


def _check_change(
    machine: Machine,
    owner: Value,
    _old: Value,
    new: Value,
    frame: Frame,
    node: nodes.Attribute | nodes.Subscript,
) -> None:
    """Notes `self.count += 1`, and that of an NNX variable."""
    if frame.trace is not None and not _sets_variable(machine, node, new, frame):
        _change(machine, owner, new, frame, node)


def _sets_variable(
    machine: Machine, target: nodes.Attribute | nodes.Subscript, value: Value, frame: Frame
) -> bool:
    """Notes `module.count.value = x` and `module.count[...] = x`; whether it is one of these."""
    match target:
        case nodes.Attribute(value=nodes.Attribute(value=held), attribute="value"):
            pass
        case nodes.Subscript(value=nodes.Attribute(value=held), index=index) if (
            frame.text(index) == "..."
        ):
            pass
        case _:
            return False
    owner = machine.look(held, frame)
    if isinstance(owner, HeapObject) and owner.label == ARRIVED and is_graph(owner):
        _note(machine, owner, "variable", value, frame, target)
        return True
    return False


def _change(
    machine: Machine, owner: Value, value: Value, frame: Frame, target: nodes.Expression
) -> None:
    if isinstance(owner, HeapObject) and owner.label == ARRIVED:
        if is_graph(owner):
            _note(machine, owner, "variable", value, frame, target)
        else:
            _note(machine, owner, "attribute", value, frame, target, SCRATCH)


def _check_method(
    machine: Machine, method: Method, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes `optimizer.update(...)`, `metrics.update(...)` and `rngs.params()`."""
    match method.receiver:
        case LibraryObject(path) as owner if owner.arrived and isinstance(node, nodes.Call):
            how = how_it_changes(path, method.name)
            if how == "draw":
                _note(machine, owner, "draw", UNKNOWN, frame, node.function, DRAWS_ONCE)
            elif how:
                _note(machine, owner, "method", UNKNOWN, frame, node.function)
        case _:
            pass


def _check_layer(
    machine: Machine, layer: LibraryObject, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes the call of a layer that counts, where a gradient is taken: it trains."""
    trains = frame.trace is not None and frame.trace.differentiated
    if trains and layer.path in COUNTING_LAYERS and isinstance(node, nodes.Call):
        _note(machine, layer, "layer", UNKNOWN, frame, node.function, EVALUATES)


def _end(machine: Machine, entry: TraceEntry, _function: Value, result: Value) -> None:
    """Reports the first update of what does not come out."""
    by_trace = machine.state_of(_Updates).by_trace
    noted = by_trace.pop(entry.trace.uid, None)
    if noted and not by_trace and machine.recorder is not None:
        machine.recorder.lapses.discard(_updates)  # all of it is in the call that goes on
    returned = _returned(machine, result) if noted else None
    if noted is None or returned is None:
        return
    lost = [
        each
        for each in noted
        if not any(_is_one(each.owner, held) or each.value is held for held in returned)
    ]
    if lost:
        machine.reports.report(lost[0].kept)


def _is_one(owner: Value, held: Value) -> bool:
    """Whether an object is another one as it was before a transform inside put tracers into it."""
    match owner, held:
        case LibraryObject(), LibraryObject():
            return replace(owner, parameters=None) == replace(held, parameters=None)
        case _:
            return owner == held


def _returned(machine: Machine, result: Value) -> list[Value] | None:
    """The arrays and objects in a result; None where more may be in it."""
    stack, found = [result], list[Value]()
    while stack and len(found) < MAX_SEARCH:
        held = stack.pop()
        match held:
            case Constant() | Scalar():
                continue
            case Array() | LibraryObject():
                pass
            case HeapObject() if held in found:
                continue
            case HeapObject(label=label) if label == ARRIVED:
                stack.extend(part for _, part in machine.store.held_by(held) if part != UNKNOWN)
            case Choice(options=options):
                stack.extend(options)
            case (
                TupleValue()
                | Items()
                | Entries()
                | HeapObject(kind="list" | "dict" | "set" | "deque")
            ):
                stack.extend(contents(machine, held))
            case _:
                return None
        found.append(held)
    return None if stack else found


GUEST = Guest(
    "lost_updates",
    Moments(
        assigning=(_check_assignment,),
        changed=(_check_change,),
        method_call=(_check_method,),
        layer_called=(_check_layer,),
        traced=(_end,),
    ),
)

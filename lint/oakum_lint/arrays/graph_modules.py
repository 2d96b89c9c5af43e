"""Modules of NNX in traces. Where a transform of NNX traces them the objects stay, and they hold
tracers for as long as the trace lasts; to JAX they are trees like others.
"""

from oakum.values.records import dataclass, field
from oakum_lint.arrays.pytrees import MAX_TREE_DEPTH, Leaf, map_leaves
from oakum_lint.arrays.trace_boundary import Lifter
from oakum_lint.domain.frames import Frame, Trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    Array,
    Entries,
    HeapObject,
    Items,
    LibraryObject,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.syntax import nodes


@dataclass(slots=True)
class _TracedModules:
    """What was put in the place of the parts of modules, by the identity of the trace."""

    by_trace: dict[int, list[tuple[HeapObject, str, Value, Value]]] = field(
        default_factory=dict[int, list[tuple[HeapObject, str, Value, Value]]]
    )


def is_graph(value: Value) -> bool:
    """Whether a value is an object of a class of NNX."""
    cls = value.cls if isinstance(value, HeapObject) and value.kind == "instance" else None
    return cls is not None and "nnx" in cls.conventions


def _unchanged(leaf: Value) -> Value:
    return leaf


def made_inside(
    machine: Machine,
    value: Value,
    level: int,
    frame: Frame,
    node: nodes.Node,
    change: Leaf = _unchanged,
    label: str = "",
    depth: int = MAX_TREE_DEPTH,
) -> Value:
    """A tree that JAX takes apart and puts together within a trace of this level: its containers
    and modules are new, and what is done to them reaches nothing outside. Its leaves are changed;
    plain attributes of modules are none.
    """

    def of_module(part: Value) -> Value:
        return change(part) if isinstance(part, Array | Tree | LibraryObject) else part

    def leaf(part: Value) -> Value:
        if not (depth and isinstance(part, HeapObject) and is_graph(part)):
            return change(part)
        made = HeapObject("instance", level, part.cls, label)
        for name, held in [*machine.store.held_by(part)]:
            inner = made_inside(machine, held, level, frame, node, of_module, label, depth - 1)
            machine.write(made, name, inner)
        return made

    return map_leaves(machine, value, leaf, level, frame, node)


def trace_parts(machine: Machine, module: Value, lifter: Lifter, trace: Trace) -> None:
    """Has a module, and those that it holds, hold tracers until the trace ends."""
    changed = machine.state_of(_TracedModules).by_trace.setdefault(trace.uid, [])
    stack, seen = [module], set[int]()
    while stack:
        match stack.pop():
            case HeapObject(kind="instance") as owner if is_graph(owner):
                if owner.uid in seen:
                    continue
                seen.add(owner.uid)
                for name, part in [*machine.store.held_by(owner)]:
                    if isinstance(part, Array | Tree | LibraryObject):
                        lifted = lifter(part)
                        if lifted is not part:
                            machine.write(owner, name, lifted)
                            changed.append((owner, name, part, lifted))
                    else:
                        stack.append(part)
            case HeapObject(kind="list" | "dict") as owner if owner.uid not in seen:
                seen.add(owner.uid)
                content = machine.read(owner, CONTENT)
                held = _lifted_content(content, lifter)
                if content is not None and held is not None:
                    machine.write(owner, CONTENT, held)
                    changed.append((owner, CONTENT, content, held))
                stack.extend(_parts(content))
            case TupleValue() as content:
                stack.extend(_parts(content))
            case _:
                pass


def _parts(content: Value | None) -> tuple[Value, ...]:
    match content:
        case Items(elements, rest) | TupleValue(elements, rest):
            return (rest,) if elements is None else elements
        case Entries(known, rest):
            return (*(item for _, item in known), *(() if rest is None else (rest,)))
        case _:
            return ()


def _lifted_content(content: Value | None, lifter: Lifter) -> Value | None:
    """The content of a container that holds layers, with tracers in them; None for any other."""

    def lift(part: Value) -> Value:
        return lifter(part) if isinstance(part, Array | Tree | LibraryObject) else part

    match content:
        case Items(None, rest, length):
            return Items(None, lift(rest), length)
        case Items(elements) if elements is not None:
            return Items(tuple(map(lift, elements)))
        case Entries(known, rest):
            pairs = tuple((key, lift(item)) for key, item in known)
            return Entries(pairs, None if rest is None else lift(rest))
        case _:
            return None


def leave_parts(machine: Machine, trace: Trace) -> None:
    """Gives modules back what they held before the trace, but for what was set in it."""
    changed = machine.state_of(_TracedModules).by_trace.pop(trace.uid, None)
    for owner, name, before, lifted in reversed(changed or ()):
        if machine.read(owner, name) == lifted:
            machine.write(owner, name, before)

"""Assignment statements: plain, augmented and annotated."""

from oakum_lint.analyses.aliases import note_copy
from oakum_lint.analyses.impure_calls import check_increment
from oakum_lint.analyses.leaks import check_store
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join_all
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.names import binding_scope, look_up
from oakum_lint.domain.ranks import with_own_rank
from oakum_lint.domain.store import CONTENT, Key
from oakum_lint.domain.values import (
    Array,
    HeapObject,
    Items,
    Place,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.python.expressions.operators import SPECIAL, binary, call_special
from oakum_lint.python.expressions.subscripts import get_item
from oakum_lint.python.objects.containers import iterate, merged
from oakum_lint.python.statements.assignments import assign, set_item
from oakum_lint.syntax import nodes


def assignment(machine: Machine, node: nodes.Assignment, frame: Frame) -> bool:
    """Runs `target = value`."""
    value = with_own_rank(machine.evaluate(node.value, frame))
    for target in node.targets:
        if isinstance(node.value, nodes.BinaryOperation):
            _check_own_increment(machine, target, node.value, value, frame)
        assign(machine, target, value, frame)
        _note_copies(machine, node.value, target, frame)
    return True


def _note_copies(
    machine: Machine, source: nodes.Expression, target: nodes.Expression, frame: Frame
) -> None:
    match target:
        case nodes.Name(identifier=name):
            key: Key = (binding_scope(machine, name, frame), name)
        case nodes.Attribute(value=nodes.Name(identifier=name), attribute=attribute):
            owner = look_up(machine, name, frame)
            if not isinstance(owner, HeapObject):
                return
            key = (owner, attribute)
        case nodes.Subscript(value=nodes.Name(identifier=name)):
            owner = look_up(machine, name, frame)
            if not isinstance(owner, HeapObject):
                return
            key = (owner, CONTENT)
        case _:
            return
    match source:
        case nodes.Display(elements=parts) | nodes.DictDisplay(values=parts):
            pass
        case _:
            parts = (source,)
    for part in parts:
        note_copy(machine, part, key, frame)


def _check_own_increment(
    machine: Machine,
    target: nodes.Expression,
    computed: nodes.BinaryOperation,
    value: Value,
    frame: Frame,
) -> None:
    """`self.n = self.n + 1`, `counts[key] = counts.get(key, 0) + 1`, and the same with
    `getattr(self, "n", 0)`.
    """
    match target:
        case nodes.Attribute() if frame.text(target) in frame.text(computed):
            owner = machine.evaluate(target.value, frame)
            old = machine.evaluate(target, frame)
        case nodes.Attribute() if any(
            _gets(part, target, frame) for part in (computed.left, computed.right)
        ):
            owner, old = machine.evaluate(target.value, frame), value
        case nodes.Subscript() if frame.text(target.value) in frame.text(computed):
            owner, old = machine.evaluate(target.value, frame), value
        case _:
            return
    check_increment(machine, owner, old, value, frame, target)


def _gets(node: nodes.Expression, target: nodes.Attribute, frame: Frame) -> bool:
    """Whether an expression is `getattr(owner, "name", default)` of an attribute."""
    if not isinstance(node, nodes.Call) or len(node.arguments) != 3:
        return False
    owner, name, _ = node.arguments
    return (
        frame.text(node.function) == "getattr"
        and frame.text(owner) == frame.text(target.value)
        and isinstance(name, nodes.Constant)
        and name.value == target.attribute
    )


def augmented_assignment(machine: Machine, node: nodes.AugmentedAssignment, frame: Frame) -> bool:
    """Runs `target += value` and its kin."""
    spelled = f"{node.operator}="
    if isinstance(node.target, nodes.Subscript):
        owner = machine.evaluate(node.target.value, frame)
        index = machine.evaluate(node.target.index, frame)
        value = machine.evaluate(node.value, frame)
        old = get_item(machine, owner, index, frame, node.target)
        if isinstance(owner, Array) and owner.place is not Place.HOST:
            if not isinstance(old, Unknown):
                # Else the index was reported: reading comes first.
                set_item(machine, owner, index, value, frame, node.target, spelled)
            return True
        new = binary(machine, node.operator, old, value, node.target, frame)
        check_increment(machine, owner, old, new, frame, node.target)
        set_item(machine, owner, index, new, frame, node.target, spelled)
        return True
    old = machine.evaluate(node.target, frame)
    value = machine.evaluate(node.value, frame)
    if isinstance(old, HeapObject) and old.kind == "list" and node.operator == "+":
        _extend_in_place(machine, old, value, frame, node)
        return True
    if isinstance(old, HeapObject) and old.kind == "dict" and node.operator == "|":
        added = entries_of(machine, value)
        stored = TupleValue(None, element_of(added))
        check_store(machine, old, stored, "|=", frame, node.target)
        machine.write(old, CONTENT, merged(entries_of(machine, old), added))
        return True
    if isinstance(old, HeapObject) and old.kind == "instance":
        changed = call_special(
            machine, old, f"__i{SPECIAL[node.operator]}__", (value,), node, frame
        )
        if changed is not None:
            assign(machine, node.target, changed, frame, spelled)
            return True
    new = binary(machine, node.operator, old, value, node.target, frame)
    if isinstance(node.target, nodes.Attribute):
        owner = machine.evaluate(node.target.value, frame)
        check_increment(machine, owner, old, new, frame, node.target)
    assign(machine, node.target, new, frame, spelled)
    return True


def _extend_in_place(
    machine: Machine, owner: HeapObject, value: Value, frame: Frame, node: nodes.AugmentedAssignment
) -> None:
    items = iterate(machine, value, frame, node.value)
    check_store(machine, owner, TupleValue(items.elements, items.rest), "+=", frame, node.target)
    old = content_of(machine, owner)
    if old.elements is not None and items.elements is not None:
        machine.write(owner, CONTENT, Items(old.elements + items.elements))
    else:
        machine.write(owner, CONTENT, Items(None, join_all((element_of(old), element_of(items)))))


def annotated_assignment(machine: Machine, node: nodes.AnnotatedAssignment, frame: Frame) -> bool:
    """Runs `target: annotation = value`."""
    if node.value is not None:
        assign(machine, node.target, machine.evaluate(node.value, frame), frame)
    return True

"""Assignment statements: plain, augmented and annotated."""

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.moments import change, store_in
from oakum_lint.domain.ranks import with_own_rank
from oakum_lint.domain.store import CONTENT
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
from oakum_lint.python.objects.containers import extend_content, iterate, merged
from oakum_lint.python.statements.assignments import assign, set_item
from oakum_lint.syntax import nodes

IN_PLACE = frozenset(
    {("list", "+"), ("list", "*"), ("deque", "+"), *(("set", operator) for operator in "|&-^")}
)
"""Augmented assignments that change a container, by its kind and the operator."""


def assignment(machine: Machine, node: nodes.Assignment, frame: Frame) -> bool:
    """Runs `target = value`."""
    value = with_own_rank(machine.evaluate(node.value, frame))
    for target in node.targets:
        for awaits in machine.moments.assigning:
            awaits(machine, target, node.value, value, frame)
        assign(machine, target, value, frame)
        for hears in machine.moments.assigned:
            hears(machine, target, node.value, frame)
    return True


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
        change(machine, owner, old, new, frame, node.target)
        set_item(machine, owner, index, new, frame, node.target, spelled)
        return True
    old = machine.evaluate(node.target, frame)
    value = machine.evaluate(node.value, frame)
    if isinstance(old, HeapObject) and (old.kind, node.operator) in IN_PLACE:
        _extend_in_place(machine, old, value, frame, node)
        return True
    if isinstance(old, HeapObject) and old.kind == "dict" and node.operator == "|":
        added = entries_of(machine, value)
        stored = TupleValue(None, element_of(added))
        store_in(machine, old, stored, "|=", frame, node.target)
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
        change(machine, owner, old, new, frame, node.target)
    assign(machine, node.target, new, frame, spelled)
    return True


def _extend_in_place(
    machine: Machine, owner: HeapObject, value: Value, frame: Frame, node: nodes.AugmentedAssignment
) -> None:
    if node.operator == "*":
        repeated = binary(machine, "*", owner, value, node.target, frame)
        machine.write(owner, CONTENT, content_of(machine, repeated))
        return
    items = iterate(machine, value, frame, node.value)
    how = f"{node.operator}="
    store_in(machine, owner, TupleValue(items.elements, items.rest), how, frame, node.target)
    if node.operator not in "+|":
        # It is not followed which elements a set loses.
        machine.write(owner, CONTENT, Items(None, element_of(content_of(machine, owner))))
    if node.operator in "+|^":
        extend_content(machine, owner, items)


def annotated_assignment(machine: Machine, node: nodes.AnnotatedAssignment, frame: Frame) -> bool:
    """Runs `target: annotation = value`."""
    if node.value is not None:
        assign(machine, node.target, machine.evaluate(node.value, frame), frame)
    return True

"""Generator functions: what their `yield`s give."""

from oakum_lint.facts import nodes
from oakum_lint.interp.containers import content_of, entries_of, iterate, make_dict, make_list
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.joins import element_of, join
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import (
    NONE,
    UNKNOWN,
    Entries,
    HeapObject,
    Items,
    TupleValue,
    Value,
)


def yielded(machine: Machine, node: nodes.Yield, frame: Frame) -> Value:
    """Evaluates `yield`, and runs the body of the `with` statement that waits for it."""
    value: Value = NONE
    if node.value is not None:
        value = machine.evaluate(node.value, frame)
    if frame.on_yield is not None:
        frame.on_yield(value)
        return UNKNOWN
    if node.is_from and node.value is not None:
        value = element_of(iterate(machine, value, frame, node.value))
    known = frame.yields.get(node.start)
    frame.yields[node.start] = value if known is None else _common(machine, known, value, frame)
    return UNKNOWN


def _common(machine: Machine, a: Value, b: Value, frame: Frame) -> Value:
    """What two values have in common that one `yield` gives in different rounds of a loop: of two
    lists or dicts, another one with what they hold in common.
    """
    match a, b:
        case HeapObject(kind="list", cls=None), HeapObject(kind="list", cls=None) if a is not b:
            x, y = content_of(machine, a), content_of(machine, b)
            items = _common_elements(machine, x, y, frame)
            return make_list(machine, items.elements, items.rest, frame)
        case HeapObject(kind="dict", cls=None), HeapObject(kind="dict", cls=None) if a is not b:
            return make_dict(machine, _common_entries(machine, a, b, frame), frame)
        case TupleValue(cls=None), TupleValue(cls=None):
            x, y = Items(a.elements, a.rest), Items(b.elements, b.rest)
            items = _common_elements(machine, x, y, frame)
            return TupleValue(items.elements, items.rest)
        case _:
            return join(a, b)


def _common_elements(machine: Machine, a: Items, b: Items, frame: Frame) -> Items:
    if a.elements is None or b.elements is None or len(a.elements) != len(b.elements):
        return Items(None, _common(machine, element_of(a), element_of(b), frame))
    pairs = zip(a.elements, b.elements, strict=True)
    return Items(tuple(_common(machine, x, y, frame) for x, y in pairs))


def _common_entries(machine: Machine, a: HeapObject, b: HeapObject, frame: Frame) -> Entries:
    first, second = entries_of(machine, a), entries_of(machine, b)
    if first.rest is not None or second.rest is not None:
        return Entries((), join(element_of(first), element_of(second)))
    if [key for key, _ in first.known] != [key for key, _ in second.known]:
        return Entries((), join(element_of(first), element_of(second)))
    pairs = zip(first.known, second.known, strict=True)
    return Entries(tuple((key, _common(machine, x, y, frame)) for (key, x), (_, y) in pairs))

"""Generator functions: what they yield."""

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of, join, join_all
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Entries,
    HeapObject,
    Items,
    TupleValue,
    Value,
)
from oakum_lint.python.objects.containers import extend_content, iterate, make_dict, make_list
from oakum_lint.syntax import nodes

MAX_DEPTH = 4
"""Lists and dicts are compared so deep: one may hold itself."""


def yielded(machine: Machine, node: nodes.Yield, frame: Frame) -> Value:
    """Evaluates `yield`, and runs the body of the `with` statement that waits for it."""
    value: Value = NONE
    if node.value is not None:
        value = machine.evaluate(node.value, frame)
    if frame.flow.on_yield is not None:
        frame.flow.on_yield(value)
        return UNKNOWN
    items = Items((value,))
    if node.is_from and node.value is not None:
        items = iterate(machine, value, frame, node.value)
    if frame.flow.generator is not None:
        extend_content(machine, frame.flow.generator, items)
    value = element_of(items)
    known = frame.flow.yields.get(node.start)
    frame.flow.yields[node.start] = (
        value if known is None else _Common(machine, frame).of(known, value)
    )
    return UNKNOWN


def finish_generator(machine: Machine, made: HeapObject, frame: Frame) -> None:
    """Says what a generator yields that has run to its ends: one after the other where it is
    certain, else what all of its `yield`s have in common.
    """
    common = Items(None, join_all(tuple(frame.flow.yields.values())))
    for written in frame.flow.exits:
        content = written.get((made, CONTENT))
        if not isinstance(content, Items) or content.elements is None:
            written[made, CONTENT] = common
    if not frame.flow.exits:
        frame.flow.exits.append({**machine.written_in(frame), (made, CONTENT): common})


class _Common:
    """The common part of the values of one `yield` in different iterations of a loop."""

    __slots__ = ("_depth", "_frame", "_machine")

    def __init__(self, machine: Machine, frame: Frame) -> None:
        self._machine = machine
        self._frame = frame
        self._depth = MAX_DEPTH

    def of(self, a: Value, b: Value) -> Value:
        """Returns the common part of two: of lists or dicts, another one with what both hold."""
        if not self._depth:
            return UNKNOWN
        self._depth -= 1
        try:
            return self._container(a, b)
        finally:
            self._depth += 1

    def _container(self, a: Value, b: Value) -> Value:
        machine, frame = self._machine, self._frame
        match a, b:
            case HeapObject(kind="list", cls=None), HeapObject(kind="list", cls=None) if a is not b:
                items = self._elements(content_of(machine, a), content_of(machine, b))
                return make_list(machine, items.elements, items.rest, frame)
            case HeapObject(kind="dict", cls=None), HeapObject(kind="dict", cls=None) if a is not b:
                entries = self._entries(entries_of(machine, a), entries_of(machine, b))
                return make_dict(machine, entries, frame)
            case TupleValue(cls=None), TupleValue(cls=None):
                items = self._elements(Items(a.elements, a.rest), Items(b.elements, b.rest))
                return TupleValue(items.elements, items.rest)
            case _:
                return join(a, b)

    def _elements(self, a: Items, b: Items) -> Items:
        if a.elements is None or b.elements is None or len(a.elements) != len(b.elements):
            return Items(None, self.of(element_of(a), element_of(b)))
        pairs = zip(a.elements, b.elements, strict=True)
        return Items(tuple(self.of(x, y) for x, y in pairs))

    def _entries(self, a: Entries, b: Entries) -> Entries:
        keys = [[key for key, _ in entries.known] for entries in (a, b)]
        if a.rest is not None or b.rest is not None or keys[0] != keys[1]:
            return Entries((), join(element_of(a), element_of(b)))
        pairs = zip(a.known, b.known, strict=True)
        return Entries(tuple((key, self.of(x, y)) for (key, x), (_, y) in pairs))

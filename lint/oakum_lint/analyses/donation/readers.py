"""Who reads an array beside the lines that name it: what shows the container that it is in, and
whoever got it from a generator.
"""

from collections.abc import Iterable, Iterator

from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute, content_of
from oakum_lint.domain.reachability import all_in, held_in
from oakum_lint.domain.values import Entries, HeapObject, Items, TupleValue, Value


def is_yielded(machine: Machine, value: Value, frame: Frame) -> bool:
    """Whether a generator has yielded an object or an array before: whoever got it has used it by
    now, though the analysis comes to that when the generator has ended.
    """
    generators = [caller.flow.generator for caller in frame.callers()]
    return any(
        held is value
        for generator in generators
        if generator is not None
        for held in all_in(content_of(machine, generator))
    )


def shown(machine: Machine, values: Iterable[Value]) -> Iterator[Value]:
    """Yields what is shown with some values: what an object shows of its arrays, its class says."""
    pending, seen = [*values], set[Value]()
    while pending:
        match pending.pop():
            case HeapObject(kind="list" | "dict", cls=None) as held if held not in seen:
                seen.add(held)
                pending.extend(value for _, value in machine.store.held_by(held))
            case TupleValue(cls=ClassValue() as cls) if any(
                class_attribute(machine, cls, name) for name in ("__repr__", "__str__")
            ):
                pass
            case TupleValue() | Items() | Entries() as holding:
                pending.extend(held_in(holding))
            case value:
                yield value

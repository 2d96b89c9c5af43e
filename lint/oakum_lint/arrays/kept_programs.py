"""Which programs a compiled function has already: called with arguments like earlier ones it does
not run its Python body again, so what that changes outside it changes once.
"""

from collections.abc import Hashable

from oakum.values.records import dataclass
from oakum_lint.arrays.pytrees import take_apart
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Partial,
    Transformed,
)
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import entries_of
from oakum_lint.domain.store import PROGRAMS
from oakum_lint.domain.values import (
    Array,
    Constant,
    DTypeValue,
    External,
    HeapObject,
    Mark,
    TupleValue,
    Value,
)
from oakum_lint.syntax import nodes

MAX_PARTS = 256
"""So many parts of arguments are compared; a call with more counts as one that traces."""


@dataclass(frozen=True, slots=True)
class Programs(Mark):
    """The calls with which a function may have been traced; None is one that is not known."""

    calls: frozenset[Hashable]

    def joined(self, other: Mark) -> Mark | None:
        """Those of both paths: it may have been traced on either."""
        return Programs(self.calls | other.calls) if isinstance(other, Programs) else None


@dataclass(frozen=True, slots=True)
class _Same:
    """A function by its identity: each that a definition makes is traced."""

    function: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.function is self.function

    def __hash__(self) -> int:
        return id(self.function)


@dataclass(frozen=True, slots=True)
class TracedCall:
    """A call of a compiled function, as far as it decides whether a program for it is there."""

    function: FunctionValue
    key: Hashable
    """None: what it is called with is not known well enough."""

    def may_be_kept(self, machine: Machine) -> bool:
        """Whether the function may have been traced for a call like this. That it still has that
        program is never certain: settings, caches that are cleared and callbacks have it run again.
        """
        calls = _calls(machine, self.function)
        return bool(calls) and (self.key is None or not calls.isdisjoint((self.key, None)))

    def keep(self, machine: Machine) -> None:
        """Notes that the function has been traced for it."""
        machine.write(
            self.function, PROGRAMS, Programs(_calls(machine, self.function) | {self.key})
        )


def _calls(machine: Machine, function: FunctionValue) -> frozenset[Hashable]:
    kept = machine.read(function, PROGRAMS)
    return kept.calls if isinstance(kept, Programs) else frozenset()


def traced_call(
    machine: Machine, function: Transformed, lifted: Arguments, frame: Frame, node: nodes.Node
) -> TracedCall | None:
    """What decides whether a call is traced; None of what is no function of the project. `lifted`
    are the arguments as the trace gets them.
    """
    own = function.function
    # A bound method is a new object each time that it is read, which equals the earlier ones; so
    # are, for Equinox, functions that a transform has made of one.
    called: list[Hashable] = []
    while not isinstance(own, FunctionValue):
        match own:
            case BoundMethod(inner):
                called.append(own)
            case Transformed(function=inner):
                called.append((own.name, own.options))
            case Partial(inner):
                called.append(_Same(own))
            case _:
                return None
        own = inner
    called.append(_Same(own))
    parts = [(str(number), each) for number, each in enumerate(lifted.positional)]
    parts += sorted(lifted.keywords.items(), key=lambda item: item[0])
    described = tuple((name, _described(machine, part, frame, node)) for name, part in parts)
    is_known = lifted.complete and all(key is not None for _, key in described)
    return TracedCall(own, (*called, function.options, described) if is_known else None)


def _described(machine: Machine, value: Value, frame: Frame, node: nodes.Node) -> Hashable:
    """What decides of an argument, outermost parts first; None where it is not known."""
    found: list[Hashable] = []
    stack = [value]
    while stack and len(found) < MAX_PARTS:
        part = stack.pop()
        match part:
            case Array(aval):
                if aval.dtype is None or aval.weak_type is None or aval.shape is None:
                    return None
                if not all(isinstance(size, int) for size in aval.shape):
                    return None
                found.append((aval.shape, aval.dtype.name, aval.weak_type))
            case Constant(held):
                found.append((type(held), held))
            case FunctionValue():
                found.append(_Same(part))
            case ClassValue() | DTypeValue() | External():
                found.append(part)
            case TupleValue() | HeapObject():
                container = take_apart(machine, part, frame.level, frame, node)
                if container is None or container.rest is not None:
                    return None
                kind = part.kind if isinstance(part, HeapObject) else "tuple"
                names = tuple(key for key, _ in entries_of(machine, part).known)
                found.append((kind, part.cls, names, container.metadata, len(container.children)))
                stack.extend(container.children)
            case _:
                return None
    return None if stack else tuple(found)

"""Times taken around calls of jitted functions and operations on arrays, which return before their
result is computed.

The analysis knows the last work that was handed to the device and that nobody is known to have
waited for since. What may wait, by this or any other name, clears it; so a finding says that
nothing did.
"""

from collections.abc import Iterable
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, Method
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import (
    NONE,
    Array,
    Constant,
    DTypeValue,
    External,
    HeapObject,
    LibraryObject,
    Place,
    Scalar,
    TimeStamp,
    TupleValue,
    Value,
    next_uid,
)
from oakum_lint.jax.non_pytree_values import is_plain_class
from oakum_lint.models.attributes import COMPARING_METHODS, NEVER_WAIT
from oakum_lint.models.dotted import BLOCK_UNTIL_READY
from oakum_lint.models.habits import SAYS_COMPILING
from oakum_lint.models.host.builtins import builtin_facts
from oakum_lint.models.host.objects import RUNNING, SHOWING
from oakum_lint.models.packages import in_jax
from oakum_lint.models.types import is_builtin_type
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

CONTAINERS = frozenset({"list", "dict", "set", "deque"})
NOTHING = ("", 0)
FIRST_CALL = "its line calls it the time of the compilation, and that is over when the call returns"


@dataclass(frozen=True, slots=True)
class UnawaitedTiming(Event):
    """The difference of two times is taken, between which a jitted function was called and nobody
    waited for its result. `function` is that function.
    """

    function: str


@dataclass(slots=True)
class Unawaited:
    """The work that the device got last and that nobody waited for, and when; by the readings of
    clocks what it was at each; the operations whose results are compared at once.
    """

    # What the bodies of modules have handed to the device is not what a function is timed for.
    forgotten: ClassVar = True
    now: tuple[str, int] = NOTHING
    at: dict[int, tuple[str, int]] = field(default_factory=dict[int, tuple[str, int]])
    compared: set[int] = field(default_factory=set[int])


def _note_work(machine: Machine, name: str, values: Iterable[Value] | None, frame: Frame) -> None:
    """Notes work for the device outside every trace; what small arrays need is done at once."""
    if frame.trace is None and (values is None or any(map(_is_large, values))):
        machine.state_of(Unawaited).now = (name, next_uid())


def _is_large(value: Value) -> bool:
    return isinstance(value, Array) and value.place is Place.DEVICE and bool(value.aval.shape)


def _note_wait(machine: Machine, values: tuple[Value, ...]) -> None:
    state = machine.state_of(Unawaited)
    if state.now is not NOTHING and not all(map(_is_settled, values)):
        state.now = NOTHING


def _note_library_call(
    machine: Machine, function: External, arguments: Arguments, _frame: Frame, _node: nodes.Node
) -> None:
    """Forgets the noted work where a function of a library may wait for its result."""
    state = machine.state_of(Unawaited)
    if state.now is NOTHING:
        return
    path = function.path
    declared, facts = machine.public(path), builtin_facts(path)
    if declared is not None:
        values = arguments.all_values()
        idle = bool(values) and all(_has_no_leaves(machine, each) for each in values)
        waits = declared.waits and not idle
    else:
        waits = not in_jax(path) and (facts is None or facts.reads)
    if waits and not _only_shows(path, arguments):
        state.now = NOTHING


def _has_no_leaves(machine: Machine, value: Value) -> bool:
    """Whether a value is an object in which JAX sees no arrays, and that has nothing to wait by."""
    match value:
        case HeapObject(kind="instance", cls=ClassValue() as cls):
            waits = class_attribute(machine, cls, BLOCK_UNTIL_READY.rpartition(".")[2])
            return is_plain_class(machine, cls) and waits is None
        case _:
            return False


def _note_method_call(
    machine: Machine, method: Method, arguments: Arguments, _frame: Frame, _node: nodes.Node
) -> None:
    """Forgets the noted work where a method may wait for its result."""
    state = machine.state_of(Unawaited)
    if state.now is NOTHING:
        return
    if not (method.name in NEVER_WAIT or _only_stores(method) or _shows(method, arguments)):
        state.now = NOTHING


def _note_unknown_call(
    machine: Machine, _function: Value, _arguments: Arguments, _frame: Frame, _node: nodes.Node
) -> None:
    machine.state_of(Unawaited).now = NOTHING


def _shows(method: Method, arguments: Arguments) -> bool:
    """Whether an object of Python's library, such as a logger, only shows its arguments, none of
    which it had to wait for.
    """
    receiver = method.receiver
    return isinstance(receiver, LibraryObject) and _only_shows(
        f"{receiver.path}.{method.name}", arguments
    )


def _only_stores(method: Method) -> bool:
    """Whether it is a method of a container that hands on what this holds, and asks nothing."""
    receiver = method.receiver
    held = isinstance(receiver, HeapObject) and receiver.kind in CONTAINERS
    return held and method.name not in COMPARING_METHODS


def _only_shows(path: str, arguments: Arguments) -> bool:
    """Whether a function of Python is known to only show or measure its arguments: it waits for
    nothing.
    """
    facts = builtin_facts(path)
    if facts is None or path in RUNNING:
        return False
    shows = facts.effect in SHOWING or is_builtin_type(path)
    return shows and all(map(_is_settled, arguments.all_values()))


def _is_settled(value: Value) -> bool:
    """Whether Python itself knows all of a value: there is nothing in it to wait for."""
    match value:
        case Constant() | Scalar() | TimeStamp() | DTypeValue():
            return True
        case TupleValue(elements) if elements is not None:
            return all(isinstance(e, Constant | Scalar | TimeStamp) for e in elements)
        case _:
            return False


def _note_reading(machine: Machine, stamp: TimeStamp) -> None:
    unawaited = machine.state_of(Unawaited)
    unawaited.at[stamp.reading] = unawaited.now


def _note_comparison(machine: Machine, node: nodes.BinaryOperation) -> None:
    machine.state_of(Unawaited).compared.add(id(node))


def _check_time(
    machine: Machine, after: TimeStamp, before: TimeStamp, frame: Frame, node: nodes.Node
) -> None:
    """Reports a reading where nobody waited for what was timed. A time that is compared at once
    keeps to a limit, and measures nothing; one that is called that of the compilation may be. Times
    of which each begins where that of the last call ends add up to the whole.
    """
    unawaited = machine.state_of(Unawaited)
    if id(node) in unawaited.compared or _begins_next(frame, node):
        return
    name, handed_over = unawaited.at.get(after.reading, NOTHING)
    if name and before.reading < handed_over < after.reading:
        doubt = FIRST_CALL if _says_compiling(frame, node) else ""
        read_at = after.read_at
        if read_at.unit is frame.unit:
            node = nodes.Pass(read_at.start, read_at.end)
        machine.emit(UnawaitedTiming, frame, node, NONE, node, doubt, function=name)


def _begins_next(frame: Frame, node: nodes.Node) -> bool:
    """Whether the later of two readings becomes the earlier one of the next call, `self.last = now`
    beside `now - self.last`: what waits between two calls is not seen.
    """
    match node:
        case nodes.BinaryOperation(left=left, right=nodes.Attribute() as right):
            later, earlier = frame.text(left), frame.text(right)
        case _:
            return False
    function = frame.called.function
    body = None if function is None else function.definition.body
    statements = body if isinstance(body, tuple) else frame.unit.body
    return any(
        frame.text(each.value) == later and earlier in map(frame.text, each.targets)
        for each in walk(statements)
        if isinstance(each, nodes.Assignment)
    )


def _says_compiling(frame: Frame, node: nodes.Node) -> bool:
    text = frame.unit.text
    end = text.find("\n", node.end)
    line = text[text.rfind("\n", 0, node.start) + 1 : end if end >= 0 else None]
    return SAYS_COMPILING.search(line) is not None


GUEST = Guest(
    "async_timing",
    Moments(
        dispatched=(_note_work,),
        host_waits=(_note_wait,),
        unknown_call=(_note_unknown_call,),
        library_call=(_note_library_call,),
        method_call=(_note_method_call,),
        clock_read=(_note_reading,),
        operation_compared=(_note_comparison,),
        time_measured=(_check_time,),
    ),
)

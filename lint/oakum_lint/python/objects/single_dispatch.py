"""`functools.singledispatch`: functions chosen by the class of an argument.

What has been registered is in the store, in a list of the dispatcher's own: pairs of types and the
function for them.
"""

from collections.abc import Iterable, Iterator

from oakum_lint.arrays.annotations import annotated_type, members
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Dispatcher, FunctionValue, Method, Partial
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Choice,
    HeapObject,
    Items,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.models.types import ARRAY_TYPES
from oakum_lint.python.expressions.conditions import is_instance, type_paths
from oakum_lint.python.objects.containers import make_list
from oakum_lint.syntax import nodes

MAX_REGISTERED = 32


def _dispatching(position: int) -> LibraryCall:
    """A decorator whose function is chosen by the argument at a position."""

    def decorator(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        function = arguments.get(0)
        if function is None:
            return UNKNOWN
        return Dispatcher(function, position, make_list(machine, (), UNKNOWN, frame))

    return decorator


def call_dispatcher_method(
    machine: Machine, dispatcher: Dispatcher, name: str, arguments: Arguments, frame: Frame
) -> Value:
    """`dispatcher.register(function)`, `dispatcher.register(cls, function)`, or the decorator that
    `dispatcher.register(cls)` returns.
    """
    first, second = arguments.get(0, "cls"), arguments.get(1, "func")
    if name != "register" or first is None:
        return UNKNOWN
    if second is not None:
        _register(machine, dispatcher, first, second)
        return second
    if not isinstance(first, FunctionValue):
        return Partial(Method(dispatcher, "register"), (first,), ())
    _register(machine, dispatcher, _annotation(machine, dispatcher, first), first)
    return first


def _annotation(machine: Machine, dispatcher: Dispatcher, function: FunctionValue) -> Value:
    """The type that annotates the argument by which a function is chosen."""
    parameters = function.definition.parameters.items[dispatcher.position :]
    annotation = parameters[0].annotation if parameters else None
    if annotation is None:
        return UNKNOWN
    outside = Frame(function.scope, function.unit, function.module, None)
    return TupleValue(members(annotated_type(machine, annotation, outside)))


def _register(machine: Machine, dispatcher: Dispatcher, types: Value, function: Value) -> None:
    known = content_of(machine, dispatcher.registered).elements
    added = TupleValue((types, function))
    if known is not None:
        known = (*known, added) if len(known) < MAX_REGISTERED else None
    machine.write(dispatcher.registered, CONTENT, Items(known))


def call_dispatcher(
    machine: Machine, dispatcher: Dispatcher, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls the function for the class of the argument; each of those that it may be, where that
    is not known.
    """
    return machine.call(_chosen(machine, dispatcher, arguments), arguments, frame, node)


def _chosen(machine: Machine, dispatcher: Dispatcher, arguments: Arguments) -> Value:
    rows = content_of(machine, dispatcher.registered).elements
    subject = arguments.get(dispatcher.position, "")
    if rows is None or subject is None or isinstance(subject, Choice):
        return UNKNOWN
    fitting: list[Value] = []
    certain = True
    for types, function in _pairs(reversed(rows)):
        fits = _fits(machine, subject, types)
        if fits and _is_own(subject, types):
            return function
        certain = certain and fits is not None
        if fits is not False:
            fitting.append(function)
    if certain and len(fitting) < 2:
        return fitting[0] if fitting else dispatcher.function
    return Choice((*fitting, dispatcher.function))


def _pairs(rows: Iterable[Value]) -> Iterator[tuple[Value, Value]]:
    for row in rows:
        match row:
            case TupleValue((types, function)):
                yield types, function
            case _:
                pass


def _fits(machine: Machine, subject: Value, types: Value) -> bool | None:
    """Whether a function for these types takes the argument: unlike `isinstance`, a dispatcher does
    not take a tracer for an array.
    """
    paths = type_paths(types)
    if isinstance(subject, Array) and is_tracer(subject) and paths and paths <= ARRAY_TYPES:
        return False
    return is_instance(machine, subject, types)


def _is_own(subject: Value, types: Value) -> bool:
    """Whether the class of the argument itself is among types: no other can be nearer."""
    if not isinstance(subject, HeapObject | TupleValue) or subject.cls is None:
        return False
    return subject.cls in ((types.elements or ()) if isinstance(types, TupleValue) else (types,))


DISPATCH_CALLS: dict[str, LibraryCall] = {
    "functools.singledispatch": _dispatching(0),
    "functools.singledispatchmethod": _dispatching(1),
}

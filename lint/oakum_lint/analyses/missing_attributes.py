"""Methods that arrays of JAX do not have, and functions that another module of JAX has."""

from oakum.values.facts import Facts
from oakum.values.records import dataclass, replace
from oakum_lint.arrays.array_results import array_method
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Method
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.summaries.memory import expects_misfits
from oakum_lint.domain.values import Array, External, Value, is_jax_array, scalar_kind
from oakum_lint.models.array_parameters import ARRAY_PARAMETERS, SEQUENCES_OF_ARRAYS
from oakum_lint.models.attributes import (
    ARRAY_NAMES,
    ASKED_OF_JAX,
    CONTAINER_METHODS,
    HOMES,
    METHODS_ELSEWHERE,
)
from oakum_lint.syntax import nodes
from oakum_lint.text.expressions import asks_for_kind

UNSEEN = "some other code may have set it, or another object may come here"


@dataclass(frozen=True, slots=True)
class MissingAttribute(Event):
    """`method` of an array, the operand, is called, or `function` of a module that has none of that
    name; `instead` is what there is.
    """

    method: str
    function: str
    instead: str


def _check_method(
    machine: Machine, method: Method, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports a method that neither arrays of JAX nor those of NumPy have, if keys or arrays of
    other libraries have one of that name, or `jax.numpy` a function of an array: any other is a
    sign that the value is no array (13 of 13 in brax).
    """
    array, name = method.receiver, method.name
    if not isinstance(array, Array) or not is_jax_array(array) or name in ARRAY_NAMES:
        return
    if name.startswith("_") or array_method(name) is not None or _is_expected(machine, frame):
        return
    if any(scalar_kind(value) == "str" for value in arguments.positional):
        return  # what is asked is a text, as in `name.split("/")`
    match node:
        case nodes.Call(function=nodes.Attribute(value=place)):
            instead = METHODS_ELSEWHERE.get(name, "")
            public = machine.public(f"{HOMES[0]}.{name}")
            if not instead and public is not None and name not in CONTAINER_METHODS:
                instead = f"`{HOMES[0]}.{name}`" if _begins_with_array(public) else ""
            if instead:
                _report(machine, frame, node, array, place, method=name, instead=instead)
        case _:
            pass


def _begins_with_array(public: Facts) -> bool:
    """Whether the first argument of a function is an array: that of `load` is a file."""
    first = next(iter(public.signature.parameters), "")
    of_arrays = first in ARRAY_PARAMETERS.get(public.name, ())
    return of_arrays or first == SEQUENCES_OF_ARRAYS.get(public.name)


def _check_function(
    machine: Machine, function: External, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports a function by the name that another module of JAX has it under."""
    module, _, name = function.path.rpartition(".")
    if module not in ASKED_OF_JAX or machine.public(function.path) is not None:
        return
    if not isinstance(node, nodes.Call) or _is_expected(machine, frame):
        return
    for home in HOMES:
        if machine.public(f"{home}.{name}") is not None:
            missing, instead = function.path, f"`{home}.{name}`"
            place = node.function
            _report(machine, frame, node, function, place, function=missing, instead=instead)
            return


def _report(
    machine: Machine,
    frame: Frame,
    node: nodes.Node,
    value: Value,
    place: nodes.Node,
    *,
    method: str = "",
    function: str = "",
    instead: str,
) -> None:
    with machine.reports.collecting() as found:
        machine.emit(
            MissingAttribute,
            frame,
            node,
            value,
            place,
            method=method,
            function=function,
            instead=instead,
        )
    # Each method is a mistake of its own, whatever else is asked of the same array.
    machine.reports.report([replace(event.weakened(UNSEEN), cause=None) for event in found])


def _is_expected(machine: Machine, frame: Frame) -> bool:
    """Whether this stands behind a test of what an object is, or beside code for its absence."""
    return expects_misfits(machine, frame) or any(
        any(map(asks_for_kind, each.guards)) for each in frame.callers()
    )


GUEST = Guest(
    "missing_attributes",
    Moments(method_call=(_check_method,), library_call=(_check_function,)),
)

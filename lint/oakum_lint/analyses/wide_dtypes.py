"""Requests for dtypes of 64 bits, which JAX answers with 32 unless x64 is enabled."""

from collections.abc import Mapping

from oakum import dtypes
from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, is_seen_to_run
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Constant, External, Value
from oakum_lint.models.dtypes import DTYPE_PARAMETERS, WIDE_TEXTS, dtype_name
from oakum_lint.models.habits import ENABLES_X64
from oakum_lint.models.packages import in_jax
from oakum_lint.models.types import is_builtin_type
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class WideDtype(Event):
    """A dtype of 64 bits is asked of a JAX function, in a program that never enables x64."""

    function: str
    requested: str
    given: str


def _check_arguments(
    machine: Machine,
    _declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a dtype of 64 bits among the arguments of a JAX function that returns an array."""
    for name in DTYPE_PARAMETERS:
        value, place = bound.get(name), places.get(name)
        if value is not None and place is not None:
            _report(machine, value, spelled, frame, node, place)


def _check_scalar_type(
    machine: Machine, function: External, _arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports a call of `jnp.float64` and its kin."""
    if dtype_name(function.path) is None or not in_jax(function.path):
        return
    place = node.function if isinstance(node, nodes.Call) else node
    _report(machine, function, frame.text(place), frame, node, place)


def _report(
    machine: Machine,
    value: Value,
    spelled: str,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> None:
    wide = _requested(value)
    narrow = None if wide is None else dtypes.canonicalize(wide)
    # A library's user may enable x64.
    if wide is None or narrow is None or narrow is wide or not is_seen_to_run(frame):
        return
    if machine.project.mentions(frame.module, ENABLES_X64):
        return
    machine.emit(
        WideDtype,
        frame,
        node,
        value,
        place,
        function=spelled,
        requested=wide.name,
        given=narrow.name,
    )


def _requested(value: Value) -> dtypes.DType | None:
    match value:
        case External(path) if not is_builtin_type(path):
            name = dtype_name(path)
        case Constant(str() as text):
            name = WIDE_TEXTS.get(text, text)
        case _:
            return None
    return None if name is None else dtypes.find(name)


GUEST = Guest(
    "wide_dtypes",
    Moments(library_call=(_check_scalar_type,), public_call=(_check_arguments,)),
)

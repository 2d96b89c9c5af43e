"""Requests for dtypes of 64 bits, which JAX answers with 32 unless x64 is enabled."""

from collections.abc import Mapping
from itertools import pairwise

from oakum import dtypes
from oakum.values.facts import Facts
from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, is_seen_to_run
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.names import called_name
from oakum_lint.domain.values import Constant, External, Value
from oakum_lint.models.dtypes import (
    DTYPE_PARAMETERS,
    SAYS_X64,
    TURNED_OFF,
    WIDE_TEXTS,
    X64_CONTEXT,
    X64_OPTIONS,
    X64_PACKAGES,
    dtype_name,
)
from oakum_lint.models.packages import in_jax
from oakum_lint.models.types import is_builtin_type
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.walk import walk


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
    if any(map(_enables_x64, machine.project.units_that_say(frame.module, SAYS_X64))):
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


def _enables_x64(unit: UnitFacts) -> bool:
    """Whether code sets the option to anything but a value that turns it off, or imports a package
    that does.
    """
    return any(_sets_option(node) or _imports_setter(node) for node in walk(unit.body))


def _imports_setter(node: nodes.Node) -> bool:
    match node:
        case nodes.Import(names=names):
            paths = [name.path for name in names]
        case nodes.ImportFrom(module=str(path), level=0):
            paths = [path]
        case _:
            return False
    return any(path.partition(".")[0] in X64_PACKAGES for path in paths)


def _sets_option(node: nodes.Node) -> bool:
    match node:
        case nodes.Call(function=function, arguments=arguments):
            if called_name(function) == X64_CONTEXT:
                return not (arguments and _is_off(arguments[0]))
            following = pairwise(arguments)
            return any(_names_option(name) and not _is_off(value) for name, value in following)
        case nodes.Assignment(targets=targets, value=value):
            return any(map(_names_option, targets)) and not _is_off(value)
        case nodes.DictDisplay(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return any(key and _names_option(key) and not _is_off(value) for key, value in pairs)
        case nodes.Keyword(name=str(name), value=value):
            return name in X64_OPTIONS and not _is_off(value)
        case _:
            return False


def _names_option(node: nodes.Expression) -> bool:
    match node:
        case nodes.Constant(value=str(name)) | nodes.Attribute(attribute=name):
            return name in X64_OPTIONS
        case nodes.Subscript(index=nodes.Constant(value=str(name))):
            return name in X64_OPTIONS
        case _:
            return False


def _is_off(node: nodes.Expression) -> bool:
    match node:
        case nodes.Constant(value=str(text)):
            return text in TURNED_OFF
        case nodes.Constant(value=value):
            return not value
        case _:
            return False


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

"""Guards: options by which a program forbids what JAX would do unasked, and the code that they
stop: operands of several ranks or dtypes, arrays of NumPy that are moved to a device, and large
arrays that become part of compiled programs.

An option that a module sets counts for what the module runs, and for what is run from there; one
that a `with` statement sets, for what runs in its body.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence

from oakum.abstract import operands as abstract
from oakum.abstract.elementwise import Elementwise
from oakum.values import promotion
from oakum.values.avals import ShapedArray
from oakum.values.facts import Facts
from oakum.values.records import dataclass, field
from oakum_lint.arrays.array_results import operands, to_abstract
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, is_seen_to_run, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import CompiledCall, Guest, Moments
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import (
    Array,
    Constant,
    External,
    Place,
    Scalar,
    Value,
    is_jax_array,
    is_tracer,
)
from oakum_lint.models import guard_options
from oakum_lint.models.mutation import UPDATES_OPTION
from oakum_lint.models.operations import computes_arrays, takes_unlike_operands
from oakum_lint.syntax import nodes

MAY_BE_COMPILED = "who calls this is not seen: code that is compiled moves nothing"


@dataclass(frozen=True, slots=True)
class RankPromotion(Event):
    """Operands of several ranks meet, and the program forbids it; `shapes` as they stand."""

    operation: str
    shapes: str


@dataclass(frozen=True, slots=True)
class DtypePromotion(Event):
    """Operands of several dtypes meet, and the program forbids it; `dtypes` as they stand."""

    operation: str
    dtypes: str


@dataclass(frozen=True, slots=True)
class GuardedTransfer(Event):
    """An array of NumPy is moved to a device, and the program forbids it."""

    operation: str


@dataclass(frozen=True, slots=True)
class CapturedConstant(Event):
    """A compiled function has an array from outside for a constant that is larger than the option
    allows.
    """

    bytes: int
    limit: int


Met = tuple[Value, nodes.Node]
"""An operand, and where it stands."""


@dataclass(slots=True)
class Options:
    """What the program has set options to; UNKNOWN values are values of their own."""

    of_modules: dict[tuple[Module, str], Value] = field(
        default_factory=dict[tuple[Module, str], Value]
    )
    blocks: list[tuple[str, Value]] = field(default_factory=list[tuple[str, Value]])
    """Those of the `with` statements around, the innermost last."""


def _hear_library(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes an option that is set for the process."""
    given = arguments.positional[:2]
    if function.path != UPDATES_OPTION or len(given) < 2 or not is_seen_to_run(frame):
        return
    name, value = given
    if isinstance(name, Constant) and isinstance(name.value, str):
        options = machine.state_of(Options).of_modules
        key = (frame.module, name.value)
        # Behind a test it is not known which value counts.
        options[key] = value if not frame.is_guarded or options.get(key) == value else External("")


def _enter_block(
    machine: Machine, function: External, call: nodes.Call, frame: Frame
) -> Callable[[], object] | None:
    """Notes an option that is set in a block, to its end."""
    option = guard_options.BLOCKS.get(function.path)
    if option is None or len(call.arguments) != 1:
        return None
    blocks = machine.state_of(Options).blocks
    blocks.append((option, machine.look(call.arguments[0], frame)))
    return blocks.pop


def _setting(machine: Machine, frame: Frame, *names: str) -> Value | None:
    """What one of some options is set to here, the innermost first; None where nothing sets it."""
    options = machine.state_of(Options)
    for option, value in reversed(options.blocks):
        if option in names:
            return value
    if options.of_modules:
        for caller in frame.callers():
            for name in names:
                found = options.of_modules.get((caller.module, name))
                if found is not None:
                    return found
    return None


def _forbids(machine: Machine, frame: Frame, *names: str) -> bool:
    value = _setting(machine, frame, *names)
    return isinstance(value, Constant) and value.value in guard_options.FORBIDS


def _check_call(
    machine: Machine,
    declared: Facts,
    bound: Mapping[str, Value],
    places: Mapping[str, nodes.Node],
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Checks the operands of a function of JAX that computes arrays."""
    if not computes_arrays(declared.name) or declared.hands_through:
        return
    spelled = frame.text(node.function) if isinstance(node, nodes.Call) else declared.name
    rule = declared.rule
    if isinstance(rule, Elementwise) and rule.promotes and takes_unlike_operands(declared.name):
        met = [(bound[name], places.get(name, node)) for name in rule.operands if name in bound]
        _check_promotion(machine, spelled, met, frame, node)
    given = [(bound[name], places.get(name, node)) for name in bound if name not in declared.static]
    _check_arrays(machine, spelled, given, frame, node)


def _check_operands(
    machine: Machine, values: Iterable[Value], frame: Frame, node: nodes.Node
) -> None:
    """Checks the operands of an operator."""
    match node:
        case nodes.BinaryOperation(operator=operator, left=left, right=right):
            places = (left, right)
        case nodes.AugmentedAssignment(target=target, operator=operator, value=value):
            places = (target, value)
        case _:
            return  # of a call, which the others hear
    met = list(zip(values, places, strict=False))
    if any(is_jax_array(value) for value, _ in met):
        if operator != "@":
            _check_promotion(machine, operator, met, frame, node)
        _check_arrays(machine, operator, met, frame, node)


def _check_compiled(machine: Machine, call: CompiledCall) -> None:
    """Checks the arguments of a compiled function."""
    given, frame, node = call.arguments, call.frame, call.node
    met = list(zip(given.positional, given.places, strict=False))
    met += [(value, given.keyword_places.get(name, node)) for name, value in given.keywords.items()]
    text = frame.text(node.function) if isinstance(node, nodes.Call) else call.function.name
    _check_arrays(machine, text, met, frame, node)


def _check_arrays(
    machine: Machine, operation: str, met: Sequence[Met], frame: Frame, node: nodes.Node
) -> None:
    """Checks the arrays among operands: whether they are moved, or become constants."""
    for given, place in met:
        for value in operands((given,)):
            if isinstance(value, Array) and not is_tracer(value) and not value.level:
                _check_transfer(machine, operation, value, frame, node, place)
                _check_captured(machine, value, frame, node, place)


def _check_promotion(
    machine: Machine, operation: str, met: Sequence[Met], frame: Frame, node: nodes.Node
) -> None:
    """Reports operands of several ranks or dtypes, where the program forbids them."""
    options = machine.state_of(Options)
    if not options.blocks and not options.of_modules:
        return  # as in most programs, which leave both allowed
    known = [(value, place, aval) for value, place in met if (aval := _aval(value)) is not None]
    ranked = [each for each in known if each[2].shape]
    ranks = {len(aval.shape or ()) for *_, aval in ranked}
    if len(ranks) > 1 and _forbids(machine, frame, guard_options.RANKS):
        value, place, _ = min(ranked, key=lambda each: len(each[2].shape or ()))
        shapes = _listed(aval for *_, aval in ranked)
        details = {"operation": operation, "shapes": shapes}
        machine.emit(RankPromotion, frame, node, value, place, **details)
    if promotion.promotes_strictly(aval.typing for *_, aval in known):
        return
    if _forbids(machine, frame, guard_options.DTYPES):
        value, place, _ = next(each for each in known if isinstance(each[0], Array))
        dtypes = _listed(aval for *_, aval in known)
        details = {"operation": operation, "dtypes": dtypes}
        machine.emit(DtypePromotion, frame, node, value, place, **details)


def _listed(avals: Iterable[ShapedArray]) -> str:
    return " and ".join(dict.fromkeys(map(str, avals)))


def _aval(value: Value) -> ShapedArray | None:
    """What an operand is, if it is an array or a number."""
    match value:
        case Array() | Constant(bool() | int() | float() | complex()) | Scalar():
            return abstract.array(to_abstract(value))
        case _:
            return None


def _check_transfer(
    machine: Machine,
    operation: str,
    value: Array,
    frame: Frame,
    node: nodes.Node,
    place: nodes.Node,
) -> None:
    """Reports an array of NumPy that is moved to a device unasked, where the program forbids it."""
    if frame.trace is None and value.place is Place.HOST:
        guards = (guard_options.TO_DEVICE, guard_options.TRANSFERS)
        if _forbids(machine, frame, *guards):
            doubt = "" if is_seen_to_run(frame) else MAY_BE_COMPILED
            machine.emit(GuardedTransfer, frame, node, value, place, doubt, operation=operation)


def _check_captured(
    machine: Machine, value: Array, frame: Frame, node: nodes.Node, place: nodes.Node
) -> None:
    """Reports a large array that becomes part of a compiled program."""
    if not any(trace.kind == "jit" for trace in traces(frame.trace)):
        return
    size = _bytes(value.aval)
    if size is None:
        return
    setting = _setting(machine, frame, guard_options.CAPTURED_BYTES)
    limit = guard_options.CAPTURED_BYTES_DEFAULT
    if setting is not None:
        if not (isinstance(setting, Constant) and isinstance(setting.value, int)):
            return
        limit = setting.value
    if 0 <= limit <= size:
        machine.emit(CapturedConstant, frame, node, value, place, bytes=size, limit=limit)


def _bytes(aval: ShapedArray) -> int | None:
    """How large an array is, if that is known."""
    if aval.shape is None or aval.dtype is None:
        return None
    sizes = [size for size in aval.shape if isinstance(size, int)]
    return math.prod(sizes) * aval.dtype.bits // 8 if len(sizes) == len(aval.shape) else None


GUEST = Guest(
    "guards",
    Moments(
        library_call=(_hear_library,),
        block_entered=(_enter_block,),
        public_arguments=(_check_call,),
        compiled_call=(_check_compiled,),
        operands_met=(_check_operands,),
    ),
)

"""Loops whose length is not known when they are traced, and gradients that go back through them."""

from collections.abc import Iterable, Sequence

from oakum.values.records import dataclass, field, replace
from oakum_lint.analyses.gradients.gradient_is_zero import differentiated_part
from oakum_lint.arrays.pytrees import leaves_of, map_leaves
from oakum_lint.arrays.trace_boundary import tracer_around
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.callables import Pullback, Transformed
from oakum_lint.domain.events import Event
from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.frames import Frame, Trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import CarriedLoop, Guest, Moments
from oakum_lint.domain.values import Array, Place, Tree, Unknown, Value
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.transforms import FORWARD_JACOBIANS, REVERSIBLE_LOOPS
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location


@dataclass(frozen=True, slots=True)
class IrreversibleLoop(Event):
    """A gradient goes back through a loop of unknown length, whose carry depends on what is
    differentiated. `loop` is the operator, `bound` the user's text for a traced bound, or "" where
    a condition ends it; `function` is differentiated by `transform`.
    """

    loop: str
    bound: str = ""
    transform: str = ""
    function: str = ""


@dataclass(frozen=True, slots=True)
class Passed:
    """The loops of unknown length through which a value has its derivative, and the level of the
    trace that differentiates it.
    """

    level: int
    loops: tuple[IrreversibleLoop, ...]


class _PassedFacet(Facet[Passed]):
    """Through which loops of unknown length an array has its derivative."""

    __slots__ = ()

    def words(self, content: Passed) -> str:
        lines = ", ".join(str(loop.location.line) for loop in content.loops)
        return f"comes through the loop on line {lines}"

    def joined(self, first: Passed, second: Passed) -> Passed:
        return _together((first, second))

    def alone(self, content: Passed) -> Passed:
        return Passed(content.level, tuple(map(_as_likely, content.loops)))

    def widened(self, content: Passed) -> Passed:
        return content

    def of_row(self, content: Passed, index: int | None) -> Passed:
        return content

    def carried(self, values: Sequence[Value], frame: Frame, flat: bool) -> Passed | None:
        if flat:
            return None
        found = [passed for value in values if (passed := _passed_by(value)) is not None]
        return _together(found) if found else None

    def lifted(self, content: Passed, border: Border) -> Passed:
        return content

    def lowered(self, content: Passed, level: int, mapped: bool, derivative: bool) -> Passed | None:
        return content if level >= content.level else None


PASSED = _PassedFacet("loops")


@dataclass(slots=True)
class _Loops:
    """The loops of unknown length that the traces that differentiate have met, by their level."""

    met: list[tuple[int, IrreversibleLoop]] = field(
        default_factory=list[tuple[int, IrreversibleLoop]]
    )


def _passed_by(value: Value) -> Passed | None:
    """The loops through which a value has its derivative, if it has one."""
    passed = PASSED.of(value)
    return None if passed is None or _is_plain(value) or CUT.of(value) is not None else passed


def _is_plain(value: Value) -> bool:
    """Whether a value is of a dtype that has no derivatives."""
    dtype = value.aval.dtype if isinstance(value, Array) else None
    return dtype is not None and dtype.kind in PLAIN_KINDS


def _together(found: Sequence[Passed]) -> Passed:
    level = max(passed.level for passed in found)
    loops: dict[Location, IrreversibleLoop] = {}
    for passed in found:
        if passed.level == level:
            for loop in passed.loops:
                loops.setdefault(loop.location, loop)
    return Passed(level, tuple(loops.values()))


def _as_likely(loop: IrreversibleLoop) -> IrreversibleLoop:
    return loop.weakened("what the differentiated function returns is not known")


def _note_loop(
    machine: Machine, loop: CarriedLoop, result: Value, frame: Frame, node: nodes.Node
) -> Value:
    """Marks what comes out of a loop of unknown length with a derivative."""
    level = 0 if frame.trace is None else frame.trace.reversed
    bound = _traced_bound(loop)
    if not level or (loop.bounds is not None and bound is None):
        return result
    if loop.title in REVERSIBLE_LOOPS:
        return result
    before, after, out = (
        leaves_of(machine, value, frame, node)[0] for value in (loop.before, loop.after, result)
    )
    if len(before) == len(after) == len(out):
        changed = [
            (leaf, found)
            for old, new, leaf in zip(before, after, out, strict=True)
            if leaf is not old and (found := _source((new, old), level)) is not None
        ]
    else:
        changed = [(result, found)] if (found := _source(before, level)) is not None else []
    if not changed:
        return result
    events = _events(machine, loop, bound, changed[0][1], frame, node)
    if not events:
        return result
    machine.state_of(_Loops).met += [(level, event) for event in events]
    marked = {id(leaf) for leaf, _ in changed}
    passed = Passed(level, events)

    def mark(leaf: Value) -> Value:
        if isinstance(leaf, Array) and id(leaf) in marked and not _is_plain(leaf):
            return PASSED.put(leaf, passed)
        return leaf

    return map_leaves(machine, result, mark, frame.level, frame, node)


def _traced_bound(loop: CarriedLoop) -> tuple[Value, nodes.Node] | None:
    """The bound that is not known when the loop is traced, and where it is written."""
    for value, place in loop.bounds or ():
        if isinstance(value, Array | Tree) and value.place is Place.ABSTRACT:
            return value, place
    return None


def _source(values: Iterable[Value], level: int) -> Value | None:
    """What one of some values has a derivative by, of the trace of a level."""
    for value in values:
        if _is_plain(value) or CUT.of(value) is not None:
            continue
        found = tracer_around(value, level)
        if found is not None and found.level == level:
            return found
    return None


def _events(
    machine: Machine,
    loop: CarriedLoop,
    bound: tuple[Value, nodes.Node] | None,
    source: Value,
    frame: Frame,
    node: nodes.Node,
) -> tuple[IrreversibleLoop, ...]:
    """What is to be reported of a loop, if a gradient goes back through it."""
    trace = frame.trace
    # A forward derivative within may not depend on what the gradient is taken of.
    mixed = trace is not None and trace.differentiated != trace.reversed
    doubt = "a forward derivative is taken in between" if mixed else ""
    text = ""
    if bound is not None:
        value, place = bound
        text = frame.text(place)
        origin = value.origin if isinstance(value, Array | Tree) else None
        doubt = doubt or (origin.doubt if origin is not None else "")
    with machine.reports.collecting() as events:
        machine.emit(
            IrreversibleLoop, frame, node, source, None, doubt, loop=loop.title, bound=text
        )
    return tuple(event for event in events if isinstance(event, IrreversibleLoop))


def _forget_loops(machine: Machine, trace: Trace) -> None:
    """Forgets what earlier traces have met."""
    if trace.differentiates:
        state = machine.state_of(_Loops)
        state.met = [each for each in state.met if each[0] < trace.level]


def _check_gradient(
    machine: Machine,
    function: Transformed,
    _numbers: tuple[int, ...] | None,
    result: Value,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports the loops through which a gradient goes back."""
    name = function.name.rpartition(".")[2]
    if name in FORWARD_JACOBIANS:
        return
    part = differentiated_part(function, result)
    called = signature_of(machine, function.function).name
    _report(machine, part, frame.level + 1, name, called, frame, node)


def _check_pullback(machine: Machine, pullback: Pullback, frame: Frame, node: nodes.Node) -> None:
    """Reports the loops through which a pullback goes back."""
    _report(machine, pullback.inner, pullback.level, pullback.transform, "", frame, node)


def _report(
    machine: Machine,
    result: Value,
    level: int,
    transform: str,
    function: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports the loops through which a result has its derivative; where the result is not known,
    those that were met on the way.
    """
    found: dict[Location, IrreversibleLoop] = {}
    if isinstance(result, Unknown):
        met = machine.state_of(_Loops).met
        found = {loop.location: _as_likely(loop) for at, loop in met if at == level}
    for leaf in leaves_of(machine, result, frame, node)[0]:
        passed = _passed_by(leaf)
        if passed is not None and passed.level == level:
            found.update((loop.location, loop) for loop in passed.loops)
    machine.reports.report(
        [replace(loop, transform=transform, function=function) for loop in found.values()]
    )


GUEST = Guest(
    "irreversible_loops",
    Moments(
        repeated=(_note_loop,),
        trace_entered=(_forget_loops,),
        differentiated=(_check_gradient,),
        pulled_back=(_check_pullback,),
    ),
)

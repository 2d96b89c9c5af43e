"""Findings about a result that a selection may leave out: they wait until the run is over.

An index beyond the end, or the root of a negative number, is no mistake where `jnp.where` or a
branch leaves its result out. What the program does decides that, not what it is called.

Invariants:
- A finding is withdrawn where its result becomes an operand of a selection or is multiplied by
  booleans, and where one branch of several makes it. One that is `kept` is not, unless the
  selection itself is reported (`withdraw`): what it leaves out still reaches a gradient.
- It is likely where arrays are selected or compared within the functions around it, as its result
  may take part without being seen to; nothing else changes how sure it is.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from oakum.dtypes import Kind
from oakum.values.facts import Facts
from oakum.values.records import dataclass, field, replace
from oakum_lint.analyses.gradients.zero_values import elements_of
from oakum_lint.arrays.array_results import COMPARISONS
from oakum_lint.domain.callables import Site
from oakum_lint.domain.events import Event
from oakum_lint.domain.facets import Border, Facet
from oakum_lint.domain.frames import Frame, Trace, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import Array, Value
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location, Related

BRANCHES = frozenset({"cond", "switch"})
SELECTING = frozenset({"selects", "cleans"})
"""Roles of functions (`EdgeRole`) that leave out elements, or NaN."""
MAX_CONTEXTS = 16
"""Of one place in the program, so many calls are kept apart: a finding is reported once."""

Waits = frozenset[Location]
"""The findings that wait for what becomes of an array, by where they are."""


class _WaitingFacet(Facet[Waits]):
    """The findings that wait for what becomes of an array, or of something computed of it."""

    __slots__ = ()

    def words(self, content: Waits) -> str:
        lines = ", ".join(str(place.line) for place in sorted(content))
        return f"findings wait for what becomes of it, on line {lines}"

    def joined(self, first: Waits, second: Waits) -> Waits:
        return first | second

    def widened(self, content: Waits) -> Waits:
        return content

    def of_row(self, content: Waits, index: int | None) -> Waits:
        return content

    def carried(self, values: Sequence[Value], frame: Frame, flat: bool) -> Waits:
        return frozenset[Location]().union(*(self.of(value) or () for value in values))

    def lifted(self, content: Waits, border: Border) -> Waits:
        return content

    def lowered(self, content: Waits, level: int, mapped: bool, derivative: bool) -> Waits:
        return content


WAITING = _WaitingFacet("selections")


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A finding to be reported, and where the functions that ran are defined, innermost first."""

    events: Sequence[Event]
    functions: tuple[Site, ...]


@dataclass(slots=True)
class _Selections:
    """The findings that wait, and where arrays were selected or compared."""

    waiting: dict[Location, dict[tuple[Site, ...], _Waiting]] = field(
        default_factory=dict[Location, dict[tuple[Site, ...], _Waiting]]
    )
    withdrawn: set[Location] = field(default_factory=set[Location])
    kept: set[Location] = field(default_factory=set[Location])
    selecting: dict[Site, None] = field(default_factory=dict[Site, None])
    """In the order in which they were seen."""


def wait(
    machine: Machine,
    frame: Frame,
    node: nodes.Node,
    emit: Callable[[], None],
    *,
    kept: bool = False,
) -> Waits:
    """Keeps what `emit` reports at a node until it is known whether its result is left out; returns
    what the result has to bear (`WAITING`).
    """
    if any(trace.kind in BRANCHES for trace in traces(frame.trace)):
        return frozenset()
    with machine.reports.collecting() as events:
        emit()
    if not events:
        return frozenset()
    place = location_of(frame.site(node))
    functions = tuple(
        Site(function.module, function.unit, function.definition.start, function.definition.end)
        for caller in frame.callers()
        if (function := caller.called.function) is not None
    )
    state = machine.state_of(_Selections)
    contexts = state.waiting.setdefault(place, {})
    if kept:
        state.kept.add(place)
    if len(contexts) < MAX_CONTEXTS:
        contexts.setdefault(functions, _Waiting(events, functions))
    return frozenset((place,))


def bearing(array: Array, waits: Waits) -> Array:
    """The array for which findings wait, beside those that it bears already."""
    return WAITING.put(array, (WAITING.of(array) or frozenset()) | waits) if waits else array


def withdraw(machine: Machine, values: Iterable[Value]) -> None:
    """Withdraws all findings that wait for what becomes of some values."""
    state = machine.state_of(_Selections)
    for waits in _waits_of(machine, values):
        state.withdrawn |= waits


def _withdraw(machine: Machine, values: Iterable[Value]) -> None:
    state = machine.state_of(_Selections)
    for waits in _waits_of(machine, values):
        state.withdrawn |= waits - state.kept


def _waits_of(machine: Machine, values: Iterable[Value]) -> Iterator[Waits]:
    for value in values:
        for element in elements_of(machine, value):
            if (waits := WAITING.of(element)) is not None:
                yield waits


def _note_selection(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    _places: Places,
    _spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Notes that a function leaves elements out, and of which arrays."""
    if declared.edge in SELECTING:
        _withdraw(machine, bound.values())
        machine.state_of(_Selections).selecting[frame.site(node)] = None


def _note_operation(
    machine: Machine,
    operator: str,
    left: Value,
    right: Value,
    result: Array,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """Notes that arrays are compared, and that elements of one are multiplied by zero."""
    if operator in COMPARISONS:
        machine.state_of(_Selections).selecting[frame.site(node)] = None
    elif operator == "*" and (_is_mask(left) or _is_mask(right)):
        _withdraw(machine, (left, right))
    return result


def _is_mask(value: Value) -> bool:
    dtype = value.aval.dtype if isinstance(value, Array) else None
    return dtype is not None and dtype.kind is Kind.BOOL


def _note_branch(machine: Machine, trace: Trace) -> None:
    """Notes that one of several branches runs."""
    if trace.kind in BRANCHES:
        machine.state_of(_Selections).selecting[trace.site] = None


def _report(machine: Machine) -> None:
    """Reports what was not withdrawn."""
    state = machine.state_of(_Selections)
    for place, contexts in state.waiting.items():
        if place in state.withdrawn:
            continue
        for waiting in contexts.values():
            kept = place in state.kept
            found = None if kept else _selection_in(waiting.functions, state.selecting)
            if found is None:
                machine.reports.report(waiting.events)
                continue
            why = Related(location_of(found), "this may leave the result out")
            machine.reports.report(
                [
                    replace(event, weak=(*event.weak, why), related=(*event.related, why))
                    for event in waiting.events
                ]
            )
    state.waiting.clear()


def _selection_in(functions: Sequence[Site], selecting: Iterable[Site]) -> Site | None:
    """The first selection that stands in one of some functions."""
    for site in selecting:
        for function in functions:
            within = function.start <= site.start and site.end <= function.end
            if within and site.unit is function.unit:
                return site
    return None


GUEST = Guest(
    "selections",
    Moments(
        public_call=(_note_selection,),
        operated=(_note_operation,),
        trace_entered=(_note_branch,),
        group_ended=(_report,),
    ),
)

"""Doubts: what is uncertain of a use that is about to be reported. A finding is proved if there is
none: `Reporter.emit` is the one place that asks.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from oakum.values.records import dataclass, field
from oakum_lint.domain import events
from oakum_lint.domain.callables import Scope, Site
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame, Trace, is_definition, traces
from oakum_lint.domain.project import Module, location_of, site_of_origin
from oakum_lint.domain.store import StopReason
from oakum_lint.domain.values import Array, Origin, Tree, Value
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location, Related
from oakum_lint.text.notebook.names import CELL_MARK, is_joined, is_notebook

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine

UNKNOWN_LEAVES = "which attributes of the object are traced is not known"
OWN_OPERATOR = "the other operand of `@` is not known: its own operator may make anything"
UNKNOWN_CALL = "what the called function makes of tracers is not known"
ARRAY_OF_CALL = "what the called function makes of tracers may be an array of NumPy"
UNKNOWN_OPERAND = "the other operand is not known"
PERHAPS_NOT_JAX = frozenset((OWN_OPERATOR, UNKNOWN_CALL, ARRAY_OF_CALL, UNKNOWN_OPERAND))
"""Doubts about what code that is not known makes of tracers: only what a function of JAX makes of
that is a tracer for certain, not what its own methods and operators do."""
MEANT_STATIC = frozenset((UNKNOWN_LEAVES, UNKNOWN_CALL))
"""Doubts about what may as well be a number of Python."""
UNSEEN_ITERATOR = "where the iterator is made is not seen"
BEHIND_TEST = "stands behind a test that is not decided"
UNKNOWN_RESULT = "what the function returns is not known, but for that it is made of arrays"

RAISING = frozenset[object](
    {
        events.BooleanUse,
        events.Condition,
        events.DynamicSize,
        events.HashUse,
        events.HostCall,
        events.LoopCondition,
        events.MaskIndex,
        events.NumpyCall,
        events.NumpyIndex,
        events.RangeUse,
        events.ScalarConversion,
        events.SequenceIndex,
        events.ShapeArgument,
        events.SliceBound,
        events.StaticArgument,
    }
)
"""Uses of a tracer behind which nothing runs."""
CHANGES = frozenset[object](
    {events.Leak, events.ModuleState, events.OuterChange, events.SideEffect}
)
"""Events that are there whatever is changed, and whoever has it."""
ON_TRACING = frozenset[object](
    {
        *CHANGES,
        events.BooleanUse,
        events.Condition,
        events.DynamicSize,
        events.FormatUse,
        events.HashUse,
        events.HostCall,
        events.ItemAssignment,
        events.LoopCondition,
        events.MaskIndex,
        events.NumpyCall,
        events.NumpyIndex,
        events.RangeUse,
        events.ScalarConversion,
        events.SequenceIndex,
        events.ShapeArgument,
        events.SliceBound,
        events.StagedConstant,
        events.StaticArgument,
    }
)
"""Events that rest on that something is traced, whatever value a traced function gets."""
MISFITS = frozenset[object](
    {
        events.ArrayHash,
        events.CarryMismatch,
        events.ForeignOperand,
        events.ForeignResult,
        events.GradientType,
        events.Misfit,
        events.SequenceOperand,
        events.UnboundAxis,
    }
)
"""Errors of code that raises whenever it runs: not by what is traced, but by what values are."""

OF_RESULTS = frozenset[object]({events.CarryMismatch, events.ForeignResult, events.GradientType})
"""Errors of a call for what the function returns that it runs."""

STOPPING = MISFITS | RAISING | {events.MissingStaticArgument}
"""Errors behind which nothing of the activation runs: also those of options that `jit` refuses."""

ENDING = MISFITS | {events.TracedReceiver}
"""Errors behind which nothing counts, whatever it is."""

OF_TRACERS = (
    STOPPING
    | ENDING
    | {
        events.ArrayNondiffArgument,
        events.FormatUse,
        events.ItemAssignment,
        events.Leak,
        events.ModuleState,
        events.OuterChange,
        events.SideEffect,
        events.UnhashableStatic,
    }
)
"""Mistakes of their own beside an error of a tracer, whichever is repaired first. Of what is silent
nothing is seen before that is.
"""

REFUSALS = frozenset[object](
    {events.ForeignOperand, events.TracedReceiver, events.UnhashableStatic}
)
"""Errors of a call that raises for one of its arguments, before the function is traced."""

MAX_STOPS = 8
"""So many lines of one activation are known to raise: each behind another test."""

REASONS: tuple[StopReason, ...] = ("any", "tracer", "perhaps")
"""The reasons why code stops, from those behind which least is reached."""


@dataclass(frozen=True, slots=True)
class Stop:
    """Where an activation raises, or ends the program, whenever it gets there, or likely does."""

    site: Site
    guards: tuple[str, ...]
    """The tests that it stands behind."""
    until: int
    """Where the code ends whose handlers may catch it; 0: nobody does."""
    reason: StopReason
    comprehensions: frozenset[int]
    """The runs of comprehensions that it ends, by their scopes."""
    called: bool
    """Whether it is what the call there runs that raises."""


@dataclass(slots=True)
class Raised:
    """Where activations have raised."""

    first: dict[tuple[int, Site], Site] = field(default_factory=dict[tuple[int, Site], Site])
    """Because a value is a tracer, if it is one: by the scope of the activation and where the value
    comes from."""
    lines: dict[int, Site] = field(default_factory=dict[int, Site])
    """For whatever reason, there or in what is called there: by the scope of the activation."""
    stops: dict[int, tuple["Stop", ...]] = field(default_factory=dict[int, tuple["Stop", ...]])
    """What raises whenever it runs, or likely does, by the scope of the activation."""
    refused: set[tuple[int, Site]] = field(default_factory=set[tuple[int, Site]])
    """Calls that an argument stops, each with the scope of the activation that makes it."""


def raised_before(
    machine: "Machine",
    event: Callable[..., Event],
    frame: Frame,
    node: nodes.Node,
    origin: Origin | None,
) -> list[Related]:
    """A use of the same value in an earlier line of the activation, which raises if it is a tracer,
    any misfit before a misfit, or one that is certain before anything: what stands behind it does
    not run.
    """
    refused = _refused_calls(machine, event, frame, node)
    stops = _stopped_before(machine, frame, node) if event in STOPPING else []
    if event in MISFITS and stops:
        return [*refused, *stops]
    refused += _behind(machine, event, frame, node)
    if origin is None or event not in RAISING:
        return refused
    noted, here = machine.state_of(Raised).first, frame.site(node)
    key = (frame.scope.uid, site_of_origin(origin))
    earlier = noted.get(key)
    if earlier is None and not frame.guards:
        noted[key] = here
    if earlier is None or earlier.unit is not here.unit:
        return refused
    if "\n" not in here.unit.part(earlier.start, here.start):
        return refused
    before = Related(location_of(earlier), "if this value is a tracer, this raises before")
    return [*refused, before]


def _refused_calls(
    machine: "Machine", event: Callable[..., Event], frame: Frame, node: nodes.Node
) -> list[Related]:
    """Calls on the way to a line that raise for one of their arguments, so that no line behind
    them runs; one that does is noted.
    """
    refused = machine.state_of(Raised).refused
    found: list[Related] = []
    if refused:
        here = frame.site(node)
        if event not in REFUSALS and (frame.scope.uid, here) in refused:
            found.append(Related(location_of(here), "this call raises, for an argument"))
        for each in frame.callers():
            site, caller = each.called.site, each.caller
            if site is not None and caller is not None and (caller.scope.uid, site) in refused:
                found.append(Related(location_of(site), "this call raises before, for an argument"))
    if event in REFUSALS:
        note_refused(machine, frame, node)
    return found


def note_refused(machine: "Machine", frame: Frame, node: nodes.Node) -> None:
    """Notes a call that raises for one of its arguments, so that no line behind it runs."""
    machine.state_of(Raised).refused.add((frame.scope.uid, frame.site(node)))


def _stopped_before(machine: "Machine", frame: Frame, node: nodes.Node) -> list[Related]:
    """What raises in earlier lines of the activations that lead to a line that does; that is noted
    in each.
    """
    noted, found = machine.state_of(Raised).lines, list[Related]()
    for each, at in _activations(frame, node):
        if at is not None:
            earlier = noted.get(each.scope.uid)
            if earlier is not None and _is_line_before(earlier, at):
                found.append(Related(location_of(earlier), "this raises before"))
            elif earlier is None:
                noted[each.scope.uid] = at
        found += [] if found else _stopped_where_made(noted, each)
    return found


def note_raised(
    machine: "Machine",
    event: Callable[..., Event],
    frame: Frame,
    node: nodes.Node,
    weak: list[Related],
) -> None:
    """Notes an error: one that has no weak link certainly stops the activation, and one of what
    values are perhaps does.
    """
    if not weak and event in STOPPING | ENDING | {events.ItemAssignment, events.UnhashableStatic}:
        pass_stop_on(machine, frame, node, "any" if event in ENDING else "tracer")
    elif event in ENDING:
        pass_stop_on(machine, frame, node, "perhaps")


def note_stop(
    machine: "Machine", frame: Frame, node: nodes.Node, reason: StopReason = "any"
) -> None:
    """Notes what raises, or ends the program, as `pass_stop_on` does. What certainly does is
    reported too: no fix may make such a place.
    """
    if frame.silence != "all" and not frame.is_one_of_several and reason == "any":
        machine.reports.note_error(frame, node)
    pass_stop_on(machine, frame, node, reason)


def pass_stop_on(
    machine: "Machine", frame: Frame, node: nodes.Node, reason: StopReason = "any"
) -> None:
    """Notes what raises in each activation that leads there and does not catch it: whatever the
    reason, no line behind it runs.
    """
    if frame.silence == "all" or frame.is_one_of_several:
        return
    noted = machine.state_of(Raised).stops
    for each, at in _activations(frame, node):
        regions = each.regions
        if at is not None:
            function, running = _scopes(each)
            called = function is not _scopes(frame)[0]
            stop = Stop(at, _guards(each), regions.until, reason, running, called)
            uid = function.uid
            before = noted.get(uid, ())
            if len(before) < MAX_STOPS and stop not in before:
                noted[uid] = (*before, stop)
        if regions.until or regions.caught:
            return


def stopped_by(
    machine: "Machine", frame: Frame, guards: tuple[str, ...], until: int = 0
) -> StopReason:
    """Why an activation does not reach the end of its code, or of the code whose handlers may catch
    what it raises, where that begins behind some tests; empty where it does.
    """
    noted = machine.state_of(Raised).stops.get(frame.scope.uid, ())
    reasons = {stop.reason for stop in noted if stop.until == until and stop.guards == guards}
    for reason in REASONS:
        if reason in reasons:
            return reason
    return ""


def _behind(
    machine: "Machine", event: Callable[..., Event], frame: Frame, node: nodes.Node
) -> list[Related]:
    """What is noted in earlier lines of the activations that lead to a line."""
    noted = machine.state_of(Raised).stops
    at: Site | None = frame.site(node)
    for each in frame.callers() if noted else ():
        here = at if at is not None and at.unit is each.unit else None
        stops = noted.get(_scopes(each)[0].uid, ()) if here is not None else ()
        for stop in stops:
            counts = stop.reason != "tracer" or event not in OF_TRACERS
            made = event in OF_RESULTS and stop.called and stop.site == here and each is frame
            if here is not None and counts and (made or _is_behind(stop, here, each)):
                what = "what this runs" if made else "this"
                likely = "likely " * (stop.reason == "perhaps")
                return [Related(location_of(stop.site), f"{what} {likely}raises before")]
        if is_definition(each):
            break
        at = each.called.site
    return []


def _is_behind(stop: Stop, at: Site, frame: Frame) -> bool:
    """Whether an activation gets to a line only where it has passed another one, which stops it."""
    earlier, inside = stop.site, stop.guards
    if _guards(frame)[: len(inside)] != inside:
        return False
    if stop.until and (earlier.unit is not at.unit or at.start >= stop.until):
        return False
    within = at.unit is earlier.unit and at.start <= earlier.start and earlier.end < at.end
    # A call in an expression comes before it; an attribute may be what is reported.
    called = within and earlier.unit.part(earlier.end - 1, earlier.end) == ")"
    # An iteration has raised: there is no other.
    again = _is_in_loop(earlier, frame) or not stop.comprehensions.isdisjoint(_scopes(frame)[1])
    if not (called or again or _is_line_before(earlier, at)):
        return False
    return earlier.unit is at.unit or _in_one_run(frame.module, earlier, at)


def _in_one_run(module: Module, earlier: Site, at: Site) -> bool:
    """Whether two statements of a module run one after the other: the cells of a notebook run one
    by one, also behind one that fails.
    """
    if not is_joined(module.path.name):
        return True
    between = (
        unit.raw for unit in module.facts.units if earlier.unit.base < unit.base <= at.unit.base
    )
    return is_notebook(module.path.name) and not any(CELL_MARK in text for text in between)


def _guards(frame: Frame) -> tuple[str, ...]:
    """The tests that an activation stands behind, also those around a trace that it has begun."""
    guards = frame.guards
    while frame.caller is not None and frame.caller.scope is frame.scope:
        frame = frame.caller
        guards = (*frame.guards, *guards)
    return guards


def _scopes(frame: Frame) -> tuple[Scope, frozenset[int]]:
    """The variables of the function or module that an activation runs, and the comprehensions that
    are running in it. The body of a class is a part of what is around it.
    """
    scope, running = frame.scope, list[int]()
    while scope.kind in ("class", "comprehension") and scope.parent is not None:
        if scope.kind == "comprehension":
            running.append(scope.uid)
        scope = scope.parent
    return scope, frozenset(running)


def _activations(frame: Frame, node: nodes.Node) -> Iterator[tuple[Frame, Site | None]]:
    """Yields the activations that lead to a line, each with its own line, up to those of which it
    is not known whether they get there.
    """
    at: Site | None = frame.site(node)
    for each in frame.callers():
        yield each, at if at is not None and at.unit is each.unit else None
        if each.guards or is_definition(each):
            return
        at = each.called.site


def _stopped_where_made(noted: dict[int, Site], frame: Frame) -> list[Related]:
    """What raises before the function that a frame runs is defined: nobody can have it."""
    function = frame.called.function
    earlier = None if function is None else noted.get(function.scope.uid)
    if function is None or earlier is None or earlier.unit is not function.unit:
        return []
    if "\n" not in function.unit.part(earlier.start, function.definition.start):
        return []
    return [Related(location_of(earlier), "this raises before")]


def _is_line_before(earlier: Site, at: Site) -> bool:
    if earlier.unit is at.unit:
        return "\n" in at.unit.part(earlier.start, at.start)
    # Two statements of a module.
    return earlier.unit.base < at.unit.base


def _is_in_loop(earlier: Site, frame: Frame) -> bool:
    """Whether it was an iteration of a running loop that has raised, also around a trace that the
    activation has begun.
    """
    loops = [*frame.flow.loops]
    while frame.caller is not None and frame.caller.scope is frame.scope:
        frame = frame.caller
        loops += frame.flow.loops
    return earlier.unit is frame.unit and any(
        loop.span[0] <= earlier.start and earlier.end <= loop.span[1] for loop in loops
    )


def note_caught(event: Callable[..., Event], frame: Frame, value: Value) -> None:
    """Notes a use of a tracer that certainly raises what a `try` around it handles."""
    if event not in RAISING or not (isinstance(value, Array) and value.level):
        return
    for each in frame.callers():
        regions = each.regions
        if len(each.guards) > (regions.guards_of_try if regions.caught else 0):
            return
        if regions.caught:
            regions.raised = True
            return


def doubts_of(
    machine: "Machine",
    event: Callable[..., Event],
    frame: Frame,
    node: nodes.Node,
    operand: nodes.Node,
) -> list[Related]:
    """What analyses know to be uncertain of an event, by its class, its place, and its operand."""
    found: list[Related] = []
    for hears in machine.moments.doubted:
        found += hears(machine, event, frame, node, operand)
    return found


def presumed_in(value: Value, trace: Trace | None) -> Trace | None:
    """The trace of which it is only assumed that a value is a tracer of it, or that it is there at
    all. What a trace makes a tracer that is seen is one, however the code around it is run.
    """
    if isinstance(value, Array | Tree) and value.level:
        return trace if trace is not None and trace.presumed else None
    return next((outer for outer in traces(trace) if outer.presumed), None)


def weak_links_at(
    place: Location, guard: str, doubt: str, presumed: Trace | None, origin: Origin | None
) -> list[Related]:
    """What is known at the use itself to be uncertain."""
    weak: list[Related] = []
    if guard:
        weak.append(Related(place, f"it {BEHIND_TEST}: `{guard}`"))
    if doubt:
        weak.append(Related(place, doubt))
    if presumed is not None:
        weak.append(Related(location_of(presumed.site), _convention(presumed)))
    if origin is not None and origin.doubt:
        weak.append(Related(location_of(site_of_origin(origin)), origin.doubt))
    return weak


def _convention(trace: Trace) -> str:
    return f"no transform is seen here: traced by {trace.label}"

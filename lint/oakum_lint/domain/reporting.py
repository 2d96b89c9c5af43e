"""Reports: what a run reports to the rules, in the user's names, and when it is silent."""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from oakum.errors import elided
from oakum_lint.domain.doubts import (
    MEANT_STATIC,
    RAISING,
    STOPPING,
    UNKNOWN_LEAVES,
    doubts_of,
    note_caught,
    note_raised,
    presumed_in,
    raised_before,
    weak_links_at,
)
from oakum_lint.domain.events import (
    CertainError,
    Event,
    FormatUse,
    HostCall,
    ItemAssignment,
    Leak,
    NumpyCall,
    Operand,
    RangeUse,
    ScalarConversion,
    ShapeArgument,
    SideEffect,
    SliceBound,
    StagedConstant,
    StaticArgument,
    UnhashableStatic,
)
from oakum_lint.domain.frames import Frame, Trace, is_definition, traces
from oakum_lint.domain.project import location_of, site_of_origin
from oakum_lint.domain.values import Array, Origin, Tree, Value
from oakum_lint.syntax import nodes
from oakum_lint.text.expressions import left_out
from oakum_lint.text.finding import Location, Related

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine

SOURCE_TEXT_LIMIT = 40
MEANT = "its name says that the change is meant"
ONE_OF_SEVERAL = "it is not known which of several functions is called"
REFUSED = "the transform raises before: an option names a parameter that the function lacks"
ALIKE = "what all devices have alike has a value where nothing compiles `shard_map`"
STATIC_USES = frozenset[object]({RangeUse, ShapeArgument, SliceBound, StaticArgument})
"""Uses that need a size, an axis or an index: their operands are mostly meant to be static."""
NUMBER_USES = STATIC_USES | {ScalarConversion}
"""Uses that show that an attribute is meant to be a number of Python, if nothing is known of it."""
FAILING: frozenset[object] = STOPPING | {FormatUse, ItemAssignment, SideEffect, UnhashableStatic}
"""Uses that a run of the same code on other values need not have: what is written for them in their
place may be something else there."""
NOTHING = Operand("", "")
CONVERSIONS = frozenset({"array", "asarray", "save", "savez"})
"""Functions of NumPy that take arrays over as they are."""


class Reporter:
    """Takes what the interpreter and its guests find, and hands on what is to be reported."""

    __slots__ = ("_emit", "_machine")

    def __init__(self, emit: Callable[[Event], None], machine: "Machine") -> None:
        self._emit = emit
        self._machine = machine

    def emit(
        self,
        event: Callable[..., Event],
        frame: Frame,
        node: nodes.Node,
        value: Value,
        operand: nodes.Node | None = None,
        doubt: str = "",
        /,
        **details: object,
    ) -> None:
        """Reports to the rules that `value`, written at `operand` (or `node`), meets a forbidden
        use at `node`; `doubt` says why that need not be so on every run.

        Here alone it is decided what is proved: what no link of the chain from the program's own
        text to the use leaves open. Each weak link goes with the event.
        """
        _note_failing(self._machine, event, frame, node)
        silence = frame.silence
        if silence == "all" or (silence == "errors" and event is not Leak):
            note_caught(event, frame, value)
            return
        if isinstance(value, Array | Tree) and value.level > frame.level:
            # It has leaked out of its trace, and that was reported where it did.
            return
        trace = trace_of(value, frame)
        if trace is not None and frame.runs_elsewhere:
            return
        presumed = presumed_in(value, trace)
        if isinstance(value, Tree) and presumed is not None:
            # By convention a parameter may still be a plain number; what is computed of it is not.
            return
        if trace is not None and trace.assumed and converts(event, details):
            # Who hands an array over to the host by name runs there.
            return
        guard = frame.guards[-1] if frame.guards else ""
        if doubt and not guard:
            guard = next((each.guards[-1] for each in frame.callers() if each.guards), "")
        doubt = doubt or _doubt_in(trace, event, frame)
        origin = value.origin if isinstance(value, Array | Tree) else None
        if _is_meant_static(event, origin) or _runs_by_default_only(frame):
            return
        place = location_of(frame.site(node))
        weak = weak_links_at(place, guard, doubt, presumed, origin)
        weak += raised_before(self._machine, event, frame, node, origin)
        weak += doubts_of(self._machine, event, frame, node, operand or node)
        note_raised(self._machine, event, frame, node, weak)
        if frame.module.is_library:
            return
        links = tuple([self._in_program(link, place) for link in weak])
        self._emit(
            event(
                location=place,
                operand=describe(value, frame.text(operand or node)),
                trace=trace.label if trace is not None else "",
                weak=links,
                guard=guard,
                related=provenance(value, trace, frame),
                cause=_cause_of(event, origin, trace),
                is_differentiated=frame.trace is not None and frame.trace.differentiated > 0,
                **details,
            )
        )

        if event in STATIC_USES and origin is not None and origin.computed:
            self._emit_origin(value, origin, frame, node, links)

    def note_error(self, frame: Frame, node: nodes.Node) -> None:
        """Reports an error that is no rule's."""
        if not frame.module.is_library:
            place = location_of(frame.site(node))
            self._emit(CertainError(place, NOTHING, "", (), "", (), None, is_differentiated=False))

    def _in_program(self, link: Related, place: Location) -> Related:
        """A weak link, at the use itself where it lies in the source of a library: that is no file
        of the user's.
        """
        if self._machine.project.declares_library(link.location.file):
            return Related(place, link.message)
        return link

    @contextmanager
    def collecting(self) -> Generator[list[Event]]:
        """Keeps what is reported in the block from the rules, and yields it."""
        kept, emit = list[Event](), self._emit
        self._emit = kept.append
        try:
            yield kept
        finally:
            self._emit = emit

    def report(self, kept: Sequence[Event]) -> None:
        """Reports to the rules what was kept from them."""
        for event in kept:
            self._emit(event)

    def _emit_origin(
        self,
        value: Value,
        origin: Origin,
        frame: Frame,
        node: nodes.Node,
        weak: tuple[Related, ...],
    ) -> None:
        """Reports to the rules where JAX got what had better stayed a Python value, if that is not
        the line where it is needed.
        """
        site = site_of_origin(origin)
        place, use = location_of(site), location_of(frame.site(node))
        if (place.file, place.line) == (use.file, use.line) or site.module.is_library:
            return
        trace = trace_of(value, frame)
        self._emit(
            StagedConstant(
                location=place,
                operand=describe(value, origin.unit.part(origin.start, origin.end)),
                trace=trace.label if trace is not None else "",
                weak=weak,
                guard=frame.guards[-1] if frame.guards else "",
                related=(Related(use, "a Python value is needed here"),),
                cause=place,
                is_differentiated=False,
                line=use.line,
            )
        )


def _cause_of(event: object, origin: Origin | None, trace: Trace | None) -> Location | None:
    """Where findings of one mistake begin: the value that is used wrongly; of tracers that escape
    the trace, whose function keeps its state outside of it.
    """
    if event is Leak and trace is not None:
        return location_of(trace.site)
    return None if origin is None else location_of(site_of_origin(origin))


def _note_failing(machine: "Machine", event: object, frame: Frame, node: nodes.Node) -> None:
    if event not in FAILING or machine.recorder is None:
        return
    if not any(caller.regions.unjitted for caller in frame.callers()):
        machine.recorder.failing |= {node.start}


def _doubt_in(trace: Trace | None, event: Callable[..., Event], frame: Frame) -> str:
    """Why a use of a tracer may be another one, or the tracer may have a value."""
    if trace is None:
        return ""
    if frame.is_one_of_several:
        return ONE_OF_SEVERAL
    if any(each.refused for each in traces(frame.trace)):
        return REFUSED
    return ALIKE if trace.keeps_alike and event in RAISING else ""


def _is_meant_static(event: object, origin: Origin | None) -> bool:
    """Whether code shows by what it does with a value that this is a number of Python."""
    if origin is None or origin.doubt not in MEANT_STATIC:
        return False
    return event in (NUMBER_USES if origin.doubt == UNKNOWN_LEAVES else RAISING)


def _runs_by_default_only(frame: Frame) -> bool:
    """Whether code stands behind a test that a parameter was left at None, where a call passes for
    it a name that has no default itself.
    """
    for each in frame.callers():
        names = {name for guard in each.guards if (name := left_out(guard)) is not None}
        for name in names & each.called.handed.keys():
            _, place = each.called.handed[name]
            default = _default(each, name)
            is_none = isinstance(default, nodes.Constant) and default.value is None
            if is_none and _default(each.caller, place.identifier) is None:
                return True
    return False


def _default(frame: Frame | None, name: str) -> nodes.Expression | None:
    """The default that a parameter has in the function that runs."""
    function = None if frame is None else frame.called.function
    return None if function is None else function.definition.parameters.default_of(name)


def trace_of(value: Value, frame: Frame) -> Trace | None:
    """The trace that a value belongs to, as seen from a frame."""
    level = value.level if isinstance(value, Array | Tree) else 0
    trace = frame.trace
    while trace is not None and trace.level > level > 0:
        trace = trace.parent
    return trace


def provenance(value: Value, trace: Trace | None, frame: Frame) -> tuple[Related, ...]:
    """Why the value is a tracer here: the transform, the calls on the way, the value's
    origin.
    """
    related: list[Related] = []
    if trace is not None:
        related.append(Related(location_of(trace.site), f"traced by {trace.label}"))
    calls = [
        Related(
            location_of(caller.called.site),
            f"`{caller.called.function.name}` is called here"
            if caller.called.function
            else "called here",
        )
        for caller in frame.callers()
        if caller.called.site is not None
        and not caller.called.site.module.is_library
        and not is_definition(caller)
    ]
    related.extend(reversed(calls[:8]))
    origin = value.origin if isinstance(value, Array | Tree) else None
    if origin is not None and not origin.module.is_library:
        related.append(Related(location_of(site_of_origin(origin)), origin.message))
    return tuple(related)


def describe(value: Value, text: str) -> Operand:
    """A value in words for a message: the user's text and what is known of the aval."""
    aval = ""
    if isinstance(value, Array) and (value.aval.dtype or value.aval.shape is not None):
        aval = str(value.aval)
    return Operand(elided(text, SOURCE_TEXT_LIMIT), aval)


def converts(event: Callable[..., Event], details: Mapping[str, object]) -> bool:
    """Whether the use is a conversion for the host that the code asks for by name."""
    return event is HostCall or (
        event is NumpyCall and str(details.get("function", "")).rpartition(".")[2] in CONVERSIONS
    )

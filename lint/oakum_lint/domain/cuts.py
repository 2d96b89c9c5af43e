"""What was not analysed, and why: the events of cuts, in the user's names."""

from oakum.values.records import dataclass
from oakum_lint.domain.callables import ClassValue, FunctionValue
from oakum_lint.domain.events import Event, Operand
from oakum_lint.domain.frames import Frame
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Location, Related

SHOWN_CALLS = 4
"""So many names are shown of either end of a chain of calls."""


@dataclass(frozen=True, slots=True)
class AnalysisCut(Event):
    """Some code was not analysed: `reason` says which, and what limit was reached."""

    reason: str


def qualified_name(function: FunctionValue) -> str:
    """The name of a function, with that of its class.

    A method that several classes define, each calling the next one's, is named by the class.
    """
    cls = function.cls
    return f"{cls.name}.{function.name}" if isinstance(cls, ClassValue) else function.name


def chain_of(frame: Frame) -> list[FunctionValue]:
    """The functions that run, the outermost first."""
    called = [
        caller.called.function
        for caller in frame.callers()
        if caller.called.site is not None and caller.called.function is not None
    ]
    return called[::-1]


def root_of(frame: Frame) -> str:
    """Where the analysis began, in words."""
    chain = chain_of(frame)
    return f"`{qualified_name(chain[0])}`" if chain else "the code here"


def _shortened(names: list[str]) -> str:
    """A chain of calls with its ends alone, if it is long."""
    if len(names) > 2 * SHOWN_CALLS + 1:
        left_out = len(names) - 2 * SHOWN_CALLS
        names = [*names[:SHOWN_CALLS], f"... {left_out} more ...", *names[-SHOWN_CALLS:]]
    return " -> ".join(names)


def cut_at(frame: Frame, node: nodes.Node, reason: str) -> AnalysisCut:
    """The event of what was cut at a node."""
    site = frame.site(node)
    place = site.unit.location(site.start, site.end, str(site.module.path))
    chain = chain_of(frame)
    related: tuple[Related, ...] = ()
    if len(chain) > 1:
        names = _shortened([qualified_name(function) for function in chain])
        related = (Related(place, f"reached by the calls {names}"),)
    return cut_in(place, reason, related)


def cut_in(place: Location, reason: str, related: tuple[Related, ...] = ()) -> AnalysisCut:
    """The event of what was cut at a place."""
    return AnalysisCut(place, Operand("", ""), "", (), "", related, None, False, reason)

"""What begins the traces that code runs in: the transforms, with the functions and the options that
they get, and the calls of what they have made.
"""

from collections.abc import Callable, Iterator

from oakum.values.records import dataclass
from oakum_lint.analyses.closed_world.places import Place, place_of
from oakum_lint.analyses.closed_world.sources import passed_for
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Partial,
    Site,
    Transformed,
)
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.values import External, Value
from oakum_lint.models.decorators import PARTIAL
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

Look = Callable[[nodes.Node, Place], Value | None]
FUNCTIONS = BoundMethod | ClassValue | FunctionValue | Partial | Transformed


@dataclass(frozen=True, slots=True)
class TraceStart:
    """A trace that is seen to begin."""

    transform: nodes.Node
    """The expression that applies the transform."""
    place: Place
    """Where that stands."""
    call: nodes.Call | None
    """The call of what the transform has made; None where the transform itself is called, as `scan`
    is, or no call is seen."""
    caller: Place
    """Where the call stands."""

    def parts(self, look: Look) -> Iterator[nodes.Node]:
        """Yields the parts of the transform on which it rests that its function is traced: what is
        called, the functions that it gets, and the options; not what it goes over.
        """
        pending = [self.transform]
        while pending:
            match pending.pop():
                case nodes.Call(function=function, arguments=arguments, keywords=keywords) as node:
                    passed = [*arguments, *(each.value for each in keywords)]
                    pending.append(function)
                    pending += self._followed(node, passed, look)
                case nodes.Lambda():
                    pass
                case node:
                    yield node

    def bound_before(
        self, name: str, index: int, bound: bool, look: Look
    ) -> Iterator[nodes.Expression]:
        """Yields what partial applications pass for a parameter of the function that the trace
        begins with, of a method if it is `bound` to its object: no tracers, unlike what the call
        passes.
        """
        for node in walk((self.transform,)):
            match node:
                case nodes.Call(function=function, arguments=(_, *_)) if look(
                    function, self.place
                ) == External(PARTIAL):
                    yield from passed_for(node, name, index + 1, bound=bound) or ()
                case _:
                    pass

    def _followed(
        self, node: nodes.Call, passed: list[nodes.Expression], look: Look
    ) -> list[nodes.Expression]:
        if node is self.transform and self.call is None:
            return [each for each in passed if isinstance(look(each, self.place), FUNCTIONS)]
        match look(node.function, self.place):
            case External(path) if path == PARTIAL and passed:
                transform = isinstance(look(passed[0], self.place), External)
                return passed if transform else passed[:1]
            case External():
                return passed
            case _:
                return []


def starts_of_traces(frame: Frame) -> Iterator[TraceStart]:
    """Yields what begins the traces that an activation runs in, but for those that are presumed."""
    call: nodes.Node | None = None
    for each in frame.callers():
        call, outside = each.called.node or call, each.caller
        if outside is None or each.trace is None or each.trace is outside.trace:
            continue
        transform = _node_at(each.trace.site)
        if not each.trace.presumed and transform is not None:
            made = call if isinstance(call, nodes.Call) and call is not transform else None
            yield TraceStart(transform, place_of(each.trace.site, outside), made, Place(outside))
        call = None


def _node_at(site: Site) -> nodes.Node | None:
    """The outermost expression that stands at a place."""
    found = [
        each for each in walk(site.unit.body) if (each.start, each.end) == (site.start, site.end)
    ]
    return next((each for each in found if not isinstance(each, nodes.ExpressionStatement)), None)

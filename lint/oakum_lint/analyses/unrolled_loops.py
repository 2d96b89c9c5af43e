"""Python loops of many iterations under tracing: their number, and whether they make tracers."""

from collections.abc import Mapping, Sequence

from oakum.values.records import dataclass
from oakum_lint.arrays.array_results import operands
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, LoopEnd, Moments
from oakum_lint.domain.store import Key
from oakum_lint.domain.values import NONE, Array, Items, Place, Value
from oakum_lint.python.statements.loop_counts import count_iterations
from oakum_lint.syntax import nodes

MANY_ITERATIONS = 100
"""So many iterations and more are reported."""


@dataclass(frozen=True, slots=True)
class UnrolledLoop(Event):
    """A Python loop of many iterations makes traced operations in each of them."""

    iterations: int


def _check_loop(machine: Machine, end: LoopEnd, frame: Frame) -> None:
    """Reports a loop of many iterations that stages operations in each."""
    if not frame.staged_level:  # nothing is staged: what the loop leaves need not be looked through
        return
    if end.loop.inside or _makes_tracers(end.written, end.target):
        iterations = end.count()
        if iterations is not None:
            _note_iterations(machine, end.place, iterations * max(end.loop.inside, 1), frame)


def _check_calls(
    machine: Machine, node: nodes.Node, items: Items, results: Sequence[Value], frame: Frame
) -> bool:
    """Reports a builtin that calls a function for each of many items, which stages operations;
    whether there are so many and it does.
    """
    computes = any(isinstance(v, Array) and v.place is Place.ABSTRACT for v in results)
    if not computes or items.count is None or isinstance(node, nodes.Comprehension):
        # What a comprehension computes is reported there.
        return False
    _note_iterations(machine, node, items.count, frame)
    return items.count >= MANY_ITERATIONS


def _note_iterations(machine: Machine, node: nodes.Node, iterations: int, frame: Frame) -> None:
    """Reports so many iterations of a loop, those of the loops inside included, and adds them to
    the loop around it.
    """
    if frame.flow.loops:
        frame.flow.loops[-1].inside = max(frame.flow.loops[-1].inside, iterations)
    if iterations >= MANY_ITERATIONS and frame.staged_level:
        machine.emit(UnrolledLoop, frame, node, NONE, node, iterations=iterations)


def _check_comprehension(
    machine: Machine, node: nodes.Comprehension, items: Items, element: Value, frame: Frame
) -> bool:
    """Reports a comprehension of many iterations that stage operations; whether it is one."""
    computed = isinstance(node.element, nodes.Call | nodes.BinaryOperation)
    if computed and isinstance(element, Array) and element.place is Place.ABSTRACT:
        place = node.clauses[0].iterable
        iterations = count_iterations(machine, place, items, frame)
        if iterations is not None:
            _note_iterations(machine, place, iterations, frame)
            return iterations >= MANY_ITERATIONS
    return False


def _makes_tracers(written: Mapping[Key, Value], target: str = "") -> bool:
    """Whether an iteration leaves a tracer behind other than in the target of the loop."""
    return any(
        isinstance(part, Array) and part.place is Place.ABSTRACT
        for (_, name), value in written.items()
        if name != target
        for part in operands((value,))
    )


GUEST = Guest(
    "unrolled_loops",
    Moments(
        followed=(_note_iterations,),
        loop_left=(_check_loop,),
        comprehended=(_check_comprehension,),
        computed_for_each=(_check_calls,),
    ),
)

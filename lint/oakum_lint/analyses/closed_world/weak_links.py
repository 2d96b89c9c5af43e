"""What is weak in the chain behind a finding, for the gate that decides what is proved
(`domain/reporting`).
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain

from oakum_lint.analyses.closed_world.chains import Chain
from oakum_lint.analyses.closed_world.escapes import Escapes
from oakum_lint.analyses.closed_world.gradient_paths import undifferentiated
from oakum_lint.analyses.closed_world.imports import failing_imports
from oakum_lint.analyses.closed_world.surroundings import ended, surroundings
from oakum_lint.analyses.closed_world.tests_of_project import tests_that_run
from oakum_lint.analyses.donation.deleted_arrays import DeletedArrayUse, UselessDonation
from oakum_lint.analyses.gradients.singularities import NanGradient
from oakum_lint.analyses.index_bounds import OutOfBoundsIndex
from oakum_lint.analyses.keys.meant_reuses import stands_in_test
from oakum_lint.analyses.keys.reused_keys import KeyReuse
from oakum_lint.analyses.recompilation.jit_in_loop import JitInLoop
from oakum_lint.analyses.recompilation.retrace_in_loop import Retracing
from oakum_lint.analyses.trace_reads import ChangedObject, ReadVariable
from oakum_lint.domain import events
from oakum_lint.domain.doubts import CHANGES, MISFITS, ON_TRACING, RAISING
from oakum_lint.domain.frames import Frame, is_definition, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.project import location_of
from oakum_lint.models.mutation import SAYS_UNJITTED, STAGED_LOOPS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.finding import Location, Related

ON_COMPILING = frozenset[object](
    {
        ChangedObject,
        DeletedArrayUse,
        JitInLoop,
        ReadVariable,
        Retracing,
        UselessDonation,
        events.CarryMismatch,
        events.ForeignOperand,
        events.ForeignResult,
        events.UnhashableStatic,
    }
)
"""Events that need no trace where they happen, but that a function is compiled."""

ON_RUNNING = frozenset[object]({NanGradient, OutOfBoundsIndex})
"""Events that rest on that compiled code is run, with the values that it gets."""
BRANCHES = frozenset({"cond", "switch"})
"""Kinds of transforms that run one of the functions that they trace."""

FAILING = MISFITS | RAISING | {events.ItemAssignment, events.UnhashableStatic}
"""Events after which the program stops."""


def _weak_links(
    machine: Machine,
    event: Callable[..., events.Event],
    frame: Frame,
    node: nodes.Node,
    operand: nodes.Node,
) -> Sequence[Related]:
    on_tracing = event in ON_TRACING
    if event in CHANGES:
        starts: tuple[nodes.Node, ...] = ()
    elif on_tracing or event is KeyReuse:
        starts = (operand,)
    else:
        starts = (node, operand)
    with _aside(machine):
        chain_behind = Chain(machine, not on_tracing, event in MISFITS)
        found = chain_behind.follow(frame, node, starts, traces=on_tracing)
        found += [Related(at, why) for at, why in failing_imports(machine, frame)]
        if event in FAILING:
            against = chain(
                tests_that_run(machine, frame, node),
                _uncalled_in_traces(frame),
            )
            found += [Related(at, why) for at, why in against]
        found += [Related(at, why) for at, why in ended(machine, frame)]
        found += [Related(at, why) for at, why in surroundings(machine, frame, node)]
    if event is events.InvertedBool:
        found += _masked(frame, node)
    if event is JitInLoop and stands_in_test(frame):
        why = "a test or a benchmark may mean to compile each of its cases"
        found.append(Related(location_of(frame.site(node)), why))
    if event in ON_RUNNING:
        why = "one of several branches is run: perhaps not this"
        branches = (each for each in traces(frame.trace) if each.kind in BRANCHES)
        found += [Related(location_of(each.site), why) for each in branches]
    if event is NanGradient:
        found += [Related(at, why) for at, why in undifferentiated(machine, frame, node)]
    in_jit = on_tracing and any(each.kind in STAGED_LOOPS for each in traces(frame.trace))
    if in_jit or event in ON_COMPILING:
        found += _turned_off(machine, frame, node)
    return found


def _uncalled_in_traces(frame: Frame) -> Iterator[tuple[Location, str]]:
    """Yields a function that code under a trace defines, on the way to a use, and that nobody is
    seen to call: who has got it may call it with other values than tracers, or never come to that.
    """
    for each in frame.callers():
        function, outside = each.called.function, each.caller
        if function is None or outside is None or not is_definition(each):
            continue
        is_inside = function.scope.kind == "function" and function.scope.level
        if is_inside and outside.trace and each.trace is outside.trace:
            why = f"nobody is seen to call `{function.name}` while that is traced"
            yield location_of(function.site), why


def _masked(frame: Frame, node: nodes.Node) -> Iterator[Related]:
    """Yields the operation that takes an inverted flag for a mask: -1 keeps what is true beside
    it, and -2 nothing, as long as that is 0 or 1.
    """
    for each in walk(frame.unit.body):
        match each:
            case (
                nodes.BinaryOperation(left=left, operator="&", right=right)
                | nodes.AugmentedAssignment(target=left, operator="&", value=right)
            ) if node is left or node is right:
                why = "`&` with what is true or false has the right result, if as a number"
                yield Related(location_of(frame.site(each)), why)
            case _:
                pass


@contextmanager
def _aside(machine: Machine) -> Generator[None]:
    """What is looked at for a report costs the analysis no step, and is nothing that the running
    call has read: else no other situation would be like this one.
    """
    left, recorder, machine.recorder = machine.budget.steps, machine.recorder, None
    try:
        yield
    finally:
        machine.budget.steps, machine.recorder = left, recorder


def _turned_off(machine: Machine, frame: Frame, node: nodes.Node) -> Iterator[Related]:
    """Yields what in the program turns compilation off."""
    site = machine.state_of(Escapes).unjitted
    if site is not None:
        yield Related(location_of(site), "compilation is turned off here")
    elif machine.project.units_that_say(frame.module, SAYS_UNJITTED):
        why = "other code of the program may turn compilation off"
        yield Related(location_of(frame.site(node)), why)


GUEST = Guest("weak_links", Moments(doubted=(_weak_links,)), after=("escapes",))

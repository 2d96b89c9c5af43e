"""`for` and `while`, `break` and `continue`."""

from collections.abc import Callable, Sequence
from functools import partial

from oakum.values.records import replace
from oakum_lint.domain import events
from oakum_lint.domain.budget import MAX_ITERATIONS
from oakum_lint.domain.frames import Frame, Loop
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of
from oakum_lint.domain.moments import IterationsEnd, LoopEnd
from oakum_lint.domain.store import Key
from oakum_lint.domain.values import Value, next_uid
from oakum_lint.python.expressions.conditions import decide
from oakum_lint.python.expressions.failures import ITERATION, note_lacking
from oakum_lint.python.expressions.narrowing import narrow
from oakum_lint.python.expressions.truth import evaluate_test
from oakum_lint.python.objects.containers import iterate
from oakum_lint.python.statements.assignments import assign
from oakum_lint.python.statements.look_ahead import look_ahead
from oakum_lint.python.statements.loop_counts import count_iterations, counted_iterations, counters
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own

LOOP_ITERATIONS = 2
"""How often a loop body is interpreted: once with what comes in, once with what it made of it."""
UNROLLED = 8
"""A loop over at most so many known items is followed item by item."""


def _loop(
    machine: Machine,
    frame: Frame,
    enter: Callable[[], bool],
    body: Sequence[nodes.Statement],
    iterations: int,
    outline: Loop,
    *,
    certain: bool = False,
    again: Callable[[], bool] | None = None,
) -> dict[Key, Value]:
    """Interprets a loop body `iterations` times; afterwards the store holds what is true after any
    number of iterations. Returns what the last iteration wrote where it goes on to the next.
    `outline` says where the loop stands and what it binds, and learns what is inside. `certain`: it
    is known that there are two iterations at least. `again` is asked after an iteration whether
    there is another.
    """
    written: dict[Key, Value] = {}
    loop, guards, outer_iterations = outline, frame.guards, frame.flow.iterations
    # Where it is not run again, the loops around do that with what comes of it.
    iterations = iterations if outer_iterations * iterations <= MAX_ITERATIONS else 1
    frame.flow.iterations *= iterations
    endings: list[IterationsEnd] = []
    for number in range(iterations):
        base = machine.store
        loop = replace(
            outline,
            entry=base,
            guards=len(guards),
            is_first=number < iterations - 1,
            breaks=[],
            continues=[],
        )
        frame.flow.loops.append(loop)
        machine.store = base.fork()
        try:
            goes_on = enter()
            if goes_on and machine.execute(body, frame):
                loop.continues.append(machine.store.since(base))
        finally:
            machine.store = base
            frame.flow.loops.pop()
            frame.guards = guards
        if again is not None:
            machine.run_path(partial(_ask, machine, loop, again))
        base.merge([{}, *loop.continues, *loop.breaks])
        outline.inside = loop.inside
        outline.breaks.extend(loop.breaks)
        outline.continues.extend(loop.continues)
        written = {} if loop.breaks else {k: v for one in loop.continues for k, v in one.items()}
        if not goes_on or machine.budget.is_spent:
            break
        if number == 0 and loop.continues:
            for hears in machine.moments.next_iteration:
                ending = hears(machine, loop.continues, outline, frame, certain)
                endings += () if ending is None else (ending,)
    frame.flow.iterations = outer_iterations
    for ending in endings:
        ending(bool(loop.breaks))
    return written


def _ask(machine: Machine, loop: Loop, again: Callable[[], bool]) -> bool:
    """Asks whether there is another iteration after one that goes on."""
    machine.store.merge(loop.continues)
    return bool(loop.continues) and again()


def names_in(target: nodes.Expression) -> frozenset[str]:
    """The names that an assignment to a target binds."""
    found: set[str] = set()
    stack: list[nodes.Expression] = [target]
    while stack:
        match stack.pop():
            case nodes.Name(identifier=identifier):
                found.add(identifier)
            case nodes.Display(elements=elements):
                stack.extend(elements)
            case nodes.Starred(value=value):
                stack.append(value)
            case _:
                pass
    return frozenset(found)


def for_statement(machine: Machine, node: nodes.For, frame: Frame) -> bool:
    """Runs a `for` loop: unrolled where the elements are few and known, else to a fixed point."""
    iterable = machine.evaluate(node.iterable, frame)
    note_lacking(machine, iterable, ITERATION, frame, node.iterable)
    items = iterate(machine, iterable, frame, node.iterable)
    outline = Loop(
        machine.store,
        names_in(node.target),
        (node.start, node.end),
        len(frame.guards),
        started=next_uid(),
        counters=counters(machine, node, items, frame),
        repeated_from=node.iterable.end,
    )
    elements = items.elements
    outer_iterations = frame.flow.iterations
    if (
        elements is not None
        and len(elements) <= UNROLLED
        and len(elements) * frame.flow.iterations <= MAX_ITERATIONS
    ):
        iterations, ends = 0, True
        frame.flow.iterations *= len(elements)
        for item in elements:
            loop = replace(outline, entry=machine.store, breaks=[], continues=[])
            goes_on = _unrolled_iteration(
                machine, partial(_bind_item, machine, node, item, frame), node.body, loop, frame
            )
            iterations += loop.inside
            outline.breaks.extend(loop.breaks)
            ends = goes_on
            if not goes_on or machine.budget.is_spent:
                break
        frame.flow.iterations = outer_iterations
        _end_followed(machine, node.iterable, iterations, frame)
        if not ends:
            # No path goes on: nothing behind the loop runs but what has left it by `break`.
            return bool(outline.breaks)
    else:
        element = element_of(items)

        def enter() -> bool:
            assign(machine, node.target, element, frame)
            return True

        if items.first:
            look_ahead(
                machine, partial(_run_iterations, machine, node, items.first, outline, frame), frame
            )
        returned = len(frame.flow.returns)
        certain = items.elements is not None
        written = _loop(machine, frame, enter, node.body, LOOP_ITERATIONS, outline, certain=certain)
        if len(frame.flow.returns) == returned:
            target = node.target.identifier if isinstance(node.target, nodes.Name) else ""
            count = partial(count_iterations, machine, node.iterable, items, frame)
            end = LoopEnd(outline, node.iterable, target, written, count)
            _end(machine, end, frame)
        if items.count and not (outline.continues or outline.breaks or machine.budget.is_spent):
            # It has an iteration, and no path goes on from that.
            return False
    return _run_else(machine, node.orelse, outline, frame)


def _run_else(
    machine: Machine, orelse: Sequence[nodes.Statement], loop: Loop, frame: Frame
) -> bool:
    """Runs the `else` of a loop, which a path that has left the loop by `break` does not enter."""
    if not loop.breaks or not orelse:
        return machine.execute(orelse, frame)
    falls_through, written = machine.run_path(partial(machine.execute, orelse, frame))
    machine.store.merge([{}, written] if falls_through else [{}])
    return True


def _end(machine: Machine, end: LoopEnd, frame: Frame) -> None:
    for hears in machine.moments.loop_left:
        hears(machine, end, frame)


def _end_followed(machine: Machine, place: nodes.Node, iterations: int, frame: Frame) -> None:
    for hears in machine.moments.followed:
        hears(machine, place, iterations, frame)


def _run_iterations(
    machine: Machine, node: nodes.For, items: Sequence[Value], outline: Loop, frame: Frame
) -> bool:
    """Runs an iteration for each of some items."""
    for item in items:
        loop = replace(outline, entry=machine.store, breaks=[], continues=[])
        enter = partial(_bind_item, machine, node, item, frame)
        if not _unrolled_iteration(machine, enter, node.body, loop, frame):
            return False
    return True


def _bind_item(machine: Machine, node: nodes.For, item: Value, frame: Frame) -> None:
    """Binds the variables of a loop to one of the items that it goes over."""
    assign(machine, node.target, item, frame)
    for hears in machine.moments.item_bound:
        hears(machine, node.iterable, node.target, frame)


def _unrolled_iteration(
    machine: Machine,
    enter: Callable[[], None],
    body: Sequence[nodes.Statement],
    loop: Loop,
    frame: Frame,
) -> bool:
    """Runs one iteration that is known to run; whether the loop may go on."""
    base, guards = loop.entry, frame.guards
    frame.flow.loops.append(loop)
    machine.store = base.fork()
    returned = len(frame.flow.returns)
    paths: list[dict[Key, Value]] = []
    try:
        enter()
        falls_through = machine.execute(body, frame)
        if falls_through:
            paths.append(machine.store.since(base))
    finally:
        machine.store = base
        frame.flow.loops.pop()
        frame.guards = guards
    goes_on = falls_through or bool(loop.continues)
    paths.extend((*loop.continues, *loop.breaks))
    if len(frame.flow.returns) > returned and not goes_on:
        # The iteration may also have been cut short: keep the state before it.
        paths.append({})
    base.merge(paths)
    return goes_on


def while_statement(machine: Machine, node: nodes.While, frame: Frame) -> bool:
    """Runs a `while` loop."""

    entered: list[bool | None] = []

    def enter() -> bool:
        entered.append(evaluate_test(machine, node.test, frame, events.LoopCondition))
        if entered[-1] is False:
            return False
        narrow(machine, node.test, True, frame)
        return True

    def again() -> bool:
        guards = frame.guards
        if entered != [True]:
            # What an iteration has left is tested where there was one.
            frame.guards = (*guards, frame.text(node.test))
        try:
            return evaluate_test(machine, node.test, frame, events.LoopCondition) is not False
        finally:
            frame.guards = guards

    iterations = counted_iterations(machine, node, frame)
    loop = Loop(
        machine.store,
        span=(node.start, node.end),
        guards=len(frame.guards),
        started=next_uid(),
        repeated_from=node.start,
    )
    few = (iterations or UNROLLED) * frame.flow.iterations <= MAX_ITERATIONS and (
        iterations or 0
    ) <= UNROLLED
    if few and _is_plain(node.test) and _follow(machine, node, loop, iterations or UNROLLED, frame):
        return bool(loop.breaks) or machine.execute(node.orelse, frame)
    written = _loop(machine, frame, enter, node.body, LOOP_ITERATIONS, loop, again=again)
    _end(machine, LoopEnd(loop, node.test, "", written, lambda: iterations), frame)
    if _never_ends(node):
        return False
    narrow(machine, node.test, False, frame)
    return _run_else(machine, node.orelse, loop, frame)


def _never_ends(node: nodes.While) -> bool:
    """Whether nothing behind a loop runs: it is left by `return` or an exception alone."""
    endless = isinstance(node.test, nodes.Constant) and bool(node.test.value)
    return endless and not any(isinstance(part, nodes.Break) for part in walk_own(node.body))


PLAIN = (
    nodes.Attribute
    | nodes.BinaryOperation
    | nodes.BooleanOperation
    | nodes.Comparison
    | nodes.Name
    | nodes.Constant
    | nodes.UnaryOperation
)
"""What may be evaluated once more without a trace of it."""


def _is_plain(test: nodes.Expression) -> bool:
    return not isinstance(test, nodes.Constant) and all(
        isinstance(part, PLAIN) for part in walk((test,))
    )


def _follow(
    machine: Machine, node: nodes.While, outline: Loop, expected: int, frame: Frame
) -> bool:
    """Runs the iterations whose test is known to be true; whether the loop is known to be over."""
    inside, outer_iterations = 0, frame.flow.iterations
    for done in range(UNROLLED + 1):
        truth = decide(machine, machine.look(node.test, frame))
        if truth is False and not done:
            # It is evaluated as any other: what is looked at is not heard.
            return False
        if truth is False:
            _end_followed(machine, node.test, inside, frame)
        if not truth or done == UNROLLED or machine.budget.is_spent:
            return truth is False
        frame.flow.iterations = outer_iterations * expected
        loop = replace(outline, entry=machine.store, breaks=[], continues=[])
        goes_on = _unrolled_iteration(
            machine, partial(narrow, machine, node.test, True, frame), node.body, loop, frame
        )
        frame.flow.iterations = outer_iterations
        inside += loop.inside
        if not goes_on or loop.breaks:
            outline.breaks.extend(loop.breaks)
            return not goes_on
    return False


def break_statement(machine: Machine, node: nodes.Break, frame: Frame) -> bool:
    """Runs `break`: the path leaves the loop."""
    if frame.flow.loops:
        frame.flow.loops[-1].breaks.append(_written_in_iteration(machine, frame))
    return False


def continue_statement(machine: Machine, node: nodes.Continue, frame: Frame) -> bool:
    """Runs `continue`: the path goes on with the next iteration."""
    if frame.flow.loops:
        frame.flow.loops[-1].continues.append(_written_in_iteration(machine, frame))
    return False


def _written_in_iteration(machine: Machine, frame: Frame) -> dict[Key, Value]:
    """Returns the cells that this path has written in the iteration of the innermost loop."""
    return dict(machine.store.since(frame.flow.loops[-1].entry))

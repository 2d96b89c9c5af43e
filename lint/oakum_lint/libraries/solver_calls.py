"""Functions that solvers of SciPy call: with arrays of NumPy, numbers, and what comes as `args`."""

from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.reachability import functions_in
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Place,
    Scalar,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.models.host.solvers import (
    DERIVATIVES,
    MORE,
    NUMBER,
    OTHERWISE,
    Solver,
    solver_at,
)
from oakum_lint.syntax import nodes


def call_handed(
    machine: Machine,
    path: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
    spelled: str,
) -> None:
    """Calls the functions that a solver gets as it does; reports a result that is traced, which it
    cannot take for numbers. How often it calls them is not known: what they change may stay.
    """
    solver = solver_at(path)
    if solver is None:
        return
    passed = _passed(solver, arguments)
    for name in (solver.parameters[0], *DERIVATIVES):
        function = arguments.get(solver.position(name), name)
        if function is None or not any(functions_in((function,))):
            continue
        result = _call_perhaps(machine, function, passed, frame, node)
        if is_tracer(result):
            place = arguments.place(solver.position(name), name, node)
            machine.emit(events.HostCall, frame, node, result, place, function=spelled)


def _call_perhaps(
    machine: Machine, function: Value, passed: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """The result of a call that runs as often as the solver likes."""
    results: list[Value] = []

    def run() -> bool:
        results.append(machine.call(function, passed, frame, node))
        return True

    machine.store.merge([machine.run_path(run)[1], {}])
    return results[0]


def _passed(solver: Solver, arguments: Arguments) -> Arguments:
    """What the function is called with."""
    if any(name in arguments.keywords for name in OTHERWISE):
        return Arguments((), more=UNKNOWN, more_keywords=UNKNOWN)
    positional = tuple(
        Scalar("float") if each == NUMBER else Array(UNKNOWN_ARRAY, Place.HOST)
        for each in solver.calls_with
    )
    match arguments.get(solver.position(MORE), MORE):
        case None if arguments.complete:
            return Arguments(positional)
        case TupleValue(elements) if elements is not None:
            return Arguments((*positional, *elements))
        case Array() | Scalar() as single:
            return Arguments((*positional, single))
        case value if value == NONE:
            return Arguments(positional)
        case _:
            return Arguments(positional, more=UNKNOWN)

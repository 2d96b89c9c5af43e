"""The way through a function or module to a place in it: the statements around, and their tests."""

from collections.abc import Iterator, Sequence

from oakum_lint.domain.frames import Frame
from oakum_lint.domain.names import called_name
from oakum_lint.models.errors import LEAVING_NAMES, SAYS_LEAVING
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in, walk_own

Path = list[tuple[nodes.Node, Sequence[nodes.Node]]]
"""The statements around a node, each with those that run before it in its own suite."""


def statements_around(frame: Frame, node: nodes.Node) -> Path:
    """The statements around a node, each with those that run before it in its own suite; of a
    function what stands in it alone.
    """
    found: Path = []
    suites: list[Sequence[nodes.Node]] = [frame.unit.body]
    while suites:
        suite, suites = suites[0], suites[1:]
        for number, statement in enumerate(suite):
            if statement.start <= node.start and node.end <= statement.end:
                if isinstance(statement, nodes.FunctionDefinition | nodes.ClassDefinition):
                    found = [(each, ()) for each, _ in found]
                found.append((statement, suite[:number]))
                suites = _suites(statement)
                break
    return found


def is_of_activation(path: Path, frame: Frame) -> bool:
    """Whether what stands around a place is the code that an activation runs, and not a function in
    it: of that the variables are over.
    """
    functions = [each for each, _ in path if isinstance(each, nodes.FunctionDefinition)]
    function = frame.called.function
    return (functions[-1] if functions else None) is (function and function.definition)


def _suites(statement: nodes.Node) -> list[Sequence[nodes.Node]]:
    match statement:
        case nodes.FunctionDefinition() | nodes.ClassDefinition() | nodes.With():
            return [statement.body]
        case nodes.If() | nodes.For() | nodes.While():
            return [statement.body, statement.orelse]
        case nodes.Try():
            handled = [handler.body for handler in statement.handlers]
            return [statement.body, *handled, statement.orelse, statement.final]
        case _:
            return []


def tests_on(path: Path, node: nodes.Node) -> Iterator[nodes.Node]:
    """Yields the tests which decide that code comes to a node: those around it, and those behind
    which code before it leaves.
    """
    for statement, before in path:
        match statement:
            case nodes.If(test=test) | nodes.While(test=test):
                if not _is_in(node, test):
                    yield test
            case nodes.Match(subject=subject):
                yield subject
            case _:
                pass
        yield from _tests_that_leave(before)
    if path:
        yield from _tests_in(path[-1][0], node)


def tests_before(frame: Frame) -> Iterator[tuple[nodes.Node, Frame]]:
    """Yields the tests behind which the statements of a module before the running one end the
    program, each with an activation that sees its names.
    """
    if frame.scope.kind != "module":
        return
    for unit in frame.module.facts.units_that_say(SAYS_LEAVING):
        if unit.base < frame.unit.base:
            outside = Frame(frame.scope, unit, frame.module, None)
            yield from ((each, outside) for each in _tests_that_leave(unit.body))


def _tests_that_leave(statements: Sequence[nodes.Node]) -> Iterator[nodes.Node]:
    """Yields the tests behind which some statements may leave their suite, or end the program."""
    for each in statements:
        if isinstance(each, nodes.If) and any(map(_leaves, (each.body, each.orelse))):
            yield each.test


def _tests_in(statement: nodes.Node, node: nodes.Node) -> Iterator[nodes.Node]:
    """Yields the tests inside a statement that decide whether a node of it is evaluated."""
    around: nodes.Node | None = statement
    while around is not None and around is not node:
        match around:
            case nodes.Conditional(test=test) if not _is_in(node, test):
                yield test
            case nodes.BooleanOperation(operands=operands):
                yield from (each for each in operands if each.end <= node.start)
            case nodes.Comprehension(clauses=clauses):
                inside = [number for number, each in enumerate(clauses) if _is_in(node, each)]
                ahead = clauses[: inside[0]] if inside else clauses
                yield from (test for each in ahead for test in each.tests)
            case _:
                pass
        around = next((each for each in parts_in(around) if _is_in(node, each)), None)


def _leaves(body: Sequence[nodes.Node]) -> bool:
    """Whether statements may leave the suite that they stand in, or end the program."""
    ways_out = nodes.Return | nodes.Raise | nodes.Break | nodes.Continue
    return any(
        isinstance(each, ways_out)
        or (isinstance(each, nodes.Call) and called_name(each.function) in LEAVING_NAMES)
        for each in walk_own(body)
    )


def _is_in(node: nodes.Node, around: nodes.Node) -> bool:
    return around.start <= node.start and node.end <= around.end

"""Call arguments of unknown value whose structure is the same in every iteration."""

from oakum_lint.domain.callables import BoundMethod, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Constant, Unknown
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.names import IDENTIFIER, binds


def form_of(
    machine: Machine, place: nodes.Node | None, call: nodes.Node, frame: Frame
) -> Constant | None:
    """Returns what stands for the shapes of an argument: equal for calls that get the result of the
    call before, as a state that is threaded through, an item of the same loop, a variable that the
    loop does not bind, or binds to what one function returns. None where the next call may get
    something else.
    """
    if place is None or not isinstance(place, nodes.Name | nodes.Attribute):
        return None
    text = frame.text(place)
    root = IDENTIFIER.match(text)
    if root is None:
        return None
    recurs = (
        _is_threaded(text, call, frame)
        or _is_of_loop(root[0], call, frame)
        or _is_made_alike(machine, root[0], frame)
    )
    return Constant(f"? {text}") if recurs else None


def _is_threaded(text: str, call: nodes.Node, frame: Frame) -> bool:
    """Whether the statement of a call binds its argument to the result of the call."""
    for statement in walk(frame.unit.body):
        if isinstance(statement, nodes.Assignment) and statement.value is call:
            return any(frame.text(part) == text for part in walk(statement.targets))
    return False


def _is_of_loop(name: str, call: nodes.Node, frame: Frame) -> bool:
    """Whether a call in a loop gets an item of it, or a variable that it does not bind."""
    if not frame.flow.loops:
        return False
    loop = frame.flow.loops[-1]
    start, end = loop.span
    if call.start < start or call.end > end:
        return False
    if name in loop.binds:
        return name not in loop.counters
    return not binds(frame.unit.part(start, end), name)


def _is_made_alike(machine: Machine, name: str, frame: Frame) -> bool:
    """Whether the innermost loop binds a name once, to the result of a function that is of the
    project or unknown, and whose arguments the loop does not bind.
    """
    if not frame.flow.loops:
        return False
    loop = frame.flow.loops[-1]
    values = [
        statement.value
        for statement in walk(frame.unit.body)
        if isinstance(statement, nodes.Assignment)
        and loop.span[0] <= statement.start
        and statement.end <= loop.span[1]
        and any(_is_name(part, name) for part in walk(statement.targets))
    ]
    if len(values) != 1 or not isinstance(values[0], nodes.Call):
        return False
    given = walk((*values[0].arguments, *values[0].keywords))
    if any(isinstance(part, nodes.Name) and part.identifier in loop.binds for part in given):
        return False
    function = machine.look(values[0].function, frame)
    return isinstance(function, Unknown | FunctionValue | BoundMethod)


def _is_name(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.identifier == name

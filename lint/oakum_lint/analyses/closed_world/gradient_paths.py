"""The way of a value to what is differentiated: what a function returns beside its loss, only
shows, or hands to what has no derivative has no part in the gradient.
"""

from collections.abc import Iterator

from oakum_lint.analyses.closed_world.sources import is_dotted, sources_in
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import External
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in, returns_of, walk
from oakum_lint.text.finding import Location


def undifferentiated(
    machine: Machine, frame: Frame, node: nodes.Node
) -> Iterator[tuple[Location, str]]:
    """Yields the activation, of those on the way to the gradient, whose result is not seen to
    depend on a node.
    """
    for each in frame.callers():
        function, trace = each.called.function, each.trace
        if function is not None and trace is not None:
            begins = trace.differentiates and _begins_trace(each)
            if not _reaches(machine, function.definition, node, each, begins=begins):
                why = "no gradient is seen to be taken through this"
                yield location_of(each.site(node)), why
                return
            if begins:
                return
        node = each.called.node or node


def _begins_trace(frame: Frame) -> bool:
    """Whether an activation is that of the function that a trace begins with."""
    caller = frame.caller
    while caller is not None and caller.called.site is None and caller.caller is not None:
        caller = caller.caller  # where a trace begins, a frame without a call stands in between
    return caller is None or caller.trace is not frame.trace


def _reaches(
    machine: Machine,
    definition: nodes.FunctionDefinition | nodes.Lambda,
    node: nodes.Node,
    frame: Frame,
    *,
    begins: bool,
) -> bool:
    """Whether what a function returns is seen to depend on a node of it; of a function that is
    differentiated itself, what it returns first.
    """
    if isinstance(definition, nodes.Lambda):
        body: tuple[nodes.Node, ...] = (definition.body,)
        results: list[nodes.Node] = [definition.body]
    else:
        body = definition.body
        results = [each.value for each in returns_of(body) if each.value is not None]
    if not results:
        return True
    pending = [
        each.elements[0] if begins and isinstance(each, nodes.Display) and each.elements else each
        for each in results
    ]
    bound = sources_in(body, definition.parameters).bound
    changed = [each for each in walk(body) if isinstance(each, nodes.Call)]
    seen = set[str]()
    while pending:
        part = pending.pop()
        if (part.start, part.end) == (node.start, node.end):
            return True
        match part:
            case nodes.Call(function=function) if _has_no_derivative(machine, function, frame):
                continue
            case nodes.Name(identifier=name) if name not in seen:
                seen.add(name)
                pending += bound.get(name, ())
                pending += (each for each in changed if _changes(each, name))
                pending += (
                    each
                    for each in walk(body)
                    if isinstance(each, nodes.FunctionDefinition) and each.name == name
                )
            case _:
                pass
        pending += parts_in(part)
    return False


def _has_no_derivative(machine: Machine, function: nodes.Node, frame: Frame) -> bool:
    value = machine.look(function, frame) if is_dotted(function) else None
    declared = machine.public(value.path) if isinstance(value, External) else None
    return declared is not None and declared.zero_derivative


def _changes(call: nodes.Call, name: str) -> bool:
    """Whether a call is of a method of what a name holds: it may put what it gets there."""
    match call.function:
        case nodes.Attribute(value=nodes.Name(identifier=found)):
            return found == name
        case _:
            return False

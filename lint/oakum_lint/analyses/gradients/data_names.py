"""The names of data in an expression, and of what they stand for: a test and what it guards may
call one thing differently, `abs_x <= 1e-3` around `1 / x`, or around a call of what divides by it.
"""

from keyword import iskeyword

from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import External
from oakum_lint.models.operations import KEEPS_ELEMENTS
from oakum_lint.syntax import nodes
from oakum_lint.text.names import DATA_NAME

MAX_CALLS = 4
"""So many calls are followed back."""


def names_in(text: str) -> frozenset[str]:
    """Returns the names of data in an expression."""
    return frozenset(name for name in DATA_NAME.findall(text) if not iskeyword(name))


def passed_names(node: nodes.Node, frame: Frame) -> frozenset[str]:
    """Returns the names of data in an expression, with those by which callers have passed them."""
    found = own = names_in(frame.text(node))
    at = frame
    for _ in range(MAX_CALLS):
        handed = at.called.handed
        own = frozenset(handed[name][1].identifier for name in own if name in handed)
        if not own or at.caller is None:
            break
        found, at = found | own, at.caller
    return found


def asked_names(machine: Machine, node: nodes.Node, frame: Frame) -> frozenset[str]:
    """Returns the names of data in a test, with those that are zero where these are."""
    names = names_in(frame.text(node))
    sources = [_zero_with(machine, name, frame) for name in names]
    return names.union(*(names_in(frame.text(each)) for each in sources if each is not None))


def _zero_with(machine: Machine, name: str, frame: Frame) -> nodes.Node | None:
    """What the one assignment of a name makes it zero with: `x` of `abs_x = jnp.abs(x)`."""
    function = frame.called.function
    body = None if function is None else function.definition.body
    if function is None or not isinstance(body, tuple):
        return None
    bound = sources_in(body).bound.get(name, ())
    if len(bound) != 1 or any(each.name == name for each in function.definition.parameters.items):
        return None
    match bound[0]:
        case nodes.BinaryOperation(operator="**", left=left, right=nodes.Constant(value=2)):
            return left
        case nodes.Call(function=called, arguments=(operand,)):
            asked = machine.look(called, frame)
            declared = machine.public(asked.path) if isinstance(asked, External) else None
            if declared is None or declared.zero_derivative:
                return None
            keeps = declared.edge == "square" or declared.name in KEEPS_ELEMENTS
            return operand if keeps else None
        case _:
            return None

"""What is asked of values, and of scopes, that they do not have: the code fails there."""

from oakum_lint.analyses.closed_world.sources import is_dotted
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import NONE, External
from oakum_lint.python.expressions.failures import is_missing, is_refused, is_renamed
from oakum_lint.syntax import nodes


def asks_none(machine: Machine, node: nodes.Node, frame: Frame) -> bool:
    """Whether something is asked of None that it does not have: an attribute, an item, a length."""
    match node:
        case nodes.Attribute(value=asked, attribute=name) if not hasattr(None, name):
            pass
        case nodes.Subscript(value=asked):
            pass
        case nodes.Call(function=nodes.Name(identifier="len"), arguments=(asked,)):
            pass
        case _:
            return False
    return is_dotted(asked) and machine.look(asked, frame) == NONE


def lacks_attribute(machine: Machine, node: nodes.Node, frame: Frame) -> bool:
    """Whether an attribute is read that nothing is seen to set, or that JAX does not have."""
    if not isinstance(node, nodes.Attribute) or not is_dotted(node.value):
        return False
    owner, value = machine.look(node.value, frame), machine.look(node, frame)
    if isinstance(value, External):
        return is_refused(value.path) or is_renamed(owner, node)
    return is_missing(machine, owner, node.attribute, value)

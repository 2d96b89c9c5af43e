"""Parameters that a docstring says are arrays."""

from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import External
from oakum_lint.models.documented_types import ARRAY, ARRAY_OF_JAX, types_of
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk_own


def docstring_of(function: FunctionValue | None) -> str:
    """The docstring of a function; empty where it has none."""
    match None if function is None else function.definition:
        case nodes.FunctionDefinition(
            body=(nodes.ExpressionStatement(value=nodes.Constant(value=str(text))), *_)
        ):
            return text
        case _:
            return ""


def is_documented_array(machine: Machine, function: FunctionValue, name: str) -> bool:
    """Whether the docstring of a function says that a parameter is an array of JAX, or an array
    where the function computes by JAX.
    """
    docstring = docstring_of(function)
    types = types_of(docstring, name) if name in docstring else []
    if any(map(ARRAY_OF_JAX.fullmatch, types)):
        return True
    return any(map(ARRAY.fullmatch, types)) and _computes_by_jax(machine, function)


def _computes_by_jax(machine: Machine, function: FunctionValue) -> bool:
    outside = Frame(function.scope, function.unit, function.module, None)
    body = function.definition.body
    for node in walk_own(body if isinstance(body, tuple) else (body,)):
        if isinstance(node, nodes.Call) and isinstance(node.function, nodes.Attribute):
            match machine.look(node.function, outside):
                case External(path) if machine.public(path) is not None:
                    return True
                case _:
                    pass
    return False

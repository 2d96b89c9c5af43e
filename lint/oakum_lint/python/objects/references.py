"""What the code of a function refers to: evidence of what the function is there for, where it can
be called by any name.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import FunctionValue, ModuleValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import attribute_of_module
from oakum_lint.domain.names import look_up
from oakum_lint.domain.values import UNKNOWN, External, Value
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

_MOST = 32
"""So many functions that call each other are looked at: those of decorators and of tests for types
are few."""


@dataclass(slots=True)
class References:
    """What functions refer to that were asked about."""

    forgotten: ClassVar = True
    by_definition: dict[int, frozenset[str]] = field(default_factory=dict[int, frozenset[str]])


def references(machine: Machine, function: FunctionValue) -> frozenset[str]:
    """Returns the names of libraries, and of functions of the project, in the code of a function
    and of those that it refers to.
    """
    known = machine.state_of(References).by_definition
    found = known.get(id(function.definition))
    if found is not None:
        return found
    paths = set[str]()
    seen: dict[int, FunctionValue] = {id(function.definition): function}
    pending = [function]
    while pending:
        current = pending.pop()
        for value in _values_in(machine, current):
            if isinstance(value, External):
                paths.add(value.path)
            elif isinstance(value, FunctionValue):
                paths.add(dotted_name(value))
                if id(value.definition) not in seen and len(seen) < _MOST:
                    seen[id(value.definition)] = value
                    pending.append(value)
    known[id(function.definition)] = found = frozenset(paths)
    return found


def dotted_name(function: FunctionValue) -> str:
    """The name by which another module imports a function."""
    return f"{function.module.name}.{function.name}"


def _values_in(machine: Machine, function: FunctionValue) -> Iterator[Value]:
    """The values of the names in a function's code that are not its own."""
    definition = function.definition
    body = definition.body if isinstance(definition.body, tuple) else (definition.body,)
    outside = Frame(function.scope, function.unit, function.module, None)
    found = [*walk(body)]
    local = {item.name: UNKNOWN for item in definition.parameters.items} | _imported(
        machine, function, found
    )
    for node in found:
        if isinstance(node, nodes.Name | nodes.Attribute):
            yield resolve(machine, node, outside, local)


def _imported(
    machine: Machine, function: FunctionValue, found: Sequence[nodes.Node]
) -> dict[str, Value]:
    """What the imports in a function's code bind."""
    project, module = machine.project, function.module
    bound: dict[str, Value] = {}
    for node in found:
        match node:
            case nodes.Import(names=names):
                for each in names:
                    if each.bound is None:
                        value = project.import_package(module, each.path)
                        bound[each.path.partition(".")[0]] = value
                    else:
                        bound[each.bound] = project.import_path(machine, module, each.path)
            case nodes.ImportFrom(module=path, level=level, names=names):
                dotted = project.resolve_relative(module, path, level)
                for each in names:
                    value = project.import_from(machine, module, dotted, each.path)
                    bound[each.bound or each.path] = value
            case _:
                pass
    return bound


def resolve(
    machine: Machine, node: nodes.Expression, frame: Frame, local: dict[str, Value] | None = None
) -> Value:
    """The value of a name, or of an attribute of a module; Unknown for all else."""
    attributes: list[str] = []
    while isinstance(node, nodes.Attribute):
        attributes.append(node.attribute)
        node = node.value
    if not isinstance(node, nodes.Name):
        return UNKNOWN
    held = (local or {}).get(node.identifier)
    value = look_up(machine, node.identifier, frame) if held is None else held
    for attribute in reversed(attributes):
        match value:
            case External(path):
                value = machine.project.external(machine, f"{path}.{attribute}")
            case ModuleValue(module):
                value = attribute_of_module(machine, module, attribute)
            case _:
                return UNKNOWN
    return value

"""Attributes of objects whose class is not seen, by the classes around that declare them."""

from oakum_lint.arrays.known_spellings import spell_known
from oakum_lint.domain.callables import ClassValue, FunctionValue, Wrapper
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import attribute_of_module
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import Value
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of


def is_declared_static(machine: Machine, module: Module, name: str) -> bool:
    """Whether every trace knows a member by all its declarations in a module, and in those that
    imports connect with it: properties that return shapes or lengths, and static fields.
    """
    owners = [
        (each, definition.name)
        for each, unit in machine.project.declaring(module, name)
        for definition in unit.body
        if isinstance(definition, nodes.ClassDefinition) and _declares(definition, name)
    ]
    return bool(owners) and all(
        _is_static(machine, attribute_of_module(machine, each, owner), name)
        for each, owner in owners
    )


def _declares(definition: nodes.ClassDefinition, name: str) -> bool:
    """Whether a class defines a method or annotates a field of a name itself."""
    for statement in definition.body:
        match statement:
            case nodes.FunctionDefinition(name=found) if found == name:
                return True
            case nodes.AnnotatedAssignment(target=nodes.Name(identifier=found)) if found == name:
                return True
            case _:
                pass
    return False


def _is_static(machine: Machine, owner: Value, name: str) -> bool:
    """Whether a class says that a member of it is static."""
    if not isinstance(owner, ClassValue):
        return False
    if any(field.name == name and field.static for field in owner.fields or ()):
        return True
    match machine.read(owner.body, name):
        case Wrapper(
            "property" | "cached_property",
            FunctionValue(definition=nodes.FunctionDefinition(body=body)),
        ):
            returned = [each.value for each in returns_of(body)]
            return bool(returned) and spell_known(returned)
        case _:
            return False

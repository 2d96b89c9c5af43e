"""What a function or the methods of a class assign, by their syntax."""

from oakum_lint.domain.callables import ClassValue
from oakum_lint.syntax import nodes


def assigned_attributes(function: nodes.FunctionDefinition, owner: str) -> set[str]:
    """The attributes of a name that a function assigns, directly or in a block."""
    names: set[str] = set()
    stack: list[object] = [*function.body]
    while stack:
        statement = stack.pop()
        targets: tuple[nodes.Expression, ...] = ()
        match statement:
            case nodes.Assignment():
                targets = statement.targets
            case nodes.AugmentedAssignment() | nodes.AnnotatedAssignment():
                targets = (statement.target,)
            case nodes.If() | nodes.For() | nodes.While():
                stack.extend((*statement.body, *statement.orelse))
            case nodes.With():
                stack.extend(statement.body)
            case nodes.Try():
                stack.extend((*statement.body, *statement.orelse, *statement.final))
                for handler in statement.handlers:
                    stack.extend(handler.body)
            case _:
                pass
        for target in targets:
            parts = target.elements if isinstance(target, nodes.Display) else (target,)
            names.update(
                part.attribute
                for part in parts
                if isinstance(part, nodes.Attribute)
                and isinstance(part.value, nodes.Name)
                and part.value.identifier == owner
            )
    return names


def attribute_names(cls: ClassValue) -> set[str]:
    """The names of the attributes that instances have: fields, and what methods assign."""
    names = {field.name for field in cls.fields or ()}
    for current in cls.order:
        definition = current.definition if isinstance(current, ClassValue) else None
        for method in definition.body if definition is not None else ():
            if isinstance(method, nodes.FunctionDefinition) and method.parameters.items:
                names |= assigned_attributes(method, method.parameters.items[0].name)
    return names

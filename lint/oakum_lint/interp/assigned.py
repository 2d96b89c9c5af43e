"""What a function assigns, by its syntax."""

from oakum_lint.facts import nodes


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

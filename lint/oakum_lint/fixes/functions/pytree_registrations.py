"""Statements that register a class as a pytree, in fixes."""

from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.site import Site
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts


def find_registration(module: ModuleFacts, name: str, path: str) -> tuple[Site, nodes.Call] | None:
    """The call at the top of a module that registers its class of a name with the function at
    `path`: a statement of its own, whose first argument is the class.
    """
    for unit in module.units:
        if unit.kind == "definition" or name not in unit.text:
            continue
        for statement in unit.body:
            match statement:
                case nodes.ExpressionStatement(
                    value=nodes.Call(arguments=(nodes.Name(identifier=first), *_)) as call
                ) if first == name:
                    site = Site(module, unit, (statement, call))
                    if meaning(site, call.function) == path:
                        return site, call
                case _:
                    pass
    return None

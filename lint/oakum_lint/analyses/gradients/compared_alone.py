"""Results that a function compares and does nothing else with: no derivative goes through them.

What keeps a root off zero asks first where it would be there: `norm = jnp.linalg.norm(x)`, then
`jnp.where(norm <= 0, 1, x)`.
"""

from collections.abc import Iterator

from oakum_lint.domain.frames import Frame
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


def is_compared_alone(frame: Frame, node: nodes.Node) -> bool:
    """Whether the result of an expression, or each use of the name that it gets, is compared."""
    function = frame.called.function
    if function is None:
        return False
    inside = [*walk((function.definition,))]
    compared = set(map(id, _compared(inside)))
    if id(node) in compared:
        return True
    for statement in inside:
        match statement:
            case nodes.Assignment(targets=(nodes.Name(identifier=name) as target,), value=value):
                if value is node:
                    uses = [each for each in inside if _is_use(each, name) and each is not target]
                    return bool(uses) and all(id(use) in compared for use in uses)
            case _:
                pass
    return False


def _compared(inside: list[nodes.Node]) -> Iterator[nodes.Node]:
    for each in inside:
        if isinstance(each, nodes.Comparison):
            yield each.left
            yield from each.comparators


def _is_use(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.identifier == name

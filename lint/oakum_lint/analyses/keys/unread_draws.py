"""Draws of which nobody reads the values: a call that only compiles a function, and examples of
which parameters take the shapes.
"""

from collections.abc import Container, Iterator, Sequence

from oakum_lint.domain.names import called_name
from oakum_lint.models.habits import INITIALIZES, WAITS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

Span = tuple[int, int]
NOT_READ = "_"


def are_values_unread(
    body: Sequence[nodes.Node], call: nodes.Call, keys: Container[str], *, is_function: bool
) -> bool:
    """Whether nobody reads the values that a call makes: they are bound to variables that nobody
    reads, but to wait for them, or are examples for a function that makes parameters by one of
    `keys`. What a module binds may be read where it is not seen.
    """
    found = [*walk(body)]
    examples = [*_examples(found, keys)]
    waits = [
        (each.start, each.end)
        for each in found
        if isinstance(each, nodes.ExpressionStatement)
        and isinstance(each.value, nodes.Call)
        and called_name(each.value) == WAITS
    ]
    bound = [each for each in found if isinstance(each, nodes.Assignment)]
    pending: list[Span] = [(call.start, call.end)]
    followed = set[str]()
    while pending:
        span = pending.pop()
        if _is_within(span, examples):
            continue
        holder = next((b for b in bound if _is_within(span, [(b.value.start, b.value.end)])), None)
        if holder is None:
            if not _is_within(span, waits):
                return False
            continue
        for name in _names(holder):
            if name is None or not (is_function or name == NOT_READ):
                return False
            if name not in followed:
                followed.add(name)
                pending += _reads(found, bound, name)
    return True


def _examples(found: Sequence[nodes.Node], keys: Container[str]) -> Iterator[Span]:
    """Yields the arguments behind the first one of functions that make parameters, which is a key,
    or has one: `model.init(key, x)`.
    """
    for node in found:
        match node:
            case nodes.Call(arguments=(first, *examples), keywords=keywords) if INITIALIZES.match(
                called_name(node)
            ) is not None and any(
                isinstance(part, nodes.Name) and part.identifier in keys for part in walk((first,))
            ):
                for each in (*examples, *keywords):
                    yield each.start, each.end
            case _:
                pass


def _names(assignment: nodes.Assignment) -> Iterator[str | None]:
    """Yields the variables that an assignment binds; None for what is no variable."""
    for target in assignment.targets:
        for each in target.elements if isinstance(target, nodes.Display) else (target,):
            yield each.identifier if isinstance(each, nodes.Name) else None


def _reads(
    found: Sequence[nodes.Node], bound: Sequence[nodes.Assignment], name: str
) -> Iterator[Span]:
    """Yields the places where a variable is read."""
    targets = [(t.start, t.end) for each in bound for t in each.targets]
    for node in found:
        if isinstance(node, nodes.Name) and node.identifier == name:
            span = node.start, node.end
            if not _is_within(span, targets):
                yield span


def _is_within(span: Span, around: Sequence[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in around)

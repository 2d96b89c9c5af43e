"""Draws of which nobody reads the values: a call that only compiles a function, and examples of
which parameters take the shapes.
"""

from collections.abc import Callable, Container, Iterator, Sequence

from oakum_lint.domain.callables import BoundMethod, ClassValue, FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import class_attribute
from oakum_lint.domain.names import called_name
from oakum_lint.models.attributes import FORM
from oakum_lint.models.habits import INITIALIZES, WAITS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

Span = tuple[int, int]
OwnFunction = Callable[[nodes.Call], tuple[nodes.FunctionDefinition, int] | None]
"""Finds the function of the project that a call runs, and which of its parameters gets the first
argument.
"""
NOT_READ = "_"


def are_values_unread(
    body: Sequence[nodes.Node],
    call: nodes.Call,
    keys: Container[str],
    find_own: OwnFunction,
    *,
    is_function: bool,
) -> bool:
    """Whether nobody reads the values that a call makes: they are bound to variables that nobody
    reads, but to wait for them, or are examples for a function that makes parameters by one of
    `keys`. What a module binds may be read where it is not seen.
    """
    found = [*walk(body)]
    examples = [*_examples(found, keys, find_own)]
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


def own_function(
    machine: Machine, call: nodes.Call, frame: Frame
) -> tuple[nodes.FunctionDefinition, int] | None:
    """The function of the project that a call in a frame runs, as far as its name says, and which
    of its parameters gets the first argument.
    """
    called, leading = None, 0
    match call.function:
        case nodes.Attribute(value=nodes.Call(function=maker), attribute=name):
            made = machine.look(maker, frame)
            if isinstance(made, ClassValue):
                called, leading = class_attribute(machine, made, name), 1
        case function:
            called = machine.look(function, frame)
    if isinstance(called, BoundMethod):
        called, leading = called.function, 1
    match called:
        case FunctionValue(definition=nodes.FunctionDefinition() as definition):
            return definition, leading
        case _:
            return None


def _examples(
    found: Sequence[nodes.Node], keys: Container[str], find_own: OwnFunction
) -> Iterator[Span]:
    """Yields the arguments behind the first one of functions that make parameters, which is a key,
    or has one: `model.init(key, x)`. One of the project shows itself whether it reads their values.
    """
    for node in found:
        match node:
            case nodes.Call(arguments=(first, *examples), keywords=keywords) if INITIALIZES.match(
                called_name(node)
            ) is not None and _names_any(first, keys):
                own = find_own(node)
                for number, each in enumerate(examples, 1):
                    if own is None or _takes_form(*own, number):
                        yield each.start, each.end
                for each in keywords if own is None else ():
                    yield each.start, each.end
            case _:
                pass


def _takes_form(definition: nodes.FunctionDefinition, leading: int, number: int) -> bool:
    """Whether a function that gets a key as its first argument asks for no more than the form of
    another one, or hands it on as an example itself.
    """
    items = definition.parameters.items[leading:]
    if number >= len(items) or any(each.kind.startswith("var") for each in items[: number + 1]):
        return False
    found = [*walk(definition.body)]
    allowed = [*_examples(found, (items[0].name,), lambda _: None)]
    for node in found:
        if isinstance(node, nodes.Attribute) and node.attribute in FORM:
            allowed.append((node.value.start, node.value.end))
    return all(_is_within(span, allowed) for span in _reads(found, (), items[number].name))


def _names_any(node: nodes.Node, names: Container[str]) -> bool:
    return any(isinstance(part, nodes.Name) and part.identifier in names for part in walk((node,)))


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

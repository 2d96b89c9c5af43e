"""Where the names of a function, or of a statement, get their values: by syntax alone."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from oakum.values.records import dataclass
from oakum_lint.models.mutation import STORES
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in, walk

Found = dict[str, list[nodes.Node]]


@dataclass(frozen=True, slots=True)
class Sources:
    """The expressions that names get their values from, in the order of the text."""

    parameters: tuple[str, ...]
    bound: Found
    attributes: Found
    """By the names of the attributes that are assigned, of whichever object."""
    stored: Found
    """What is put into what a name holds: by methods of containers, or as an item."""
    functions: Found
    """The functions that names are bound to."""
    tests: Found
    """The tests that decide what a name is bound to."""
    handlers: Found
    """The handlers of exceptions that bind a name."""

    def before(self, name: str, start: int | None) -> Sequence[nodes.Node]:
        """The sources of a name that stand before a place; all, if none does."""
        found = self.bound.get(name, [])
        if start is None:
            return found
        return [each for each in found if each.start < start] or found


def is_dotted(node: nodes.Node) -> bool:
    """Whether an expression has no calls: it can be evaluated once more."""
    while isinstance(node, nodes.Attribute):
        node = node.value
    return isinstance(node, nodes.Name)


@lru_cache(maxsize=4096)  # 40% of the analysis of jax-md went into walking the same functions again
def sources_in(body: tuple[nodes.Node, ...], parameters: nodes.Parameters | None = None) -> Sources:
    """The sources of the names that a body binds itself."""
    bound: Found = {}
    attributes: Found = {}
    stored: Found = {}
    functions: Found = {}
    tests: Found = {}
    handlers: Found = {}
    for node in _own(body):
        if isinstance(node, nodes.FunctionDefinition):
            functions.setdefault(node.name, []).append(node)
        _note_decided(node, tests, handlers)
        for name, value in _stored(node):
            stored.setdefault(name, []).append(value)
        for target, value in _bindings(node):
            for part in walk((target,)):
                match part:
                    case nodes.Name(identifier=name):
                        bound.setdefault(name, []).append(value)
                    case nodes.Attribute(attribute=name):
                        attributes.setdefault(name, []).append(value)
                    case _:
                        pass
    for found in bound.values():
        found.sort(key=lambda node: node.start)
    names = () if parameters is None else tuple(each.name for each in parameters.items)
    return Sources(names, bound, attributes, stored, functions, tests, handlers)


def _note_decided(node: nodes.Node, tests: Found, handlers: Found) -> None:
    """Notes the names that a statement binds on some paths alone."""
    match node:
        case nodes.If(test=test) | nodes.Match(subject=test):
            for name in _names_bound(parts_in(node)):
                tests.setdefault(name, []).append(test)
        case nodes.Handler(body=body):
            for name in _names_bound(body):
                handlers.setdefault(name, []).append(node)
        case _:
            pass


def _names_bound(body: Iterable[nodes.Node]) -> Iterator[str]:
    """The names that statements bind to functions and to what is assigned."""
    for node in _own(body):
        if isinstance(node, nodes.FunctionDefinition):
            yield node.name
        for target, _ in _bindings(node):
            for part in walk((target,)):
                if isinstance(part, nodes.Name):
                    yield part.identifier


def _own(body: Iterable[nodes.Node]) -> Iterator[nodes.Node]:
    """The nodes of a body, without those of functions and classes in it."""
    pending = [*body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, nodes.FunctionDefinition | nodes.ClassDefinition | nodes.Lambda):
            pending.extend(parts_in(node))


def _bindings(node: nodes.Node) -> Iterator[tuple[nodes.Node, nodes.Node]]:
    match node:
        case nodes.Assignment(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case nodes.AugmentedAssignment(target=target, value=value):
            yield target, value
        case nodes.AnnotatedAssignment(target=target, value=nodes.Node() as value):
            yield target, value
        case nodes.NamedExpression(target=target, value=value):
            yield target, value
        case nodes.For(target=target, iterable=value):
            yield target, value
        case nodes.ComprehensionFor(target=target, iterable=value):
            yield target, value
        case nodes.WithItem(context=value, target=nodes.Node() as target):
            yield target, value
        case _:
            pass


def _stored(node: nodes.Node) -> Iterator[tuple[str, nodes.Node]]:
    """The names of containers, with what is put into them."""
    match node:
        case nodes.Call(
            function=nodes.Attribute(value=nodes.Name(identifier=name), attribute=method),
            arguments=arguments,
            keywords=keywords,
        ) if method in STORES:
            yield from ((name, each) for each in arguments)
            yield from ((name, each.value) for each in keywords)
        case nodes.Assignment(targets=targets, value=value):
            for target in targets:
                match target:
                    case nodes.Subscript(value=nodes.Name(identifier=name)):
                        yield name, value
                    case _:
                        pass
        case _:
            pass


def is_tried_import(body: Iterable[nodes.Node], name: str) -> Iterator[nodes.Node]:
    """Yields the `try` statements that bind a name by an import, or otherwise where that fails."""
    for node in _own(body):
        if isinstance(node, nodes.Try) and node.handlers:
            tried = sum(_imports(part, name) for part in _own(node.body))
            handled = [part for handler in node.handlers for part in _own(handler.body)]
            if tried and any(_imports(part, name) or _binds(part, name) for part in handled):
                yield node


def _imports(node: nodes.Node, name: str) -> bool:
    match node:
        case nodes.Import(names=names):
            return any((each.bound or each.path.partition(".")[0]) == name for each in names)
        case nodes.ImportFrom(names=names):
            return any((each.bound or each.path) == name for each in names)
        case _:
            return False


def _binds(node: nodes.Node, name: str) -> bool:
    if isinstance(node, nodes.FunctionDefinition | nodes.ClassDefinition):
        return node.name == name
    return any(
        isinstance(target, nodes.Name) and target.identifier == name
        for target, _ in _bindings(node)
    )


def passed_for(
    call: nodes.Call, name: str, index: int, *, bound: bool
) -> tuple[nodes.Expression, ...] | None:
    """Returns the arguments of a call that a parameter gets, of a method if it is `bound` to its
    object; None where that is not plain.
    """
    if any(isinstance(each, nodes.Starred) for each in call.arguments):
        return None
    for keyword in call.keywords:
        if keyword.name is None:
            return None
        if keyword.name == name:
            return (keyword.value,)
    if bound:
        if not index:
            method = call.function
            return (method.value,) if isinstance(method, nodes.Attribute) else ()
        index -= 1
    return call.arguments[index : index + 1]

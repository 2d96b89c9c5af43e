"""Which variables a function asks for their form alone: their shape, their dtype, their length."""

from collections.abc import Iterable, Iterator, Sequence

from oakum_lint.domain.callables import BoundMethod, FunctionValue
from oakum_lint.domain.names import called_name
from oakum_lint.domain.values import Value
from oakum_lint.models.attributes import FORM
from oakum_lint.models.operations import ASK_FORM
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


def function_in(value: Value) -> FunctionValue | None:
    """The function that a value is, or that it binds to an object."""
    inner = value.function if isinstance(value, BoundMethod) else value
    return inner if isinstance(inner, FunctionValue) else None


def asks_form_alone(function: FunctionValue, name: str, *, attribute: bool) -> bool:
    """Whether a function reads a variable, or an attribute of objects, and nothing of it but its
    form: also by variables of its own that hold the same.
    """
    every = [*walk((function.definition,))]
    names = set[str]() if attribute else {name}

    def is_use(node: nodes.Node) -> bool:
        match node:
            case nodes.Name(identifier=read):
                return read in names
            case nodes.Attribute(value=nodes.Name(), attribute=read):
                return attribute and read == name
            case _:
                return False

    handed = set[int]()
    found = -1
    while found < len(handed):
        found = len(handed)
        for node in every:
            match node:
                case nodes.Assignment(targets=(nodes.Name(identifier=own) as bound,), value=read):
                    if is_use(read):
                        names.add(own)
                        handed |= {id(bound), id(read)}
                case _:
                    pass
    uses = {id(node) for node in every if is_use(node)}
    is_whole = not attribute or _reads_attributes_alone(every, name)
    return is_whole and bool(uses) and uses <= {*_asked_for_form(every), *handed}


def _asked_for_form(every: Iterable[nodes.Node]) -> Iterator[int]:
    """The expressions that code asks for the form of what they are, by their identities."""
    for node in every:
        match node:
            case nodes.Attribute(value=asked, attribute=read) if read in FORM:
                yield id(asked)
            case nodes.Call(function=asking, arguments=(asked, *_)) if (
                called_name(asking) in ASK_FORM
            ):
                yield id(asked)
            case _:
                pass


def _reads_attributes_alone(every: Sequence[nodes.Node], name: str) -> bool:
    """Whether code neither hands on the objects whose attribute it reads, nor calls their methods:
    what is called may read the attribute.
    """
    owners, read, called = set[str](), set[int](), set[int]()
    for node in every:
        match node:
            case nodes.Attribute(value=nodes.Name(identifier=owner) as held, attribute=attribute):
                read.add(id(held))
                if attribute == name:
                    owners.add(owner)
            case nodes.Call(function=nodes.Attribute(value=nodes.Name() as held)):
                called.add(id(held))
            case _:
                pass
    return all(
        id(node) in read and id(node) not in called
        for node in every
        if isinstance(node, nodes.Name) and node.identifier in owners
    )

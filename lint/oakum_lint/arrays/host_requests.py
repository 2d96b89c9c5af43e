"""Whether a function asks for values on the host, as far as its text tells: no trace calls it."""

from collections.abc import Iterator, Mapping

from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import called_name
from oakum_lint.domain.values import External
from oakum_lint.models.frameworks.register import base_class
from oakum_lint.models.habits import ASKING_HOST
from oakum_lint.models.host.host_libraries import draws, shows
from oakum_lint.models.host.numpy import CONVERSION_NAMES, CONVERSIONS, HOST
from oakum_lint.models.types import CONVERTING
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of, walk


def asks_host(machine: Machine, function: FunctionValue) -> bool:
    """Whether a function calls what brings arrays to the host, or shows them, returns a number or a
    text of Python, ends a loop early, or starts its own module with parameters that it gets.
    """
    starts = _starts(function)
    ends_loop = any(isinstance(each, nodes.Break) for each in walk((function.definition,)))
    return (
        ends_loop
        or _returns_scalar(function)
        or any(
            called_name(node) in ASKING_HOST
            or (called_name(node) in CONVERSION_NAMES and path in CONVERSIONS)
            or shows(path)
            or path in HOST
            or _is_own(function, node, starts)
            for node, path in _calls(machine, function)
        )
    )


def draws_figure(machine: Machine, function: FunctionValue) -> bool:
    """Whether a function calls what draws figures."""
    return any(draws(path) for _, path in _calls(machine, function))


def _starts(function: FunctionValue) -> frozenset[str]:
    """The methods of the class by which a program runs a module, from outside of it."""
    cls = function.cls
    models = [base_class(path) for path in (() if cls is None else cls.libraries)]
    return frozenset(name for model in models if model is not None for name in model.starts)


def _is_own(function: FunctionValue, call: nodes.Call, names: frozenset[str]) -> bool:
    """Whether a call is one of some methods of the object itself."""
    match call.function:
        case nodes.Attribute(value=nodes.Name(identifier=owner), attribute=name):
            items = function.definition.parameters.items
            return name in names and bool(items) and items[0].name == owner
        case _:
            return False


def _returns_scalar(function: FunctionValue) -> bool:
    """Whether a function returns numbers or texts of Python, as each `return` says: an annotation
    of a number is written of arrays, too.
    """
    definition = function.definition
    if not isinstance(definition, nodes.FunctionDefinition):
        return False
    pending: list[nodes.Node | None] = [each.value for each in returns_of(definition.body)]
    returns = bool(pending)
    while pending:
        match pending.pop():
            case nodes.FormattedString() | nodes.Constant(value=str()):
                pass
            case nodes.Call(function=nodes.Name(identifier=name)) if name in CONVERTING:
                pass
            case (
                nodes.Display(elements=(_, *_) as elements)
                | nodes.DictDisplay(values=(_, *_) as elements)
            ):
                pending += elements
            case _:
                return False
    return returns


def _calls(machine: Machine, function: FunctionValue) -> Iterator[tuple[nodes.Call, str]]:
    """Yields the calls in a function, each with the name of what it calls in a library, or ""."""
    outside = Frame(function.scope, function.unit, function.module, None)
    imported = _imported(function)
    for node in walk((function.definition,)):
        if isinstance(node, nodes.Call):
            yield node, _path_of(machine, node.function, imported, outside)


def _path_of(
    machine: Machine, called: nodes.Node, imported: Mapping[str, str], outside: Frame
) -> str:
    match called:
        case nodes.Attribute(value=nodes.Name(identifier=name), attribute=last) if name in imported:
            return f"{imported[name]}.{last}"
        case nodes.Name(identifier=name) if name in imported:
            return imported[name]
        case nodes.Name() | nodes.Attribute(value=nodes.Name()):
            found = machine.look(called, outside)
            return found.path if isinstance(found, External) else ""
        case _:
            return ""


def _imported(function: FunctionValue) -> dict[str, str]:
    """What a function itself imports, by the names that it binds."""
    found = dict[str, str]()
    for node in walk((function.definition,)):
        match node:
            case nodes.Import(names=names):
                for each in names:
                    top = each.path.partition(".")[0]
                    found[each.bound or top] = each.path if each.bound else top
            case nodes.ImportFrom(module=module, level=0, names=names):
                for each in names:
                    found[each.bound or each.path] = f"{module}.{each.path}"
            case _:
                pass
    return found

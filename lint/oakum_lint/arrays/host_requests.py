"""Whether a function asks for values on the host, as far as its text tells: no trace calls it."""

from collections.abc import Iterator

from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import called_name
from oakum_lint.domain.values import External
from oakum_lint.models.habits import ASKING_HOST
from oakum_lint.models.host.host_libraries import draws
from oakum_lint.models.host.numpy import CONVERSION_NAMES, CONVERSIONS
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


def asks_host(machine: Machine, function: FunctionValue) -> bool:
    """Whether a function calls what brings arrays to the host, or shows them."""
    return any(
        called_name(node) in ASKING_HOST
        or (called_name(node) in CONVERSION_NAMES and path in CONVERSIONS)
        or draws(path)
        for node, path in _calls(machine, function)
    )


def draws_figure(machine: Machine, function: FunctionValue) -> bool:
    """Whether a function calls what draws figures."""
    return any(draws(path) for _, path in _calls(machine, function))


def _calls(machine: Machine, function: FunctionValue) -> Iterator[tuple[nodes.Call, str]]:
    """Yields the calls in a function, each with the name of what it calls in a library, or ""."""
    outside = Frame(function.scope, function.unit, function.module, None)
    for node in walk((function.definition,)):
        if not isinstance(node, nodes.Call):
            continue
        match node.function:
            case nodes.Name() | nodes.Attribute(value=nodes.Name()) as named:
                found = machine.look(named, outside)
                yield node, found.path if isinstance(found, External) else ""
            case _:
                yield node, ""

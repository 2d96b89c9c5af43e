"""The parts of an interpreter: who evaluates, runs and calls what. `driver` puts them together."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.moments import Moments
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import Value
from oakum_lint.syntax import nodes

if TYPE_CHECKING:
    from oakum_lint.domain.interpreter import Machine

ExpressionEvaluator = Callable[["Machine", Any, Frame], Value]
StatementExecutor = Callable[["Machine", Any, Frame], bool]
LibraryCall = Callable[["Machine", Arguments, Frame, nodes.Node], Value]
"""Calls one function from outside the project."""


class Caller(Protocol):
    """Calls a value of one class."""

    def __call__(
        self,
        machine: "Machine",
        function: Any,
        arguments: Arguments,
        frame: Frame,
        node: nodes.Node,
        /,
    ) -> Value: ...


class ModuleLookup(Protocol):
    """Looks a name up in a module of the project; None if the module does not bind it."""

    def __call__(self, machine: "Machine", module: Module, name: str) -> Value | None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a machine, put together by `driver`."""

    expressions: Mapping[type[nodes.Node], ExpressionEvaluator]
    statements: Mapping[type[nodes.Node], StatementExecutor]
    callers: Mapping[type[Value], Caller]
    load_name: ModuleLookup
    module_attribute: ModuleLookup
    star_names: Callable[["Machine", Module], list[tuple[str, Value]]]
    arguments: Callable[["Machine", nodes.Call, Frame], Arguments]
    special: Callable[["Machine", Value, str, tuple[Value, ...], nodes.Node, Frame], "Value | None"]
    moments: Moments

"""Signatures of callable values: the parameters that a call of them has to fill."""

from oakum.records import dataclass
from oakum_lint.facts import nodes
from oakum_lint.interp.attributes import get_special
from oakum_lint.interp.callables import BoundMethod, FunctionValue, Partial, Transformed
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import External, HeapObject, Value


@dataclass(frozen=True, slots=True)
class Signature:
    """Parameters still open, the function of the project at the bottom if there is one, and a name
    for messages.
    """

    name: str
    function: FunctionValue | None
    positional: tuple[nodes.Parameter, ...]
    keyword_only: tuple[nodes.Parameter, ...]
    variadic: nodes.Parameter | None

    def parameter(self, position: int) -> nodes.Parameter | None:
        """The parameter that a positional argument fills."""
        if position < len(self.positional):
            return self.positional[position]
        return self.variadic

    def by_name(self, name: str) -> nodes.Parameter | None:
        """The parameter that a keyword argument fills."""
        for parameter in (*self.positional, *self.keyword_only):
            if parameter.name == name:
                return parameter
        return None


def signature_of(machine: Machine, value: Value) -> Signature:
    """The signature of any callable value; empty where nothing is known."""
    taken, names = 0, set[str]()
    while True:
        match value:
            case FunctionValue():
                return _of_function(value, taken, names)
            case BoundMethod(function, _):
                value, taken = function, taken + 1
            case Partial(function, positional, keywords):
                value, taken = function, taken + len(positional)
                names.update(name for name, _ in keywords)
            case Transformed(function=function):
                value = function
            case HeapObject(kind="instance"):
                method = get_special(machine, value, "__call__")
                if method is None:
                    return _empty(value.cls.name if value.cls else "object")
                value = method
            case External(path):
                return _empty(path)
            case _:
                return _empty("a function")


def _empty(name: str) -> Signature:
    return Signature(name, None, (), (), None)


def _of_function(function: FunctionValue, taken: int, names: set[str]) -> Signature:
    items = function.definition.parameters.items
    positional = [p for p in items if p.kind in ("positional_only", "positional")]
    keyword_only = [p for p in items if p.kind == "keyword_only"]
    variadic = next((p for p in items if p.kind == "var_positional"), None)
    return Signature(
        function.name,
        function,
        tuple(p for p in positional[taken:] if p.name not in names),
        tuple(p for p in keyword_only if p.name not in names),
        variadic,
    )

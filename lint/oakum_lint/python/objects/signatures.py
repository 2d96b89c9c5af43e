"""Signatures of callable values: the parameters that a call of them has to fill."""

import inspect
from collections.abc import Mapping, Sequence, Set
from typing import Literal

from oakum.values.facts import Facts
from oakum_lint.domain.arguments import Signature
from oakum_lint.domain.callables import BoundMethod, FunctionValue, Partial, Transformed
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Choice, External, HeapObject, Value
from oakum_lint.python.expressions.attributes import get_special
from oakum_lint.syntax import nodes


def signature_of(machine: Machine, value: Value) -> Signature:
    """The signature of any callable value; empty where nothing is known. One of several functions
    has the parameters that all of them have alike.
    """
    return _of_target(machine, value, 0, set())


def _of_target(machine: Machine, value: Value, taken: int, passed: Set[str]) -> Signature:
    """The signature of a value whose first positions are taken, and some names passed."""
    names = set(passed)
    while True:
        match value:
            case FunctionValue():
                return _of_function(value, taken, names)
            case BoundMethod(function, _):
                value, taken = function, taken + 1
            case Partial(bottom=bottom) | Transformed(bottom=bottom):
                value, taken = bottom.value, taken + bottom.taken
                names |= bottom.names
            case HeapObject(kind="instance"):
                method = get_special(machine, value, "__call__")
                if method is None:
                    return _empty(value.cls.name if value.cls else "object")
                value = method
            case Choice(options):
                return _in_common([_of_target(machine, each, taken, names) for each in options])
            case External(path):
                declared = machine.public(path)
                return (
                    _empty(path) if declared is None else _of_public(path, declared, taken, names)
                )
            case _:
                return _empty("a function")


def _in_common(signatures: Sequence[Signature]) -> Signature:
    """What can be said of the parameters of one of several functions."""
    first = signatures[0]
    if any(_form(each) != _form(first) for each in signatures):
        return _empty("a function")
    return Signature("a function", None, first.positional, first.keyword_only, first.variadic)


def _form(signature: Signature) -> tuple[object, ...]:
    """How the parameters are named and passed."""
    items = (*signature.positional, *signature.keyword_only, signature.variadic)
    return tuple(None if each is None else (each.name, each.kind) for each in items)


def _empty(name: str) -> Signature:
    return Signature(name, None, (), (), None)


_KINDS: Mapping[
    object,
    Literal["positional_only", "positional", "var_positional", "keyword_only", "var_keyword"],
] = {
    inspect.Parameter.POSITIONAL_ONLY: "positional_only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "var_positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword_only",
    inspect.Parameter.VAR_KEYWORD: "var_keyword",
}


def _of_public(path: str, declared: Facts, taken: int, names: set[str]) -> Signature:
    """The signature of a function of JAX, by the engine's declaration of it."""
    items = tuple(
        nodes.Parameter(
            0,
            0,
            parameter.name,
            _KINDS[parameter.kind],
            None if parameter.default is parameter.empty else nodes.OpaqueExpression(0, 0, ()),
            None,
        )
        for parameter in declared.signature.parameters.values()
    )
    return _open(path, None, items, taken, names)


def _of_function(function: FunctionValue, taken: int, names: set[str]) -> Signature:
    return _open(function.name, function, function.definition.parameters.items, taken, names)


def _open(
    name: str,
    function: FunctionValue | None,
    items: tuple[nodes.Parameter, ...],
    taken: int,
    names: set[str],
) -> Signature:
    """The parameters but for the positions that are taken and the names that are passed."""
    positional = [p for p in items if p.kind in ("positional_only", "positional")]
    keyword_only = [p for p in items if p.kind == "keyword_only"]
    variadic = next((p for p in items if p.kind == "var_positional"), None)
    return Signature(
        name,
        function,
        tuple(p for p in positional[taken:] if p.name not in names),
        tuple(p for p in keyword_only if p.name not in names),
        variadic,
    )

"""Jaxprs as text: `{ lambda a:f32[3]; b:f32[]. let c:f32[3] = mul a b in (c,) }`.

The text says everything that a program is but the functions in its parameters, and
`oakum.program_text.parse_jaxpr` reads it back.
"""

from __future__ import annotations

import itertools
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from oakum.avals import ShapedArray
from oakum.dtypes import DType
from oakum.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var

_INDENT = "  "


def _words() -> Iterator[str]:
    """a, b, ..., z, ba, bb, ..."""
    letters = string.ascii_lowercase
    yield from letters
    for length in itertools.count(2):
        for word in itertools.product(letters, repeat=length):
            if word[0] != "a":
                yield "".join(word)


class _Names:
    """The names of the variables of one program."""

    def __init__(self) -> None:
        self._words = _words()
        self._names: dict[Var, str] = {}

    def name(self, var: Var) -> str:
        """The name of a variable, a new one where it has none yet."""
        if var not in self._names:
            self._names[var] = next(self._words)
        return self._names[var]

    def binder(self, var: Var) -> str:
        """A variable where it is bound, with its aval."""
        return f"{self.name(var)}:{var.aval}"

    def atom(self, atom: Atom) -> str:
        """A variable or a constant where it is used."""
        if isinstance(atom, Literal):
            return f"{print_scalar(atom.raw)}:{atom.aval}"
        return self.name(atom)


def print_scalar(value: Any) -> str:
    """A scalar of the host so that Python reads it back."""
    item = value.item()
    return repr(item)


def print_jaxpr(jaxpr: Jaxpr, depth: int = 0) -> str:
    """The text of a program."""
    names = _Names()
    consts = " ".join(map(names.binder, jaxpr.constvars))
    arguments = " ".join(map(names.binder, jaxpr.invars))
    pad = _INDENT * (depth + 1)
    head = f"{{ lambda {consts} ; {arguments}. let" if consts else f"{{ lambda ; {arguments}. let"
    lines = [_equation(eqn, names, depth + 1) for eqn in jaxpr.eqns]
    results = ", ".join(map(names.atom, jaxpr.outvars))
    tail = f"in ({results}{',' if len(jaxpr.outvars) == 1 else ''}) }}"
    return "\n".join([head, *(pad + line for line in lines), _INDENT * depth + tail])


def _equation(eqn: Equation, names: _Names, depth: int) -> str:
    inputs = " ".join(map(names.atom, eqn.inputs))
    params = print_params(eqn.params, depth)
    outputs = " ".join(map(names.binder, eqn.outputs))
    space = " " if inputs else ""
    return f"{outputs} = {eqn.primitive.name}{params}{space}{inputs}".lstrip()


def print_params(params: Mapping[str, Any], depth: int) -> str:
    """The parameters of an equation, without those that are None; programs in them stand on lines
    of their own.
    """
    given = sorted((name, value) for name, value in params.items() if value is not None)
    if not given:
        return ""
    pad = _INDENT * (depth + 1)
    items = [f"{name}={print_param(value, depth + 1)}" for name, value in given]
    if any("\n" in item for item in items):
        body = "\n".join(pad + item for item in items)
        return f"[\n{body}\n{_INDENT * depth}]"
    return f"[{' '.join(items)}]"


def print_param(value: Any, depth: int = 0) -> str:
    """The value of a parameter."""
    match value:
        case ClosedJaxpr():
            return print_jaxpr(value.jaxpr, depth)
        case Jaxpr():
            return print_jaxpr(value, depth)
        case DType():
            return value.name
        case ShapedArray():
            return str(value)
        case tuple():
            return _print_tuple(value, depth)  # pyright: ignore[reportUnknownArgumentType]
        case _ if callable(value):
            return getattr(value, "__name__", None) or type(value).__name__
        case _:
            return repr(value)


def _print_tuple(values: Sequence[Any], depth: int) -> str:
    parts = [print_param(each, depth) for each in values]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"

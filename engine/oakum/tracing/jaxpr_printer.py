"""Jaxprs as text: `{ lambda a:f32[3] ; b:~f32[]. let c:f32[3] = mul a b in (c,) }`.

The text says everything that a program is but the functions in its parameters, and with
`values=True` its constants too; `oakum.api.jaxpr_parser.parse_jaxpr` reads it back.

Invariants:
- Printing, parsing and printing again yields the same text.
- Programs are printed from the innermost outwards, so that no depth of nesting is too deep.
"""

from __future__ import annotations

import enum
import itertools
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from oakum.dtypes import DType
from oakum.tracing import parameter_forms
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var, subprograms
from oakum.values import host
from oakum.values.avals import ShapedArray

_WIDTH: Final = 90
"""Programs of one equation that are not longer stand on one line."""

KEYWORDS: Final = frozenset(("in", "let", "lambda", "inf", "nan"))
"""Words that are no names of variables."""

Printed = Mapping[int, str]
"""The texts of programs that are printed, by the identity of the program."""


def print_jaxpr(program: Jaxpr | ClosedJaxpr, *, values: bool = False) -> str:
    """Returns the text of a program; `values` says whether the values of its constants stand there
    too.

    >>> from oakum.values.avals import parse_aval
    >>> x = Var(parse_aval("f32[3]"))
    >>> print_jaxpr(Jaxpr((), (x,), (x,), ()))
    '{ lambda ; a:f32[3]. let in (a,) }'
    """
    printed: dict[int, str] = {}
    waiting: list[Jaxpr | ClosedJaxpr] = [program]
    while waiting:
        current = waiting[-1]
        within = (each for eqn in current.eqns for each in subprograms(eqn.params))
        missing = [each for each in within if id(each) not in printed]
        if missing:
            waiting += missing
        else:
            printed[id(current)] = _ProgramText(current, printed, values).text()
            waiting.pop()
    return printed[id(program)]


def _words() -> Iterator[str]:
    """a, b, ..., z, ba, bb, ..."""
    letters = string.ascii_lowercase
    yield from letters
    for length in itertools.count(2):
        for letter in itertools.product(letters, repeat=length):
            word = "".join(letter)
            if letter[0] != "a" and word not in KEYWORDS:
                yield word


class _ProgramText:
    """One program while it is printed; the programs in it are printed already."""

    def __init__(self, program: Jaxpr | ClosedJaxpr, printed: Printed, values: bool) -> None:
        closed = isinstance(program, ClosedJaxpr)
        self._jaxpr = program.jaxpr if closed else program
        self._consts = program.consts if closed and values else None
        self._printed = printed
        self._words = _words()
        self._names: dict[Var, str] = {}
        jaxpr = self._jaxpr
        atoms = itertools.chain(jaxpr.outvars, *(eqn.inputs for eqn in jaxpr.eqns))
        self._used = {atom for atom in atoms if isinstance(atom, Var)}

    def text(self) -> str:
        """Returns the whole text."""
        jaxpr = self._jaxpr
        head = f"{{ lambda {self._constants()}; {' '.join(map(self._binder, jaxpr.invars))}. let"
        lines = [self._equation(eqn) for eqn in jaxpr.eqns]
        tail = f"in {_tuple(list(map(self._atom, jaxpr.outvars)))} }}"
        if len(lines) < 2:
            line = " ".join([head, *lines, tail])
            if len(line) <= _WIDTH and "\n" not in line:
                return line
        return "\n".join([head, *(_indent(line, 4) for line in lines), f"  {tail}"])

    def _constants(self) -> str:
        binders = [self._binder(var) for var in self._jaxpr.constvars]
        if self._consts is not None:
            pairs = zip(binders, self._consts, strict=True)
            binders = [f"{binder}={print_array(value.raw)}" for binder, value in pairs]
        return "".join(f"{binder} " for binder in binders)

    def _name(self, var: Var) -> str:
        if var not in self._names:
            self._names[var] = next(self._words)
        return self._names[var]

    def _binder(self, var: Var) -> str:
        return f"{self._name(var)}:{var.aval}"

    def _result(self, var: Var) -> str:
        return self._binder(var) if var in self._used else f"_:{var.aval}"

    def _atom(self, atom: Atom) -> str:
        if isinstance(atom, Literal):
            return f"{print_array(atom.raw)}:{atom.aval}"
        return self._name(atom)

    def _equation(self, eqn: Equation) -> str:
        outputs = " ".join(map(self._result, eqn.outputs))
        left = f"{outputs} = " if outputs else ""
        inputs = [self._atom(atom) for atom in eqn.inputs]
        params = print_params(eqn.params, self._printed)
        return " ".join([f"{left}{eqn.primitive.name}{params}", *inputs])


def _indent(text: str, columns: int) -> str:
    pad = " " * columns
    return pad + text.replace("\n", "\n" + pad)


def print_params(params: Mapping[str, Any], printed: Printed) -> str:
    """Returns the parameters of an equation, in brackets, without those that are None."""
    given = [(name, value) for name, value in sorted(params.items()) if value is not None]
    if not given:
        return ""
    items = [f"{name}={print_value(value, printed)}" for name, value in given]
    if len(items) > 1 and any("\n" in item for item in items):
        return "[\n" + "\n".join(_indent(item, 2) for item in items) + "\n]"
    return f"[{' '.join(items)}]"


def print_value(value: object, printed: Printed) -> str:
    """Returns the value of a parameter; what has no text form stands in angle brackets.

    >>> from oakum import dtypes
    >>> print_value((1, dtypes.bfloat16, "x"), {}), print_value(len, {})
    ("(1, bfloat16, 'x')", '<function len>')
    """
    if isinstance(value, host.np.generic):
        return print_array(value)
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            return write(value, printed)
    name = parameter_forms.name_of(value)
    if name is not None:
        fields = parameter_forms.fields_of(value).items()
        return f"{name}({', '.join(f'{k}={print_value(v, printed)}' for k, v in fields)})"
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)
        return _tuple([print_value(each, printed) for each in parts])
    return _opaque(value)


def _opaque(value: object) -> str:
    what = "function" if hasattr(value, "__name__") else type(value).__name__
    name = getattr(value, "__name__", "") or getattr(value, "name", "")
    return f"<{f'{what} {name}'.strip().translate(_NO_BRACKETS)}>"


_NO_BRACKETS: Final = str.maketrans("", "", "<>\n")

_WRITERS: Final[tuple[tuple[Any, Callable[[Any, Printed], str]], ...]] = (
    ((ClosedJaxpr, Jaxpr), lambda value, printed: printed[id(value)]),
    (DType, lambda value, _: value.name),
    (ShapedArray, lambda value, _: str(value)),
    (enum.Enum, lambda value, _: f"{type(value).__name__}.{value.name}"),
    (complex, lambda value, _: print_number(value)),
    ((bool, int, float, str, bytes, type(None)), lambda value, _: repr(value)),
)
"""How values of these types are written, the first that fits."""


def _tuple(parts: Sequence[str]) -> str:
    if any("\n" in part for part in parts):
        return "(\n" + "".join(_indent(part, 2) + ",\n" for part in parts) + ")"
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def print_number(value: complex) -> str:
    """Returns a number as the parser reads it back, to the sign of zero.

    >>> print_number(complex(-0.0, float("inf"))), print_number(2.5)
    ('(-0+infj)', '2.5')
    """
    return f"({repr(value).strip('()')})" if isinstance(value, complex) else repr(value)


def print_array(raw: Any) -> str:
    """Returns the elements of an array of the host, in brackets for each axis; a scalar without.

    >>> print_array(host.np.array([[1, 2], [3, 4]]))
    '[[1, 2], [3, 4]]'
    """
    if raw.dtype.names:
        raw = host.np.zeros(raw.shape, bool)  # float0, which has one value
    return _elements(raw.tolist())


def _elements(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_elements, value))}]"  # pyright: ignore[reportUnknownArgumentType]
    return f"0x{value.hex()}" if isinstance(value, bytes) else print_number(value)

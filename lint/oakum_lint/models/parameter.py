"""Parameters of modelled functions: what a call does with a tracer that is passed to it.

The tables of this package are text, one row per group of functions with the same facts:

    clip: a a_min a_max
    argsort: a:ok/array axis:index
    shape ndim: a:ok -> static

A row names functions, then their parameters in positional order, then the kind of the result.
A parameter is `name:use/concrete(inside)`; what is left out takes its default. `*name` stands for
all further positional arguments, `*` alone starts the keyword-only parameters, `?` keeps the
position of a parameter that is not modelled. A `~` at the end marks a lenient parameter. An
indented line continues the row above it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Literal, cast, get_args

from oakum.values.records import dataclass

Use = Literal[
    "ok",  # accepted
    "bool",  # asked for its truth value
    "compare",  # as bool, where there is another element to compare with
    "int",  # converted by int()
    "float",  # converted by float()
    "complex",  # converted by complex()
    "index",  # asked for __index__; also where a shape is built of it
    "hash",  # hashed
    "format",  # formatted with a numeric format
    "array",  # converted to a NumPy array
    "item",  # stored as an element of a NumPy buffer
    "iteration",  # iterated: accepted with one dimension or more
    "error",  # refused by another TypeError or ValueError
    "unknown",  # depends on the other arguments
]

Result = Literal[
    "array",  # a NumPy array or scalar
    "tuple",  # a tuple or list of arrays
    "static",  # a Python value that tracing knows
    "number",  # a Python number
    "none",
    "object",  # anything else
    "tracer",  # an array of JAX
    "argument",  # the first argument itself
    "element",  # an element of the first argument
    "list",  # a list of the elements of the arguments; the next four likewise
    "sequence",
    "set",
    "dict",
    "iterator",
    "callable",
]

_USES = frozenset(get_args(Use))
_RESULTS = frozenset(get_args(Result))

_HOLDS_UNDER_GRAD: frozenset[Use] = frozenset(("bool", "compare", "int", "index"))
"""Uses that a concrete tracer satisfies: it knows its value."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function, by what happens to a tracer that is passed for it.

    `use` is for an abstract tracer, `concrete` for the tracer of a float under `grad` or `jvp`
    without `jit`, `inside` for an abstract tracer held by a list or tuple. A `lenient` parameter
    also takes None or a dict of tracers, so that what is only known to be a tree may pass.
    """

    name: str
    use: Use
    concrete: Use
    inside: Use
    keyword_only: bool
    lenient: bool = False

    @property
    def variadic(self) -> bool:
        """Whether it stands for all further positional arguments."""
        return self.name.startswith("*")


@dataclass(frozen=True, slots=True)
class CallFacts:
    """The facts of one modelled function. A parameter that is not listed is unknown."""

    name: str
    parameters: tuple[Parameter | None, ...]
    result: Result

    def parameter(self, where: int | str) -> Parameter | None:
        """The parameter that a positional index or a keyword is bound to, or None if unknown."""
        if isinstance(where, str):
            for parameter in self.parameters:
                if parameter is not None and parameter.name == where:
                    return parameter
            return None
        for position, parameter in enumerate(self.parameters):
            if parameter is None:
                continue
            if parameter.variadic:
                return parameter if where >= position else None
            if position == where:
                return None if parameter.keyword_only else parameter
        return None


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table, before it becomes the facts of its functions."""

    names: tuple[str, ...]
    parameters: tuple[Parameter | None, ...]
    result: Result


def rows(text: str, inside: Mapping[Use, Use], result: Result) -> Iterator[Row]:
    """Reads a table; `inside` and `result` are the defaults of its rows."""
    for line in _joined_lines(text):
        names, _, facts = line.partition(":")
        written, _, kind = facts.partition("->")
        yield Row(
            tuple(names.split()),
            _parameters(written, inside),
            _checked_result(kind.strip() or result),
        )


def index_rows(
    tables: Mapping[str, str], inside: Mapping[Use, Use], result: Result
) -> dict[str, Row]:
    """Maps each canonical name of `tables` (from a prefix to a table) to its row."""
    return {
        f"{prefix}.{name}" if prefix else name: row
        for prefix, text in tables.items()
        for row in rows(text, inside, result)
        for name in row.names
    }


def _joined_lines(text: str) -> Iterator[str]:
    """The rows of a table, each as one line."""
    pending = ""
    for line in text.splitlines():
        if line.startswith(" "):
            pending += line
        else:
            if pending.strip():
                yield pending
            pending = line
    if pending.strip():
        yield pending


_TOKEN = re.compile(r"(\*?\w+|\?)(?::(\w+))?(?:/(\w+))?(?:\((\w+)\))?(~?)")


def _parameters(written: str, inside: Mapping[Use, Use]) -> tuple[Parameter | None, ...]:
    """Reads the parameters of a row."""
    found: list[Parameter | None] = []
    keyword_only = False
    for token in written.split():
        if token == "*":
            keyword_only = True
            continue
        match = _TOKEN.fullmatch(token)
        if match is None:
            raise ValueError(f"not a parameter of a model table: {token!r}")
        name, use_text, concrete_text, inside_text, lenient = match.groups()
        if name == "?":
            found.append(None)
            continue
        use = _checked_use(use_text or "array")
        concrete = "ok" if use in _HOLDS_UNDER_GRAD else use
        found.append(
            Parameter(
                name,
                use,
                _checked_use(concrete_text or concrete),
                _checked_use(inside_text or inside.get(use, use)),
                keyword_only,
                bool(lenient),
            )
        )
        keyword_only = keyword_only or name.startswith("*")
    return tuple(found)


def _checked_use(text: str) -> Use:
    if text not in _USES:
        raise ValueError(f"not a use of a model table: {text!r}")
    return cast(Use, text)


def _checked_result(text: str) -> Result:
    if text not in _RESULTS:
        raise ValueError(f"not a result of a model table: {text!r}")
    return cast(Result, text)

# pyright: basic
# Random programs are text: what stands in it has no types.
"""Random whole programs: text that runs on oakum and on JAX, with the arguments of its calls.

Statements are chosen while they are evaluated: what fails is left out, or ends the program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.engine.agreement_values import Chance
from tests.engine.whole_operands import Operand, laid_out

MOST_ELEMENTS, MOST_OF_LARGE = 400, 90_000
"""Elements of a value. What has more than some ten thousand is shared among threads."""
INDENT = "    "


def environment(package: Any) -> dict[str, Any]:
    """The names that programs use, with oakum or JAX behind them."""
    found = {"jax": package, "jnp": package.numpy, "lax": package.lax, "np": np}
    return {**found, "laid_out": laid_out}


@dataclass(frozen=True)
class WholeProgram:
    """A function's statements and results, and how it is called."""

    seed: int
    operands: tuple[Operand, ...]
    body: tuple[str, ...]
    results: tuple[str, ...]
    wide: bool = False
    """Whether x64 is on."""
    donated: tuple[int, ...] = ()
    arrays: tuple[int, ...] = ()
    """Arguments that are given as arrays of the package, not of NumPy."""
    constants: tuple[int, ...] = ()
    """Arguments that the program closes over."""

    @property
    def source(self) -> str:
        """The function."""
        names = [f"a{n}" for n in range(len(self.operands)) if n not in self.constants]
        body = [*self.body, f"return ({', '.join(self.results)}{',' * bool(self.results)})"]
        return "\n".join([f"def f({', '.join(names)}):", *(INDENT + line for line in body)])

    def shown(self, turn: int = 0) -> str:
        """The program as source that can be run, with the arguments of one of its calls."""
        lines = [f"# seed {self.seed}; x64 {self.wide}; donated {self.donated}"]
        lines += ["import numpy as np", "from numpy import nan, inf"]
        lines += ["import oakum as jax, oakum.numpy as jnp", "from oakum import lax"]
        lines += [f"a{n} = {each.text(turn)}" for n, each in enumerate(self.operands)]
        arrays = [n for n in self.constants if not self.operands[n].scalar]
        lines += [f"a{n} = jnp.array(a{n})" for n in sorted({*self.arrays, *arrays})]
        called = [f"a{n}" for n in range(len(self.operands)) if n not in self.constants]
        call = ", ".join(called)
        return "\n".join([*lines, self.source, f"print(jax.jit(f)({call}))", f"print(f({call}))"])

    @property
    def statements(self) -> int:
        """How many statements it has, those of functions in it among them."""
        return len([line for line in self.body if not line.lstrip().startswith("return")])


class Scope:
    """Statements of a program or of a function in it, and the values that they give."""

    def __init__(self, chance: Chance, values: dict[str, Any], own: list[str], depth: int) -> None:
        self.chance, self.values, self.own, self.depth = chance, values, own, depth
        self.lines: list[str] = []
        self.failed: list[str] = []
        """Statements that could not be evaluated."""
        self.outer: list[str] = []
        self.counter: list[int] = [0]
        self.large = False
        """Whether its arrays are so large that threads share the work."""

    def fresh(self, letter: str = "v") -> str:
        """A name that nothing has yet."""
        self.counter[0] += 1
        return f"{letter}{self.counter[0]}"

    def pick(self, kinds: str = "biufc", rank: int = 0, least: int = 0, most: int = 4) -> str:
        """One of the values, lately made ones more often; nothing where none is such."""
        names = [*self.outer, *self.own]
        fitting = [
            name
            for name in names
            if kind_of(x := self.values[name]) in kinds
            and rank <= np.ndim(x) <= most
            and np.size(x) >= least
        ]
        if not fitting:
            raise NotApplicable
        return self.chance.choice(fitting[-3:] if self.chance.often(0.5) else fitting)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a value."""
        return tuple(np.shape(self.values[name]))

    def dtype(self, name: str) -> str:
        """The name of the dtype of a value."""
        return dtype_name(self.values[name])

    def add(self, text: str, results: int = 1) -> list[str]:
        """Adds what expression gives as so many values; nothing where it fails or is large."""
        names = [self.fresh() for _ in range(results)]
        line = f"{', '.join(names)} = {text}" if results > 1 else f"{names[0]} = {text}"
        if not self.run(line):
            return []
        for name in names:
            value = self.values[name]
            most = MOST_OF_LARGE if self.large else MOST_ELEMENTS
            if kind_of(value) == "?" or np.size(value) > most or np.ndim(value) > 4:
                return []
        self.lines.append(line)
        self.own += names
        return names

    def run(self, text: str) -> bool:
        """Runs lines, as part of the program; whether they could be run."""
        try:
            exec(compile(text, "<whole program>", "exec"), self.values)
        except Exception:
            self.failed.append(text)
            return False
        return True

    def within(self, parameters: dict[str, Any]) -> Scope:
        """The scope of a function in this one, with examples of what it is called with."""
        inner = Scope(self.chance, {**self.values, **parameters}, [*parameters], self.depth + 1)
        inner.counter = self.counter
        inner.outer = [*self.outer, *self.own]
        if len(inner.outer) > 3:
            inner.outer = self.chance.sample(inner.outer, 3)
        return inner

    def define(self, name: str, parameters: Sequence[str], inner: Scope, result: str) -> bool:
        """Adds a function whose body another scope has written."""
        head = f"def {name}({', '.join(parameters)}):"
        lines = [head, *(INDENT + each for each in [*inner.lines, f"return {result}"])]
        if not self.run("\n".join(lines)):
            return False
        self.lines += lines
        return True


class NotApplicable(Exception):
    """Says that a statement has no operands here."""


def dtype_name(value: Any) -> str:
    """The name of the dtype of an array or number."""
    dtype = getattr(value, "dtype", None)
    return type(value).__name__ if dtype is None else str(dtype)


def kind_of(value: Any) -> str:
    """The letter of a dtype: b, i, u, f, c, k for keys, and ? for what is no array."""
    name = dtype_name(value)
    if name == "bool":
        return "b"
    for start, letter in (("int", "i"), ("uint", "u"), ("complex", "c"), ("key", "k")):
        if name.startswith(start):
            return letter
    return "f" if name.startswith(("float", "bfloat")) else "?"


Statement = Callable[[Scope], Any]


def choose(chance: Chance, forms: str) -> str:
    """One of the forms of an expression, which semicolons separate."""
    return chance.choice(forms.split(";")).strip()

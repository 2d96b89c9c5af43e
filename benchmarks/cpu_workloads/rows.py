# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""What a row of the benchmark is: one computation, as each peer does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import numpy as np

HOST: Any = SimpleNamespace(numpy=np)
"""NumPy in the place of a module like JAX."""

Arrays = Callable[[], Sequence[Any]]
"""Makes the operands, so that those of large rows live only while they are measured."""


@dataclass(frozen=True, slots=True)
class Call:
    """A statement to be timed, and what its names stand for."""

    statement: str
    names: dict[str, Any]

    def result(self) -> Any:
        """What the statement gives."""
        return eval(self.statement, self.names)


@dataclass(frozen=True, slots=True)
class Row:
    """A computation within this process.

    `build` makes the call of JAX or of oakum, which is given the module. Rows that are `heavy` are
    left out of quick runs; a row with `first_calls` compiles something new in every call.
    """

    name: str
    build: Callable[[Any], Call]
    numpy: Callable[[], Call] | None = None
    x64: bool = False
    heavy: bool = False
    tolerance: float | None = None
    first_calls: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """A program of its own, which prints what it measured of a peer; {peer} stands for its name.

    After `limit` seconds it is ended, and the limit is what was measured.
    """

    name: str
    program: str
    unit: str
    peers: tuple[str, ...] = ("jax", "oakum")
    environment: dict[str, str] = field(default_factory=dict[str, str])
    whole: bool = False
    """Whether the time of the whole process is measured, not what it prints."""
    limit: float = 120.0
    heavy: bool = False


def call(j: Any, function: Callable[..., Any], arrays: Sequence[Any]) -> Call:
    """The call of a function with arrays, waited for."""
    operands = list(arrays) if j is HOST else [operand(j, x) for x in arrays]
    names: dict[str, Any] = {f"x{place}": x for place, x in enumerate(operands)}
    written = f"f({', '.join(names)})"
    names["f"] = function
    if j is HOST:
        return Call(written, names)
    if hasattr(function(*operands), "block_until_ready"):
        return Call(f"{written}.block_until_ready()", names)
    names["ready"] = j.block_until_ready
    return Call(f"ready({written})", names)


def operand(j: Any, x: Any) -> Any:
    """An operand as the module has it: arrays in trees become its arrays, numbers stay."""
    return j.tree_util.tree_map(lambda leaf: to_array(j, leaf), x)


def to_array(j: Any, leaf: Any) -> Any:
    """An array of the module from one of NumPy."""
    return j.numpy.asarray(leaf) if isinstance(leaf, np.ndarray | np.generic) else leaf


def jitted(
    name: str,
    function: Callable[..., Any],
    arrays: Arrays,
    *,
    numpy: bool | Callable[..., Any] = False,
    **options: Any,
) -> Row:
    """The row of a compiled function.

    `function` takes the module before the arrays; NumPy, where it takes part, runs the same
    function, or one of its own that takes the arrays only.
    """

    def build(j: Any) -> Call:
        return call(j, j.jit(lambda *args: function(j, *args)), arrays())

    def build_numpy() -> Call:
        own = numpy if callable(numpy) else lambda *args: function(HOST, *args)
        return call(HOST, own, arrays())

    return Row(name, build, build_numpy if numpy else None, **options)


def eager(name: str, statement: str, arrays: Arrays, *, numpy: bool = True, **options: Any) -> Row:
    """The row of an operation that is not compiled: an expression of x0, x1 and `jnp`."""

    def names(j: Any) -> dict[str, Any]:
        found = {f"x{place}": operand(j, x) for place, x in enumerate(arrays())}
        return {**found, "jnp": j.numpy}

    def build(j: Any) -> Call:
        return Call(f"({statement}).block_until_ready()", names(j))

    def build_numpy() -> Call:
        found = {f"x{place}": x for place, x in enumerate(arrays())}
        return Call(statement, {**found, "jnp": np})

    return Row(name, build, build_numpy if numpy else None, **options)


def normal(*shapes: tuple[int, ...], dtype: str = "float32", scale: float = 1.0) -> Arrays:
    """Operands of normally distributed numbers, or whole ones from -50 to 50."""

    def make() -> list[Any]:
        random = np.random.default_rng(0)
        if np.dtype(dtype).kind in "iu":
            return [random.integers(-50, 50, shape).astype(dtype) for shape in shapes]
        return [(random.standard_normal(shape) * scale).astype(dtype) for shape in shapes]

    return make


def uniform(*shapes: tuple[int, ...], dtype: str = "float32", low: float = 0.1) -> Arrays:
    """Operands of numbers between `low` and `low` + 1."""

    def make() -> list[Any]:
        random = np.random.default_rng(0)
        return [(random.random(shape) + low).astype(dtype) for shape in shapes]

    return make

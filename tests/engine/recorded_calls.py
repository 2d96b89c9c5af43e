"""Calls written as expressions: read as calls of our declarations, and traced on JAX.

`jnp.sum(x, axis=0)`, `x.reshape(3, -1)`: names are x, y, z, n, m and k, arrays of the avals given.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from oakum.abstract import operators
from oakum.values.avals import ShapedArray, parse_aval
from oakum.values.binding import bind
from oakum.values.declarations import find
from oakum.values.facts import Facts


class Operand:
    """An array of an expression; its methods are recorded, its operators evaluated."""

    def __init__(self, aval: Any) -> None:
        self.aval = aval

    def __gt__(self, other: Any) -> "Operand":
        return Operand(operators.compare(">", self.aval, plain(other)))

    def __getitem__(self, index: Any) -> "Operand":
        return Operand(operators.subscript(self.aval, index))

    def __getattr__(self, name: str) -> Any:
        return Recorder(f"Array.{name}", self)


class Recorder:
    """Gives the name and the arguments of a call instead of making it."""

    def __init__(self, name: str, *leading: Any) -> None:
        self.name = name
        self.leading = leading

    def __getattr__(self, name: str) -> "Recorder":
        return Recorder(f"{self.name}.{name}" if self.name else name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.name, (*self.leading, *args), kwargs


def plain(value: Any) -> Any:
    """A value as the rules see it."""
    if isinstance(value, Operand):
        return value.aval
    if isinstance(value, Recorder):
        return value.name.rpartition(".")[2]
    if isinstance(value, (tuple, list)):
        return type(value)(map(plain, value))
    return value


def read(expression: str, **avals: str) -> tuple[Facts, dict[str, Any]]:
    """The declaration of the function that an expression calls, and the bound arguments."""
    names: dict[str, Any] = {name: Operand(parse_aval(text)) for name, text in avals.items()}
    names |= {"jnp": Recorder("numpy"), "jax": Recorder(""), "lax": Recorder("lax")}
    name, positional, keywords = eval(expression, names)
    facts = find(name)
    assert facts is not None, name
    bound = bind(facts, plain(positional), {k: plain(v) for k, v in keywords.items()})
    assert isinstance(bound, dict), bound
    return facts, bound


def expressions() -> dict[str, list[str]]:
    """The calls of `calls/expressions.txt`, by the avals of their arrays."""
    sections: dict[str, str] = {}
    avals = ""
    for line in (Path(__file__).parent / "calls" / "expressions.txt").read_text().splitlines():
        if line.startswith("["):
            avals = line[1:-1]
            sections[avals] = ""
        elif not line.startswith("#"):
            sections.setdefault(avals, "")
            sections[avals] += line + " "
    return {avals: text.strip().split("; ") for avals, text in sections.items() if avals}


def structure(text: str) -> Any:
    """The shape and dtype that an aval stands for, as JAX's `eval_shape` takes them."""
    aval = parse_aval(text)
    assert isinstance(aval, ShapedArray)
    assert aval.dtype is not None
    assert aval.shape is not None
    if aval.dtype.name.startswith("key"):
        return jax.eval_shape(lambda: jax.random.key(0))
    weak = bool(aval.weak_type)
    return jax.ShapeDtypeStruct(aval.shape, jnp.dtype(aval.dtype.name), weak_type=weak)


def trace(expression: str, **avals: str) -> Any:
    """What the expression gives on JAX when its arrays are traced; or the exception."""
    results: list[Any] = []

    def run(arrays: dict[str, Any]) -> None:
        results.append(eval(expression, {"jnp": jnp, "jax": jax, "lax": lax, **arrays}))

    try:
        jax.eval_shape(run, {name: structure(text) for name, text in avals.items()})
    except Exception as error:
        return error
    return results[0]

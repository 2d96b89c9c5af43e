"""Valid calls of JAX's public functions, for the tests that compare our declarations with JAX.

`calls/*.txt` has a row for each function: the arguments that differ from those of the row `*`,
which go by parameter names. A required parameter without any value gets the matrix `A`; an
optional one is left out. `SKIP` leaves a parameter out too, and `-` a whole function.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import functools
import importlib
import inspect
import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from oakum.values.declarations import PublicFunction
from oakum.values.namespaces import NAMESPACES

SKIP = object()
A = np.array([[0.4, 0.1, 0.05], [0.1, 0.5, 0.1], [0.05, 0.1, 0.6]], np.float32)
V = np.array([0.2, 0.5, 0.8], np.float32)
Q = np.ones((1, 3, 2, 4), np.float32)
NAMES: dict[str, Any] = {
    "np": np,
    "jnp": jnp,
    "lax": lax,
    "SKIP": SKIP,
    "A": A,
    "M": A > 0.2,
    "V": V,
    "W": np.array([1.0, 2.0, 3.0], np.float32),
    "N": np.array([1, 2, 0], np.int32),
    "NN": np.array([[1, 2, 0], [0, 1, 2], [2, 0, 1]], np.int32),
    "U": np.array([1, 2, 3], np.uint8),
    "B": np.array([True, False, True]),
    "Q": Q,
    "KEY": jax.random.key(0),
    "IMG": np.ones((1, 2, 5, 5), np.float32),
    "KER": np.ones((3, 2, 2, 2), np.float32),
    "IMGT": np.ones((1, 5, 5, 2), np.float32),
    "KERT": np.ones((2, 2, 2, 3), np.float32),
    "DN": (((1,), (0,)), ((), ())),
    "GDN": lax.GatherDimensionNumbers((1,), (0,), (0,)),
    "SDN": lax.ScatterDimensionNumbers((1,), (0,), (0,)),
}


@dataclass(frozen=True)
class Call:
    """A call: JAX's function with arguments by parameter name."""

    name: str
    function: Any
    values: dict[str, Any]

    @property
    def signature(self) -> inspect.Signature:
        """JAX's signature of the function."""
        return inspect.signature(self.function)

    def arguments(self, **changed: Any) -> tuple[list[Any], dict[str, Any]]:
        """The positional and the keyword arguments, with some values changed."""
        values = {**self.values, **changed}
        parameters = list(self.signature.parameters.values())
        variadic = any(each.kind is each.VAR_POSITIONAL for each in parameters)
        positional: list[Any] = []
        keywords: dict[str, Any] = {}
        complete = True
        for each in parameters:
            if each.name not in values:
                complete = False
            elif each.kind is each.VAR_POSITIONAL:
                positional += values[each.name]
            elif each.kind is each.VAR_KEYWORD:
                keywords |= values[each.name]
            elif each.kind is each.POSITIONAL_ONLY or (
                each.kind is each.POSITIONAL_OR_KEYWORD and variadic and complete
            ):
                positional.append(values[each.name])
            else:
                keywords[each.name] = values[each.name]
        return positional, keywords

    def __call__(self, **changed: Any) -> Any:
        positional, keywords = self.arguments(**changed)
        return self.function(*positional, **keywords)


def _rows(path: Path) -> dict[str, str]:
    rows: dict[str, str] = {}
    name = ""
    for line in path.read_text().splitlines():
        if line.startswith("    "):
            rows[name] += " " + line.strip()
        elif line and not line.startswith("#"):
            name, _, arguments = line.partition(": ")
            rows[name] = arguments
    return rows


@functools.cache
def _table(group: str) -> dict[str, str]:
    return _rows(Path(__file__).parent / "calls" / f"{group}.txt")


def jax_function(name: str) -> Any:
    """JAX's function of this canonical name; None if there is none."""
    namespace, _, last = name.rpartition(".")
    try:
        module = importlib.import_module(f"jax.{namespace}" if namespace else "jax")
    except ImportError:
        return None
    return getattr(module, last, None)


def call(name: str) -> Call | None:
    """The valid call of a function; None where the tables leave it out."""
    first = name.split(".")[0]
    group = _table(first if first in ("numpy", "lax", "scipy") else "other")
    pattern = name.rpartition(".")[0] + ".*"
    row = group.get(name, group.get(pattern, ""))
    function = jax_function(name)
    if row == "-" or function is None or isinstance(function, type(jnp.float32)):
        return None
    own = eval(f"dict({row})", dict(NAMES))
    common = eval(f"dict({group['*']})", dict(NAMES))
    values: dict[str, Any] = {}
    for each in inspect.signature(function).parameters.values():
        variadic = each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        if each.name in own:
            values[each.name] = own[each.name]
        elif each.name in common:
            values[each.name] = common[each.name]
        elif each.default is each.empty and not variadic:
            values[each.name] = A
    return Call(name, function, {k: v for k, v in values.items() if v is not SKIP})


def declared(namespace: str | None = None) -> Iterator[tuple[str, PublicFunction[..., Any]]]:
    """All declared functions with the names under which users reach them."""
    for each in sorted(NAMESPACES if namespace is None else (namespace,)):
        if not each:
            continue
        try:
            module = importlib.import_module(f"oakum.{each}")
        except ModuleNotFoundError:
            continue
        for name, value in sorted(vars(module).items()):
            if isinstance(value, PublicFunction) and not name.startswith("_"):
                yield f"{each}.{name}", value


def sampled(name: str, one_of: int) -> bool:
    """Whether this run tests this function: one of so many, or all under OAKUM_FULL=1."""
    return bool(os.environ.get("OAKUM_FULL")) or zlib.crc32(name.encode()) % one_of == 0

"""Calls that raise what `help` says by the table `errors_raised.txt`."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from inspect import Parameter
from pathlib import Path
from typing import Final

import oakum as jax
import oakum.numpy as jnp
from oakum.values.declarations import PublicFunction

NO_CALL: Final = ("Nothing of its own.", "What a callback has raised that was waited for.")
"""Sentences of which no call can be wrong."""
_CALLS: Final[Mapping[str, str]] = {
    "ValueError if the new value is a text that means neither true nor false.": "f('odd')",
    "TypeError if the value that a context is entered with is not hashable.": (
        "f()([]).__enter__()"
    ),
    "OAK101 if a tracer outlives its trace within the block.": (
        "with f(): jax.jit(kept.append)(1.0)"
    ),
    "ValueError if `new_val` is none of the values that there are; the message lists them.": (
        "f('odd')"
    ),
    "OAK501 if the argument is a scalar.": "f(1.0)",
    "OAK503 if `x` is a list or tuple.": "f([1.0])",
    "OAK501 if nested sequences have different lengths.": "f([[1], [1, 2]])",
    "FileNotFoundError if there is no such file.": "f('/nowhere/at/all.npy')",
    "TypeError if `pyfunc` is no function, when the result is called.": "f(3)(1.0)",
    "ValueError if `signature` cannot be read, when the result is called.": (
        "f(abs, signature='(n')(1.0)"
    ),
    "OAK501 if arguments have fewer axes than `signature` names, when the result is called.": (
        "f(abs, signature='(n)->(n)')(1.0)"
    ),
    "OAK501 if `dimension_numbers` do not name each axis once.": "f(*['odd'] * count)",
    "OAK501 if `shardings` is None.": "f(1.0, None)",
    "ValueError if `impl_spec` names no generator of keys.": "f('odd')",
    "OAK502 if `A` is neither a function nor a matrix.": "f(-1.5, -1.5)",
    "OAK501 if a leaf is an array of more than one element.": "f([jnp.ones(3)])",
    "OAK203 if a leaf is traced.": "jax.jit(lambda x: f([x]))(True)",
    "ValueError if the keys of a dictionary cannot be sorted.": "f({1: 1, 'a': 2})",
    "OAK501 if `prefix_tree` is no prefix of `full_tree`.": "f([1, 2], [1])",
    "OAK502 if a keyword is none that `dataclasses.field` takes.": "f(odd=1)",
    "OAK502 if `typ` is not hashable.": "f([])",
    "ValueError if the class is registered already.": "f(list, abs, abs)",
    "OAK502 if `pred` is no scalar, or if `msg` is no text.": "f(odd, 'text')",
    "ValueError if it is called within `jit`.": "jax.jit(lambda x: (f(), x))(1.0)",
    "RuntimeError if a profile is recorded already.": (
        "with jax.profiler.trace(folder): f(folder).__enter__()"
    ),
    "RuntimeError if no profile is recorded.": "f()",
}
"""Statements in which `f` is the function, `odd` no array; where a sentence has none, `f` gets
something odd for all that it requires."""


def call(function: PublicFunction[..., object], sentence: str, folder: Path) -> None:
    """Makes the call of a function that is wrong as a sentence of the table says."""
    required = [
        parameter
        for parameter in function.facts.signature.parameters.values()
        if parameter.default is Parameter.empty
        and parameter.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    ]
    odd = object()
    by_name = {p.name: odd for p in required if p.kind is Parameter.KEYWORD_ONLY}
    count = len(required) - len(by_name)
    if sentence in _CALLS:
        kept: list[object] = []
        values = {"odd": odd, "count": count, "kept": kept, "folder": folder}
        exec(_CALLS[sentence], {"f": function, "jax": jax, "jnp": jnp, **values})
        return
    entered = function(*[odd] * max(count, 1), **by_name)
    if isinstance(entered, AbstractContextManager):
        entered.__enter__()

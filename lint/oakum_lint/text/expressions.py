"""Expressions by their spelling: tests, calls, indices, formats."""

import re
from typing import Final

_MISSING = re.compile(r"\bis None\b|\bnot in\b|^not (?:hasattr\b|[\w.]+$)")
_KIND = re.compile(r"\b(?:isinstance|issubclass|hasattr|getattr|type|callable|is_\w+)\(|^except\b")
_PRESENT = re.compile(r"\bis not None\b|(?<!not) in\b|^(?:hasattr\b|[\w.]+$)")
_LIBRARY = re.compile(r"""([=!])=\s*["'](jax|jnp|np|numpy|scipy|tensorflow|tf|torch)["']""")
_SIMPLE_CALL = re.compile(r"[\w.]+\(((?:[\w\s,='\"]|(?<=\d)[.-]|[.-](?=\d))*)\)")
_NEW_AXIS = re.compile(r"(?:\w+\.)?newaxis")
_ALL_WITH_NEW_AXIS = re.compile(r"(?:[:,]|\.\.\.|None)+")

PERCENT_FORMAT: Final = re.compile(
    r"%(?:\((?P<key>[^)]*)\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+))?[hlL]?(?P<kind>.)"
)
"""A field of a text that `%` formats."""
PLAIN_PERCENT: Final = re.compile(r"%(?P<width>-?\d*(?:\.\d+)?)(?P<kind>[a-zA-Z%])")
"""One of the fields that `format` has too."""
ENDS_OPERAND: Final = re.compile(r"(?:[\w)\]}\"'])$(?<!\breturn)(?<!\bin)(?<!\bif)(?<!\belse)")
"""The end of a text behind which a bracket is a call or an index."""
WEAK_AVAL: Final = re.compile(r"~(?:bf|[fiuc])\d+\[[^]]*\]")
"""An array of a weak type, as messages write it."""
_NONE: Final = re.compile(r"(\w+) is None|not \((\w+)(?: is not None)?\)")


def asks_for_missing(test: str) -> bool:
    """Whether a test is true before something is made, as far as its words show.

    >>> asks_for_missing("self.cache is None"), asks_for_missing("x > 0")
    (True, False)
    """
    return _MISSING.search(test) is not None


def asks_for_present(test: str) -> bool:
    """Whether a test is true after something was made, as far as its words show.

    >>> asks_for_present("key in cache"), asks_for_present("key not in cache")
    (True, False)
    """
    return _PRESENT.search(test) is not None


def asks_for_other_library(test: str) -> bool:
    """Whether a test holds for another array library than JAX.

    >>> asks_for_other_library("backend == 'torch'"), asks_for_other_library("not lib == 'jax'")
    (True, True)
    """
    found = _LIBRARY.search(test)
    if found is None:
        return False
    named = (found[1] == "=") != test.startswith("not ")
    return named != (found[2] in ("jax", "jnp"))


def asks_for_kind(test: str) -> bool:
    """Whether a test asks what an object is or has, or stands for code that did so in vain.

    >>> asks_for_kind("isinstance(x, torch.Tensor)"), asks_for_kind("x.ndim == 2")
    (True, False)
    """
    return _KIND.search(test) is not None


def left_out(test: str) -> str | None:
    """Returns the name that a test asks for None, by its words.

    >>> left_out("mask is None"), left_out("not (mask is not None)"), left_out("mask is not None")
    ('mask', 'mask', None)
    """
    found = _NONE.fullmatch(test)
    return None if found is None else found[1] or found[2]


def simple_arguments(call: str) -> str | None:
    """Returns the text between the parentheses of a call that gets names and numbers alone.

    >>> simple_arguments("step(x, n=2)"), simple_arguments("step(f(x))")
    ('x, n=2', None)
    """
    found = _SIMPLE_CALL.fullmatch(call)
    return None if found is None else found[1]


def new_axes(index: str) -> str | None:
    """An index that only takes whole axes and adds new ones, in one spelling; None for any other.

    >>> new_axes("jnp.newaxis, :"), new_axes("0, :")
    ('None,:', None)
    """
    spelled = _NEW_AXIS.sub("None", index).replace(" ", "")
    return spelled if _ALL_WITH_NEW_AXIS.fullmatch(spelled) else None

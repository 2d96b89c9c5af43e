"""Which functions are counted, to be made native: operators of arrays, and public functions.

An operator is replaced on arrays with data only. A public function is watched from its first call
on, where its declaration says that it computes element by element, reduces, contracts or draws.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from oakum.abstract.elementwise import Elementwise
from oakum.array_operators import ArrayOperators
from oakum.facts import Facts, PublicFunction
from oakum.runtime import native_calls
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.native_counting import Counted

_BINARY: Final = "add sub mul truediv floordiv mod matmul and or xor lshift rshift".split()
_COMPARING: Final = "eq ne lt le gt ge".split()
_UNARY: Final = "neg abs invert".split()

_NAMES: Final = (
    *(f"__{name}__" for name in (*_BINARY, *_COMPARING, *_UNARY)),
    *(f"__r{name}__" for name in _BINARY),
)
_POWERS: Final = ("__pow__", "__rpow__")
"""What `x ** 2` computes depends on the number."""

_FAMILIES: Final = frozenset(
    f"oakum.abstract.{family}" for family in "contraction reduction sampling selection".split()
)


@functools.cache
def install() -> None:
    """Has the operators of arrays and public functions counted, from now on."""
    if not native_calls.are_wanted():
        return
    for name in (*_NAMES, *_POWERS):
        setattr(ArrayImpl, name, Counted(ArrayOperators.__dict__[name], name in _POWERS))
    PublicFunction.watch = staticmethod(watched)


def watched(function: PublicFunction[..., Any], called: Callable[..., Any]) -> Callable[..., Any]:
    """What is called for a public function: one that is counted, or the same as before."""
    facts = function.facts
    if not is_counted(facts):
        return called
    by_value = type(facts.rule) is not Elementwise or bool(facts.static) or "pow" in facts.name
    return Counted(called, by_value, function)


def is_counted(facts: Facts) -> bool:
    """Whether calls of a function give the same when they are compiled."""
    rule: Any = facts.rule
    if facts.transform is not None or facts.needs_concrete or facts.static_result:
        return False
    if type(rule) is Elementwise:
        return True
    return getattr(rule, "__module__", None) in _FAMILIES

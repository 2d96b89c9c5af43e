"""Checks of values inside of traced code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from oakum.abstract import results
from oakum.values.declarations import public, transform

nan_checks: Final = frozenset({"nan"})
index_checks: Final = frozenset({"out of bounds"})
div_checks: Final = frozenset({"division by zero"})
user_checks: Final = frozenset({"check"})
float_checks: Final = nan_checks | div_checks
automatic_checks: Final = float_checks | index_checks
all_checks: Final = automatic_checks | user_checks


@public("experimental.checkify.check", results.nothing)
def check(
    pred: object, msg: str, *fmt_args: object, debug: bool = False, **fmt_kwargs: object
) -> None:
    """Notes an error when a traced predicate is false; `checkify` makes it observable."""
    ...


@public("experimental.checkify.check_error", results.nothing)
def check_error(error: object) -> None:
    """Raises the error of a checked function, if there is one."""
    ...


@transform("experimental.checkify.checkify", "make_jaxpr", ("f",), staged=True, leaves="all")
def checkify(f: Callable[..., Any], errors: object = None) -> Any:
    """Returns a function that returns the error of its checks beside the result."""
    ...


@public("experimental.checkify.debug_check", results.nothing)
def debug_check(pred: object, msg: str, *fmt_args: object, **fmt_kwargs: object) -> None:
    """Notes an error when a traced predicate is false, and is left out where nothing collects
    it.
    """
    # `checkify` would collect it, and is not evaluated.
    if getattr(pred, "shape", None) != () and not isinstance(pred, bool):
        raise TypeError(f"debug_check takes a scalar pred as argument, got {pred}")

"""Checks of derivatives against finite differences."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results
from oakum.values.declarations import public


@public("test_util.check_grads", results.nothing)
def check_grads(
    f: Any,
    args: Any,
    order: Any,
    modes: Any = ("fwd", "rev"),
    atol: Any = None,
    rtol: Any = None,
    eps: Any = None,
) -> None:
    """Compares derivatives of a function with finite differences."""
    ...


@public("test_util.check_jvp", results.nothing)
def check_jvp(
    f: Any,
    f_jvp: Any,
    args: Any,
    atol: Any = None,
    rtol: Any = None,
    eps: Any = 0.0001,
    err_msg: Any = "",
) -> None:
    """Compares forward-mode derivatives with finite differences."""
    ...


@public("test_util.check_vjp", results.nothing)
def check_vjp(
    f: Any,
    f_vjp: Any,
    args: Any,
    atol: Any = None,
    rtol: Any = None,
    eps: Any = 0.0001,
    err_msg: Any = "",
) -> None:
    """Compares reverse-mode derivatives with finite differences."""
    ...

"""Checks of derivatives against finite differences."""

from __future__ import annotations

from oakum.abstract import results
from oakum.values.declarations import public


@public("test_util.check_grads", results.nothing)
def check_grads(
    f: object,
    args: object,
    order: object,
    modes: object = ("fwd", "rev"),
    atol: object = None,
    rtol: object = None,
    eps: object = None,
) -> None:
    """Compares derivatives of a function with finite differences."""
    ...


@public("test_util.check_jvp", results.nothing)
def check_jvp(
    f: object,
    f_jvp: object,
    args: object,
    atol: object = None,
    rtol: object = None,
    eps: object = 0.0001,
    err_msg: object = "",
) -> None:
    """Compares forward-mode derivatives with finite differences."""
    ...


@public("test_util.check_vjp", results.nothing)
def check_vjp(
    f: object,
    f_vjp: object,
    args: object,
    atol: object = None,
    rtol: object = None,
    eps: object = 0.0001,
    err_msg: object = "",
) -> None:
    """Compares reverse-mode derivatives with finite differences."""
    ...

"""Abstract values and programs."""

from __future__ import annotations

from typing import Any

from oakum.facts import public, transform


@transform("core.ensure_compile_time_eval", "compile_time", (), staged=False)
def ensure_compile_time_eval() -> Any:
    """Evaluates operations on concrete values in this block while tracing, instead of staging
    them.
    """
    ...


@public("core.eval_context")
def eval_context() -> Any:
    """Leaves all traces in a block."""
    ...


@public("core.eval_jaxpr")
def eval_jaxpr(
    jaxpr: Any, consts: Any, *args: Any, propagate_source_info: bool = True
) -> list[Any]:
    """Evaluates a program on values."""
    ...


@public("core.max_dim", static_result=True)
def max_dim(d1: int, d2: int) -> int:
    """Gives the greater of two sizes."""
    ...


@public("core.min_dim", static_result=True)
def min_dim(d1: int, d2: int) -> int:
    """Gives the lesser of two sizes."""
    ...

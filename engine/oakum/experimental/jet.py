"""Higher derivatives by Taylor series."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.values.declarations import public


@public("experimental.jet.jet")
def jet(
    fun: Callable[..., Any],
    primals: object,
    series: object,
    factorial_scaled: bool = True,
    **_: object,
) -> Any:
    """Propagates truncated Taylor series through a function."""
    ...

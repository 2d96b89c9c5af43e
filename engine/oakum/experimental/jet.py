"""Higher derivatives by Taylor series."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.values.declarations import public


@public("experimental.jet.jet")
def jet(
    fun: Callable[..., Any], primals: Any, series: Any, factorial_scaled: bool = True, **_: Any
) -> Any:
    """Propagates truncated Taylor series through a function."""
    ...

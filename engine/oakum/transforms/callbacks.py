"""Calls of Python functions on the host from traced code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import higher_order, whole_placement
from oakum.facts import transform
from oakum.typing import Placement


@transform("pure_callback", "host", ("callback",), staged=False)
def pure_callback(
    callback: Callable[..., Any],
    result_shape_dtypes: Any,
    *args: Any,
    sharding: Placement | None = None,
    vmap_method: str | None = None,
    **kwargs: Any,
) -> Any:
    """Calls a Python function without side effects on the host; the result has the declared
    shapes.
    """
    whole_placement.require("pure_callback(sharding=...)", sharding)
    return higher_order.callbacks.pure_callback(
        callback, result_shape_dtypes, args, kwargs, vmap_method
    )

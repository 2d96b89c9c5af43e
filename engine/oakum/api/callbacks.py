"""Calls of Python functions on the host from traced code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import control_flow
from oakum.runtime.topology import ignored_placement
from oakum.typing import Placement
from oakum.values.declarations import transform


@transform("pure_callback", "host", ("callback",), staged=False)
def pure_callback(
    callback: Callable[..., Any],
    result_shape_dtypes: object,
    *args: object,
    sharding: Placement | None = None,
    vmap_method: str | None = None,
    **kwargs: object,
) -> Any:
    """Calls a Python function without side effects on the host; the result has the declared
    shapes.
    """
    ignored_placement.require("pure_callback(sharding=...)", sharding)
    return control_flow.callbacks.pure_callback(
        callback, result_shape_dtypes, args, kwargs, vmap_method
    )

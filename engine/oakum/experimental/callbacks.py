"""Calls of Python functions with side effects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import control_flow
from oakum.runtime.topology import ignored_placement
from oakum.typing import Placement
from oakum.values.declarations import public, transform


@transform("experimental.io_callback", "host", ("callback",), staged=False)
def io_callback(
    callback: Callable[..., Any],
    result_shape_dtypes: object,
    *args: object,
    sharding: Placement | None = None,
    ordered: bool = False,
    **kwargs: object,
) -> Any:
    """Calls a Python function with side effects on the host; the result has the declared shapes."""
    ignored_placement.require("experimental.io_callback(sharding=...)", sharding)
    return control_flow.callbacks.io_callback(callback, result_shape_dtypes, args, kwargs, ordered)


@public("experimental.cur_qdd")
def cur_qdd(x: object) -> Any:
    """Returns the type of a mutable value as it is now."""
    ...


@public("experimental.primal_tangent_dtype", static_result=True)
def primal_tangent_dtype(
    primal_dtype: object, tangent_dtype: object, name: str | None = None
) -> Any:
    """Makes the dtype of a pair of primal and tangent."""
    ...

"""Looking at values while traced code runs."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from oakum import higher_order
from oakum.abstract import results
from oakum.facts import public, transform
from oakum.typing import Placement


@public("debug.print", results.nothing)
def print(
    fmt: str | None = None,
    *args: Any,
    ordered: bool = False,
    partitioned: bool = False,
    skip_format_check: bool = False,
    _use_logging: bool = False,
    **kwargs: Any,
) -> None:
    """Prints values when the compiled code runs."""
    checked = not skip_format_check
    template = fmt if fmt is not None else " ".join(["{}"] * len(args))
    higher_order.callbacks.debug_print(template, args, kwargs, ordered, checked=checked, log=None)


@public("debug.log", results.nothing)
def log(
    fmt: str | None = None,
    *args: Any,
    ordered: bool = False,
    partitioned: bool = False,
    skip_format_check: bool = False,
    _use_logging: bool = True,
    **kwargs: Any,
) -> None:
    """Logs values when the compiled code runs."""
    checked = not skip_format_check
    template = fmt if fmt is not None else " ".join(["{}"] * len(args))
    show = logging.getLogger("oakum.debug").info
    higher_order.callbacks.debug_print(template, args, kwargs, ordered, checked=checked, log=show)


@transform("debug.callback", "host", ("callback",), staged=False)
def callback(
    callback: Callable[..., None] | None = None,
    *args: Any,
    ordered: bool = False,
    partitioned: bool = False,
    **kwargs: Any,
) -> Any:
    """Calls a Python function on the host when the compiled code runs."""
    if callback is None:
        return lambda function: higher_order.callbacks.Debugged(function, ordered)
    higher_order.callbacks.debug_callback(callback, args, kwargs, ordered)
    return None


@public("debug.breakpoint", results.nothing)
def breakpoint(
    *,
    backend: str | None = None,
    filter_frames: bool = True,
    num_frames: int | None = None,
    ordered: bool = False,
    token: Any = None,
    **kwargs: Any,
) -> None:
    """Stops in a debugger when the compiled code runs."""
    ...


@public("debug.inspect_array_sharding", results.nothing)
def inspect_array_sharding(value: Any, *, callback: Callable[..., Any]) -> None:
    """Gives the sharding of an array to a function, when it is known."""
    ...


@public("debug.visualize_array_sharding", results.nothing)
def visualize_array_sharding(arr: Any, **kwargs: Any) -> None:
    """Draws how an array is sharded."""
    ...


@public("debug.visualize_sharding", results.nothing)
def visualize_sharding(
    shape: Sequence[int],
    sharding: Placement | None,
    *,
    use_color: bool = True,
    scale: float = 1.0,
    min_width: int = 9,
    max_width: int = 80,
    color_map: Any = None,
) -> None:
    """Draws a sharding."""
    ...

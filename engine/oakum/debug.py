"""Looking at values while traced code runs."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from oakum import control_flow
from oakum.abstract import results
from oakum.typing import Placement
from oakum.values.declarations import public, transform

if TYPE_CHECKING:
    from oakum.array import Array


@public("debug.print", results.nothing)
def print(
    fmt: str | None = None,
    *args: object,
    ordered: bool = False,
    partitioned: bool = False,
    skip_format_check: bool = False,
    _use_logging: bool = False,
    **kwargs: object,
) -> Any:
    """Prints values when the compiled code runs."""
    if fmt is None:
        control_flow.debug_printing.check_two_calls("print", args, kwargs)
        return functools.partial(print, ordered=ordered, skip_format_check=skip_format_check)
    checked = not skip_format_check
    control_flow.debug_printing.debug_print(fmt, args, kwargs, ordered, checked=checked, log=None)
    return None


@public("debug.log", results.nothing)
def log(
    fmt: str | None = None,
    *args: object,
    ordered: bool = False,
    partitioned: bool = False,
    skip_format_check: bool = False,
    _use_logging: bool = True,
    **kwargs: object,
) -> Any:
    """Logs values when the compiled code runs."""
    if fmt is None:
        control_flow.debug_printing.check_two_calls("log", args, kwargs)
        return functools.partial(log, ordered=ordered, skip_format_check=skip_format_check)
    checked = not skip_format_check
    show = logging.getLogger("oakum.debug").info
    control_flow.debug_printing.debug_print(fmt, args, kwargs, ordered, checked=checked, log=show)
    return None


@transform("debug.callback", "host", ("callback",), staged=False)
def callback(
    callback: Callable[..., None] | None = None,
    *args: object,
    ordered: bool = False,
    partitioned: bool = False,
    **kwargs: object,
) -> Any:
    """Calls a Python function on the host when the compiled code runs."""
    if callback is None:
        control_flow.debug_printing.check_two_calls("callback", args, kwargs)
        return functools.partial(_callback, ordered=ordered, partitioned=partitioned)
    control_flow.callbacks.debug_callback(callback, args, kwargs, ordered)
    return None


_callback: Any = callback
"""The function under a name that its own parameter does not hide."""


@public("debug.breakpoint", results.nothing)
def breakpoint(
    *,
    backend: str | None = None,
    filter_frames: bool = True,
    num_frames: int | None = None,
    ordered: bool = False,
    token: object = None,
    **kwargs: object,
) -> None:
    """Stops in a debugger when the compiled code runs."""
    ...


@public("debug.inspect_array_sharding", results.nothing)
def inspect_array_sharding(value: Array, *, callback: Callable[..., Any]) -> None:
    """Returns the sharding of an array to a function: at once, as an array that has data knows it.

    Raises `NotEvaluatedError` for a tracer: a compiled program of oakum is on one device.
    """
    from oakum.api import sharding_pictures  # Most programs look at none.

    callback(sharding_pictures.sharding_of(value, "inspect_array_sharding"))


@public("debug.visualize_array_sharding", results.nothing)
def visualize_array_sharding(arr: Array, **kwargs: object) -> None:
    """Draws how an array of one or two axes is sharded, as `visualize_sharding` does.

    Raises `NotEvaluatedError` for a tracer: a compiled program of oakum is on one device.
    """
    from oakum.api import sharding_pictures

    sharding = sharding_pictures.sharding_of(arr, "visualize_array_sharding")
    visualize_sharding(arr.shape, sharding, **cast("dict[str, Any]", kwargs))


@public("debug.visualize_sharding", results.nothing)
def visualize_sharding(
    shape: Sequence[int],
    sharding: Placement | None,
    *,
    use_color: bool = True,
    scale: float = 1.0,
    min_width: int = 9,
    max_width: int = 80,
    color_map: object = None,
) -> None:
    """Draws a sharding of arrays of one or two axes: a box for each part, with its devices.

    Nothing is coloured, whatever `use_color` and `color_map` are. Raises `InvalidValueError` for
    more axes.
    """
    from oakum.api import sharding_pictures

    sharding_pictures.draw(shape, sharding, scale, min_width, max_width)

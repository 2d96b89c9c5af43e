"""Checks of results for NaN and infinity: the options `jax_debug_nans` and `jax_debug_infs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import config
from oakum.dtypes import Kind
from oakum.runtime.arrays import short
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame


def are_on() -> bool:
    """Returns whether results are checked here."""
    return config.debug_nans.value or config.debug_infs.value


def check(raws: Sequence[Any], avals: Sequence[ShapedArray], operation: str) -> None:
    """Raises FloatingPointError where a result of an operation has a value that is looked for."""
    np = host.np
    for raw, aval in zip(raws, avals, strict=True):
        if aval.dtype is None or aval.dtype.kind not in (Kind.FLOAT, Kind.COMPLEX):
            continue
        if config.debug_nans.value and np.isnan(raw).any():
            raise _error("nan", "jax_debug_nans", operation, aval)
        if config.debug_infs.value and np.isinf(raw).any():
            raise _error("inf", "jax_debug_infs", operation, aval)


def _error(value: str, option: str, operation: str, aval: ShapedArray) -> FloatingPointError:
    frame = user_frame()
    where = "" if frame is None else f" At {frame}."
    return FloatingPointError(
        f"invalid value ({value}) encountered in {operation}, which gives {short(aval)}.{where} "
        f"The option {option} is on."
    )


def find_operation(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], found: Exception
) -> Exception:
    """Runs a jitted function one operation at a time, so that the one that gives the value raises.

    Gives the error that was found first where none does: a compiled program may differ.
    """
    with config.disable_jit(True):
        function(*args, **kwargs)
    return found

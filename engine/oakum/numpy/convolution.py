"""Convolution and correlation of vectors, and integration by trapezoids."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.errors import ShapeError
from oakum.numpy import arguments, promoting


def _padding(mode: str, size: int) -> tuple[int, int]:
    match mode:
        case "valid":
            return 0, 0
        case "same":
            return size // 2, size - size // 2 - 1
        case "full":
            return size - 1, size - 1
        case _:
            raise ValueError(f"mode must be one of ['full', 'same', 'valid'], not {mode!r}")


def convolve(function: str, a: Any, v: Any, mode: str, **options: Any) -> Any:
    """Sums of products of a vector with another that slides along it."""
    x, y = arguments.arrays(function, a, v)
    if x.ndim != 1 or y.ndim != 1:
        raise ShapeError(
            f"{function}() only support 1-dimensional inputs.", hint="Flatten the arrays."
        )
    if options["preferred_element_type"] is None:
        x, y = promoting.promote_dtypes([x, y], promoting.to_inexact)
    else:
        x, y = promoting.promote_dtypes([x, y])
    if not x.shape[0] or not y.shape[0]:
        raise ShapeError(
            f"{function}: inputs cannot be empty, got shapes {x.shape} and {y.shape}.",
            hint="Give vectors of one element or more.",
        )
    swapped = x.shape[0] < y.shape[0]
    if function == "correlate":
        y = jnp.conj(y)
    if swapped:
        x, y = y, x
    if function == "convolve":
        y = lax.rev(y, (0,))
    pad = _padding(mode, y.shape[0])
    signal, kernel = lax.expand_dims(x, (0, 1)), lax.expand_dims(y, (0, 1))
    result = lax.conv_general_dilated(signal, kernel, (1,), [pad], **options)
    result = lax.squeeze(result, (0, 1))
    return lax.rev(result, (0,)) if swapped and function == "correlate" else result


def trapezoid(y: Any, x: Any, dx: Any, axis: int) -> Any:
    """Integrals by straight lines between values."""
    if x is None:
        (y,) = promoting.promote_inexact("trapezoid", y)
        widths = jnp.asarray(dx)
        if widths.ndim:
            missing = tuple(range(y.ndim - widths.ndim))
            widths = jnp.moveaxis(lax.expand_dims(widths, missing), axis, -1)
    else:
        y, x = promoting.promote_dtypes(promoting.check("trapezoid", y, x), promoting.to_inexact)
        widths = jnp.diff(x) if x.ndim == 1 else jnp.moveaxis(jnp.diff(x, axis=axis), axis, -1)
    y = jnp.moveaxis(y, axis, -1)
    if widths.ndim == 0 or widths.shape[-1] == 1:
        width = widths if widths.ndim == 0 else widths[..., 0]
        ends = 0.5 * (y[..., 0] + y[..., -1])
        return width * (jnp.sum(y, -1) - ends)
    return 0.5 * jnp.sum(widths * (y[..., 1:] + y[..., :-1]), -1)

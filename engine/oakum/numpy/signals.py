"""Interpolation, and angles without jumps."""

from __future__ import annotations

from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.errors import DTypeError, ShapeError
from oakum.numpy import arguments, promoting
from oakum.values import host


def unwrap(p: Any, discont: Any, axis: int, period: Any) -> Any:
    """A signal of angles in which no step is longer than half a period."""
    (p,) = arguments.arrays("unwrap", p)
    p, period = promoting.promote_dtypes(promoting.check("unwrap", p, period))
    if arguments.is_complex(p):
        raise DTypeError("jnp.unwrap does not support complex inputs", hint="Give real angles.")
    at = arguments.axis(axis, p.ndim)
    if p.shape[at] == 0:
        return p
    inexact = arguments.is_inexact(p)
    half = period / 2 if inexact else period // 2
    step = jnp.diff(p, axis=at)
    turned = jnp.mod(step + half, period) - half
    turned = jnp.where((turned == -half) & (step > 0), half, turned)
    limit = period / 2 if discont is None else discont
    correction = jnp.where(jnp.abs(step) < limit, 0, turned - step)
    first = lax.slice_in_dim(p, 0, 1, axis=at)
    rest = lax.slice_in_dim(p, 1, None, axis=at) + jnp.cumsum(correction, axis=at)
    return jnp.concatenate((first, rest), axis=at)


def _extrapolates(side: str, value: Any) -> bool:
    if not isinstance(value, str):
        return False
    if value != "extrapolate":
        raise ValueError(
            f"the only valid string value of `{side}` is 'extrapolate', but got: {value!r}"
        )
    return True


def interp(x: Any, xp: Any, fp: Any, left: Any, right: Any, period: Any) -> Any:
    """Values between given points by straight lines, and beyond them as `left` and `right` say."""
    x, xp, fp = arguments.arrays("interp", x, xp, fp)
    if xp.shape != fp.shape or xp.ndim != 1:
        raise ShapeError(
            "xp and fp must be one-dimensional arrays of equal size", hint="Flatten the points."
        )
    x, xp = promoting.promote_dtypes([x, xp], promoting.to_inexact)
    (fp,) = promoting.promote_dtypes([fp], promoting.to_inexact)
    beyond = _extrapolates("left", left), _extrapolates("right", right)
    if arguments.is_complex(x):
        raise DTypeError("jnp.interp: complex x values not supported", hint="Give real points.")
    if period is not None:
        x, xp, fp = _periodic(x, xp, fp, period)
    result = _between(x, xp, fp)
    if not beyond[0] and period is None:
        result = jnp.where(x < xp[0], fp[0] if left is None else left, result)
    if not beyond[1] and period is None:
        result = jnp.where(x > xp[-1], fp[-1] if right is None else right, result)
    return result


def _periodic(x: Any, xp: Any, fp: Any, period: Any) -> tuple[Any, Any, Any]:
    """The points of one period, with a neighbour from the period before and the one after."""
    if arguments.rank_of(period) != 0:
        raise ShapeError(f"period must be a scalar; got {period}", hint="Give one number.")
    period = jnp.abs(period)
    xp, fp = lax.sort_key_val(xp % period, fp)
    xp = jnp.concatenate([xp[-1:] - period, xp, xp[:1] + period])
    return x % period, xp, jnp.concatenate([fp[-1:], fp, fp[:1]])


def _between(x: Any, xp: Any, fp: Any) -> Any:
    at = jnp.clip(jnp.searchsorted(xp, x, side="right"), 1, xp.shape[0] - 1)
    rise, run = fp[at] - fp[at - 1], xp[at] - xp[at - 1]
    eps = host.ml_dtypes.finfo(xp.dtype).eps
    flat = jnp.abs(run) <= float(host.np.spacing(host.np.float32(eps)))
    sloped = fp[at - 1] + (x - xp[at - 1]) / jnp.where(flat, 1, run) * rise
    return jnp.where(flat, fp[at - 1], sloped)

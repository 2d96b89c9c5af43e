"""Fitting polynomials to points."""

from __future__ import annotations

from typing import Any

from oakum import errors
from oakum import numpy as jnp
from oakum.numpy import arguments


def polyfit(
    x: Any,
    y: Any,
    deg: Any,
    *,
    rcond: float | None,
    full: bool,
    weights: Any,
    covariance: bool | str,
) -> Any:
    """The polynomial of a degree that fits points by least squares."""
    x, y = arguments.arrays("polyfit", x, y)
    order = arguments.size(deg, "deg of jnp.polyfit()") + 1
    _check(x, y, order)
    count = arguments.size_of(x)
    if rcond is None:
        rcond = count * float(jnp.finfo(x.dtype).eps)
    lhs, rhs = jnp.vander(x, order), y
    if weights is not None:
        (w,) = arguments.promote_inexact(*arguments.arrays("polyfit", weights))
        if arguments.rank_of(w) != 1:
            raise errors.ShapeError("expected a 1-d array for weights")
        if arguments.size_of(w) != arguments.shape_of(y)[0]:
            raise errors.ShapeError("expected w and y to have the same length")
        lhs = jnp.multiply(lhs, w[:, None])
        rhs = jnp.multiply(rhs, w[:, None] if arguments.rank_of(rhs) == 2 else w)
    # Columns of one length make the problem better conditioned.
    scale = jnp.sqrt(jnp.sum(jnp.multiply(lhs, lhs), axis=0))
    lhs = jnp.divide(lhs, scale[None, :])
    solution, residuals, rank, singular = jnp.linalg.lstsq(lhs, rhs, rcond)
    columns = arguments.rank_of(solution) > 1
    solution = jnp.divide(solution, scale[:, None] if columns else scale)
    if full:
        return solution, residuals, rank, singular, jnp.asarray(rcond)
    if not covariance:
        return solution
    base = jnp.divide(jnp.linalg.inv(jnp.dot(lhs.T, lhs)), jnp.outer(scale, scale))
    if covariance == "unscaled":
        factor = jnp.array(1.0)
    elif count <= order:
        raise ValueError(
            "the number of data points must exceed order to scale the covariance matrix"
        )
    else:
        factor = jnp.divide(residuals, count - order)
    factor = arguments.array(jnp.atleast_1d(factor))
    if arguments.rank_of(y) == 1:
        return solution, jnp.multiply(base, factor[None])
    return solution, jnp.multiply(base[:, :, None], factor[None, None, :])


def _check(x: Any, y: Any, order: int) -> None:
    if order < 1:
        raise ValueError("expected deg >= 0")
    if arguments.rank_of(x) != 1:
        raise errors.ShapeError("expected 1D vector for x")
    if arguments.size_of(x) == 0:
        raise TypeError("expected non-empty vector for x")
    if arguments.rank_of(y) not in (1, 2):
        raise errors.ShapeError("expected 1D or 2D array for y")
    if arguments.shape_of(x)[0] != arguments.shape_of(y)[0]:
        raise errors.ShapeError("expected x and y to have same length")

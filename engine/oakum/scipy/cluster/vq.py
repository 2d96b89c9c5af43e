"""Vector quantization."""

from __future__ import annotations

from oakum import errors
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("scipy.cluster.vq.vq", results.Arrays(2))
def vq(obs: ArrayLike, code_book: ArrayLike, check_finite: bool = True) -> tuple[Array, Array]:
    """Returns the nearest code of each observation, and its distance."""
    arguments.check_arrays("scipy.cluster.vq.vq", obs, code_book)
    points, codes = arguments.promote_inexact(obs, code_book)
    if points.ndim != codes.ndim:
        raise errors.ShapeError("Observation and code_book should have the same rank")
    if points.ndim not in (1, 2):
        raise errors.ShapeError("ndim different than 1 or 2 are not supported")
    if points.ndim == 1:
        points, codes = points[:, None], codes[:, None]
    distances = jnp.linalg.norm(points[:, None] - codes[None], axis=-1)
    return jnp.argmin(distances, axis=-1), jnp.min(distances, axis=-1)

"""Vectors that stand for classes."""

from __future__ import annotations

import operator
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments
from oakum.primitives.rules.arguments import inserted
from oakum.tracing import dtype_requests
from oakum.tracing.trace import Tracer
from oakum.typing import DTypeLike
from oakum.values import uses


def one_hot(x: Any, num_classes: Any, dtype: DTypeLike | None, axis: Any) -> Any:
    """Returns vectors with a one at the index in each element; zeros for indices out of bounds."""
    if isinstance(num_classes, Tracer):
        raise uses.error(uses.Use.SIZE, construct="jax.nn.one_hot", operand=f"`{num_classes.aval}`")
    x = jnp.asarray(x)
    if not arguments.is_kind(x, Kind.INT, Kind.UINT):
        dtype_requests.warn(
            f"jax.nn.one_hot input should be integer-typed; got dtype={x.dtype}", DeprecationWarning
        )
    kind = dtype_requests.requested(float if dtype is None else dtype)
    if not _is_position(axis):
        return arguments.convert(x == _along_named_axis(num_classes, axis), kind)
    rank = arguments.rank_of(x)
    at = arguments.axis(axis, rank + 1)
    shape = inserted((1,) * rank, at, num_classes)
    numbers = lax.broadcasted_iota(x.dtype, shape, at)
    return arguments.convert(jnp.equal(lax.expand_dims(x, (at,)), numbers), kind)


def _is_position(axis: Any) -> bool:
    try:
        operator.index(axis)
    except TypeError:
        return False
    return True


def _along_named_axis(num_classes: int, axis: object) -> Any:
    """Returns the class of this place of a mapped axis, of which there are as many places as
    classes.
    """
    size = lax.axis_size(axis)
    if num_classes != size:
        raise errors.ShapeError(
            f"Expected num_classes to match the size of axis {axis}, but {num_classes} != {size}"
        )
    return lax.axis_index(axis)

"""Products of matrices, and the functions of the array API that `oakum.numpy` has too."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from oakum import errors
from oakum import numpy as jnp
from oakum.abstract import contraction, diagonals, linalg, reshaping
from oakum.array import Array
from oakum.numpy import arguments, rearrangement, shapes
from oakum.numpy.linalg import dot_products, systems
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, Axis, DTypeLike, Placement, PrecisionLike
from oakum.values.declarations import public, renamed


@public("numpy.linalg.cross", contraction.cross, static=("axis",))
def cross(x1: ArrayLike, x2: ArrayLike, /, *, axis: Axis = -1) -> Any:
    """Computes cross products of vectors of three elements."""
    left, right = arguments.arrays("jnp.linalg.cross", x1, x2)
    place: Any = axis
    sizes = (left.shape[place], right.shape[place])
    if sizes != (3, 3):
        raise errors.ShapeError(
            "Both input arrays must be (arrays of) 3-dimensional vectors, but they have "
            f"x1.shape[axis]={sizes[0]} and x2.shape[axis]={sizes[1]}"
        )
    return dot_products.cross(left, right, axis=place)


@public("numpy.linalg.diagonal", diagonals.diagonal, static=("offset",))
def diagonal(x: ArrayLike, /, *, offset: int = 0) -> Array:
    """Takes the diagonals of matrices."""
    return rearrangement.diagonal(x, offset=offset, axis1=-2, axis2=-1)


@public("numpy.linalg.matmul", contraction.matmul)
def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies matrices, broadcasting leading axes."""
    return dot_products.matrix_product(
        "jnp.linalg.matmul", x1, x2, precision, preferred_element_type
    )


@public("numpy.linalg.matrix_power", linalg.matrix_power, static=("n",))
def matrix_power(a: ArrayLike, n: int) -> Array:
    """Raises matrices to an integer power."""
    (x,) = arguments.arrays("jnp.linalg.matrix_power", a)
    shape = arguments.shape_of(x)
    if len(shape) < 2:
        raise errors.ShapeError(
            f"{len(shape)}-dimensional array given. Array must be at least two-dimensional"
        )
    if shape[-1] != shape[-2]:
        raise errors.ShapeError("Last 2 dimensions of the array must be square")
    if isinstance(n, float):
        raise TypeError(f"exponent must be an integer, got {n}")
    count = arguments.size(n, "the exponent of jnp.linalg.matrix_power()")
    if count == 0:
        return arguments.broadcast_to(jnp.eye(shape[-1], dtype=arguments.dtype_of(x)), shape)
    if count < 0:
        x, count = systems.inverse(x), -count
    result: Any = None
    while True:
        count, odd = divmod(count, 2)
        if odd:
            result = x if result is None else jnp.matmul(result, x)
        if not count:
            return result
        x = jnp.matmul(x, x)


@public("numpy.linalg.matrix_transpose", reshaping.matrix_transpose)
def matrix_transpose(x: ArrayLike, /) -> Array:
    """Exchanges the last two axes."""
    (x,) = arguments.arrays("jnp.linalg.matrix_transpose", x)
    rank = arguments.rank_of(x)
    if rank < 2:
        raise ValueError(f"matrix_transpose requires at least 2 dimensions; got ndim={rank}")
    return shapes.matrix_transpose(x)


@public("numpy.linalg.multi_dot", contraction.multi_dot)
def multi_dot(arrays: Sequence[ArrayLike], *, precision: PrecisionLike = None) -> Array:
    """Multiplies several matrices in the cheapest order."""
    values = arguments.arrays("jnp.linalg.multi_dot", *arrays)
    shapes = [arguments.shape_of(each) for each in values]
    if len(values) < 2:
        raise ValueError(f"multi_dot requires at least two arrays; got len(arrays)={len(values)}")
    ends = len(shapes[0]) in (1, 2) and len(shapes[-1]) in (1, 2)
    if not ends or any(len(shape) != 2 for shape in shapes[1:-1]):
        raise errors.ShapeError(
            "multi_dot: input arrays must all be two-dimensional, except for the first and last "
            f"array which may be 1 or 2 dimensional. Got array shapes {shapes}"
        )
    if any(left[-1] != right[0] for left, right in itertools.pairwise(shapes)):
        raise errors.ShapeError(
            "multi_dot: last dimension of each array must match first dimension of following "
            f"array. Got array shapes {shapes}"
        )
    labels = [(i, i + 1) for i in range(len(values))]
    terms: list[Any] = [list(pair) for pair in labels]
    if len(shapes[0]) == 1:
        terms[0] = terms[0][1:]
    if len(shapes[-1]) == 1:
        terms[-1] = terms[-1][:1]
    pairs = [each for pair in zip(values, terms, strict=True) for each in pair]
    return jnp.einsum(*pairs, optimize="auto", precision=precision)


@public("numpy.linalg.outer", contraction.outer)
def outer(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies each element of one vector by each of another."""
    x1, x2 = arguments.arrays("jnp.linalg.outer", x1, x2)
    ranks = (arguments.rank_of(x1), arguments.rank_of(x2))
    if ranks != (1, 1):
        raise ValueError(
            "Input arrays must be one-dimensional, but they are "
            f"x1.ndim={ranks[0]} x2.ndim={ranks[1]}"
        )
    return dot_products.outer(x1, x2)


@public("numpy.linalg.tensordot", contraction.tensordot, static=("axes",))
def tensordot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axes: int | tuple[Sequence[int], Sequence[int]] = 2,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts given axes of two tensors."""
    ignored_placement.require("numpy.linalg.tensordot(out_sharding=...)", out_sharding)
    return dot_products.tensor_product(x1, x2, axes, precision, preferred_element_type)


@public("numpy.linalg.trace", diagonals.trace)
def trace(x: ArrayLike, /, *, offset: int = 0, dtype: DTypeLike | None = None) -> Array:
    """Sums the diagonals of matrices."""
    return rearrangement.trace(x, offset=offset, axis1=-2, axis2=-1, dtype=dtype)


vecdot = renamed("numpy.linalg.vecdot", dot_products.vecdot)

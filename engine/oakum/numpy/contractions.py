"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.abstract import contraction
from oakum.array import Array
from oakum.numpy import arguments, formulas, products
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement, PrecisionLike
from oakum.values.declarations import public


@public("numpy.dot", contraction.dot, edge="product")
def dot(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Multiplies along the last axis of the first array and the last but one of the second."""
    ignored_placement.require("numpy.dot(out_sharding=...)", out_sharding)
    return products.dot(a, b, precision, preferred_element_type)


@public("numpy.matmul", contraction.matmul, edge="product")
def matmul(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Multiplies matrices, broadcasting leading axes."""
    ignored_placement.require("numpy.matmul(out_sharding=...)", out_sharding)
    return products.matmul("matmul", a, b, precision, preferred_element_type)


@public("numpy.matvec", contraction.matvec)
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies matrices by vectors."""
    return products.vector_product("matvec", x1, x2)


@public("numpy.vecmat", contraction.vecmat)
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies conjugated vectors by matrices."""
    return products.vector_product("vecmat", x1, x2)


@public("numpy.vdot", contraction.vdot, edge="product")
def vdot(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies two flattened arrays, the first conjugated, and sums."""
    a, b = arguments.arrays("vdot", a, b)
    left, right = (lax.reshape(each, (arguments.size_of(each),)) for each in (a, b))
    return products.dot(products.conjugate(left), right, precision, preferred_element_type)


@public("numpy.vecdot", contraction.vecdot, static=("axis",), edge="product")
def vecdot(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    *,
    axis: int = -1,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies vectors along an axis, the first conjugated, and sums."""
    return products.vecdot(x1, x2, axis, precision, preferred_element_type)


@public("numpy.inner", contraction.inner, edge="product")
def inner(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies along the last axes of both arrays and sums."""
    a, b = arguments.arrays("inner", a, b)
    if not arguments.rank_of(a) or not arguments.rank_of(b):
        return products.dot(a, b, precision, preferred_element_type)
    return products.tensordot(a, b, (-1, -1), precision, preferred_element_type)


@public("numpy.outer", contraction.outer)
def outer(a: ArrayLike, b: ArrayLike, out: None = None) -> Array:
    """Multiplies each element of one vector by each of another."""
    arguments.refuse_out("jnp.outer", out)
    a, b = arguments.promote(*arguments.arrays("outer", a, b))
    rows, columns = arguments.size_of(a), arguments.size_of(b)
    left = lax.broadcast_in_dim(lax.reshape(a, (rows,)), (rows, columns), (0,))
    return lax.mul(left, lax.broadcast_in_dim(lax.reshape(b, (columns,)), (rows, columns), (1,)))


@public("numpy.tensordot", contraction.tensordot, static=("axes",))
def tensordot(
    a: ArrayLike,
    b: ArrayLike,
    axes: int | Sequence[int] | Sequence[Sequence[int]] = 2,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts given axes of two tensors."""
    ignored_placement.require("numpy.tensordot(out_sharding=...)", out_sharding)
    return products.tensordot(a, b, axes, precision, preferred_element_type)


@public("numpy.einsum", contraction.einsum, static=("optimize",))
def einsum(
    subscripts: Any,
    /,
    *operands: Any,
    out: None = None,
    optimize: str | bool | list[tuple[int, ...]] = "auto",
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    _dot_general: Callable[..., Array] | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts tensors as a formula of subscripts says."""
    ignored_placement.require("numpy.einsum(out_sharding=...)", out_sharding)
    arguments.refuse_out("jnp.einsum", out)
    formula, arrays = formulas.read("jnp.einsum()", subscripts, operands)
    return formulas.contract(
        formula, arrays, optimize, precision, preferred_element_type, _dot_general
    )


@public("numpy.kron", contraction.kron)
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the Kronecker product."""
    return products.kron(a, b)


@public("numpy.cross", contraction.cross, static=("axisa", "axisb", "axisc", "axis"))
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Computes cross products of vectors."""
    return products.cross(a, b, axisa, axisb, axisc, axis)

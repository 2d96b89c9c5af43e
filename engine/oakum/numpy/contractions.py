"""Products of vectors, matrices and tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import contraction
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Placement, PrecisionLike


@public("numpy.dot", contraction.dot)
def dot(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Multiplies along the last axis of the first array and the last but one of the second."""
    ...


@public("numpy.matmul", contraction.matmul)
def matmul(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Multiplies matrices, broadcasting leading axes."""
    ...


@public("numpy.matvec", contraction.matvec)
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies matrices by vectors."""
    ...


@public("numpy.vecmat", contraction.vecmat)
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies conjugated vectors by matrices."""
    ...


@public("numpy.vdot", contraction.vdot)
def vdot(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies two flattened arrays, the first conjugated, and sums."""
    ...


@public("numpy.vecdot", contraction.vecdot, static=("axis",))
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
    ...


@public("numpy.inner", contraction.inner)
def inner(
    a: ArrayLike,
    b: ArrayLike,
    *,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies along the last axes of both arrays and sums."""
    ...


@public("numpy.outer", contraction.outer)
def outer(a: ArrayLike, b: ArrayLike, out: None = None) -> Array:
    """Multiplies each element of one vector by each of another."""
    ...


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
    ...


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
    ...


@public("numpy.kron", contraction.kron)
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the Kronecker product."""
    ...


@public("numpy.cross", contraction.cross, static=("axisa", "axisb", "axisc", "axis"))
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Computes cross products of vectors."""
    ...

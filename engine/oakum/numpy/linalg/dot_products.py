"""Products of vectors, matrices and tensors."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import contraction
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments
from oakum.numpy.linalg import einsum
from oakum.runtime.topology import ignored_placement
from oakum.tracing.trace import aval_of
from oakum.typing import ArrayLike, DTypeLike, Placement, PrecisionLike
from oakum.values import promotion
from oakum.values.avals import ShapedArray
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
    return _dot(a, b, precision, preferred_element_type)


def _dot(a: Any, b: Any, precision: Any, preferred: Any) -> Any:
    """Returns the sums of products along the last axis of `a` and the last but one of `b`."""
    a, b = arguments.arrays("dot", a, b)
    left = tuple(("a", i) for i in range(arguments.rank_of(a)))
    right = tuple(("b", i) for i in range(arguments.rank_of(b)))
    if not left or not right:
        return _contract(a, b, (left, right, left + right), (precision, preferred))
    place = len(right) - 1 if len(right) == 1 else len(right) - 2
    _check_contracted("dot_general requires", a, b, -1, place)
    summed = (*right[:place], left[-1], *right[place + 1 :])
    result = (*left[:-1], *right[:place], *right[place + 1 :])
    return _contract(a, b, (left, summed, result), (precision, preferred))


def _contract(
    a: Any, b: Any, labels: tuple[einsum.Labels, einsum.Labels, einsum.Labels], options: Any
) -> Any:
    precision, preferred = options
    dtype, weak = result_type((a, b), preferred)
    if preferred is None:
        a, b = arguments.promote(a, b)
    how = einsum.Contracting(precision, dtype, lax.dot_general)
    left, right, result = labels
    return arguments.convert(einsum.product(a, left, b, right, result, how), dtype, weak)


def result_type(operands: Sequence[Any], preferred: object) -> tuple[DType, bool]:
    """Returns the dtype and weak type of a product: the one asked for, or that of the operands."""
    if preferred is not None:
        return arguments.requested_dtype(preferred), False
    dtype, weak = promotion.promote([aval_of(each).typing for each in operands])
    assert dtype is not None
    return dtype, bool(weak)


def _check_contracted(name: str, a: ArrayLike, b: ArrayLike, left: int, right: int) -> None:
    if arguments.shape_of(a)[left] != arguments.shape_of(b)[right]:
        raise errors.ShapeError(
            f"{name}: contracting dimensions must have the same shape, got "
            f"{arguments.shape_of(a)} and {arguments.shape_of(b)}"
        )


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
    return matrix_product("matmul", a, b, precision, preferred_element_type)


def matrix_product(name: str, a: Any, b: Any, precision: Any, preferred: Any) -> Any:
    """Returns the products of matrices, with leading axes broadcast."""
    a, b = arguments.arrays(name, a, b)
    for i, each in enumerate((a, b)):
        if arguments.rank_of(each) == 0:
            raise errors.ShapeError(
                f"{name} input operand {i} must have ndim at least 1, but it has ndim 0"
            )
    if preferred is None and _are_matrices(a.aval, b.aval):
        return lax.dot_general(a, b, (((1,), (0,)), ((), ())), precision)
    left = (*(("a",) if arguments.rank_of(a) > 1 else ()), "k")
    right = ("k", *(("b",) if arguments.rank_of(b) > 1 else ()))
    return _stacked(name, a, left, b, right, (precision, preferred))


def _stacked(
    name: str, a: Array, left: einsum.Labels, b: Array, right: einsum.Labels, options: Any
) -> Any:
    """Returns a product of operands with these last axes, the leading ones broadcast."""
    a_lead = arguments.shape_of(a)[: arguments.rank_of(a) - len(left)]
    b_lead = arguments.shape_of(b)[: arguments.rank_of(b) - len(right)]
    rank = max(len(a_lead), len(b_lead))
    inner = [(arguments.shape_of(a)[len(a_lead) + left.index("k")])]
    inner.append(arguments.shape_of(b)[len(b_lead) + right.index("k")])
    try:
        arguments.broadcast_shapes(a_lead, b_lead)
    except errors.ShapeError as error:
        raise errors.ShapeError(
            f"Incompatible types for {name} arguments: {aval_of(a)} and {aval_of(b)}"
        ) from error
    if inner[0] != inner[1]:
        raise errors.ShapeError(
            f"{name}: dot_general requires contracting dimensions to have the same shape, got "
            f"({inner[0]},) and ({inner[1]},) of {aval_of(a)} and {aval_of(b)}"
        )
    lead = tuple(range(rank))
    outer = (*(x for x in left if x != "k"), *(x for x in right if x != "k"))
    labels = (
        (*lead[rank - len(a_lead) :], *left),
        (*lead[rank - len(b_lead) :], *right),
        (*lead, *outer),
    )
    return _contract(a, b, labels, options)


def _are_matrices(a: ShapedArray, b: ShapedArray) -> bool:
    """Returns whether operands are two matrices of one type that fit: the most common product."""
    if a.dtype is not b.dtype or a.weak_type != b.weak_type or not a.shape or not b.shape:
        return False
    return len(a.shape) == len(b.shape) == 2 and a.shape[1] == b.shape[0]


@public("numpy.matvec", contraction.matvec)
def matvec(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies matrices by vectors."""
    return _vector_product("matvec", x1, x2)


def _vector_product(name: str, x1: Any, x2: Any) -> Any:
    """Returns matrices times vectors, or conjugated vectors times matrices, with leading axes
    broadcast.
    """
    x1, x2 = arguments.arrays(name, x1, x2)
    matrix, vector = (x1, x2) if name == "matvec" else (x2, x1)
    if arguments.rank_of(matrix) < 2 or arguments.rank_of(vector) < 1:
        raise errors.ShapeError(
            f"{name} multiplies matrices and vectors, not {aval_of(x1)} and {aval_of(x2)}"
        )
    if name == "matvec":
        return _stacked(name, x1, ("a", "k"), x2, ("k",), (None, None))
    return _stacked(name, _conjugate(x1), ("k",), x2, ("k", "b"), (None, None))


def _conjugate(a: ArrayLike) -> Any:
    """Returns the complex conjugate, of complex numbers only."""
    return lax.conj(a) if arguments.is_kind(a, Kind.COMPLEX) else a


@public("numpy.vecmat", contraction.vecmat)
def vecmat(x1: ArrayLike, x2: ArrayLike, /) -> Array:
    """Multiplies conjugated vectors by matrices."""
    return _vector_product("vecmat", x1, x2)


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
    return _dot(_conjugate(left), right, precision, preferred_element_type)


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
    return vector_dot(x1, x2, axis, precision, preferred_element_type)


def vector_dot(x1: Any, x2: Any, axis: object, precision: Any, preferred: Any) -> Any:
    """Returns the products of conjugated vectors and vectors along an axis, with the others
    broadcast.
    """
    x1, x2 = arguments.arrays("vecdot", x1, x2)
    places = [arguments.axis(axis, arguments.rank_of(each)) for each in (x1, x2)]
    sizes = [arguments.shape_of(each)[i] for each, i in zip((x1, x2), places, strict=True)]
    if sizes[0] != sizes[1]:
        raise errors.ShapeError(
            f"axes must match; got shapes {arguments.shape_of(x1)} and {arguments.shape_of(x2)} "
            f"with axis={axis}"
        )
    left, right = (jnp.moveaxis(x, i, -1) for x, i in zip((x1, x2), places, strict=True))
    return _stacked("vecdot", _conjugate(left), ("k",), right, ("k",), (precision, preferred))


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
        return _dot(a, b, precision, preferred_element_type)
    return tensor_product(a, b, (-1, -1), precision, preferred_element_type)


def tensor_product(a: Any, b: Any, axes: Any, precision: Any, preferred: Any) -> Any:
    """Returns the contraction of given axes of two tensors."""
    a, b = arguments.arrays("tensordot", a, b)
    left, right = _paired_axes(axes, arguments.rank_of(a), arguments.rank_of(b))
    for i, j in zip(left, right, strict=True):
        _check_contracted("tensordot requires", a, b, i, j)
    a_labels: list[Any] = [("a", i) for i in range(arguments.rank_of(a))]
    b_labels: list[Any] = [("b", i) for i in range(arguments.rank_of(b))]
    for i, j in zip(left, right, strict=True):
        b_labels[j] = a_labels[i]
    result = [x for x in a_labels if x not in b_labels] + [x for x in b_labels if x not in a_labels]
    labels = (tuple(a_labels), tuple(b_labels), tuple(result))
    return _contract(a, b, labels, (precision, preferred))


def _paired_axes(axes: Any, left: int, right: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if arguments.is_list(axes):
        pair: Sequence[Any] = axes
        if len(pair) != 2:
            raise errors.ShapeError(
                f"tensordot requires both axes lists to be given, got axes of length {len(pair)}"
            )
        lists: list[list[Any]] = [
            list(each) if arguments.is_list(each) else [each] for each in pair
        ]
        if len(lists[0]) != len(lists[1]):
            raise errors.ShapeError(
                "tensordot requires axes lists to have equal length, got "
                f"{lists[0]} and {lists[1]}."
            )
        first, second = (
            tuple(arguments.axis(each, rank) for each in given)
            for given, rank in zip(lists, (left, right), strict=True)
        )
        return first, second
    count = arguments.size(axes, "the axes of jnp.tensordot()")
    if count > min(left, right) or count < 0:
        raise errors.ShapeError(
            f"Number of tensordot axes (axes {count}) exceeds input ranks ({left} and {right})"
        )
    return tuple(range(left - count, left)), tuple(range(count))


@public("numpy.outer", contraction.outer)
def outer(a: ArrayLike, b: ArrayLike, out: None = None) -> Array:
    """Multiplies each element of one vector by each of another."""
    arguments.refuse_out("jnp.outer", out)
    a, b = arguments.promote(*arguments.arrays("outer", a, b))
    rows, columns = arguments.size_of(a), arguments.size_of(b)
    left = lax.broadcast_in_dim(lax.reshape(a, (rows,)), (rows, columns), (0,))
    right = lax.broadcast_in_dim(lax.reshape(b, (columns,)), (rows, columns), (1,))
    return jnp.multiply(left, right)  # booleans, too


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
    return tensor_product(a, b, axes, precision, preferred_element_type)


@public("numpy.kron", contraction.kron)
def kron(a: ArrayLike, b: ArrayLike) -> Array:
    """Computes the Kronecker product."""
    a, b = arguments.promote(*arguments.arrays("kron", a, b))
    rank = max(arguments.rank_of(a), arguments.rank_of(b))
    a_shape = (1,) * (rank - arguments.rank_of(a)) + arguments.shape_of(a)
    b_shape = (1,) * (rank - arguments.rank_of(b)) + arguments.shape_of(b)
    wide = tuple(size for pair in zip(a_shape, b_shape, strict=True) for size in pair)
    left = lax.broadcast_in_dim(lax.reshape(a, a_shape), wide, tuple(range(0, 2 * rank, 2)))
    right = lax.broadcast_in_dim(lax.reshape(b, b_shape), wide, tuple(range(1, 2 * rank, 2)))
    return lax.reshape(
        lax.mul(left, right), tuple(m * n for m, n in zip(a_shape, b_shape, strict=True))
    )


@public("numpy.cross", contraction.cross, static=("axisa", "axisb", "axisc", "axis"))
def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> Any:
    """Computes cross products of vectors."""
    a, b = arguments.arrays("cross", a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = jnp.moveaxis(a, axisa, -1), jnp.moveaxis(b, axisb, -1)
    sizes = (arguments.shape_of(a)[-1], arguments.shape_of(b)[-1])
    if not set(sizes) <= {2, 3}:
        raise errors.ShapeError(f"Dimension must be either 2 or 3 for cross product, got {sizes}")
    a, b = arguments.promote(a, b)
    if 2 in sizes:
        warnings.warn(
            "Support for 2-dimensional vectors in jnp.cross is deprecated, as it is in NumPy; use "
            "vectors of three elements.",
            DeprecationWarning,
            stacklevel=4,
        )
    if sizes == (2, 2):
        return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    a, b = (_three(arguments.strong(each)) for each in (a, b))
    a0, a1, a2 = (a[..., i] for i in range(3))
    b0, b1, b2 = (b[..., i] for i in range(3))
    parts = [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    return jnp.stack(parts, axis=arguments.axis(axisc, arguments.rank_of(parts[0]) + 1))


def _three(a: ArrayLike) -> Any:
    """Returns vectors of two elements with a zero behind them."""
    if arguments.shape_of(a)[-1] == 3:
        return a
    zero = lax.full((*arguments.shape_of(a)[:-1], 1), 0, arguments.dtype_of(a))
    return lax.concatenate([a, arguments.convert(zero, *_typing(a))], arguments.rank_of(a) - 1)


def _typing(a: ArrayLike) -> tuple[DType, bool]:
    aval = aval_of(a)
    return arguments.dtype_of(a), bool(aval.weak_type)

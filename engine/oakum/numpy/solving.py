"""Solving systems of linear equations, inverses and powers of matrices."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.api.custom_rules import custom_jvp
from oakum.numpy import arguments, factorizations, norms


def solve(a: Any, b: Any) -> Any:
    """The solutions x of a x = b, with leading axes broadcast; `b` of one axis is a vector."""
    a_shape, b_shape = arguments.shape_of(a), arguments.shape_of(b)
    a_rank, b_rank = len(a_shape), len(b_shape)
    if a_rank < 2:
        raise errors.ShapeError(
            f"left hand array must be at least two dimensional; got a.shape={a_shape}"
        )
    rows = (b_shape or (0,))[max(b_rank - 2, 0)]
    is_old_batch = b_rank > 1 and a_rank == b_rank + 1
    if is_old_batch and a_shape[-1] == b_shape[-1] != rows:
        raise errors.ShapeError(
            f"Invalid shapes for solve: {a_shape}, {b_shape}. Prior to JAX v0.5.0, this would have "
            "been treated as a batched 1-dimensional solve. To recover this behavior, use "
            "solve(a, b[..., None]).squeeze(-1)."
        )
    if a_shape[-1] != a_shape[-2] or rows != a_shape[-1]:
        raise errors.ShapeError(
            f"solve takes square matrices and right sides of as many rows, not {a_shape} and "
            f"{b_shape}"
        )
    columns = jnp.expand_dims(b, -1) if len(b_shape) == 1 else b
    lead = arguments.broadcast_shapes(a_shape[:-2], arguments.shape_of(columns)[:-2])
    a = arguments.broadcast_to(a, (*lead, *a_shape[-2:]))
    columns = arguments.broadcast_to(columns, (*lead, *arguments.shape_of(columns)[-2:]))
    factors, _, permutation = lax.linalg.lu(a)
    solution = with_factors(factors, permutation, columns, 0)
    return jnp.squeeze(solution, -1) if len(b_shape) == 1 else solution


def with_factors(factors: Any, permutation: Any, b: Any, trans: int) -> Any:
    """The solutions for LU factors: of a x = b, of its transpose (1) or its adjoint (2)."""
    if trans == 0:
        x = jnp.take_along_axis(b, permutation[..., None], axis=-2)
        x = lax.linalg.triangular_solve(factors, x, left_side=True, lower=True, unit_diagonal=True)
        return lax.linalg.triangular_solve(factors, x, left_side=True, lower=False)
    if trans not in (1, 2):
        raise ValueError(f"'trans' value must be 0, 1, or 2, got {trans}")
    options: dict[str, Any] = {"left_side": True, "transpose_a": True, "conjugate_a": trans == 2}
    x = lax.linalg.triangular_solve(factors, b, lower=False, **options)
    x = lax.linalg.triangular_solve(factors, x, lower=True, unit_diagonal=True, **options)
    return jnp.take_along_axis(x, jnp.argsort(permutation, axis=-1)[..., None], axis=-2)


def inverse(a: Any) -> Any:
    """The inverses of matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.inv", a))
    shape = arguments.shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise errors.ShapeError(f"Argument to inv must have shape [..., n, n], got {shape}.")
    return solve(a, arguments.broadcast_to(jnp.eye(shape[-1], dtype=arguments.dtype_of(a)), shape))


def pseudo_inverse(a: Any, rtol: Any, hermitian: bool, rcond: Any) -> Any:
    """The pseudo-inverses of matrices."""
    if rcond is not None:
        if rtol is not None:
            raise ValueError("pinv: only one of rtol and rcond may be specified.")
        rtol = rcond
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.pinv", a))

    @custom_jvp
    def pinv(a: Any) -> Any:
        return _pseudo_inverse(a, rtol, hermitian)

    @pinv.defjvp
    def _derivative(primals: Any, tangents: Any) -> Any:
        return _pseudo_inverse_jvp(pinv, hermitian, primals[0], tangents[0])

    return pinv(a)


def _pseudo_inverse(a: Any, rtol: Any, hermitian: bool) -> Any:
    if arguments.rank_of(a) < 2:
        raise errors.ShapeError(f"pinv takes matrices, got a.shape={arguments.shape_of(a)}")
    rows, columns = arguments.shape_of(a)[-2:]
    if 0 in (rows, columns):
        return lax.full((*arguments.shape_of(a)[:-2], columns, rows), 0, arguments.dtype_of(a))
    if rtol is None:
        rtol = 10.0 * max(rows, columns) * float(jnp.finfo(a.dtype).eps)
    u, s, vh = factorizations.svd(jnp.conj(a), False, True, hermitian, None)
    limit = jnp.expand_dims(jnp.asarray(rtol), -1)
    limit = jnp.expand_dims(limit, tuple(range(arguments.rank_of(s) - arguments.rank_of(limit))))
    cutoff = jnp.multiply(limit, s[..., :1])
    s = jnp.where(jnp.greater(s, cutoff), s, jnp.inf)
    scaled = jnp.divide(
        jnp.matrix_transpose(u), arguments.convert(s, arguments.dtype_of(u))[..., None]
    )
    result = jnp.matmul(jnp.matrix_transpose(vh), scaled, precision=lax.Precision.HIGHEST)
    return arguments.convert(result, arguments.dtype_of(a))


def _pseudo_inverse_jvp(pinv: Any, hermitian: bool, a: Any, da: Any) -> tuple[Any, Any]:
    """Golub and Pereyra's derivative of the pseudo-inverse, for matrices of constant rank."""
    adjoint = factorizations.adjoint
    p = pinv(a)
    if hermitian:
        a, da = ((each + adjoint(each)) / 2 for each in (a, da))
    rows, columns = arguments.shape_of(a)[-2:]
    if rows >= columns:
        s = p @ adjoint(p) @ adjoint(da)
        t = adjoint(da) @ adjoint(p) @ p
        return p, -(p @ da) @ p + s - s @ a @ p + t - p @ a @ t
    s = p @ (adjoint(p) @ adjoint(da))
    t = adjoint(da) @ (adjoint(p) @ p)
    return p, -p @ (da @ p) + s - s @ (a @ p) + t - p @ (a @ t)


def least_squares(a: Any, b: Any, rcond: Any, numpy_resid: bool) -> tuple[Any, Any, Any, Any]:
    """The least solutions of least error, with errors, rank and singular values."""
    a, b = arguments.promote_inexact(*arguments.arrays("jnp.linalg.lstsq", a, b))
    a_shape, b_shape = arguments.shape_of(a), arguments.shape_of(b)
    if a_shape[:1] != b_shape[:1]:
        raise errors.ShapeError("Leading dimensions of input arrays must match")
    if len(a_shape) != 2:
        raise errors.ShapeError(
            f"{len(a_shape)}-dimensional array given. Array must be two-dimensional"
        )
    if len(b_shape) not in (1, 2):
        raise errors.ShapeError(
            f"{len(b_shape)}-dimensional array given. Array must be one or two-dimensional"
        )
    columns = b[:, None] if len(b_shape) == 1 else b
    x, rank, singular = _least_squares(a, columns, rcond)
    highest = lax.Precision.HIGHEST
    if numpy_resid and (bool(rank < a_shape[1]) or a_shape[0] <= a_shape[1]):
        residuals = jnp.asarray([])
    else:
        missing = jnp.subtract(columns, jnp.matmul(a, x, precision=highest))
        residuals = jnp.square(norms.norm(missing, None, 0, False))
    return (jnp.ravel(x) if len(b_shape) == 1 else x), residuals, rank, singular


def _least_squares(a: Any, b: Any, rcond: Any) -> tuple[Any, Any, Any]:
    rows, columns = arguments.shape_of(a)
    dtype = arguments.dtype_of(a)
    if not arguments.size_of(a):
        x = lax.full((columns, arguments.shape_of(b)[1]), 0, dtype)
        return x, lax.full((), 0, arguments.default_int()), lax.full((0,), 0, dtype)
    eps = float(jnp.finfo(a.dtype).eps)
    if rcond is None:
        rcond = eps * max(rows, columns)
    elif isinstance(rcond, (int, float)):
        rcond = eps if rcond < 0 else rcond
    else:
        rcond = jnp.where(jnp.less(rcond, 0), eps, rcond)
    u, s, vh = factorizations.svd(a, False, True, False, None)
    limit = jnp.multiply(arguments.convert(rcond, arguments.dtype_of(s)), s[0])
    mask = jnp.logical_and(jnp.greater(s, 0), jnp.greater_equal(s, limit))
    safe = arguments.convert(jnp.where(mask, s, 1), dtype)
    inverses = jnp.where(mask, jnp.divide(1, safe), 0)[:, None]
    highest = lax.Precision.HIGHEST
    projected = jnp.matmul(factorizations.adjoint(u), b, precision=highest)
    scaled = jnp.multiply(inverses, projected)
    x = jnp.matmul(factorizations.adjoint(vh), scaled, precision=highest)
    return x, jnp.sum(mask), s


def power(a: Any, n: Any) -> Any:
    """The integer power of matrices, by squaring."""
    (a,) = arguments.arrays("jnp.linalg.matrix_power", a)
    shape = arguments.shape_of(a)
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
        return arguments.broadcast_to(jnp.eye(shape[-1], dtype=arguments.dtype_of(a)), shape)
    if count < 0:
        a, count = inverse(a), -count
    result = None
    while True:
        count, odd = divmod(count, 2)
        if odd:
            result = a if result is None else jnp.matmul(result, a)
        if not count:
            return result
        a = jnp.matmul(a, a)


def multi_dot(arrays: Sequence[Any], precision: Any) -> Any:
    """The product of several matrices in the cheapest order."""
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


def tensor_inverse(a: Any, ind: Any) -> Any:
    """The inverse of a tensor, read as a matrix whose rows are its first `ind` axes."""
    (a,) = arguments.arrays("tensorinv", a)
    count = arguments.size(ind, "ind of jnp.linalg.tensorinv()")
    if count <= 0:
        raise ValueError(f"ind must be a positive integer; got ind={ind}")
    shape = arguments.shape_of(a)
    rows, columns = math.prod(shape[:count]), math.prod(shape[count:])
    if rows != columns:
        raise errors.ShapeError(
            "tensorinv is only possible when the product of the first `ind` dimensions equals that "
            f"of the remaining dimensions. got arr.shape={shape} with ind={count}."
        )
    flat = inverse(lax.reshape(a, (rows, columns)))
    return lax.reshape(flat, (*shape[count:], *shape[:count]))


def tensor_solve(a: Any, b: Any, axes: tuple[int, ...] | None) -> Any:
    """The solution x of a x = b, where `a` is read as a matrix whose rows are the axes of `b`."""
    a, b = arguments.arrays("tensorsolve", a, b)
    if axes is not None:
        last = arguments.rank_of(a) - len(axes)
        a = jnp.moveaxis(a, tuple(axes), tuple(range(last, arguments.rank_of(a))))
    a_shape, b_shape = arguments.shape_of(a), arguments.shape_of(b)
    shape = a_shape[len(b_shape) :]
    if a_shape[: len(b_shape)] != b_shape:
        raise errors.ShapeError(
            "After moving axes to end, leading shape of a must match shape of b. got "
            f"a.shape={a_shape}, b.shape={b_shape}"
        )
    if math.prod(b_shape) != math.prod(shape):
        raise errors.ShapeError(
            "Input arrays must have prod(a.shape[:b.ndim]) == prod(a.shape[b.ndim:]); got "
            f"a.shape={a_shape}, b.ndim={len(b_shape)}."
        )
    matrix, vector = arguments.promote_inexact(
        lax.reshape(a, (math.prod(b_shape), math.prod(shape))), jnp.ravel(b)
    )
    return lax.reshape(solve(matrix, vector), shape)

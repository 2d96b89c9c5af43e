"""Systems of linear equations, and inverses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import linalg, results
from oakum.api.custom_rules import custom_jvp
from oakum.array import Array
from oakum.numpy.linalg import decompositions, norms
from oakum.numpy.operands import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.linalg.inv", linalg.square)
def inv(a: ArrayLike) -> Array:
    """Inverts matrices."""
    return inverse(a)


def inverse(a: Any) -> Any:
    """The inverses of matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.inv", a))
    shape = arguments.shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise errors.ShapeError(f"Argument to inv must have shape [..., n, n], got {shape}.")
    return solve_systems(
        a, arguments.broadcast_to(jnp.eye(shape[-1], dtype=arguments.dtype_of(a)), shape)
    )


def solve_systems(a: Any, b: ArrayLike) -> Any:
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


def with_factors(factors: ArrayLike, permutation: Any, b: ArrayLike, trans: int) -> Any:
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


@public("numpy.linalg.lstsq", linalg.lstsq, static=("numpy_resid",))
def lstsq(
    a: ArrayLike, b: ArrayLike, rcond: float | None = None, *, numpy_resid: bool = False
) -> tuple[Array, Array, Array, Array]:
    """Solves systems in the sense of least squares."""
    a_array, y = arguments.promote_inexact(*arguments.arrays("jnp.linalg.lstsq", a, b))
    a_shape, b_shape = arguments.shape_of(a_array), arguments.shape_of(y)
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
    columns = y[:, None] if len(b_shape) == 1 else y
    x, rank, singular = _least_squares(a_array, columns, rcond)
    highest = lax.Precision.HIGHEST
    if numpy_resid and (bool(rank < a_shape[1]) or a_shape[0] <= a_shape[1]):
        residuals = jnp.asarray([])
    else:
        missing = jnp.subtract(columns, jnp.matmul(a_array, x, precision=highest))
        residuals = jnp.square(norms.compute_norm(missing, None, 0, False))
    return (jnp.ravel(x) if len(b_shape) == 1 else x), residuals, rank, singular


def _least_squares(a: Array, b: ArrayLike, rcond: Any) -> tuple[Any, Any, Any]:
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
    u, s, vh = decompositions.compute_svd(a, False, True, False, None)
    limit = jnp.multiply(arguments.convert(rcond, arguments.dtype_of(s)), s[0])
    mask = jnp.logical_and(jnp.greater(s, 0), jnp.greater_equal(s, limit))
    safe = arguments.convert(jnp.where(mask, s, 1), dtype)
    inverses = jnp.where(mask, jnp.divide(1, safe), 0)[:, None]
    highest = lax.Precision.HIGHEST
    projected = jnp.matmul(decompositions.adjoint(u), b, precision=highest)
    scaled = jnp.multiply(inverses, projected)
    x = jnp.matmul(decompositions.adjoint(vh), scaled, precision=highest)
    return x, jnp.sum(mask), s


@public("numpy.linalg.pinv", linalg.pinv, static=("hermitian",))
def pinv(
    a: ArrayLike,
    rtol: ArrayLike | None = None,
    hermitian: bool = False,
    *,
    rcond: ArrayLike | None = None,
) -> Array:
    """Computes pseudo-inverses."""
    if rcond is not None:
        if rtol is not None:
            raise ValueError("pinv: only one of rtol and rcond may be specified.")
        rtol = rcond
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.pinv", a))

    @custom_jvp
    def pinv(a: Array) -> Any:
        return _pseudo_inverse(a, rtol, hermitian)

    @pinv.defjvp
    def _derivative(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        return _pseudo_inverse_jvp(pinv, hermitian, primals[0], tangents[0])

    return pinv(a)


def _pseudo_inverse_jvp(pinv: Any, hermitian: bool, a: Array, da: Array) -> tuple[Any, Any]:
    """Golub and Pereyra's derivative of the pseudo-inverse, for matrices of constant rank."""
    adjoint = decompositions.adjoint
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


def _pseudo_inverse(a: Array, rtol: Any, hermitian: bool) -> Any:
    if arguments.rank_of(a) < 2:
        raise errors.ShapeError(f"pinv takes matrices, got a.shape={arguments.shape_of(a)}")
    rows, columns = arguments.shape_of(a)[-2:]
    if 0 in (rows, columns):
        return lax.full((*arguments.shape_of(a)[:-2], columns, rows), 0, arguments.dtype_of(a))
    if rtol is None:
        rtol = 10.0 * max(rows, columns) * float(jnp.finfo(a.dtype).eps)
    u, s, vh = decompositions.compute_svd(jnp.conj(a), False, True, hermitian, None)
    limit = jnp.expand_dims(jnp.asarray(rtol), -1)
    limit = jnp.expand_dims(limit, tuple(range(arguments.rank_of(s) - arguments.rank_of(limit))))
    cutoff = jnp.multiply(limit, s[..., :1])
    s = jnp.where(jnp.greater(s, cutoff), s, jnp.inf)
    scaled = jnp.divide(
        jnp.matrix_transpose(u), arguments.convert(s, arguments.dtype_of(u))[..., None]
    )
    result = jnp.matmul(jnp.matrix_transpose(vh), scaled, precision=lax.Precision.HIGHEST)
    return arguments.convert(result, arguments.dtype_of(a))


@public("numpy.linalg.solve", linalg.solve)
def solve(a: ArrayLike, b: ArrayLike) -> Array:
    """Solves systems of linear equations."""
    a, b = arguments.promote_inexact(*arguments.arrays("jnp.linalg.solve", a, b))
    return solve_systems(a, b)


@public("numpy.linalg.tensorinv", results.array, static=("ind",))
def tensorinv(a: ArrayLike, ind: int = 2) -> Array:
    """Inverts a tensor as a map between its leading and trailing axes."""
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


@public("numpy.linalg.tensorsolve", results.array, static=("axes",))
def tensorsolve(a: ArrayLike, b: ArrayLike, axes: tuple[int, ...] | None = None) -> Array:
    """Solves an equation of tensors."""
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
    return lax.reshape(solve_systems(matrix, vector), shape)

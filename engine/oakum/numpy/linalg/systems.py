"""Systems of linear equations, inverses and determinants."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from oakum import errors, lax, primitives
from oakum import numpy as jnp
from oakum.abstract import linalg, results
from oakum.api.custom_rules import custom_jvp
from oakum.array import Array
from oakum.numpy import arguments
from oakum.numpy.linalg import decompositions
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.linalg.inv", linalg.square)
def inv(a: ArrayLike) -> Array:
    """Inverts matrices."""
    return inverse(a)


def inverse(a: Any) -> Any:
    """Returns the inverses of matrices."""
    (a,) = arguments.promote_inexact(*arguments.arrays("jnp.linalg.inv", a))
    shape = arguments.shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise errors.ShapeError(f"Argument to inv must have shape [..., n, n], got {shape}.")
    return solve_systems(
        a, arguments.broadcast_to(jnp.eye(shape[-1], dtype=arguments.dtype_of(a)), shape)
    )


def solve_systems(a: Any, b: ArrayLike) -> Any:
    """Returns the solutions x of a x = b, with leading axes broadcast; `b` of one axis is a
    vector.
    """
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
    """Returns the solutions for LU factors: of a x = b, of its transpose (1) or its adjoint (2)."""
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
        residuals = jnp.square(decompositions.compute_norm(missing, None, 0, False))
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
    """Returns Golub and Pereyra's derivative of the pseudo-inverse, for matrices of constant
    rank.
    """
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


@public("numpy.linalg.det", linalg.determinant)
def det(a: ArrayLike) -> Array:
    """Computes determinants."""
    a = _matrices("_det", a)
    return _small_det(a) if arguments.shape_of(a)[-1] in (2, 3) else _det()(a)


@functools.cache
def _det() -> Any:
    """Returns the determinants of matrices, with their derivative."""
    result: Any = custom_jvp(_det_of)
    result.defjvp(_det_jvp)
    return result


def _det_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    (a,), (da,) = primals, tangents
    value, solved = _cofactor_solve(a, da)
    return value, jnp.trace(solved, axis1=-2, axis2=-1)


def _cofactor_solve(a: Array, b: Array) -> tuple[Any, Any]:
    """Returns the determinant of `a`, and adj(a) b.

    The last pivot may be zero: with A = P L U the last row of U is scaled so that the last step of
    the elimination is multiplied by the product of the other pivots, and not divided by the last.
    """
    size = arguments.shape_of(a)[-1]
    if size == 1:
        return a[..., 0, 0], b
    factors, pivots, permutation = lax.linalg.lu(a)
    lead = arguments.broadcast_shapes(arguments.shape_of(factors)[:-2], arguments.shape_of(b)[:-2])
    b = arguments.broadcast_to(b, (*lead, *arguments.shape_of(b)[-2:]))
    factors = arguments.broadcast_to(factors, (*lead, size, size))
    diagonal = jnp.diagonal(factors, axis1=-2, axis2=-1)
    parity = jnp.remainder(_sign_of_order(pivots), 2)
    turn = arguments.convert(jnp.subtract(1, jnp.multiply(2, parity)), arguments.dtype_of(a))
    partial = jnp.multiply(jnp.cumprod(diagonal, axis=-1), turn[..., None])
    factors = factors.at[..., -1, -1].set(jnp.divide(1.0, partial[..., -2]))
    # Of rank less than n - 1 all cofactors are zero, and the division below gives no numbers.
    ones = jnp.ones((*lead, size, 1), arguments.dtype_of(b))
    trial = lax.linalg.triangular_solve(factors, ones, left_side=True, lower=False)
    lost = jnp.any(jnp.logical_not(jnp.isfinite(trial)), axis=(-2, -1), keepdims=True)
    x = jnp.where(lost, jnp.zeros_like(b), b)
    permutation = arguments.broadcast_to(permutation, (*lead, size))
    x = jnp.take_along_axis(x, permutation[..., None], axis=-2)
    x = lax.linalg.triangular_solve(factors, x, left_side=True, lower=True, unit_diagonal=True)
    x = jnp.concatenate([x[..., :-1, :] * partial[..., -1, None, None], x[..., -1:, :]], axis=-2)
    x = lax.linalg.triangular_solve(factors, x, left_side=True, lower=False)
    return partial[..., -1], jnp.where(lost, jnp.zeros_like(x), x)


def _sign_of_order(pivots: Any) -> Any:
    """Returns how many rows a factorization has exchanged."""
    shape = arguments.shape_of(pivots)
    places = lax.broadcasted_iota(pivots.dtype, shape, len(shape) - 1)
    return jnp.count_nonzero(jnp.not_equal(pivots, places), axis=-1)


def _det_of(a: Any) -> Any:
    sign, value = _compute_slogdet(a, None)
    return jnp.multiply(sign, arguments.convert(jnp.exp(value), arguments.dtype_of(sign)))


def _compute_slogdet(a: Any, method: str | None) -> tuple[Any, Any]:
    """Returns the signs, and the logarithms of the absolute values, of determinants."""
    a = _matrices("slogdet", a)
    if method == "qr":
        return _by_reflections(a)
    if method not in (None, "lu"):
        raise ValueError(
            f"Unknown slogdet method '{method}'. Supported methods are 'lu' (`None`), and 'qr'."
        )
    return _differentiable_slogdet()(a)


@functools.cache
def _differentiable_slogdet() -> Any:
    """Returns the signs and logarithms for matrices, with their derivative."""
    result: Any = custom_jvp(_slogdet_of)
    result.defjvp(_slogdet_jvp)
    return result


def _slogdet_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    (a,), (da,) = primals, tangents
    sign, value = _differentiable_slogdet()(a)
    if arguments.shape_of(a)[-1] == 2:
        change = jnp.divide(_small_det_jvp(a, da), _small_det(a))
    else:
        change = jnp.trace(solve_systems(a, da), axis1=-2, axis2=-1)
    if not arguments.is_complex(a):
        return (sign, value), (lax.full_like(sign, 0), change)
    real = arguments.convert(jnp.real(change), arguments.dtype_of(change))
    turn = jnp.multiply(jnp.subtract(change, real), sign)
    return (sign, value), (turn, jnp.real(change))


def _small_det(a: Any) -> Any:
    """Returns the determinants of matrices of two or three rows."""
    rows = [[a[..., i, j] for j in range(3)] for i in range(3)] if a.shape[-1] == 3 else []
    if not rows:
        return a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]
    (a0, a1, a2), (b0, b1, b2), (c0, c1, c2) = rows
    plus = a0 * b1 * c2 + a1 * b2 * c0 + a2 * b0 * c1
    return plus - a2 * b1 * c0 - a0 * b2 * c1 - a1 * b0 * c2


def _small_det_jvp(a: Any, da: Any) -> Any:
    """Returns the change of the determinants of matrices of two rows."""
    first = da[..., 0, 0] * a[..., 1, 1] - da[..., 0, 1] * a[..., 1, 0]
    return first - da[..., 1, 0] * a[..., 0, 1] + da[..., 1, 1] * a[..., 0, 0]


def _slogdet_of(a: Array) -> tuple[Any, Any]:
    size = arguments.shape_of(a)[-1]
    if size in (1, 2):
        value = a[..., 0, 0] if size == 1 else _small_det(a)
        return jnp.sign(value), jnp.log(jnp.abs(value))
    return _by_elimination(a)


def _by_elimination(a: ArrayLike) -> tuple[Any, Any]:
    dtype = arguments.dtype_of(a)
    factors, pivots, _ = lax.linalg.lu(a)
    diagonal = jnp.diagonal(factors, axis1=-2, axis2=-1)
    is_zero = jnp.any(jnp.equal(diagonal, 0), axis=-1)
    parity = _sign_of_order(pivots)
    sign: Any = 1
    if arguments.is_complex(a):
        sizes = arguments.convert(jnp.abs(diagonal), dtype)
        sign = jnp.prod(jnp.divide(diagonal, sizes), axis=-1)
    else:
        parity = jnp.add(parity, jnp.count_nonzero(jnp.less(diagonal, 0), axis=-1))
    turn = arguments.convert(jnp.subtract(1, jnp.multiply(2, jnp.remainder(parity, 2))), dtype)
    sign = jnp.where(is_zero, arguments.convert(0, dtype), jnp.multiply(sign, turn))
    total = jnp.sum(jnp.log(jnp.abs(diagonal)), axis=-1)
    return sign, jnp.where(is_zero, -jnp.inf, total)


def _by_reflections(a: ArrayLike) -> tuple[Any, Any]:
    if arguments.is_complex(a):
        raise NotImplementedError("slogdet method='qr' not implemented for complex inputs")
    size = arguments.shape_of(a)[-1]
    packed, taus = primitives.orthogonal.geqrf_p.bind(a)
    diagonal = jnp.diagonal(packed, axis1=-2, axis2=-1)
    sign = jnp.prod(jnp.sign(diagonal), axis=-1)
    reflected = jnp.prod(jnp.where(jnp.not_equal(taus[..., : size - 1], 0), -1, 1), axis=-1)
    sign = jnp.multiply(sign, arguments.convert(reflected, arguments.dtype_of(sign)))
    return sign, jnp.sum(jnp.log(jnp.abs(diagonal)), axis=-1)


def _matrices(function: str, a: object) -> Any:
    (a,) = arguments.promote_inexact(*arguments.arrays(f"jnp.linalg.{function}", a))
    shape = arguments.shape_of(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise errors.ShapeError(
            f"Argument to {function}() must have shape [..., n, n], got {shape}"
        )
    return a


@public("numpy.linalg.slogdet", linalg.slogdet, static=("method",))
def slogdet(a: ArrayLike, *, method: str | None = None) -> Any:
    """Computes signs and logarithms of determinants."""
    return SlogdetResult(*_compute_slogdet(a, method))


class SlogdetResult(NamedTuple):
    """What `slogdet` gives."""

    sign: Array
    logabsdet: Array

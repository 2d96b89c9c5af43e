"""Determinants."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple

from oakum import errors, lax, primitives
from oakum import numpy as jnp
from oakum.abstract import linalg
from oakum.api.custom_rules import custom_jvp
from oakum.array import Array
from oakum.numpy.linalg import solving
from oakum.numpy.operands import arguments
from oakum.typing import ArrayLike
from oakum.values.declarations import public


@public("numpy.linalg.det", linalg.determinant)
def det(a: ArrayLike) -> Array:
    """Computes determinants."""
    a = _matrices("_det", a)
    return _small_det(a) if arguments.shape_of(a)[-1] in (2, 3) else _det()(a)


@functools.cache
def _det() -> Any:
    """The determinants of matrices, with their derivative."""
    result: Any = custom_jvp(_det_of)
    result.defjvp(_det_jvp)
    return result


def _det_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    (a,), (da,) = primals, tangents
    value, solved = _cofactor_solve(a, da)
    return value, jnp.trace(solved, axis1=-2, axis2=-1)


def _cofactor_solve(a: Array, b: Array) -> tuple[Any, Any]:
    """The determinant of `a`, and adj(a) b.

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
    """How many rows a factorization has exchanged."""
    shape = arguments.shape_of(pivots)
    places = lax.broadcasted_iota(pivots.dtype, shape, len(shape) - 1)
    return jnp.count_nonzero(jnp.not_equal(pivots, places), axis=-1)


def _det_of(a: Any) -> Any:
    sign, value = _compute_slogdet(a, None)
    return jnp.multiply(sign, arguments.convert(jnp.exp(value), arguments.dtype_of(sign)))


def _compute_slogdet(a: Any, method: str | None) -> tuple[Any, Any]:
    """The signs, and the logarithms of the absolute values, of determinants."""
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
    """The signs and logarithms for matrices, with their derivative."""
    result: Any = custom_jvp(_slogdet_of)
    result.defjvp(_slogdet_jvp)
    return result


def _slogdet_jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
    (a,), (da,) = primals, tangents
    sign, value = _differentiable_slogdet()(a)
    if arguments.shape_of(a)[-1] == 2:
        change = jnp.divide(_small_det_jvp(a, da), _small_det(a))
    else:
        change = jnp.trace(solving.solve_systems(a, da), axis1=-2, axis2=-1)
    if not arguments.is_complex(a):
        return (sign, value), (lax.full_like(sign, 0), change)
    real = arguments.convert(jnp.real(change), arguments.dtype_of(change))
    turn = jnp.multiply(jnp.subtract(change, real), sign)
    return (sign, value), (turn, jnp.real(change))


def _small_det(a: Any) -> Any:
    """The determinants of matrices of two or three rows."""
    rows = [[a[..., i, j] for j in range(3)] for i in range(3)] if a.shape[-1] == 3 else []
    if not rows:
        return a[..., 0, 0] * a[..., 1, 1] - a[..., 0, 1] * a[..., 1, 0]
    (a0, a1, a2), (b0, b1, b2), (c0, c1, c2) = rows
    plus = a0 * b1 * c2 + a1 * b2 * c0 + a2 * b0 * c1
    return plus - a2 * b1 * c0 - a0 * b2 * c1 - a1 * b0 * c2


def _small_det_jvp(a: Any, da: Any) -> Any:
    """The change of the determinants of matrices of two rows."""
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

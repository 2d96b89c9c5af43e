"""Polynomials as arrays of coefficients, the highest power first."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.abstract.elementwise import polynomial
from oakum.array import Array
from oakum.numpy import arguments, arithmetic, coercion
from oakum.tracing import concretization_errors
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public
from oakum.values.facts import DynamicSize
from oakum.values.uses import Use


@public("numpy.poly", results.array)
def poly(seq_of_zeros: ArrayLike) -> Array:
    """Returns the coefficients of a polynomial with given roots."""
    (x,) = arguments.promote_inexact(*arguments.arrays("poly", seq_of_zeros))
    x: Any = jnp.atleast_1d(x)
    shape = arguments.shape_of(x)
    if len(shape) == 2 and shape[0] == shape[1] != 0:
        x = jnp.linalg.eigvals(x)
    if arguments.rank_of(x) != 1:
        raise errors.ShapeError("input must be 1d or non-empty square 2d array.")
    dtype = arguments.dtype_of(x)
    if not arguments.size_of(x):
        return lax.full((), 1, dtype)
    result = lax.full((1,), 1, dtype)
    for i in range(arguments.size_of(x)):
        # (x - r) p: shifted by one power, less r times itself.
        scaled = lax.mul(result, arguments.broadcast_to(x[i], arguments.shape_of(result)))
        zero = lax.full((), 0, dtype)
        shifted = lax.pad(result, zero, ((0, 1, 0),))
        result = lax.sub(shifted, lax.pad(arguments.convert(scaled, dtype), zero, ((1, 0, 0),)))
    return result


@public("numpy.polyadd", results.array)
def polyadd(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Adds polynomials."""
    return _add(*arguments.promote(*arguments.arrays("polyadd", a1, a2)))


def _add(a: Any, b: Any) -> Any:
    """Returns the sum of two polynomials of one dtype."""
    long, short = (a, b) if arguments.shape_of(b)[0] <= arguments.shape_of(a)[0] else (b, a)
    return long.at[-arguments.shape_of(short)[0] :].add(short)


@public("numpy.polysub", results.array)
def polysub(a1: ArrayLike, a2: ArrayLike) -> Array:
    """Subtracts polynomials."""
    a1, a2 = arguments.promote(*arguments.arrays("polysub", a1, a2))
    return _add(a1, arithmetic.negative(a2))


@public(
    "numpy.polymul",
    results.array,
    static=("trim_leading_zeros",),
    dynamic_size=DynamicSize("trim_leading_zeros", ("a1", "a2"), value=True),
)
def polymul(a1: ArrayLike, a2: ArrayLike, *, trim_leading_zeros: bool = False) -> Array:
    """Multiplies polynomials."""
    a1, a2 = arguments.promote_inexact(*arguments.arrays("polymul", a1, a2))
    if trim_leading_zeros and (arguments.size_of(a1) > 1 or arguments.size_of(a2) > 1):
        a1, a2 = jnp.trim_zeros(a1, trim="f"), jnp.trim_zeros(a2, trim="f")
    factors = [
        each if arguments.size_of(each) else lax.full((1,), 0, arguments.dtype_of(each))
        for each in (a1, a2)
    ]
    return jnp.convolve(*factors, mode="full")


@public(
    "numpy.polydiv",
    results.Arrays(2),
    static=("trim_leading_zeros",),
    dynamic_size=DynamicSize("trim_leading_zeros", ("u", "v"), value=True),
)
def polydiv(u: ArrayLike, v: ArrayLike, *, trim_leading_zeros: bool = False) -> tuple[Array, Array]:
    """Divides polynomials."""
    u_array, v_array = arguments.promote_inexact(*arguments.arrays("polydiv", u, v))
    degree = arguments.size_of(v_array) - 1
    steps = arguments.size_of(u_array) - degree
    quotient = lax.full((max(steps, 1),), 0, arguments.dtype_of(u_array))
    scale = 1.0 / v_array[0]
    for k in range(steps):
        factor = scale * u_array[k]
        quotient = quotient.at[k].set(factor)
        u_array = u_array.at[k : k + degree + 1].add(-factor * v_array)
    return quotient, _without_small(u_array) if trim_leading_zeros else u_array


def _without_small(u: Array) -> Any:
    """Returns the coefficients from the first one on that is more than rounding."""
    data = arguments.demand(u, "jnp.polydiv() with trim_leading_zeros")
    limit = float(jnp.finfo(u.dtype).eps) ** 0.5
    large = (~(abs(data) <= limit)).nonzero()[0]
    return u[int(large[0]) :] if large.size else u[:0]


@public("numpy.polyder", results.array, static=("m",))
def polyder(p: ArrayLike, m: int = 1) -> Array:
    """Differentiates a polynomial."""
    order = _order(m, "polyder", "Order of derivative must be positive")
    (x,) = arguments.promote_inexact(*arguments.arrays("polyder", p))
    if order == 0:
        return x
    factors = _falling(arguments.size_of(x) - order, order, arguments.dtype_of(x))
    return jnp.multiply(x[:-order], factors)


def _falling(count: int, order: int, dtype: DTypeLike) -> Any:
    """Returns (n + order)! / n! for n from count - 1 down to zero."""
    powers = [jnp.arange(i, max(count, 0) + i, dtype=dtype) for i in range(1, order + 1)]
    product = powers[0]
    for each in powers[1:]:
        product = jnp.multiply(product, each)
    return jnp.flip(product)


def _order(m: object, function: str, message: str) -> int:
    order = arguments.size(m, f"'m' argument of jnp.{function}")
    if order < 0:
        raise ValueError(message)
    return order


@public("numpy.polyint", results.array, static=("m",))
def polyint(p: ArrayLike, m: int = 1, k: ArrayLike | None = None) -> Array:
    """Integrates a polynomial."""
    order = _order(m, "polyint", "Order of integral must be positive (see polyder)")
    x, constants = arguments.promote_inexact(
        *arguments.arrays("polyint", p, 0 if k is None else _list(k))
    )
    constants = arguments.array(jnp.atleast_1d(constants))
    if arguments.size_of(constants) == 1:
        constants = jnp.full((order,), constants[0])
    if arguments.shape_of(constants) != (order,):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    if order == 0:
        return x
    # The constants are divided by the factorials of the powers that they end at.
    length = arguments.size_of(x) + order
    grid = [
        jnp.maximum(jnp.arange(length, dtype=arguments.dtype_of(x)) - i, 1) for i in range(order)
    ]
    factors = grid[0]
    for each in grid[1:]:
        factors = jnp.multiply(factors, each)
    return jnp.true_divide(jnp.concatenate([x, constants]), jnp.flip(factors))


def _list(k: object) -> Any:
    return jnp.asarray(k) if isinstance(k, (list, tuple)) else k


@public("numpy.polyval", polynomial, static=("unroll",))
def polyval(p: ArrayLike, x: ArrayLike, *, unroll: int = 16) -> Array:
    """Evaluates a polynomial at given points."""
    p_array, x_array = arguments.promote(*arguments.arrays("polyval", p, x))
    p_shape = arguments.shape_of(p_array)
    shape = arguments.broadcast_shapes(p_shape[1:], arguments.shape_of(x_array))
    value = lax.full_like(x_array, 0, shape=shape)
    x_array = arguments.broadcast_to(x_array, shape)

    def step(value: ArrayLike, coefficient: object) -> tuple[Any, None]:
        added = arguments.broadcast_to(coefficient, shape)
        whole = arguments.convert(added, arguments.dtype_of(value))
        return jnp.add(jnp.multiply(value, x_array), whole), None  # booleans, too

    if p_shape[0] > max(unroll, 1):
        return lax.scan(step, arguments.strong(value), p_array, unroll=unroll)[0]
    for i in range(p_shape[0]):
        value, _ = step(value, p_array[i])
    return value


@public("numpy.polyfit", static=("deg", "rcond", "full", "cov"))
def polyfit(
    x: ArrayLike,
    y: ArrayLike,
    deg: int,
    rcond: float | None = None,
    full: bool = False,
    w: ArrayLike | None = None,
    cov: bool | str = False,
) -> Array | tuple[Array, ...]:
    """Fits a polynomial to points by least squares."""
    x_array, y_array = arguments.arrays("polyfit", x, y)
    order = arguments.size(deg, "deg of jnp.polyfit()") + 1
    _check(x_array, y_array, order)
    count = arguments.size_of(x_array)
    if rcond is None:
        rcond = count * float(jnp.finfo(x_array.dtype).eps)
    lhs, rhs = jnp.vander(x_array, order), y_array
    if w is not None:
        (weighting,) = arguments.promote_inexact(*arguments.arrays("polyfit", w))
        if arguments.rank_of(weighting) != 1:
            raise errors.ShapeError("expected a 1-d array for weights")
        if arguments.size_of(weighting) != arguments.shape_of(y_array)[0]:
            raise errors.ShapeError("expected w and y to have the same length")
        lhs = jnp.multiply(lhs, weighting[:, None])
        rhs = jnp.multiply(rhs, weighting[:, None] if arguments.rank_of(rhs) == 2 else weighting)
    # Columns of one length make the problem better conditioned.
    scale = jnp.sqrt(jnp.sum(jnp.multiply(lhs, lhs), axis=0))
    lhs = jnp.divide(lhs, scale[None, :])
    solution, residuals, rank, singular = jnp.linalg.lstsq(lhs, rhs, rcond)
    columns = arguments.rank_of(solution) > 1
    solution = jnp.divide(solution, scale[:, None] if columns else scale)
    if full:
        return solution, residuals, rank, singular, jnp.asarray(rcond)
    if not cov:
        return solution
    base = jnp.divide(jnp.linalg.inv(jnp.dot(lhs.T, lhs)), jnp.outer(scale, scale))
    if cov == "unscaled":
        factor = jnp.array(1.0)
    elif count <= order:
        raise ValueError(
            "the number of data points must exceed order to scale the covariance matrix"
        )
    else:
        factor = jnp.divide(residuals, count - order)
    factor = arguments.array(jnp.atleast_1d(factor))
    if arguments.rank_of(y_array) == 1:
        return solution, jnp.multiply(base, factor[None])
    return solution, jnp.multiply(base[:, :, None], factor[None, None, :])


def _check(x: ArrayLike, y: ArrayLike, order: int) -> None:
    if order < 1:
        raise ValueError("expected deg >= 0")
    if arguments.rank_of(x) != 1:
        raise errors.ShapeError("expected 1D vector for x")
    if arguments.size_of(x) == 0:
        raise TypeError("expected non-empty vector for x")
    if arguments.rank_of(y) not in (1, 2):
        raise errors.ShapeError("expected 1D or 2D array for y")
    if arguments.shape_of(x)[0] != arguments.shape_of(y)[0]:
        raise errors.ShapeError("expected x and y to have same length")


@public(
    "numpy.roots",
    results.array,
    static=("strip_zeros",),
    dynamic_size=DynamicSize("strip_zeros", ("p",), value=True),
)
def roots(p: ArrayLike, *, strip_zeros: bool = True) -> Array:
    """Computes the roots of a polynomial."""
    (x,) = arguments.promote_inexact(*arguments.arrays("roots", p))
    x: Any = jnp.atleast_1d(x)
    if arguments.rank_of(x) != 1:
        raise ValueError("Input must be a rank-1 array.")
    size = arguments.size_of(x)
    if size < 2:
        return _no_roots(x)
    if strip_zeros:
        data = arguments.known(x)
        if data is None:
            raise concretization_errors.concretization_error(
                x, Use.DYNAMIC_SIZE, "jnp.roots() without strip_zeros=False"
            )
        filled = (data != 0).nonzero()[0]
        return _plain_roots(x[int(filled[0]) if filled.size else size :])
    is_zero = jnp.equal(x, 0)
    leading = jnp.where(jnp.all(is_zero), size, jnp.argmin(is_zero))
    x = jnp.where(leading == size, 1.0, x)
    found = _plain_roots(jnp.roll(x, -leading))
    order = jnp.argsort(jnp.equal(found, 0))
    found = found[order]
    there = jnp.arange(size - 1) < size - 1 - leading
    return jnp.where(there, found, complex(float("nan"), float("nan")))


def _plain_roots(p: Array) -> Any:
    """Returns the eigenvalues of the companion matrix."""
    size = arguments.size_of(p)
    if size < 2:
        return _no_roots(p)
    companion = jnp.eye(size - 1, k=-1, dtype=arguments.dtype_of(p))
    return jnp.linalg.eigvals(companion.at[0, :].set(-p[1:] / p[0]))


def _no_roots(p: ArrayLike) -> Any:
    return lax.full((0,), 0, coercion.to_complex(arguments.dtype_of(p)))

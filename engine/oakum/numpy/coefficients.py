"""Arithmetic of polynomials given by their coefficients, from the highest power down."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.numpy import arguments, promoting
from oakum.tracing import concretization_errors
from oakum.values.uses import Use


def from_roots(zeros: Any) -> Any:
    """The coefficients of the polynomial with these roots, or eigenvalues of a matrix."""
    (zeros,) = arguments.promote_inexact(*arguments.arrays("poly", zeros))
    zeros = jnp.atleast_1d(zeros)
    shape = arguments.shape_of(zeros)
    if len(shape) == 2 and shape[0] == shape[1] != 0:
        zeros = jnp.linalg.eigvals(zeros)
    if arguments.rank_of(zeros) != 1:
        raise errors.ShapeError("input must be 1d or non-empty square 2d array.")
    dtype = arguments.dtype_of(zeros)
    if not arguments.size_of(zeros):
        return lax.full((), 1, dtype)
    result = lax.full((1,), 1, dtype)
    for i in range(arguments.size_of(zeros)):
        # (x - r) p: shifted by one power, less r times itself.
        scaled = lax.mul(result, arguments.broadcast_to(zeros[i], arguments.shape_of(result)))
        zero = lax.full((), 0, dtype)
        shifted = lax.pad(result, zero, ((0, 1, 0),))
        result = lax.sub(shifted, lax.pad(arguments.convert(scaled, dtype), zero, ((1, 0, 0),)))
    return result


def add(a: Any, b: Any) -> Any:
    """The sum of two polynomials of one dtype."""
    long, short = (a, b) if arguments.shape_of(b)[0] <= arguments.shape_of(a)[0] else (b, a)
    return long.at[-arguments.shape_of(short)[0] :].add(short)


def multiply(a: Any, b: Any, trim: bool) -> Any:
    """The product of two polynomials."""
    a, b = arguments.promote_inexact(*arguments.arrays("polymul", a, b))
    if trim and (arguments.size_of(a) > 1 or arguments.size_of(b) > 1):
        a, b = jnp.trim_zeros(a, trim="f"), jnp.trim_zeros(b, trim="f")
    factors = [
        each if arguments.size_of(each) else lax.full((1,), 0, arguments.dtype_of(each))
        for each in (a, b)
    ]
    return jnp.convolve(*factors, mode="full")


def divide(u: Any, v: Any, trim: bool) -> tuple[Any, Any]:
    """The quotient and the remainder of two polynomials."""
    u, v = arguments.promote_inexact(*arguments.arrays("polydiv", u, v))
    degree = arguments.size_of(v) - 1
    steps = arguments.size_of(u) - degree
    quotient = lax.full((max(steps, 1),), 0, arguments.dtype_of(u))
    scale = 1.0 / v[0]
    for k in range(steps):
        factor = scale * u[k]
        quotient = quotient.at[k].set(factor)
        u = u.at[k : k + degree + 1].add(-factor * v)
    return quotient, _without_small(u) if trim else u


def _without_small(u: Any) -> Any:
    """The coefficients from the first one on that is more than rounding."""
    data = arguments.demand(u, "jnp.polydiv() with trim_leading_zeros")
    limit = float(jnp.finfo(u.dtype).eps) ** 0.5
    large = (~(abs(data) <= limit)).nonzero()[0]
    return u[int(large[0]) :] if large.size else u[:0]


def _order(m: Any, function: str, message: str) -> int:
    order = arguments.size(m, f"'m' argument of jnp.{function}")
    if order < 0:
        raise ValueError(message)
    return order


def derivative(p: Any, m: Any) -> Any:
    """The derivative of some order of a polynomial."""
    order = _order(m, "polyder", "Order of derivative must be positive")
    (p,) = arguments.promote_inexact(*arguments.arrays("polyder", p))
    if order == 0:
        return p
    factors = _falling(arguments.size_of(p) - order, order, arguments.dtype_of(p))
    return jnp.multiply(p[:-order], factors)


def _falling(count: int, order: int, dtype: Any) -> Any:
    """(n + order)! / n! for n from count - 1 down to zero."""
    powers = [jnp.arange(i, max(count, 0) + i, dtype=dtype) for i in range(1, order + 1)]
    product = powers[0]
    for each in powers[1:]:
        product = jnp.multiply(product, each)
    return jnp.flip(product)


def integral(p: Any, m: Any, k: Any) -> Any:
    """The integral of some order of a polynomial, with constants of integration."""
    order = _order(m, "polyint", "Order of integral must be positive (see polyder)")
    p, constants = arguments.promote_inexact(
        *arguments.arrays("polyint", p, 0 if k is None else _list(k))
    )
    constants = arguments.array(jnp.atleast_1d(constants))
    if arguments.size_of(constants) == 1:
        constants = jnp.full((order,), constants[0])
    if arguments.shape_of(constants) != (order,):
        raise ValueError("k must be a scalar or a rank-1 array of length 1 or m.")
    if order == 0:
        return p
    # The constants are divided by the factorials of the powers that they end at.
    length = arguments.size_of(p) + order
    grid = [
        jnp.maximum(jnp.arange(length, dtype=arguments.dtype_of(p)) - i, 1) for i in range(order)
    ]
    factors = grid[0]
    for each in grid[1:]:
        factors = jnp.multiply(factors, each)
    return jnp.true_divide(jnp.concatenate([p, constants]), jnp.flip(factors))


def _list(k: Any) -> Any:
    return arguments.array_of_list(k) if isinstance(k, (list, tuple)) else k


def evaluate(p: Any, x: Any, unroll: int) -> Any:
    """The values of a polynomial, by Horner's rule."""
    p, x = arguments.promote(*arguments.arrays("polyval", p, x))
    p_shape = arguments.shape_of(p)
    shape = arguments.broadcast_shapes(p_shape[1:], arguments.shape_of(x))
    value = lax.full_like(x, 0, shape=shape)
    x = arguments.broadcast_to(x, shape)

    def step(value: Any, coefficient: Any) -> tuple[Any, None]:
        added = arguments.broadcast_to(coefficient, shape)
        return lax.add(lax.mul(value, x), arguments.convert(added, arguments.dtype_of(value))), None

    if p_shape[0] > max(unroll, 1):
        return lax.scan(step, arguments.strong(value), p, unroll=unroll)[0]
    for i in range(p_shape[0]):
        value, _ = step(value, p[i])
    return value


def roots(p: Any, strip_zeros: bool) -> Any:
    """The roots of a polynomial; NaN stands for those that leading zeros take away."""
    (p,) = arguments.promote_inexact(*arguments.arrays("roots", p))
    p = jnp.atleast_1d(p)
    if arguments.rank_of(p) != 1:
        raise ValueError("Input must be a rank-1 array.")
    size = arguments.size_of(p)
    if size < 2:
        return _no_roots(p)
    if strip_zeros:
        data = arguments.known(p)
        if data is None:
            raise concretization_errors.concretization_error(
                p, Use.DYNAMIC_SIZE, "jnp.roots() without strip_zeros=False"
            )
        filled = (data != 0).nonzero()[0]
        return _plain_roots(p[int(filled[0]) if filled.size else size :])
    is_zero = jnp.equal(p, 0)
    leading = jnp.where(jnp.all(is_zero), size, jnp.argmin(is_zero))
    p = jnp.where(leading == size, 1.0, p)
    found = _plain_roots(jnp.roll(p, -leading))
    order = jnp.argsort(jnp.equal(found, 0))
    found = found[order]
    there = jnp.arange(size - 1) < size - 1 - leading
    return jnp.where(there, found, complex(float("nan"), float("nan")))


def _no_roots(p: Any) -> Any:
    return lax.full((0,), 0, promoting.to_complex(arguments.dtype_of(p)))


def _plain_roots(p: Any) -> Any:
    """The eigenvalues of the companion matrix."""
    size = arguments.size_of(p)
    if size < 2:
        return _no_roots(p)
    companion = jnp.eye(size - 1, k=-1, dtype=arguments.dtype_of(p))
    return jnp.linalg.eigvals(companion.at[0, :].set(-p[1:] / p[0]))

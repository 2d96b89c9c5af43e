"""Normalizations along axes: softmax, its logarithm, and sums of exponentials."""

from __future__ import annotations

import functools
import math
from typing import Any

from oakum import config, lax
from oakum import numpy as jnp
from oakum.dtypes import Kind
from oakum.numpy import arguments, promoting


def softmax(x: Any, axis: Any, where: Any) -> Any:
    """Exponentials that sum to one along axes."""
    if config.softmax_custom_jvp.value:
        return _softmax_with_rule(axis)(x, where)
    return _softmax(x, axis, where, lax.stop_gradient)


def _softmax(x: Any, axis: Any, where: Any, freeze: Any) -> Any:
    greatest = freeze(_greatest(x, axis, where))
    kept = x if where is None else jnp.where(where, x, -math.inf)
    unnormalized = jnp.exp(kept - greatest)
    result = unnormalized / jnp.sum(unnormalized, axis, where=where, keepdims=True)
    return result if where is None else jnp.where(where, result, 0)


def _greatest(x: Any, axis: Any, where: Any) -> Any:
    """The greatest elements; an infinite one is brought in only where there may be none."""
    least = -math.inf if where is not None or 0 in x.shape else None
    return jnp.max(x, axis, where=where, initial=least, keepdims=True)


@functools.lru_cache(maxsize=64)
def _softmax_with_rule(axis: Any) -> Any:
    """The softmax with a derivative that needs nothing but its result."""
    from oakum.custom_derivatives import custom_jvp

    def function(x: Any, where: Any) -> Any:
        return _softmax(x, axis, where, jnp.asarray)

    result = custom_jvp(function)

    @result.defjvp
    def rule(primals: Any, tangents: Any) -> Any:
        (x, where), (tangent, _) = primals, tangents
        y = result(x, where)
        mean = (y * tangent).sum(axis, where=where, keepdims=True)
        return y, y * (tangent - mean)

    return result


def log_softmax(x: Any, axis: Any, where: Any) -> Any:
    """Logarithms of the softmax along axes."""
    greatest = _greatest(x, axis, where)
    kept = x if where is None else jnp.where(where, x, -math.inf)
    shifted = kept - lax.stop_gradient(greatest)
    logs = jnp.log(jnp.sum(jnp.exp(shifted), axis, where=where, keepdims=True))
    result = shifted - logs
    return result if where is None else jnp.where(where, result, -math.inf)


def standardize(
    x: Any, axis: Any, mean: Any, variance: Any, epsilon: Any, where: Any, algorithm: str
) -> Any:
    """Elements shifted and scaled to mean zero and variance one along axes."""

    def average(values: Any) -> Any:
        return jnp.mean(values, axis, keepdims=True, where=where)

    if mean is None:
        mean = average(x)
    if variance is None:
        if algorithm not in ("fast", "stable"):
            raise ValueError(f"Unknown algorithm '{algorithm}'. Expected 'fast' or 'stable'.")
        if algorithm == "stable":
            variance = average(jnp.square(jnp.subtract(x, mean)))
        else:
            # Rounding may leave less than nothing.
            variance = jnp.clip(average(jnp.square(x)) - jnp.square(mean), 0)
    return jnp.subtract(x, mean) * lax.rsqrt(jnp.add(variance, epsilon))


def logsumexp(a: Any, axis: Any, b: Any, keepdims: bool, return_sign: bool, where: Any) -> Any:
    """The logarithm of the sum of exponentials along axes, which may have factors."""
    if where is not None:
        a = jnp.where(where, a, 0)
    if b is None:
        (a,) = promoting.promote_inexact("logsumexp", a)
    else:
        a, b = promoting.promote_inexact("logsumexp", a, b)
        a = jnp.where(b != 0, a, -math.inf)
    axes = arguments.axes(axis, arguments.rank_of(a))
    terms, shift = _shifted(a, axes, keepdims, where)
    if b is not None:
        terms = jnp.multiply(terms, b)
    total = jnp.sum(terms, axis=axes, keepdims=keepdims, where=where)
    sign = lax.sign(total)
    is_real = not arguments.is_complex(total)
    size = lax.abs(total) if return_sign or is_real else total
    result = lax.add(lax.log(size), lax.convert_element_type(shift, size.dtype))
    if return_sign:
        return result, sign
    if b is not None and is_real:
        with config.debug_nans(False):
            result = jnp.where(sign < 0, math.nan, result)
    return result


def _shifted(a: Any, axes: tuple[int, ...], keepdims: bool, where: Any) -> tuple[Any, Any]:
    """Exponentials of numbers from which their greatest is subtracted, and the greatest."""
    real = lax.real(a) if arguments.is_kind(a, Kind.COMPLEX) else a
    least = -math.inf if where is not None or 0 in a.shape else None
    greatest = jnp.max(real, axis=axes, keepdims=keepdims, where=where, initial=least)
    finite = lax.select(jnp.isfinite(greatest), greatest, lax.full_like(greatest, 0))
    shift = lax.stop_gradient(finite)
    spread = shift if keepdims else lax.expand_dims(shift, axes)
    return lax.exp(lax.sub(a, lax.convert_element_type(spread, a.dtype))), shift


def logmeanexp(x: Any, axis: Any, where: Any, keepdims: bool) -> Any:
    """The logarithm of the mean of exponentials along axes."""
    total = logsumexp(x, axis, None, keepdims, False, where)
    shape = arguments.shape_of(x)
    if where is None:
        count = math.prod(shape[each] for each in arguments.axes(axis, len(shape)))
        return total - jnp.log(promoting.like(total, count))
    used = arguments.broadcast_to(where, shape)
    return total - jnp.log(jnp.sum(used, axis, dtype=total.dtype, keepdims=keepdims))

"""Sums of exponentials in logarithms, and softmax, without overflow."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import config, lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.numpy import arguments, coercion, logic, ufuncs
from oakum.typing import ArrayLike, Axis
from oakum.values.declarations import public
from oakum.values.records import dataclass


@ufuncs.universal(2, identity=-math.inf, reduce=ufuncs.log_reduction("logaddexp", 1))
@public("numpy.logaddexp", elementwise.loose_inexact)
def logaddexp(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the logarithm of a sum of exponentials, without overflow."""
    return log_add(*coercion.promote_inexact("logaddexp", x, y), base=NATURAL)


@dataclass(frozen=True, slots=True)
class _Base:
    """The base of logarithms: its exponential, and what turns natural logarithms into them."""

    exp: Callable[[Any], Any]
    scale: float


NATURAL = _Base(lambda x: lax.exp(x), 1.0)


def log_add(x: ArrayLike, y: ArrayLike, *, base: _Base) -> Any:
    """Returns the logarithm of the sum of the exponentials of two operands of one dtype."""
    return _of_base(base)(*arguments.broadcast(x, y))


@functools.cache
def _of_base(base: _Base) -> Any:
    from oakum import custom_jvp

    @custom_jvp
    def added(x: ArrayLike, y: ArrayLike) -> Any:
        return _complex(x, y, base) if arguments.is_complex(x) else _real(x, y, base)

    @added.defjvp
    def _derivative(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        out = added(*primals)
        finite = _without_infinity(out)
        parts = [
            lax.mul(tangent, base.exp(lax.sub(_without_infinity(primal), finite)))
            for primal, tangent in zip(primals, tangents, strict=True)
        ]
        return out, lax.add(*parts)

    return added


def _without_infinity(x: ArrayLike) -> Any:
    """Returns zero in the place of infinity, so that differences are numbers."""
    parts = lax.real(x) if arguments.is_complex(x) else x
    infinite = lax.eq(parts, coercion.like(parts, math.inf))
    return lax.select(infinite, lax.full_like(x, 0), x)


def _real(x: ArrayLike, y: ArrayLike, base: _Base) -> Any:
    distance = lax.sub(x, y)
    rest = _log1p(base.exp(lax.neg(lax.abs(distance))), base)
    # The distance of equal infinities is NaN, and their sum is the answer.
    return lax.select(logic.is_nan(distance), lax.add(x, y), lax.add(lax.max(x, y), rest))


def _log1p(x: ArrayLike, base: _Base) -> Any:
    logs = lax.log1p(x)
    return logs if base.scale == 1 else lax.mul(logs, coercion.like(logs, base.scale))


def _complex(x: ArrayLike, y: ArrayLike, base: _Base) -> Any:
    top = lax.max(x, y)
    distance = lax.sub(lax.add(x, y), lax.add(top, top))
    result = lax.add(top, _log1p(base.exp(distance), base))
    return lax.complex(lax.real(result), _turned(lax.imag(result), math.pi * base.scale))


def _turned(x: ArrayLike, half: float) -> Any:
    """Returns angles moved by whole turns into the one around zero."""
    bound, turn = coercion.like(x, half), coercion.like(x, 2 * half)
    rest = lax.rem(lax.add(x, bound), turn)
    below = lax.lt(rest, coercion.like(x, 0))
    return lax.sub(lax.select(below, lax.add(rest, turn), rest), bound)


@ufuncs.universal(2, identity=-math.inf, reduce=ufuncs.log_reduction("logaddexp2", math.log(2)))
@public("numpy.logaddexp2", elementwise.loose_inexact)
def logaddexp2(x: ArrayLike, y: ArrayLike, /, *, out: None = None, where: None = None) -> Array:
    """Computes the logarithm to the base two of a sum of powers of two."""
    given = coercion.promote_inexact("logaddexp2", x, y)
    return arguments.strong_above_scalars(log_add(*given, base=_TWO))


_TWO = _Base(lambda x: lax.exp2(x), 1 / math.log(2))


def softmax(x: Array, axis: Axis, where: ArrayLike | None) -> Any:
    """Returns exponentials that sum to one along axes."""
    if config.softmax_custom_jvp.value:
        return _softmax_with_rule(axis)(x, where)
    return _softmax(x, axis, where, lax.stop_gradient)


def _softmax(x: Array, axis: Axis, where: ArrayLike | None, freeze: Any) -> Any:
    greatest = freeze(_greatest(x, axis, where))
    kept = x if where is None else jnp.where(where, x, -math.inf)
    unnormalized = jnp.exp(kept - greatest)
    result = unnormalized / jnp.sum(unnormalized, axis, where=where, keepdims=True)
    return result if where is None else jnp.where(where, result, 0)


def _greatest(x: Array, axis: Axis, where: ArrayLike | None) -> Any:
    """Returns the greatest elements; an infinite one is brought in only where there may be none."""
    least = -math.inf if where is not None or 0 in x.shape else None
    return jnp.max(x, axis, where=where, initial=least, keepdims=True)


@functools.lru_cache(maxsize=64)
def _softmax_with_rule(axis: Axis) -> Any:
    """Returns the softmax with a derivative that needs nothing but its result."""
    from oakum.custom_derivatives import custom_jvp

    def function(x: Array, where: Array) -> Any:
        return _softmax(x, axis, where, jnp.asarray)

    result = custom_jvp(function)

    @result.defjvp
    def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        (x, where), (tangent, _) = primals, tangents
        y = result(x, where)
        mean = (y * tangent).sum(axis, where=where, keepdims=True)
        return y, y * (tangent - mean)

    return result


def log_softmax(x: Array, axis: Axis, where: ArrayLike | None) -> Any:
    """Returns logarithms of the softmax along axes."""
    greatest = _greatest(x, axis, where)
    kept = x if where is None else jnp.where(where, x, -math.inf)
    shifted = kept - lax.stop_gradient(greatest)
    logs = jnp.log(jnp.sum(jnp.exp(shifted), axis, where=where, keepdims=True))
    result = shifted - logs
    return result if where is None else jnp.where(where, result, -math.inf)


def standardize(
    x: ArrayLike,
    axis: Any,
    mean: Any,
    variance: Any,
    epsilon: Any,
    where: Any,
    algorithm: str,
) -> Any:
    """Returns elements shifted and scaled to mean zero and variance one along axes."""

    def average(values: ArrayLike) -> Any:
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


def logsumexp(a: Any, axis: object, b: Any, keepdims: bool, return_sign: bool, where: Any) -> Any:
    """Returns the logarithm of the sum of exponentials along axes, which may have factors."""
    if where is not None:
        a = jnp.where(where, a, 0)
    if b is None:
        (a,) = coercion.promote_inexact("logsumexp", a)
    else:
        a, b = coercion.promote_inexact("logsumexp", a, b)
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


def _shifted(a: Array, axes: tuple[int, ...], keepdims: bool, where: Any) -> tuple[Any, Any]:
    """Returns exponentials of numbers from which their greatest is subtracted, and the greatest."""
    real = lax.real(a) if arguments.is_kind(a, Kind.COMPLEX) else a
    least = -math.inf if where is not None or 0 in a.shape else None
    greatest = jnp.max(real, axis=axes, keepdims=keepdims, where=where, initial=least)
    finite = lax.select(jnp.isfinite(greatest), greatest, lax.full_like(greatest, 0))
    shift = lax.stop_gradient(finite)
    spread = shift if keepdims else lax.expand_dims(shift, axes)
    return lax.exp(lax.sub(a, lax.convert_element_type(spread, a.dtype))), shift


def logmeanexp(x: Any, axis: Any, where: object, keepdims: bool) -> Any:
    """Returns the logarithm of the mean of exponentials along axes."""
    total = logsumexp(x, axis, None, keepdims, False, where)
    shape = arguments.shape_of(x)
    if where is None:
        count = math.prod(shape[each] for each in arguments.axes(axis, len(shape)))
        return total - jnp.log(coercion.like(total, count))
    used = arguments.broadcast_to(where, shape)
    return total - jnp.log(jnp.sum(used, axis, dtype=total.dtype, keepdims=keepdims))

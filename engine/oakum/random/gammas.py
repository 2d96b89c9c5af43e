"""Samples of gamma distributions, and of those that are made of them."""

from __future__ import annotations

from typing import Any

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType
from oakum.numpy import arguments, log_sums
from oakum.primitives.random import checks, random_keys
from oakum.primitives.rules.arguments import Sizes, constant, integer
from oakum.random import draws


def gamma(key: Array, a: object, shape: object, dtype: DType, *, log_space: bool = False) -> Any:
    """Samples of gamma distributions, or their logarithms."""
    from oakum.control_flow.special_functions.random_gamma import random_gamma_p

    sizes = checks.sample_shape("gamma", shape, arguments.shape_of(a))
    a = arguments.broadcast_to(draws.as_dtype(a, dtype), sizes)
    return random_gamma_p.bind(key, a, impl=random_keys.key_generator(key), log_space=log_space)


def beta(key: Array, a: object, b: object, sizes: Sizes, dtype: DType) -> Any:
    """Samples of beta distributions."""
    logs = [
        gamma(each, draws.as_dtype(parameter, dtype), sizes, dtype, log_space=True)
        for each, parameter in zip(draws.split(key), (a, b), strict=True)
    ]
    greatest = lax.max(*logs)
    first, second = (jnp.exp(each - greatest) for each in logs)
    return first / (first + second)


def dirichlet(key: Array, alpha: object, shape: object, dtype: DType) -> Any:
    """Samples of Dirichlet distributions."""
    given = arguments.shape_of(alpha)
    if not given:
        raise errors.ShapeError(
            f"dirichlet requires alpha.ndim >= 1, got alpha.ndim == {len(given)}",
            hint="Give a vector of concentrations.",
        )
    sizes = given[:-1]
    if shape is not None:
        sizes = checks.sample_shape("dirichlet", shape, given[:-1])
    alpha = draws.as_dtype(alpha, dtype)
    return log_sums.softmax(gamma(key, alpha, (*sizes, given[-1]), dtype, log_space=True), -1, None)


def chisquare(key: Array, df: object, sizes: Sizes, dtype: DType) -> Any:
    """Samples of chi-squared distributions."""
    two = constant(2, dtype)
    logs = gamma(key, lax.div(draws.as_dtype(df, dtype), two), sizes, dtype, log_space=True)
    return lax.mul(jnp.exp(logs), two)


def fisher(key: Array, dfnum: Any, dfden: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of F distributions."""
    dfnum, dfden = draws.as_dtype(dfnum, dtype), draws.as_dtype(dfden, dtype)
    for_denominator, for_numerator = draws.split(key)
    numerator = chisquare(for_numerator, dfnum, sizes, dtype)
    denominator = chisquare(for_denominator, dfden, sizes, dtype)
    return lax.div(jnp.divide(numerator, dfnum), jnp.divide(denominator, dfden))


def student(key: Array, df: object, sizes: Sizes, dtype: DType) -> Any:
    """Samples of Student's t distributions."""
    for_normal, for_gamma = draws.split(key)
    half = lax.div(draws.as_dtype(df, dtype), constant(2, dtype))
    samples = draws.normal(for_normal, sizes, dtype)
    return samples * jnp.sqrt(half / gamma(for_gamma, half, sizes, dtype))


def generalized_normal(key: Array, p: Any, sizes: Sizes, dtype: DType) -> Any:
    """Samples of generalized normal distributions."""
    first, second = draws.split(key)
    samples = gamma(first, 1 / p, sizes, dtype)
    return draws.rademacher(second, sizes, dtype) * samples ** (1 / p)


def ball(key: Array, d: object, p: Any, sizes: Sizes, dtype: DType) -> Any:
    """Returns points of the unit ball of a norm, uniformly."""
    first, second = draws.split(key)
    points = generalized_normal(first, p, (*sizes, integer(d)), dtype)
    radii = (jnp.abs(points) ** p).sum(-1) + draws.exponential(second, sizes, dtype)
    return points / (radii ** (1 / p))[..., None]

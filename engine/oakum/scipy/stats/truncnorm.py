"""The truncated normal distribution."""

from __future__ import annotations

import math
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import elementwise
from oakum.numpy.operands import promoting
from oakum.scipy.stats import norm, tails
from oakum.values.declarations import public


@public("scipy.stats.truncnorm.cdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def cdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the distribution function of the truncated normal distribution."""
    return lax.exp(logcdf(x, a, b, loc, scale))


@public(
    "scipy.stats.truncnorm.logcdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale")
)
def logcdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the logarithm of the distribution function of the truncated normal distribution."""
    value, first, second, shift, width = promoting.promote_inexact(
        "truncnorm.logcdf", x, a, b, loc, scale
    )
    return tails.truncated_log_cdf((value - shift) / width, first, second)


@public(
    "scipy.stats.truncnorm.logpdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale")
)
def logpdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the logarithm of the density of the truncated normal distribution."""
    value, first, second, shift, width = promoting.promote_inexact(
        "truncnorm.logpdf", x, a, b, loc, scale
    )
    y = (value - shift) / width
    logs = norm.logpdf(value, shift, width) - tails.log_mass(first, second)
    logs = jnp.where((y < first) | (y > second), -math.inf, logs)
    return jnp.where(first >= second, math.nan, logs)


@public(
    "scipy.stats.truncnorm.logsf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale")
)
def logsf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the logarithm of the survival function of the truncated normal distribution."""
    value, first, second, shift, width = promoting.promote_inexact(
        "truncnorm.logsf", x, a, b, loc, scale
    )
    return logcdf(-value, -second, -first, -shift, width)


@public("scipy.stats.truncnorm.pdf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def pdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the density of the truncated normal distribution."""
    return lax.exp(logpdf(x, a, b, loc, scale))


@public("scipy.stats.truncnorm.sf", elementwise.loose_inexact.over("x", "a", "b", "loc", "scale"))
def sf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the survival function of the truncated normal distribution."""
    return lax.exp(logsf(x, a, b, loc, scale))

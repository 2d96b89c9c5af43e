"""The truncated normal distribution."""

from __future__ import annotations

from typing import Any

from oakum.abstract import particular
from oakum.facts import public


@public("scipy.stats.truncnorm.cdf", particular.loosely("x", "a", "b", "loc", "scale"))
def cdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the distribution function of the truncated normal distribution."""
    ...


@public("scipy.stats.truncnorm.logcdf", particular.loosely("x", "a", "b", "loc", "scale"))
def logcdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the logarithm of the distribution function of the truncated normal distribution."""
    ...


@public("scipy.stats.truncnorm.logpdf", particular.loosely("x", "a", "b", "loc", "scale"))
def logpdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the logarithm of the density of the truncated normal distribution."""
    ...


@public("scipy.stats.truncnorm.logsf", particular.loosely("x", "a", "b", "loc", "scale"))
def logsf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the logarithm of the survival function of the truncated normal distribution."""
    ...


@public("scipy.stats.truncnorm.pdf", particular.loosely("x", "a", "b", "loc", "scale"))
def pdf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the density of the truncated normal distribution."""
    ...


@public("scipy.stats.truncnorm.sf", particular.loosely("x", "a", "b", "loc", "scale"))
def sf(x: Any, a: Any, b: Any, loc: Any = 0, scale: Any = 1) -> Any:
    """Computes the survival function of the truncated normal distribution."""
    ...

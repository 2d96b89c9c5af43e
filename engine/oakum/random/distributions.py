"""Samples from distributions with parameters."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.dtypes import DType
from oakum.primitives.random import checks
from oakum.primitives.rules.arguments import Sizes
from oakum.random import counts, draws, gammas, matrices
from oakum.random.declared import sampler
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape


def _read(
    name: str,
    key: ArrayLike,
    shape: Shape | None,
    dtype: DTypeLike | None,
    out_sharding: Placement | None,
    *parameters: object,
) -> tuple[Array, Sizes, DType]:
    """Returns the key, the shape and the dtype of samples, which hold their parameters."""
    ignored_placement.require(f"random.{name}(out_sharding=...)", out_sharding)
    typed, kind = checks.key(name, key), checks.float_dtype(name, dtype)
    sizes = checks.sample_shape(name, shape, *map(checks.shape_of, parameters))
    checks.safe_to_cast(name, kind, *parameters)
    return typed, sizes, kind


@sampler(sampling.sample("p", dtype="bool"), static=("mode",))
def bernoulli(
    key: ArrayLike,
    p: object = 0.5,
    shape: Shape | None = None,
    mode: str = "low",
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples booleans that are true with a probability."""
    ignored_placement.require("random.bernoulli(out_sharding=...)", out_sharding)
    return draws.bernoulli(checks.key("bernoulli", key), p, shape, mode)


@sampler(sampling.sample("a", "b"))
def beta(
    key: ArrayLike,
    a: object,
    b: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from beta distributions."""
    typed, sizes, kind = _read("beta", key, shape, dtype, out_sharding, a, b)
    return gammas.beta(typed, a, b, sizes, kind)


@sampler(sampling.sample("n", "p"))
def binomial(
    key: ArrayLike, n: object, p: object, shape: Shape | None = None, dtype: DTypeLike | None = None
) -> Array:
    """Samples from binomial distributions."""
    typed, kind = checks.key("binomial", key), checks.float_dtype("binomial", dtype)
    return counts.binomial(typed, n, p, shape, kind)


@sampler(sampling.sample("df"))
def chisquare(
    key: ArrayLike,
    df: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from chi-squared distributions."""
    typed, sizes, kind = _read("chisquare", key, shape, dtype, out_sharding, df)
    return gammas.chisquare(typed, df, sizes, kind)


@sampler(sampling.dirichlet)
def dirichlet(
    key: ArrayLike,
    alpha: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Dirichlet distributions."""
    ignored_placement.require("random.dirichlet(out_sharding=...)", out_sharding)
    typed, kind = checks.key("dirichlet", key), checks.float_dtype("dirichlet", dtype)
    return gammas.dirichlet(typed, alpha, shape, kind)


@sampler(results.array)
def double_sided_maxwell(
    key: ArrayLike, loc: object, scale: object, shape: Shape = (), dtype: DTypeLike | None = None
) -> Array:
    """Samples from two-sided Maxwell distributions."""
    typed = checks.key("double_sided_maxwell", key)
    kind = checks.float_dtype("double_sided_maxwell", dtype)
    return draws.double_sided_maxwell(typed, loc, scale, checks.shape(shape), kind)


@sampler(sampling.sample("dfnum", "dfden"))
def f(
    key: ArrayLike,
    dfnum: object,
    dfden: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from F distributions."""
    typed, sizes, kind = _read("f", key, shape, dtype, out_sharding, dfnum, dfden)
    return gammas.fisher(typed, dfnum, dfden, sizes, kind)


@sampler(sampling.sample("a"))
def gamma(
    key: ArrayLike,
    a: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from gamma distributions."""
    ignored_placement.require("random.gamma(out_sharding=...)", out_sharding)
    typed, kind = checks.key("gamma", key), checks.float_dtype("gamma", dtype)
    return gammas.gamma(typed, a, shape, kind)


@sampler(results.array)
def generalized_normal(
    key: ArrayLike,
    p: float,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from generalized normal distributions."""
    ignored_placement.require("random.generalized_normal(out_sharding=...)", out_sharding)
    sizes, typed = checks.shape(shape), checks.key("generalized_normal", key)
    return gammas.generalized_normal(
        typed, p, sizes, checks.float_dtype("generalized_normal", dtype)
    )


@sampler(sampling.sample("p", dtype="int"))
def geometric(
    key: ArrayLike,
    p: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from geometric distributions."""
    ignored_placement.require("random.geometric(out_sharding=...)", out_sharding)
    typed, kind = checks.key("geometric", key), checks.int_dtype("geometric", dtype)
    sizes = checks.sample_shape("geometric", shape, checks.shape_of(p))
    return counts.geometric(typed, p, sizes, kind)


@sampler(sampling.sample("a"))
def loggamma(
    key: ArrayLike,
    a: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples logarithms of gamma variables."""
    ignored_placement.require("random.loggamma(out_sharding=...)", out_sharding)
    typed, kind = checks.key("loggamma", key), checks.float_dtype("loggamma", dtype)
    return gammas.gamma(typed, a, shape, kind, log_space=True)


@sampler(sampling.sample("sigma"))
def lognormal(
    key: ArrayLike,
    sigma: object = 1.0,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from lognormal distributions."""
    ignored_placement.require("random.lognormal(out_sharding=...)", out_sharding)
    typed = checks.key("lognormal", key)
    kind = checks.float_dtype("lognormal", dtype, allow_complex=True)
    sizes = checks.sample_shape("lognormal", shape, checks.shape_of(sigma))
    checks.safe_to_cast("lognormal", kind, sigma)
    return draws.lognormal(typed, sigma, sizes, kind)


@sampler(results.array, static=("unroll",))
def multinomial(
    key: ArrayLike,
    n: object,
    p: object,
    *,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    unroll: int | bool = 1,
) -> Any:
    """Samples from multinomial distributions."""
    return counts.multinomial(checks.key("multinomial", key), n, p, shape, dtype, unroll)


@sampler(sampling.multivariate_normal, static=("method",))
def multivariate_normal(
    key: ArrayLike,
    mean: object,
    cov: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    method: str = "cholesky",
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from multivariate normal distributions."""
    ignored_placement.require("random.multivariate_normal(out_sharding=...)", out_sharding)
    return matrices.multivariate_normal(
        checks.key("multivariate_normal", key), mean, cov, shape, dtype, method
    )


@sampler(sampling.sample("b"))
def pareto(
    key: ArrayLike,
    b: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Pareto distributions."""
    typed, sizes, kind = _read("pareto", key, shape, dtype, out_sharding, b)
    return draws.pareto(typed, b, sizes, kind)


@sampler(sampling.sample("lam", dtype="int"))
def poisson(
    key: ArrayLike,
    lam: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Poisson distributions."""
    ignored_placement.require("random.poisson(out_sharding=...)", out_sharding)
    typed, kind = checks.key("poisson", key), checks.int_dtype("poisson", dtype)
    return counts.poisson(typed, lam, shape, kind)


@sampler(sampling.sample("scale"))
def rayleigh(
    key: ArrayLike,
    scale: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Rayleigh distributions."""
    typed, sizes, kind = _read("rayleigh", key, shape, dtype, out_sharding, scale)
    return draws.rayleigh(typed, scale, sizes, kind)


@sampler(sampling.sample("df"))
def t(
    key: ArrayLike,
    df: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Student's t distributions."""
    typed, sizes, kind = _read("t", key, shape, dtype, out_sharding, df)
    return gammas.student(typed, df, sizes, kind)


@sampler(sampling.sample("left", "mode", "right"))
def triangular(
    key: ArrayLike,
    left: object,
    mode: object,
    right: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from triangular distributions."""
    typed, sizes, kind = _read("triangular", key, shape, dtype, out_sharding, left, mode, right)
    return draws.triangular(typed, left, mode, right, sizes, kind)


@sampler(sampling.sample("mean"))
def wald(
    key: ArrayLike,
    mean: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Wald distributions."""
    typed, sizes, kind = _read("wald", key, shape, dtype, out_sharding, mean)
    return draws.wald(typed, mean, sizes, kind)


@sampler(results.array)
def weibull_min(
    key: ArrayLike,
    scale: object,
    concentration: object,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
) -> Array:
    """Samples from Weibull distributions."""
    typed, kind = checks.key("weibull_min", key), checks.float_dtype("weibull_min", dtype)
    return draws.weibull_min(typed, scale, concentration, checks.shape(shape), kind)

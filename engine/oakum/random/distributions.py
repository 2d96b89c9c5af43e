"""Samples from more distributions."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.random import choices, counts, draws, gammas, integers, matrices
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import public
from oakum.values.lazy_modules import Namespace

checks: Any = Namespace("oakum.primitives.random.checks")


@public("random.laplace", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def laplace(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the Laplace distribution."""
    ignored_placement.require("random.laplace(out_sharding=...)", out_sharding)
    return draws.laplace(
        checks.key("laplace", key), checks.shape(shape), checks.float_dtype("laplace", dtype)
    )


@public("random.loggamma", sampling.sample("a"), shapes=("shape",), consumes_keys=("key",))
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


@public("random.logistic", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def logistic(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the logistic distribution."""
    ignored_placement.require("random.logistic(out_sharding=...)", out_sharding)
    return draws.logistic(
        checks.key("logistic", key), checks.shape(shape), checks.float_dtype("logistic", dtype)
    )


@public("random.lognormal", sampling.sample("sigma"), shapes=("shape",), consumes_keys=("key",))
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


@public("random.maxwell", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def maxwell(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the Maxwell distribution."""
    ignored_placement.require("random.maxwell(out_sharding=...)", out_sharding)
    return draws.maxwell(
        checks.key("maxwell", key), checks.shape(shape), checks.float_dtype("maxwell", dtype)
    )


@public(
    "random.multinomial",
    results.array,
    static=("unroll",),
    shapes=("shape",),
    consumes_keys=("key",),
)
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


@public(
    "random.multivariate_normal",
    sampling.multivariate_normal,
    static=("method",),
    shapes=("shape",),
    consumes_keys=("key",),
)
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


@public("random.normal", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def normal(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the standard normal distribution."""
    ignored_placement.require("random.normal(out_sharding=...)", out_sharding)
    typed, sizes = checks.key("normal", key), checks.shape(shape)
    return draws.normal(typed, sizes, checks.float_dtype("normal", dtype, allow_complex=True))


@public(
    "random.orthogonal",
    sampling.orthogonal,
    shapes=("shape",),
    sizes=("n", "m"),
    consumes_keys=("key",),
)
def orthogonal(
    key: ArrayLike,
    n: int,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    m: int | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples orthogonal matrices uniformly."""
    ignored_placement.require("random.orthogonal(out_sharding=...)", out_sharding)
    return matrices.orthogonal(
        checks.key("orthogonal", key),
        n,
        checks.shape(shape),
        checks.float_dtype("orthogonal", dtype, allow_complex=True),
        m,
    )


@public("random.pareto", sampling.sample("b"), shapes=("shape",), consumes_keys=("key",))
def pareto(
    key: ArrayLike,
    b: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Pareto distributions."""
    ignored_placement.require("random.pareto(out_sharding=...)", out_sharding)
    typed, kind = checks.key("pareto", key), checks.float_dtype("pareto", dtype)
    sizes = checks.sample_shape("pareto", shape, checks.shape_of(b))
    checks.safe_to_cast("pareto", kind, b)
    return draws.pareto(typed, b, sizes, kind)


@public(
    "random.permutation",
    sampling.permutation,
    static=("axis", "independent"),
    consumes_keys=("key",),
    rearranges="x",
)
def permutation(
    key: ArrayLike,
    x: ArrayLike,
    axis: int = 0,
    independent: bool = False,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Returns a random permutation of numbers, or of an array along an axis."""
    ignored_placement.require("random.permutation(out_sharding=...)", out_sharding)
    return choices.permutation(checks.key("permutation", key), x, axis, independent)


@public(
    "random.poisson", sampling.sample("lam", dtype="int"), shapes=("shape",), consumes_keys=("key",)
)
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


@public(
    "random.rademacher", sampling.sample(dtype="int"), shapes=("shape",), consumes_keys=("key",)
)
def rademacher(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples -1 and 1."""
    ignored_placement.require("random.rademacher(out_sharding=...)", out_sharding)
    return draws.rademacher(
        checks.key("rademacher", key), checks.shape(shape), checks.requested(dtype or int)
    )


@public("random.randint", sampling.sample(dtype="int"), shapes=("shape",), consumes_keys=("key",))
def randint(
    key: ArrayLike,
    shape: Shape,
    minval: object,
    maxval: object,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples integers uniformly from an interval."""
    ignored_placement.require("random.randint(out_sharding=...)", out_sharding)
    typed = checks.key("randint", key)
    kind = checks.int_dtype("randint", dtype, "{} only accepts integer dtypes")
    return integers.randint(typed, checks.shape(shape), minval, maxval, kind)


@public("random.rayleigh", sampling.sample("scale"), shapes=("shape",), consumes_keys=("key",))
def rayleigh(
    key: ArrayLike,
    scale: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Rayleigh distributions."""
    ignored_placement.require("random.rayleigh(out_sharding=...)", out_sharding)
    typed, kind = checks.key("rayleigh", key), checks.float_dtype("rayleigh", dtype)
    sizes = checks.sample_shape("rayleigh", shape, checks.shape_of(scale))
    checks.safe_to_cast("rayleigh", kind, scale)
    return draws.rayleigh(typed, scale, sizes, kind)


@public("random.t", sampling.sample("df"), shapes=("shape",), consumes_keys=("key",))
def t(
    key: ArrayLike,
    df: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Student's t distributions."""
    ignored_placement.require("random.t(out_sharding=...)", out_sharding)
    typed, kind = checks.key("t", key), checks.float_dtype("t", dtype)
    sizes = checks.sample_shape("t", shape, checks.shape_of(df))
    checks.safe_to_cast("t", kind, df)
    return gammas.student(typed, df, sizes, kind)


@public(
    "random.triangular",
    sampling.sample("left", "mode", "right"),
    shapes=("shape",),
    consumes_keys=("key",),
)
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
    ignored_placement.require("random.triangular(out_sharding=...)", out_sharding)
    typed, kind = checks.key("triangular", key), checks.float_dtype("triangular", dtype)
    parameters = (left, mode, right)
    sizes = checks.sample_shape("triangular", shape, *map(checks.shape_of, parameters))
    checks.safe_to_cast("triangular", kind, *parameters)
    return draws.triangular(typed, left, mode, right, sizes, kind)


@public(
    "random.truncated_normal",
    sampling.sample("lower", "upper"),
    shapes=("shape",),
    consumes_keys=("key",),
)
def truncated_normal(
    key: ArrayLike,
    lower: object,
    upper: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the normal distribution within bounds."""
    ignored_placement.require("random.truncated_normal(out_sharding=...)", out_sharding)
    typed, kind = checks.key("truncated_normal", key), checks.float_dtype("truncated_normal", dtype)
    sizes = checks.sample_shape(
        "truncated_normal", shape, checks.shape_of(lower), checks.shape_of(upper)
    )
    return draws.truncated_normal(typed, lower, upper, sizes, kind)


@public("random.uniform", sampling.uniform, shapes=("shape",), consumes_keys=("key",))
def uniform(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    minval: object = 0.0,
    maxval: object = 1.0,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples uniformly from an interval."""
    ignored_placement.require("random.uniform(out_sharding=...)", out_sharding)
    typed, sizes = checks.key("uniform", key), checks.shape(shape)
    return draws.uniform(typed, sizes, checks.float_dtype("uniform", dtype), minval, maxval)


@public("random.wald", sampling.sample("mean"), shapes=("shape",), consumes_keys=("key",))
def wald(
    key: ArrayLike,
    mean: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Wald distributions."""
    ignored_placement.require("random.wald(out_sharding=...)", out_sharding)
    typed, kind = checks.key("wald", key), checks.float_dtype("wald", dtype)
    sizes = checks.sample_shape("wald", shape, checks.shape_of(mean))
    checks.safe_to_cast("wald", kind, mean)
    return draws.wald(typed, mean, sizes, kind)


@public("random.weibull_min", results.array, shapes=("shape",), consumes_keys=("key",))
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

"""Samples from distributions."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.random import choices, counts, draws, gammas, gumbels, integers
from oakum.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import public
from oakum.values.lazy_modules import Namespace

checks: Any = Namespace("oakum.primitives.random.checks")


@public("random.ball", results.array, shapes=("shape",), sizes=("d",), consumes_keys=("key",))
def ball(
    key: ArrayLike,
    d: int,
    p: float = 2,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Any:
    """Samples uniformly from the unit ball of a norm."""
    ignored_placement.require("random.ball(out_sharding=...)", out_sharding)
    sizes, typed = checks.shape(shape), checks.key("ball", key)
    return gammas.ball(typed, d, p, sizes, checks.float_dtype("ball", dtype))


@public(
    "random.bernoulli",
    sampling.sample("p", dtype="bool"),
    static=("mode",),
    shapes=("shape",),
    consumes_keys=("key",),
)
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


@public("random.beta", sampling.sample("a", "b"), shapes=("shape",), consumes_keys=("key",))
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
    ignored_placement.require("random.beta(out_sharding=...)", out_sharding)
    typed, kind = checks.key("beta", key), checks.float_dtype("beta", dtype)
    checks.safe_to_cast("beta", kind, a, b)
    sizes = checks.sample_shape("beta", shape, checks.shape_of(a), checks.shape_of(b))
    return gammas.beta(typed, a, b, sizes, kind)


@public("random.binomial", sampling.sample("n", "p"), shapes=("shape",), consumes_keys=("key",))
def binomial(
    key: ArrayLike, n: object, p: object, shape: Shape | None = None, dtype: DTypeLike | None = None
) -> Array:
    """Samples from binomial distributions."""
    typed, kind = checks.key("binomial", key), checks.float_dtype("binomial", dtype)
    return counts.binomial(typed, n, p, shape, kind)


@public("random.bits", sampling.sample(dtype="uint"), shapes=("shape",), consumes_keys=("key",))
def bits(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples uniformly distributed bits."""
    ignored_placement.require("random.bits(out_sharding=...)", out_sharding)
    return integers.bits(checks.key("bits", key), checks.shape(shape), dtype)


@public(
    "random.categorical",
    sampling.categorical,
    static=("axis", "replace", "mode"),
    shapes=("shape",),
    consumes_keys=("key",),
)
def categorical(
    key: ArrayLike,
    logits: object,
    axis: int = -1,
    shape: Shape | None = None,
    replace: bool = True,
    mode: str | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples indices by the logarithms of their probabilities."""
    ignored_placement.require("random.categorical(out_sharding=...)", out_sharding)
    return choices.categorical(checks.key("categorical", key), logits, axis, shape, replace, mode)


@public("random.cauchy", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def cauchy(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the Cauchy distribution."""
    ignored_placement.require("random.cauchy(out_sharding=...)", out_sharding)
    return draws.cauchy(
        checks.key("cauchy", key), checks.shape(shape), checks.float_dtype("cauchy", dtype)
    )


@public("random.chisquare", sampling.sample("df"), shapes=("shape",), consumes_keys=("key",))
def chisquare(
    key: ArrayLike,
    df: object,
    shape: Shape | None = None,
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from chi-squared distributions."""
    ignored_placement.require("random.chisquare(out_sharding=...)", out_sharding)
    typed, kind = checks.key("chisquare", key), checks.float_dtype("chisquare", dtype)
    sizes = checks.sample_shape("chisquare", shape, checks.shape_of(df))
    checks.safe_to_cast("chisquare", kind, df)
    return gammas.chisquare(typed, df, sizes, kind)


@public(
    "random.choice",
    sampling.choice,
    static=("replace", "axis"),
    shapes=("shape",),
    consumes_keys=("key",),
    rearranges="a",
)
def choice(
    key: ArrayLike,
    a: ArrayLike,
    shape: Shape = (),
    replace: bool = True,
    p: object = None,
    axis: int = 0,
    mode: str | None = None,
) -> Array:
    """Draws elements from an array."""
    return choices.choice(checks.key("choice", key), a, shape, replace, p, axis, mode)


@public("random.dirichlet", sampling.dirichlet, shapes=("shape",), consumes_keys=("key",))
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


@public("random.double_sided_maxwell", results.array, shapes=("shape",), consumes_keys=("key",))
def double_sided_maxwell(
    key: ArrayLike, loc: object, scale: object, shape: Shape = (), dtype: DTypeLike | None = None
) -> Array:
    """Samples from two-sided Maxwell distributions."""
    typed = checks.key("double_sided_maxwell", key)
    kind = checks.float_dtype("double_sided_maxwell", dtype)
    return draws.double_sided_maxwell(typed, loc, scale, checks.shape(shape), kind)


@public("random.exponential", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def exponential(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the exponential distribution."""
    ignored_placement.require("random.exponential(out_sharding=...)", out_sharding)
    return draws.exponential(
        checks.key("exponential", key),
        checks.shape(shape),
        checks.float_dtype("exponential", dtype),
    )


@public("random.f", sampling.sample("dfnum", "dfden"), shapes=("shape",), consumes_keys=("key",))
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
    ignored_placement.require("random.f(out_sharding=...)", out_sharding)
    typed, kind = checks.key("f", key), checks.float_dtype("f", dtype)
    sizes = checks.sample_shape("f", shape, checks.shape_of(dfnum), checks.shape_of(dfden))
    checks.safe_to_cast("f", kind, dfnum, dfden)
    return gammas.fisher(typed, dfnum, dfden, sizes, kind)


@public("random.gamma", sampling.sample("a"), shapes=("shape",), consumes_keys=("key",))
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


@public("random.generalized_normal", results.array, shapes=("shape",), consumes_keys=("key",))
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


@public(
    "random.geometric", sampling.sample("p", dtype="int"), shapes=("shape",), consumes_keys=("key",)
)
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


@public(
    "random.gumbel", sampling.sample(), static=("mode",), shapes=("shape",), consumes_keys=("key",)
)
def gumbel(
    key: ArrayLike,
    shape: Shape = (),
    dtype: DTypeLike | None = None,
    mode: str | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the Gumbel distribution."""
    ignored_placement.require("random.gumbel(out_sharding=...)", out_sharding)
    typed, kind = checks.key("gumbel", key), checks.float_dtype("gumbel", dtype)
    return gumbels.gumbel(typed, checks.shape(shape), kind, mode)

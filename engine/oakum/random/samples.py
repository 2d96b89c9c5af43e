"""Samples from distributions."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Placement, Shape


@public("random.ball", results.array, shapes=("shape",), sizes=("d",), consumes_keys=("key",))
def ball(
    key: ArrayLike,
    d: int,
    p: float = 2,
    shape: Shape = (),
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Any:
    """Samples uniformly from the unit ball of a norm."""
    ...


@public(
    "random.bernoulli",
    sampling.sample("p", dtype="bool"),
    static=("mode",),
    shapes=("shape",),
    consumes_keys=("key",),
)
def bernoulli(
    key: ArrayLike,
    p: Any = 0.5,
    shape: Shape | None = None,
    mode: str = "low",
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples booleans that are true with a probability."""
    ...


@public("random.beta", sampling.sample("a", "b"), shapes=("shape",), consumes_keys=("key",))
def beta(
    key: ArrayLike,
    a: Any,
    b: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from beta distributions."""
    ...


@public("random.binomial", sampling.sample("n", "p"), shapes=("shape",), consumes_keys=("key",))
def binomial(
    key: ArrayLike, n: Any, p: Any, shape: Shape | None = None, dtype: Any = None
) -> Array:
    """Samples from binomial distributions."""
    ...


@public("random.bits", sampling.sample(dtype="uint"), shapes=("shape",), consumes_keys=("key",))
def bits(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples uniformly distributed bits."""
    ...


@public(
    "random.categorical",
    sampling.categorical,
    static=("axis", "replace", "mode"),
    shapes=("shape",),
    consumes_keys=("key",),
)
def categorical(
    key: ArrayLike,
    logits: Any,
    axis: int = -1,
    shape: Shape | None = None,
    replace: bool = True,
    mode: str | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples indices by the logarithms of their probabilities."""
    ...


@public("random.cauchy", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def cauchy(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples from the Cauchy distribution."""
    ...


@public("random.chisquare", sampling.sample("df"), shapes=("shape",), consumes_keys=("key",))
def chisquare(
    key: ArrayLike,
    df: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from chi-squared distributions."""
    ...


@public(
    "random.choice",
    sampling.choice,
    static=("replace", "axis"),
    shapes=("shape",),
    consumes_keys=("key",),
)
def choice(
    key: ArrayLike,
    a: ArrayLike,
    shape: Shape = (),
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    mode: str | None = None,
) -> Array:
    """Draws elements from an array."""
    ...


@public("random.dirichlet", sampling.dirichlet, shapes=("shape",), consumes_keys=("key",))
def dirichlet(
    key: ArrayLike,
    alpha: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Dirichlet distributions."""
    ...


@public("random.double_sided_maxwell", results.array, shapes=("shape",), consumes_keys=("key",))
def double_sided_maxwell(
    key: ArrayLike, loc: Any, scale: Any, shape: Shape = (), dtype: Any = None
) -> Array:
    """Samples from two-sided Maxwell distributions."""
    ...


@public("random.exponential", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def exponential(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples from the exponential distribution."""
    ...


@public("random.f", sampling.sample("dfnum", "dfden"), shapes=("shape",), consumes_keys=("key",))
def f(
    key: ArrayLike,
    dfnum: Any,
    dfden: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from F distributions."""
    ...


@public("random.gamma", sampling.sample("a"), shapes=("shape",), consumes_keys=("key",))
def gamma(
    key: ArrayLike,
    a: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from gamma distributions."""
    ...


@public("random.generalized_normal", results.array, shapes=("shape",), consumes_keys=("key",))
def generalized_normal(
    key: ArrayLike,
    p: float,
    shape: Shape = (),
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from generalized normal distributions."""
    ...


@public(
    "random.geometric", sampling.sample("p", dtype="int"), shapes=("shape",), consumes_keys=("key",)
)
def geometric(
    key: ArrayLike,
    p: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from geometric distributions."""
    ...


@public(
    "random.gumbel", sampling.sample(), static=("mode",), shapes=("shape",), consumes_keys=("key",)
)
def gumbel(
    key: ArrayLike,
    shape: Shape = (),
    dtype: Any = None,
    mode: str | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the Gumbel distribution."""
    ...

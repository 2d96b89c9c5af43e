"""Samples from more distributions."""

from __future__ import annotations

from typing import Any

from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Placement, Shape


@public("random.laplace", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def laplace(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples from the Laplace distribution."""
    ...


@public("random.loggamma", sampling.sample("a"), shapes=("shape",), consumes_keys=("key",))
def loggamma(
    key: ArrayLike,
    a: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples logarithms of gamma variables."""
    ...


@public("random.logistic", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def logistic(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples from the logistic distribution."""
    ...


@public("random.lognormal", sampling.sample("sigma"), shapes=("shape",), consumes_keys=("key",))
def lognormal(
    key: ArrayLike,
    sigma: Any = 1.0,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from lognormal distributions."""
    ...


@public("random.maxwell", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def maxwell(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples from the Maxwell distribution."""
    ...


@public(
    "random.multinomial",
    results.array,
    static=("unroll",),
    shapes=("shape",),
    consumes_keys=("key",),
)
def multinomial(
    key: ArrayLike,
    n: Any,
    p: Any,
    *,
    shape: Shape | None = None,
    dtype: Any = None,
    unroll: int | bool = 1,
) -> Any:
    """Samples from multinomial distributions."""
    ...


@public(
    "random.multivariate_normal",
    sampling.multivariate_normal,
    static=("method",),
    shapes=("shape",),
    consumes_keys=("key",),
)
def multivariate_normal(
    key: ArrayLike,
    mean: Any,
    cov: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    method: str = "cholesky",
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from multivariate normal distributions."""
    ...


@public("random.normal", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def normal(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples from the standard normal distribution."""
    ...


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
    dtype: Any = None,
    m: int | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples orthogonal matrices uniformly."""
    ...


@public("random.pareto", sampling.sample("b"), shapes=("shape",), consumes_keys=("key",))
def pareto(
    key: ArrayLike,
    b: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Pareto distributions."""
    ...


@public(
    "random.permutation",
    sampling.permutation,
    static=("axis", "independent"),
    consumes_keys=("key",),
)
def permutation(
    key: ArrayLike,
    x: ArrayLike,
    axis: int = 0,
    independent: bool = False,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Gives a random permutation of numbers, or of an array along an axis."""
    ...


@public(
    "random.poisson", sampling.sample("lam", dtype="int"), shapes=("shape",), consumes_keys=("key",)
)
def poisson(
    key: ArrayLike,
    lam: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Poisson distributions."""
    ...


@public(
    "random.rademacher", sampling.sample(dtype="int"), shapes=("shape",), consumes_keys=("key",)
)
def rademacher(
    key: ArrayLike, shape: Shape = (), dtype: Any = None, *, out_sharding: Placement | None = None
) -> Array:
    """Samples -1 and 1."""
    ...


@public("random.randint", sampling.sample(dtype="int"), shapes=("shape",), consumes_keys=("key",))
def randint(
    key: ArrayLike,
    shape: Shape,
    minval: Any,
    maxval: Any,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples integers uniformly from an interval."""
    ...


@public("random.rayleigh", sampling.sample("scale"), shapes=("shape",), consumes_keys=("key",))
def rayleigh(
    key: ArrayLike,
    scale: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Rayleigh distributions."""
    ...


@public("random.t", sampling.sample("df"), shapes=("shape",), consumes_keys=("key",))
def t(
    key: ArrayLike,
    df: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Student's t distributions."""
    ...


@public(
    "random.triangular",
    sampling.sample("left", "mode", "right"),
    shapes=("shape",),
    consumes_keys=("key",),
)
def triangular(
    key: ArrayLike,
    left: Any,
    mode: Any,
    right: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from triangular distributions."""
    ...


@public(
    "random.truncated_normal",
    sampling.sample("lower", "upper"),
    shapes=("shape",),
    consumes_keys=("key",),
)
def truncated_normal(
    key: ArrayLike,
    lower: Any,
    upper: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from the normal distribution within bounds."""
    ...


@public("random.uniform", sampling.sample(), shapes=("shape",), consumes_keys=("key",))
def uniform(
    key: ArrayLike,
    shape: Shape = (),
    dtype: Any = None,
    minval: Any = 0.0,
    maxval: Any = 1.0,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples uniformly from an interval."""
    ...


@public("random.wald", sampling.sample("mean"), shapes=("shape",), consumes_keys=("key",))
def wald(
    key: ArrayLike,
    mean: Any,
    shape: Shape | None = None,
    dtype: Any = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Samples from Wald distributions."""
    ...


@public("random.weibull_min", results.array, shapes=("shape",), consumes_keys=("key",))
def weibull_min(
    key: ArrayLike, scale: Any, concentration: Any, shape: Shape = (), dtype: Any = None
) -> Array:
    """Samples from Weibull distributions."""
    ...

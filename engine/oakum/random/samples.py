"""Samples from standard distributions, of elements and of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.abstract import results, sampling
from oakum.array import Array
from oakum.primitives.random import checks
from oakum.primitives.rules.arguments import Sizes
from oakum.random import choices, draws, gammas, integers, matrices
from oakum.random.declared import sampler
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import named_as, public
from oakum.values.facts import AbstractRule


def _standard(rule: AbstractRule):
    """Declares samples without parameters by how they are drawn; their signature is inferred."""

    def declare(draw: Callable[[Array, Sizes, DTypeLike | None], Array]):
        name = draw.__name__

        def samples(
            key: ArrayLike,
            shape: Shape = (),
            dtype: DTypeLike | None = None,
            *,
            out_sharding: Placement | None = None,
        ) -> Array:
            ignored_placement.require(f"random.{name}(out_sharding=...)", out_sharding)
            return draw(checks.key(name, key), checks.shape(shape), dtype)

        return sampler(rule)(named_as(draw, samples))

    return declare


@sampler(results.array, sizes=("d",))
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


@_standard(sampling.sample(dtype="uint"))
def bits(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples uniformly distributed bits."""
    return integers.bits(key, shape, dtype)


@sampler(sampling.categorical, static=("axis", "replace", "mode"))
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


@_standard(sampling.sample())
def cauchy(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples from the Cauchy distribution."""
    return draws.cauchy(key, shape, checks.float_dtype("cauchy", dtype))


@public(
    "random.choice",
    sampling.choice,
    static=("replace", "axis"),
    shapes=("shape",),
    consumes_keys=("key",),
    rearranges=("a", "shape", "p"),
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


@_standard(sampling.sample())
def exponential(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples from the exponential distribution."""
    return draws.exponential(key, shape, checks.float_dtype("exponential", dtype))


@sampler(sampling.sample(), static=("mode",))
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
    return draws.gumbel(typed, checks.shape(shape), kind, mode)


@_standard(sampling.sample())
def laplace(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples from the Laplace distribution."""
    return draws.laplace(key, shape, checks.float_dtype("laplace", dtype))


@_standard(sampling.sample())
def logistic(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples from the logistic distribution."""
    return draws.logistic(key, shape, checks.float_dtype("logistic", dtype))


@_standard(sampling.sample())
def maxwell(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples from the Maxwell distribution."""
    return draws.maxwell(key, shape, checks.float_dtype("maxwell", dtype))


@_standard(sampling.sample())
def normal(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples from the standard normal distribution."""
    return draws.normal(key, shape, checks.float_dtype("normal", dtype, allow_complex=True))


@sampler(sampling.orthogonal, sizes=("n", "m"))
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


@public(
    "random.permutation",
    sampling.permutation,
    static=("axis", "independent"),
    consumes_keys=("key",),
    rearranges=("x",),
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


@_standard(sampling.sample(dtype="int"))
def rademacher(key: Array, shape: Sizes, dtype: DTypeLike | None) -> Array:
    """Samples -1 and 1."""
    return draws.rademacher(key, shape, checks.requested(dtype or int))


@sampler(sampling.sample(dtype="int"))
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


@sampler(sampling.sample("lower", "upper"))
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


@sampler(sampling.uniform)
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

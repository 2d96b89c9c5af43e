"""Initializers: functions that make the first values of parameters from a key and a shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from oakum import numpy as jnp
from oakum.abstract import creation
from oakum.array import Array
from oakum.nn import samplers
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import named_as, public


class Initializer(Protocol):
    """A function that makes the first value of a parameter from a key, a shape and a dtype."""

    def __call__(
        self,
        key: ArrayLike,
        shape: Shape,
        dtype: DTypeLike | None = None,
        out_sharding: Placement | None = None,
    ) -> Array: ...


def _float(dtype: DTypeLike | None) -> Any:
    return float if dtype is None else dtype


@public("nn.initializers.zeros", creation.filled, shapes=("shape",))
def zeros(
    key: ArrayLike,
    shape: Shape,
    dtype: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes zeros."""
    return jnp.zeros(shape, _float(dtype), out_sharding=out_sharding)


@public("nn.initializers.ones", creation.filled, shapes=("shape",))
def ones(
    key: ArrayLike,
    shape: Shape,
    dtype: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Makes ones."""
    return jnp.ones(shape, _float(dtype), out_sharding=out_sharding)


@public("nn.initializers.constant")
def constant(value: ArrayLike, dtype: DTypeLike | None = None) -> Any:
    """Returns an initializer of one repeated value."""
    return samplers.constant(value, dtype)


@public("nn.initializers.delta_orthogonal", gives="random.normal")
def delta_orthogonal(
    scale: object = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None
) -> Any:
    """Returns an initializer of convolution kernels that keep norms."""
    return samplers.delta_orthogonal(scale, column_axis, dtype)


def _scaled(stated: Callable[[], tuple[float, str, str]]):
    """Declares an initializer by the scale, mode and distribution of `variance_scaling`; its
    signature is inferred.
    """

    def initializer(
        in_axis: int | Sequence[int] = -2,
        out_axis: int | Sequence[int] = -1,
        batch_axis: int | Sequence[int] = (),
        dtype: DTypeLike | None = None,
    ) -> Any:
        return variance_scaling(*stated(), in_axis, out_axis, batch_axis, dtype)

    declared = public(f"nn.initializers.{stated.__name__}", gives="random.normal")
    return declared(named_as(stated, initializer))


@_scaled
def glorot_normal() -> tuple[float, str, str]:
    """Returns Glorot's initializer with normal samples."""
    return 1.0, "fan_avg", "truncated_normal"


@_scaled
def glorot_uniform() -> tuple[float, str, str]:
    """Returns Glorot's initializer with uniform samples."""
    return 1.0, "fan_avg", "uniform"


@_scaled
def he_normal() -> tuple[float, str, str]:
    """Returns He's initializer with normal samples."""
    return 2.0, "fan_in", "truncated_normal"


@_scaled
def he_uniform() -> tuple[float, str, str]:
    """Returns He's initializer with uniform samples."""
    return 2.0, "fan_in", "uniform"


@_scaled
def kaiming_normal() -> tuple[float, str, str]:
    """Returns He's initializer with normal samples, under its other name."""
    return 2.0, "fan_in", "truncated_normal"


@_scaled
def kaiming_uniform() -> tuple[float, str, str]:
    """Returns He's initializer with uniform samples, under its other name."""
    return 2.0, "fan_in", "uniform"


@_scaled
def lecun_normal() -> tuple[float, str, str]:
    """Returns LeCun's initializer with normal samples."""
    return 1.0, "fan_in", "truncated_normal"


@_scaled
def lecun_uniform() -> tuple[float, str, str]:
    """Returns LeCun's initializer with uniform samples."""
    return 1.0, "fan_in", "uniform"


@public("nn.initializers.normal", gives="random.normal")
def normal(stddev: object = 0.01, dtype: DTypeLike | None = None) -> Any:
    """Returns an initializer of normal samples."""
    return samplers.normal(stddev, dtype)


@public("nn.initializers.orthogonal", gives="random.normal")
def orthogonal(scale: object = 1.0, column_axis: int = -1, dtype: DTypeLike | None = None) -> Any:
    """Returns an initializer of orthogonal matrices."""
    return samplers.orthogonal(scale, column_axis, dtype)


@public("nn.initializers.truncated_normal", gives="random.normal")
def truncated_normal(
    stddev: object = 0.01, dtype: DTypeLike | None = None, lower: object = -2.0, upper: object = 2.0
) -> Any:
    """Returns an initializer of normal samples within bounds."""
    return samplers.truncated_normal(stddev, dtype, lower, upper)


@public("nn.initializers.uniform", gives="random.normal")
def uniform(scale: object = 0.01, dtype: DTypeLike | None = None) -> Any:
    """Returns an initializer of uniform samples."""
    return samplers.uniform(scale, dtype)


@public("nn.initializers.variance_scaling", gives="random.normal")
def variance_scaling(
    scale: object,
    mode: object,
    distribution: object,
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns an initializer that scales its samples by the number of inputs or outputs."""
    return samplers.variance_scaling(
        scale, mode, distribution, samplers.Axes(in_axis, out_axis, batch_axis), dtype
    )


@_scaled
def xavier_normal() -> tuple[float, str, str]:
    """Returns Glorot's initializer with normal samples, under its other name."""
    return 1.0, "fan_avg", "truncated_normal"


@_scaled
def xavier_uniform() -> tuple[float, str, str]:
    """Returns Glorot's initializer with uniform samples, under its other name."""
    return 1.0, "fan_avg", "uniform"

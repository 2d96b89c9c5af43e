"""Initializers: functions that make the first values of parameters from a key and a shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import numpy as jnp
from oakum.abstract import creation
from oakum.array import Array
from oakum.nn import samplers
from oakum.typing import ArrayLike, DTypeLike, Placement, Shape
from oakum.values.declarations import public


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


@public("nn.initializers.glorot_normal", gives="random.normal")
def glorot_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns Glorot's initializer with normal samples."""
    return variance_scaling(
        1.0, "fan_avg", "truncated_normal", in_axis, out_axis, batch_axis, dtype
    )


@public("nn.initializers.glorot_uniform", gives="random.normal")
def glorot_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns Glorot's initializer with uniform samples."""
    return variance_scaling(1.0, "fan_avg", "uniform", in_axis, out_axis, batch_axis, dtype)


@public("nn.initializers.he_normal", gives="random.normal")
def he_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns He's initializer with normal samples."""
    return variance_scaling(2.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


@public("nn.initializers.he_uniform", gives="random.normal")
def he_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns He's initializer with uniform samples."""
    return variance_scaling(2.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


@public("nn.initializers.kaiming_normal", gives="random.normal")
def kaiming_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns He's initializer with normal samples, under its other name."""
    return he_normal(in_axis, out_axis, batch_axis, dtype)


@public("nn.initializers.kaiming_uniform", gives="random.normal")
def kaiming_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns He's initializer with uniform samples, under its other name."""
    return he_uniform(in_axis, out_axis, batch_axis, dtype)


@public("nn.initializers.lecun_normal", gives="random.normal")
def lecun_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns LeCun's initializer with normal samples."""
    return variance_scaling(1.0, "fan_in", "truncated_normal", in_axis, out_axis, batch_axis, dtype)


@public("nn.initializers.lecun_uniform", gives="random.normal")
def lecun_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns LeCun's initializer with uniform samples."""
    return variance_scaling(1.0, "fan_in", "uniform", in_axis, out_axis, batch_axis, dtype)


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


@public("nn.initializers.xavier_normal", gives="random.normal")
def xavier_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns Glorot's initializer with normal samples, under its other name."""
    return glorot_normal(in_axis, out_axis, batch_axis, dtype)


@public("nn.initializers.xavier_uniform", gives="random.normal")
def xavier_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: DTypeLike | None = None,
) -> Any:
    """Returns Glorot's initializer with uniform samples, under its other name."""
    return glorot_uniform(in_axis, out_axis, batch_axis, dtype)

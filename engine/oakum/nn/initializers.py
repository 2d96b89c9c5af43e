"""Initializers: functions that make the first values of parameters from a key and a shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import creation
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Placement, Shape


@public("nn.initializers.zeros", creation.filled, shapes=("shape",))
def zeros(
    key: ArrayLike, shape: Shape, dtype: Any = None, out_sharding: Placement | None = None
) -> Array:
    """Makes zeros."""
    ...


@public("nn.initializers.ones", creation.filled, shapes=("shape",))
def ones(
    key: ArrayLike, shape: Shape, dtype: Any = None, out_sharding: Placement | None = None
) -> Array:
    """Makes ones."""
    ...


@public("nn.initializers.constant")
def constant(value: ArrayLike, dtype: Any = None) -> Any:
    """Gives an initializer of one repeated value."""
    ...


@public("nn.initializers.delta_orthogonal")
def delta_orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Any:
    """Gives an initializer of convolution kernels that keep norms."""
    ...


@public("nn.initializers.glorot_normal")
def glorot_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives Glorot's initializer with normal samples."""
    ...


@public("nn.initializers.glorot_uniform")
def glorot_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives Glorot's initializer with uniform samples."""
    ...


@public("nn.initializers.he_normal")
def he_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives He's initializer with normal samples."""
    ...


@public("nn.initializers.he_uniform")
def he_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives He's initializer with uniform samples."""
    ...


@public("nn.initializers.kaiming_normal")
def kaiming_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives He's initializer with normal samples, under its other name."""
    ...


@public("nn.initializers.kaiming_uniform")
def kaiming_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives He's initializer with uniform samples, under its other name."""
    ...


@public("nn.initializers.lecun_normal")
def lecun_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives LeCun's initializer with normal samples."""
    ...


@public("nn.initializers.lecun_uniform")
def lecun_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives LeCun's initializer with uniform samples."""
    ...


@public("nn.initializers.normal")
def normal(stddev: Any = 0.01, dtype: Any = None) -> Any:
    """Gives an initializer of normal samples."""
    ...


@public("nn.initializers.orthogonal")
def orthogonal(scale: Any = 1.0, column_axis: int = -1, dtype: Any = None) -> Any:
    """Gives an initializer of orthogonal matrices."""
    ...


@public("nn.initializers.truncated_normal")
def truncated_normal(
    stddev: Any = 0.01, dtype: Any = None, lower: Any = -2.0, upper: Any = 2.0
) -> Any:
    """Gives an initializer of normal samples within bounds."""
    ...


@public("nn.initializers.uniform")
def uniform(scale: Any = 0.01, dtype: Any = None) -> Any:
    """Gives an initializer of uniform samples."""
    ...


@public("nn.initializers.variance_scaling")
def variance_scaling(
    scale: Any,
    mode: Any,
    distribution: Any,
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives an initializer that scales its samples by the number of inputs or outputs."""
    ...


@public("nn.initializers.xavier_normal")
def xavier_normal(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives Glorot's initializer with normal samples, under its other name."""
    ...


@public("nn.initializers.xavier_uniform")
def xavier_uniform(
    in_axis: int | Sequence[int] = -2,
    out_axis: int | Sequence[int] = -1,
    batch_axis: int | Sequence[int] = (),
    dtype: Any = None,
) -> Any:
    """Gives Glorot's initializer with uniform samples, under its other name."""
    ...

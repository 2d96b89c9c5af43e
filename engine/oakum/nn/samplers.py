"""Samplers that the initializers return: functions of a key, a shape and a dtype."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import dtypes, random
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.primitives.rules import arguments
from oakum.tracing import dtype_requests
from oakum.typing import DTypeLike
from oakum.values import host
from oakum.values.records import dataclass
from oakum.values.traceback_filtering import api_boundary

Sampler = Callable[..., Any]
AxisOrAxes = int | Sequence[int]


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes of a kernel that are inputs, outputs and batches."""

    inputs: AxisOrAxes
    outputs: AxisOrAxes
    batches: AxisOrAxes


def _initializer(draw: Callable[[Any, Any, DType], Any], default: DTypeLike | None) -> Sampler:
    """Returns a function of a key, a shape and a dtype that draws with the dtype asked for."""

    @api_boundary
    def init(
        key: object, shape: object, dtype: DTypeLike | None = default, out_sharding: object = None
    ) -> Any:
        kind = dtype_requests.requested(float if dtype is None else dtype)
        return draw(key, arguments.sizes(shape), kind)

    return init


def _number(value: object, dtype: DType) -> Any:
    return jnp.array(value, dtype=dtype)


def constant(value: Any, dtype: DTypeLike | None) -> Sampler:
    """Repeats one value."""
    return _initializer(lambda key, shape, kind: jnp.full(shape, value, dtype=kind), dtype)


def uniform(scale: object, dtype: DTypeLike | None) -> Sampler:
    """Draws from zero to below a bound."""
    return _initializer(
        lambda key, shape, kind: random.uniform(key, shape, kind) * _number(scale, kind), dtype
    )


def normal(stddev: object, dtype: DTypeLike | None) -> Sampler:
    """Draws from a normal distribution of mean zero."""
    return _initializer(
        lambda key, shape, kind: random.normal(key, shape, kind) * _number(stddev, kind), dtype
    )


def truncated_normal(stddev: object, dtype: DTypeLike | None, lower: Any, upper: Any) -> Sampler:
    """Draws from a normal distribution within bounds."""

    def draw(key: Array, shape: Any, kind: DType) -> Any:
        samples = random.truncated_normal(key, lower, upper, shape, kind)
        return samples * _number(stddev, kind)

    return _initializer(draw, dtype)


def _size(shape: Sequence[int], axes: AxisOrAxes) -> int:
    return shape[axes] if isinstance(axes, int) else math.prod(shape[i] for i in axes)


def _fans(shape: Sequence[int], axes: Axes) -> tuple[float, float]:
    """Returns fan-in and fan-out: inputs of each output, and outputs of each input."""
    if axes.inputs == -2 and len(shape) <= 1:
        raise ValueError(
            f"Can't compute input and output sizes of a {len(shape)}-dimensional weights tensor "
            "with default in_axis. Must be at least 2D or specify in_axis explicitly."
        )
    inputs, outputs = _size(shape, axes.inputs), _size(shape, axes.outputs)
    field = math.prod(shape) / inputs / outputs / _size(shape, axes.batches)
    return inputs * field, outputs * field


_MODES: Final[dict[str, Callable[[float, float], float]]] = {
    "fan_in": lambda inputs, outputs: inputs,
    "fan_out": lambda inputs, outputs: outputs,
    "fan_avg": lambda inputs, outputs: (inputs + outputs) / 2,
    "fan_geo_avg": lambda inputs, outputs: (inputs * outputs) ** 0.5,
}

_STDDEV_WITHIN_2: Final = 0.87962566103423978
"""The standard deviation of the normal distribution within -2 and 2."""
_COMPLEX_STDDEV_WITHIN_2: Final = 0.95311164380491208


def variance_scaling(
    scale: Any, mode: Any, distribution: Any, axes: Axes, dtype: DTypeLike | None
) -> Sampler:
    """Draws with a variance that depends on the number of inputs or outputs."""

    def draw(key: object, shape: Any, kind: DType) -> Any:
        fans = _fans(shape, axes)
        if mode not in _MODES:
            raise ValueError(f"invalid mode for variance scaling initializer: {mode}")
        variance = _number(scale / _MODES[mode](*fans), kind)
        if distribution not in _DRAWS:
            raise ValueError(
                f"invalid distribution for variance scaling initializer: {distribution}"
            )
        return _DRAWS[distribution](key, shape, kind, variance)

    return _initializer(draw, dtype)


def _scaled_normal(key: Array, shape: Any, dtype: DType, variance: Any) -> Any:
    return random.normal(key, shape, dtype) * jnp.sqrt(variance)


def _sample_truncated(key: Array, shape: Any, dtype: DType, variance: Any) -> Any:
    if dtype.kind is Kind.COMPLEX:
        stddev = jnp.sqrt(variance) / _number(_COMPLEX_STDDEV_WITHIN_2, dtype)
        return _sample_complex_truncated(key, 2, shape, dtype) * stddev
    stddev = jnp.sqrt(variance) / _number(_STDDEV_WITHIN_2, dtype)
    return random.truncated_normal(key, -2, 2, shape, dtype) * stddev


def _scaled_uniform(key: Array, shape: Any, dtype: DType, variance: Any) -> Any:
    if dtype.kind is Kind.COMPLEX:
        return _complex_uniform(key, shape, dtype) * jnp.sqrt(variance)
    return random.uniform(key, shape, dtype, -1) * jnp.sqrt(3 * variance)


_DRAWS: Final[dict[str, Callable[[Any, Any, DType, Any], Any]]] = {
    "normal": _scaled_normal,
    "truncated_normal": _sample_truncated,
    "uniform": _scaled_uniform,
}


def _polar(radius: object, key: Array, shape: Any, dtype: DType) -> Any:
    real = dtypes.to_real(dtype)
    angle = 2 * math.pi * random.uniform(key, shape, real).astype(dtype)
    return radius * jnp.exp(1j * angle)


def _complex_uniform(key: Array, shape: Any, dtype: DType) -> Any:
    """Returns points of a disk, uniformly."""
    for_radius, for_angle = random.split(key)
    squares = 2 * random.uniform(for_radius, shape, dtypes.to_real(dtype))
    return _polar(jnp.sqrt(squares).astype(dtype), for_angle, shape, dtype)


def _sample_complex_truncated(key: Array, upper: float, shape: Any, dtype: DType) -> Any:
    """Returns complex normal samples within a radius."""
    for_radius, for_angle = random.split(key)
    samples = random.uniform(for_radius, shape, dtypes.to_real(dtype)).astype(dtype)
    chances = (1 - jnp.exp(_number(-(upper**2), dtype))) * samples
    return _polar(jnp.sqrt(-jnp.log(1 - chances)), for_angle, shape, dtype)


def orthogonal(scale: object, column_axis: int, dtype: DTypeLike | None) -> Sampler:
    """Draws orthogonal matrices uniformly."""

    def draw(key: Array, shape: tuple[int, ...], kind: DType) -> Any:
        if len(shape) < 2:
            raise ValueError("orthogonal initializer requires at least a 2D shape")
        if 0 in shape:
            return jnp.zeros(shape, dtype=kind)
        columns = shape[column_axis]
        rows = math.prod(shape) // columns
        matrix = random.orthogonal(key, rows, (), kind, columns)
        others = tuple(int(n) for n in host.np.delete(shape, column_axis))
        matrix = jnp.moveaxis(jnp.reshape(matrix, (*others, columns)), -1, column_axis)
        return _number(scale, kind) * matrix

    return _initializer(draw, dtype)


def delta_orthogonal(scale: object, column_axis: int, dtype: DTypeLike | None) -> Sampler:
    """Draws kernels of convolutions that are zero but for an orthogonal matrix in the middle."""

    def draw(key: object, shape: tuple[int, ...], kind: DType) -> Any:
        if len(shape) not in (3, 4, 5):
            raise ValueError("Delta orthogonal initializer requires a 3D, 4D or 5D shape.")
        if shape[-1] < shape[-2]:
            raise ValueError("`fan_in` must be less or equal than `fan_out`.")
        matrix = orthogonal(scale, column_axis, kind)(key, shape[-2:])
        middle = tuple((size - 1) // 2 for size in shape[:-2])
        return jnp.zeros(shape, dtype=kind).at[middle].set(matrix)

    return _initializer(draw, dtype)

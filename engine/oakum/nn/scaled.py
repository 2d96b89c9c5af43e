"""Contractions of arrays in small formats whose blocks have scales."""

from __future__ import annotations

import warnings
from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType
from oakum.primitives.random import checks
from oakum.tracing import dtype_requests
from oakum.typing import DTypeLike
from oakum.values.records import dataclass


@dataclass(frozen=True)
class BlockScaleConfig:
    """The rounding of blocks of elements to a small format, which `mode` names."""

    mode: str
    block_size: int
    data_type: DType
    scale_type: DType
    global_scale: Any
    infer_only: bool = False


def configuration(mode: Any, global_scale: object) -> BlockScaleConfig:
    """Returns the configuration that a mode names."""
    if mode == "nvfp4":
        scale = jnp.ones((1,), dtype="float32") if global_scale is None else global_scale
        return BlockScaleConfig(mode, 16, dtypes.float4_e2m1fn, dtypes.float8_e4m3fn, scale)
    if mode == "mxfp8":
        return BlockScaleConfig(mode, 32, dtypes.float8_e4m3fn, dtypes.float8_e8m0fnu, None)
    raise ValueError(f"Unsupported mode: {mode}")


def _spread(scales: Any, blocks: int) -> Any:
    return jnp.repeat(scales, blocks, axis=-1)


def _with_scales(x: Array, scales: Any) -> Any:
    """Returns the elements that a small format and its scales stand for, in float32."""
    whole = x.astype("float32")
    return whole * _spread(scales.astype("float32"), x.shape[-1] // scales.shape[-1])


def matmul(lhs: Array, rhs: Array, lhs_scales: Any, rhs_scales: Any, dtype: object) -> Any:
    """Batches of products of matrices, of which the second ones are given transposed."""
    if any(each.ndim != 3 for each in (lhs, rhs, lhs_scales, rhs_scales)):
        raise errors.ShapeError("scaled_matmul requires all inputs to be 3-dimensional arrays")
    for name, a, b in (("inputs a and b", lhs, rhs), ("scales", lhs_scales, rhs_scales)):
        if (a.shape[0], a.shape[2]) != (b.shape[0], b.shape[2]):
            raise errors.ShapeError(
                f"scaled_matmul requires {name} to have matching batch (B) and contract (K) "
                f"dimensions, but got shapes {a.shape} and {b.shape}"
            )
    if lhs.shape[1] != lhs_scales.shape[1] or rhs.shape[1] != rhs_scales.shape[1]:
        raise errors.ShapeError(
            "scaled_matmul requires scales to match non-contract dimensions of inputs, but got "
            f"shapes a: {lhs.shape}, b: {rhs.shape}, a_scales: {lhs_scales.shape}, "
            f"b_scales: {rhs_scales.shape}"
        )
    kind = dtype_requests.requested("float32" if dtype is None else dtype, "scaled_matmul")
    numbers = (((2,), (2,)), ((0,), (0,)))
    product = lax.dot_general(
        _with_scales(lhs, lhs_scales),
        _with_scales(rhs, rhs_scales),
        numbers,
        preferred_element_type="float32",
    )
    return product.astype(kind)


def _quantize(x: Array, axis: int, config: BlockScaleConfig) -> Any:
    """Returns an array rounded to a small format along an axis, as an array of its own dtype."""
    moved = jnp.moveaxis(x, axis, -1)
    blocks = moved.reshape((*moved.shape[:-1], -1, config.block_size)).astype("float32")
    limit = float(checks.finfo(config.data_type).max)
    scales = jnp.max(jnp.abs(blocks), axis=-1, keepdims=True) / limit
    scales = jnp.where(scales == 0, 1, scales)
    if config.scale_type is dtypes.float8_e8m0fnu:
        scales = jnp.exp2(jnp.ceil(jnp.log2(scales)))
    else:
        scales = scales.astype(config.scale_type).astype("float32")
    small = jnp.clip(blocks / scales, -limit, limit).astype(config.data_type)
    whole = (small.astype("float32") * scales).reshape(moved.shape)
    return jnp.moveaxis(whole, -1, axis).astype(x.dtype)


def dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    dtype: DTypeLike | None,
    configs: Any,
    implementation: object,
) -> Any:
    """Returns a contraction of arrays that are first rounded to a small format."""
    if implementation is not None:
        warnings.warn(
            "Backend selector, now ignored. The system chooses the backend automatically.",
            DeprecationWarning,
            stacklevel=3,
        )
    kind = "float32" if dtype is None else dtype
    if configs is not None:
        (left, right), _ = dimension_numbers
        lhs = _straight_through(lhs, _quantize(lhs, left[0], configs[0]))
        rhs = _straight_through(rhs, _quantize(rhs, right[0], configs[1]))
    return lax.dot_general(lhs, rhs, dimension_numbers, preferred_element_type=kind)


def _straight_through(x: Array, rounded: Any) -> Any:
    """Returns a rounded array with the derivative of the one that was rounded."""
    return x + lax.stop_gradient(rounded - x)

"""Attention by scaled products of queries and keys."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from typing import Any

from oakum import dtypes, errors, lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType
from oakum.numpy import arguments, log_sums
from oakum.primitives.random import checks
from oakum.values import host
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """The keys that a query attends to: only earlier ones, or those within a distance."""

    is_causal: bool
    size: int | tuple[int, int] | None


def dot_product_attention(
    query: object,
    key: Any,
    value: object,
    bias: object,
    mask: object,
    *,
    scale: float | None,
    lengths: tuple[Any, Any],
    window: Window,
    implementation: object,
    return_residual: bool,
) -> Any:
    """Returns values averaged by the softmax of scaled products of queries and keys."""
    shape = arguments.shape_of(jnp.asarray(query))
    query, key, value = map(_of_rank_4, (query, key, value))
    bias, mask = (None if each is None else _of_rank_4(each) for each in (bias, mask))
    lengths = tuple(None if each is None else jnp.asarray(each) for each in lengths)  # pyright: ignore[reportAssignmentType]
    _check(query, key, value, bias, mask, lengths)
    if implementation not in (None, "xla"):
        raise ValueError(f"Unsupported implementation option: {implementation}")
    factor = 1.0 / math.sqrt(key.shape[-1]) if scale is None else scale
    result, logits = _attend_by_group(query, key, value, bias, mask, factor, lengths, window)
    if return_residual:
        return jnp.reshape(result, shape), jnp.reshape(_residual(logits, key), shape[:-1])
    return jnp.reshape(result, shape)


def _residual(logits: Array, key: Array) -> Any:
    """Returns the logarithms of what the softmax divides by, which a backward pass can
    begin with.
    """
    sums = log_sums.logsumexp(logits, -1, None, False, False, None).astype(key.dtype)
    return lax.stop_gradient(jnp.transpose(sums, (0, 3, 1, 2)))


def _of_rank_4(x: object) -> Any:
    x = jnp.asarray(x)
    missing = 4 - arguments.rank_of(x)
    return jnp.expand_dims(x, axis=tuple(range(missing))) if missing > 0 else x


def _check(
    query: Any, key: Array, value: Any, bias: Any, mask: Any, lengths: tuple[Any, Any]
) -> None:
    if key.ndim != 4:
        raise errors.ShapeError(f"key ndim should be 4, but got {key.ndim}")
    batch, _, heads, depth = key.shape
    kind = arguments.dtype_of(key)
    _check_one("value", value, key.shape, kind)
    _check_one("query", query, (batch, None, None, depth), kind)
    _check_one("mask", mask, (None,) * 4, dtypes.bool_)
    _check_one("bias", bias, (None,) * 4, None)
    for name, each in zip(("query_seq_lengths", "key_value_seq_lengths"), lengths, strict=True):
        _check_one(name, each, (batch,), dtypes.int32)
    if query.shape[-2] % heads:
        raise errors.ShapeError(
            "The number of query heads must be a multiple of key/value heads, but got "
            f"{query.shape[-2]} vs {heads}"
        )


def _check_one(name: str, x: Any, shape: Sequence[int | None], dtype: DType | None) -> None:
    if x is None:
        return
    if x.ndim != len(shape):
        raise errors.ShapeError(f"{name} ndim should be {len(shape)}, but got {x.ndim}")
    if dtype is not None and arguments.dtype_of(x) is not dtype:
        raise errors.DTypeError(f"{name} dtype should be {dtype}, but got {x.dtype}")
    if any(want not in (None, have) for want, have in zip(shape, x.shape, strict=True)):
        raise errors.ShapeError(f"{name} shape should be {shape}: but got {x.shape}")


def _attend_by_group(
    query: Any,
    key: Array,
    value: Any,
    bias: Any,
    mask: Any,
    scale: float,
    lengths: tuple[Any, Any],
    window: Window,
) -> tuple[Any, Any]:
    """Attention where several heads of queries share one head of keys and values.

    Axes are batch b, query t, key s, heads of keys k, queries of each g, depth h.
    """
    batch, times, heads, depth = query.shape
    shared = key.shape[2]
    groups = heads // shared
    query = jnp.reshape(query, (batch, times, shared, groups, depth))
    wide = jnp.promote_types(query.dtype, host.np.float32)
    logits = jnp.einsum("btkgh,bskh->bkgts", query, key, preferred_element_type=wide)
    logits = logits * jnp.array(scale, dtype=logits.dtype)
    if bias is not None:
        logits = (logits + _by_group(bias, shared, groups)).astype(logits.dtype)
    seen = _attention_mask(mask, shared, groups, logits.shape[-2:], lengths, window)
    if seen is not None:
        logits = jnp.where(seen, logits, _large_negative(logits))
    logits = logits.astype(host.np.float32)
    chances = log_sums.softmax(logits, -1, None).astype(key.dtype)
    result = jnp.einsum("bkgts,bskh->btkgh", chances, value)
    if lengths[0] is not None:
        used = jnp.arange(times)[None, :] < lengths[0][:, None]
        result = result * used[:, :, None, None, None].astype(result.dtype)
    return result, logits


def _by_group(x: Array, shared: int, groups: int) -> Any:
    """Returns a bias or a mask of heads, or of one head for all, with heads in groups."""
    batch, heads, times, keys = x.shape
    if heads == 1:
        return x[:, :, None]
    return jnp.reshape(x, (batch, shared, groups, times, keys))


def _attention_mask(
    mask: Any,
    shared: int,
    groups: int,
    shape: tuple[int, int],
    lengths: tuple[Any, Any],
    window: Window,
) -> Any:
    """Returns the mask of the keys that each query attends to; None for all."""
    parts: list[Any] = [] if mask is None else [_by_group(mask, shared, groups)]
    rows = jnp.arange(shape[0]).reshape((1, 1, 1, -1, 1))
    columns = jnp.arange(shape[1]).reshape((1, 1, 1, 1, -1))
    if window.is_causal:
        parts.append(rows >= columns)
    if window.size is not None:
        size = window.size
        left, right = (size, size) if isinstance(size, int) else size
        parts.append((rows <= columns + left) & (rows >= columns - right))
    for positions, length in zip((rows, columns), lengths, strict=True):
        if length is not None:
            parts.append(positions < length[:, None, None, None, None])
    return functools.reduce(jnp.logical_and, parts) if parts else None


def _large_negative(logits: Array) -> Any:
    """Returns a number whose exponential is zero, and which stays finite when others are added."""
    greatest = float(checks.finfo(arguments.dtype_of(logits)).max)
    limit = float(checks.finfo(dtypes.float32).max)
    return jnp.asarray(-0.7 * min(greatest, limit), dtype=logits.dtype)

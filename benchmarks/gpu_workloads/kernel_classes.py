# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""The classes of kernels, each with a program of a size that fills a GPU, and a small one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class KernelClass:
    """A program, and what is expected of it."""

    name: str
    function: Callable[..., Any]
    arguments: Callable[[int], tuple[Any, ...]]
    """The arguments, each axis that grows divided by a number."""
    target: float | None = None
    """The share of the copy bandwidth to be reached; None for what is not bound by memory."""
    near: float = 1e-5
    """The distance from the CPU's results that is allowed, as a share of the greatest."""


def normal(*shape: int) -> Any:
    return np.random.default_rng(0).standard_normal(shape, dtype="f4")


def half(*shape: int) -> Any:
    return normal(*shape).astype(ml_dtypes.bfloat16)


def places(count: int, end: int) -> Any:
    return np.random.default_rng(0).integers(0, end, count).astype("i4")


def square(by: int) -> tuple[Any, ...]:
    return (normal(8192 // by, 8192 // by),)


def _normed(x: Any) -> Any:
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5)


def _adam(p: Any, g: Any, m: Any, v: Any) -> Any:
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 1e-3 * m / (jnp.sqrt(v) + 1e-8), m, v


def _padded(x: Any, y: Any) -> Any:
    return jnp.pad(jnp.concatenate([x, y], 0), 1)


CLASSES = [
    KernelClass("points: x + 1", lambda x: x + 1, square, 0.95),
    KernelClass("points: a * x + b", lambda a, x, b: a * x + b, lambda by: square(by) * 3, 0.95),
    KernelClass("points: tanh, exp", lambda x: jnp.tanh(x * 2 + 1) * jnp.exp(-x), square, 0.95),
    KernelClass("points: gelu", lambda x: oakum.nn.gelu(x), square, 0.95),
    KernelClass("points: sin", jnp.sin, square, 0.95),
    KernelClass(
        "points: adam",
        _adam,
        lambda by: (*square(by), *square(by), *square(by), abs(square(by)[0])),
        0.95,
    ),
    KernelClass(
        "points: bfloat16", lambda x: x * 2 + 1, lambda by: (half(8192 // by, 8192),), 0.9, 1e-2
    ),
    KernelClass(
        "points: silu of bfloat16", oakum.nn.silu, lambda by: (half(8192 // by, 8192),), 0.9, 1e-2
    ),
    KernelClass(
        "rows: softmax of 8192",
        lambda x: oakum.nn.softmax(x, -1),
        lambda by: (normal(8192 // by, 8192),),
        0.85,
    ),
    KernelClass(
        "rows: softmax of 1024",
        lambda x: oakum.nn.softmax(x, -1),
        lambda by: (normal(65536 // by, 1024),),
        0.85,
    ),
    KernelClass("rows: layer norm of 1024", _normed, lambda by: (normal(65536 // by, 1024),), 0.85),
    KernelClass("rows: sum", lambda x: x.sum(-1), lambda by: (normal(8192 // by, 8192),), 0.9),
    KernelClass(
        "rows: sum of 64", lambda x: x.sum(-1), lambda by: (normal((1 << 20) // by, 64),), 0.9
    ),
    KernelClass(
        "rows: argmax", lambda x: jnp.argmax(x, -1), lambda by: (normal(8192 // by, 8192),), 0.9
    ),
    KernelClass("columns: sum", lambda x: x.sum(0), square, 0.9),
    KernelClass("full: sum", lambda x: x.sum(), square, 0.92),
    KernelClass("full: max", lambda x: x.max(), square, 0.92),
    KernelClass("squares: x.T + 1", lambda x: x.T + 1, square, 0.85),
    KernelClass("squares: a + b.T", lambda a, b: a + b.T, lambda by: square(by) * 2, 0.85),
    KernelClass(
        "scan: rows", lambda x: jnp.cumsum(x, -1), lambda by: (normal(8192 // by, 8192),), 0.8
    ),
    KernelClass("scan: one line", jnp.cumsum, lambda by: (normal((1 << 24) // by),), 0.6, 1e-4),
    KernelClass(
        "gather: rows of 64",
        lambda x, i: x[i],
        lambda by: (normal((1 << 20) // by, 64), places((1 << 20) // by, (1 << 20) // by)),
        0.8,
    ),
    KernelClass(
        "scatter: add rows of 64",
        lambda x, i, u: x.at[i].add(u),
        lambda by: (
            normal((1 << 20) // by, 64),
            places((1 << 20) // by, (1 << 20) // by),
            normal((1 << 20) // by, 64),
        ),
        None,
    ),
    KernelClass(
        "random: normal",
        lambda k, x: oakum.random.normal(oakum.random.wrap_key_data(k), x.shape[:1]),
        lambda by: (np.array([0, 7], "u4"), np.zeros(((1 << 25) // by, 0), "f4")),
        None,
    ),
    KernelClass(
        "padded, concatenated",
        _padded,
        lambda by: (normal(4096 // by, 8192), normal(4096 // by, 8192)),
        None,
    ),
    KernelClass(
        "pooling",
        lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID"),
        lambda by: (normal(64, 1024 // by, 1024),),
        None,
    ),
    KernelClass(
        "sort: rows of 4096",
        lambda x: jnp.sort(x, -1),
        lambda by: (normal(1024 // by, 4096),),
        None,
    ),
    KernelClass("sort: one line", jnp.sort, lambda by: (normal((1 << 20) // by),), None),
    KernelClass(
        "top_k: 16 of 32768",
        lambda x: lax.top_k(x, 16),
        lambda by: (normal(256 // by, 32768),),
        None,
    ),
    KernelClass(
        "convolution",
        lambda x, k: lax.conv(x, k, (1, 1), "SAME"),
        lambda by: (normal(32 // min(by, 16), 64, 56, 56), normal(64, 64, 3, 3)),
        None,
        1e-4,
    ),
    KernelClass(
        "Cholesky of 1024",
        lambda x: jnp.linalg.cholesky(x @ x.T + 1024 // 1 * jnp.eye(len(x))),
        lambda by: (normal(1024 // by, 1024 // by),),
        None,
        1e-4,
    ),
    KernelClass(
        "Cholesky, 4096 of 32",
        lambda x: jnp.linalg.cholesky(jnp.einsum("bij,bkj->bik", x, x) + 32 * jnp.eye(32)),
        lambda by: (normal(4096 // by, 32, 32),),
        None,
        1e-4,
    ),
    KernelClass(
        "LU: solve 512",
        lambda a, b: jnp.linalg.solve(a + 32 * jnp.eye(len(a)), b),
        lambda by: (normal(512 // by, 512 // by), normal(512 // by, 16)),
        None,
        1e-3,
    ),
    KernelClass(
        "QR of 512 x 256",
        lambda a: abs(jnp.linalg.qr(a)[1]),
        lambda by: (normal(512 // by, 256 // by),),
        None,
        1e-4,
    ),
    KernelClass(
        "FFT, 4096 of 1024",
        lambda x: abs(jnp.fft.fft(x)),
        lambda by: (normal(4096 // by, 1024),),
        None,
        1e-4,
    ),
]
"""Classes that do not scale with `by` where that would change what they are: see their shapes."""


PRODUCTS = [
    (1024, 1024, 1024, "float32"),
    (4096, 4096, 4096, "float32"),
    (2048, 512, 2048, "float32"),
    (4096, 4096, 4096, "bfloat16"),
    (8192, 8192, 8192, "bfloat16"),
]
"""Rows, sums, columns and dtype of products."""

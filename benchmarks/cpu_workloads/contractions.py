# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Products of matrices and convolutions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cpu_workloads.rows import Row, jitted, normal

SIDES = (4, 8, 16, 32, 64, 100, 128, 256, 512, 1000, 1024, 2048)


def rows() -> Iterator[Row]:
    """Square products, other forms, other dtypes, einsum, convolutions."""
    for dtype in ("float32", "float64"):
        for side in SIDES:
            yield jitted(
                f"matmul {side}, {dtype}",
                lambda _, x, y: x @ y,
                normal((side, side), (side, side), dtype=dtype),
                numpy=True,
                x64=dtype == "float64",
                heavy=side >= 1000,
            )
    for count, side in ((10_000, 4), (4000, 8), (1000, 16), (200, 32), (50, 64), (16, 128)):
        arrays = normal((count, side, side), (count, side, side))
        yield jitted(f"batch of {count} {side}", lambda _, x, y: x @ y, arrays, numpy=True)
    square = normal((512, 512), (512, 512))
    yield jitted("x.T @ y, 512", lambda _, x, y: x.T @ y, square, numpy=True)
    yield jitted("x @ y.T, 512", lambda _, x, y: x @ y.T, square, numpy=True)
    yield jitted("x.T @ y.T, 512", lambda _, x, y: x.T @ y.T, square, numpy=True)
    for m, k, n in (
        (1, 1000, 1000),
        (128, 784, 10),
        (32, 784, 512),
        (2000, 16, 2000),
        (64, 4096, 64),
    ):
        arrays = normal((m, k), (k, n))
        yield jitted(f"{m}x{k}x{n}", lambda _, x, y: x @ y, arrays, numpy=True)
    yield jitted(
        "matrix, vector 1000", lambda _, x, y: x @ y, normal((1000, 1000), (1000,)), numpy=True
    )
    yield jitted(
        "dot, 1e+06", lambda _, x, y: x @ y, normal((1_000_000,), (1_000_000,)), numpy=True
    )
    yield jitted("gelu(x @ w + b), 256x512x512", _dense, normal((256, 512), (512, 512), (512,)))
    yield jitted("covariance, 1000x200", _covariance, normal((1000, 200)), numpy=True)
    yield from _einsums()
    for dtype in ("int8", "int32"):
        arrays = normal((256, 256), (256, 256), dtype=dtype)
        yield jitted(f"matmul 256, {dtype}", _whole, arrays)
    yield jitted("matmul 256, bfloat16", _bfloat16, normal((256, 256), (256, 256)), tolerance=3e-2)
    yield from _convolutions()


def _dense(j: Any, x: Any, w: Any, b: Any) -> Any:
    return j.nn.gelu(x @ w + b)


def _covariance(_: Any, x: Any) -> Any:
    centred = x - x.mean(axis=0)
    return centred.T @ centred / x.shape[0]


def _whole(j: Any, x: Any, y: Any) -> Any:
    return j.lax.dot(x, y, preferred_element_type=j.numpy.int32)


def _bfloat16(j: Any, x: Any, y: Any) -> Any:
    x, y = x.astype(j.numpy.bfloat16), y.astype(j.numpy.bfloat16)
    return (x @ y).astype(j.numpy.float32)


def _einsums() -> Iterator[Row]:
    heads = normal((4, 8, 64, 32), (4, 8, 64, 32))
    for name, arrays in {
        "bhqd,bhkd->bhqk": heads,
        "bhqk,bhkd->bqhd": normal((4, 8, 64, 64), (4, 8, 64, 32)),
        "ij,jk,kl->il": normal((128, 128), (128, 128), (128, 128)),
        "bij,bjk->ik": normal((32, 64, 64), (32, 64, 64)),
        "ijk,jil->kl": normal((64, 32, 48), (32, 64, 40)),
    }.items():
        yield jitted(
            f"einsum {name}", lambda j, *xs, n=name: j.numpy.einsum(n, *xs), arrays, numpy=True
        )


LAYOUT = ("NHWC", "HWIO", "NHWC")


def _convolutions() -> Iterator[Row]:
    for batch, side, inputs, outputs, window, stride in (
        (8, 56, 64, 64, 3, 1),
        (32, 28, 1, 32, 3, 1),
        (8, 28, 32, 64, 3, 2),
        (4, 14, 256, 256, 3, 1),
        (8, 28, 64, 128, 1, 1),
        (2, 64, 3, 32, 7, 2),
    ):
        arrays = normal((batch, side, side, inputs), (window, window, inputs, outputs))
        name = (
            f"conv {batch}x{side}x{side}x{inputs}, {window}x{window} to {outputs}, stride {stride}"
        )
        yield jitted(name, lambda j, x, w, s=stride: _convolved(j, x, w, s), arrays)
    arrays = normal((8, 28, 28, 64), (3, 3, 1, 64))
    yield jitted("conv depthwise 64", lambda j, x, w: _convolved(j, x, w, 1, groups=64), arrays)
    yield jitted("conv 1-d, 16x1000x32", _convolved_line, normal((16, 1000, 32), (5, 32, 32)))


def _convolved(j: Any, x: Any, w: Any, stride: int, groups: int = 1) -> Any:
    return j.lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=LAYOUT, feature_group_count=groups
    )


def _convolved_line(j: Any, x: Any, w: Any) -> Any:
    return j.lax.conv_general_dilated(x, w, (1,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))

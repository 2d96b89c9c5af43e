# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Sums and their like, alone and within the functions that models are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from cpu_workloads.rows import Row, jitted, normal


def rows() -> Iterator[Row]:
    """Reductions of rows, of columns and of everything; prefixes."""
    for shape in ((64, 64), (1000, 1000), (4000, 2500)):
        heavy = shape[0] > 1000
        text = f"{shape[0]}x{shape[1]}"
        for name, function in SINGLE.items():
            yield jitted(f"{name}, {text}", function, normal(shape), numpy=True, heavy=heavy)
        for name, function in FUSED.items():
            yield jitted(f"{name}, {text}", function, normal(shape), numpy=_HOST[name], heavy=heavy)
    for name in ("sum", "softmax rows"):
        function = {**SINGLE, **FUSED}[name]
        arrays = normal((1000, 1000), dtype="float64")
        yield jitted(f"{name}, 1000x1000 float64", function, arrays, x64=True)
    vector = normal((1_000_000,))
    yield jitted(
        "cumsum, 1e+06", lambda j, x: j.numpy.cumsum(x), vector, numpy=True, tolerance=1e-3
    )
    yield jitted("cummax, 1e+06", lambda j, x: j.lax.cummax(x), vector)
    whole = normal((1_000_000,), dtype="int32")
    yield jitted("sum, int32 1e+06", lambda j, x: j.numpy.sum(x), whole, numpy=True)
    yield jitted("any, 1e+06", lambda j, x: j.numpy.any(x > 100), vector, numpy=True)
    cube = normal((64, 128, 128))
    yield jitted("mean of the middle axis", lambda j, x: x.mean(axis=1), cube, numpy=True)
    yield jitted("batch norm, 64x128x128", _batch_norm, cube, numpy=True)


def _sum(j: Any, x: Any) -> Any:
    return j.numpy.sum(x)


SINGLE: dict[str, Callable[..., Any]] = {
    "sum": _sum,
    "mean axis 0": lambda j, x: x.mean(axis=0),
    "mean axis 1": lambda j, x: x.mean(axis=1),
    "max axis 1": lambda j, x: x.max(axis=1),
    "argmax axis 1": lambda j, x: j.numpy.argmax(x, axis=1).astype(j.numpy.int32),
    "var axis 1": lambda j, x: j.numpy.var(x, axis=1),
    "sum of exp, axis 0": lambda j, x: j.numpy.sum(j.numpy.exp(x), axis=0),
    "sum of x^2": lambda j, x: j.numpy.sum(x * x),
    "cumsum axis 1": lambda j, x: j.numpy.cumsum(x, axis=1),
}


def _softmax(j: Any, x: Any) -> Any:
    return j.nn.softmax(x, axis=-1)


def _logsumexp(j: Any, x: Any) -> Any:
    return j.nn.logsumexp(x, axis=-1)


def _layer_norm(j: Any, x: Any) -> Any:
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) / j.numpy.sqrt(variance + 1e-5)


def _norm(j: Any, x: Any) -> Any:
    return x / j.numpy.sqrt(j.numpy.sum(x * x, axis=-1, keepdims=True))


def _standardised(j: Any, x: Any) -> Any:
    return (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-5)


def _batch_norm(j: Any, x: Any) -> Any:
    mean = x.mean(axis=(0, 1))
    variance = ((x - mean) ** 2).mean(axis=(0, 1))
    return (x - mean) / j.numpy.sqrt(variance + 1e-5)


def _scaled(j: Any, x: Any) -> Any:
    low = x.min(axis=0)
    return (x - low) / (x.max(axis=0) - low)


def _cross_entropy(j: Any, x: Any) -> Any:
    return -j.numpy.mean(j.nn.log_softmax(x, axis=-1)[:, 0])


FUSED: dict[str, Callable[..., Any]] = {
    "softmax rows": _softmax,
    "logsumexp rows": _logsumexp,
    "layer norm rows": _layer_norm,
    "rows of norm 1": _norm,
    "standardised columns": _standardised,
    "columns from 0 to 1": _scaled,
    "cross entropy": _cross_entropy,
}


def _softmax_of_numpy(x: Any) -> Any:
    from cpu_workloads.rows import HOST

    np = HOST.numpy
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


_HOST: dict[str, Any] = {
    "softmax rows": _softmax_of_numpy,
    "logsumexp rows": False,
    "layer norm rows": True,
    "rows of norm 1": True,
    "standardised columns": True,
    "columns from 0 to 1": True,
    "cross entropy": False,
}

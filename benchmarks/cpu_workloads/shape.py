# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Data that only move: the speed of memory is the limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cpu_workloads.rows import Row, jitted, normal

SQUARE = (1000, 1000)


def rows() -> Iterator[Row]:
    """Transpositions, joins, cuts, gathers, orders."""
    square = normal(SQUARE)
    for side in (32, 1000, 4096):
        arrays = normal((side, side))
        heavy = side > 1000
        yield jitted(f"transpose, {side}", lambda _, x: x.T + 1, arrays, numpy=True, heavy=heavy)
    cube = normal((64, 128, 96))
    yield jitted("transpose (0, 2, 1)", lambda j, x: j.numpy.transpose(x, (0, 2, 1)), cube)
    yield jitted("transpose (2, 0, 1)", lambda j, x: j.numpy.transpose(x, (2, 0, 1)), cube)
    pair = normal(SQUARE, SQUARE)
    yield jitted(
        "concatenate axis 0", lambda j, x, y: j.numpy.concatenate([x, y]), pair, numpy=True
    )
    yield jitted(
        "concatenate axis 1", lambda j, x, y: j.numpy.concatenate([x, y], axis=1), pair, numpy=True
    )
    yield jitted("stack", lambda j, x, y: j.numpy.stack([x, y], axis=-1), pair, numpy=True)
    yield jitted("pad by 3", lambda j, x: j.numpy.pad(x, 3), square, numpy=True)
    yield jitted("reverse", lambda _, x: x[::-1, ::-1], square)
    yield jitted("roll", lambda j, x: j.numpy.roll(x, 7, axis=1), square, numpy=True)
    yield jitted("slice", lambda _, x: x[10:900, 20:880] * 2, square, numpy=True)
    yield jitted("slice, stride 2", lambda _, x: x[::2, ::2] * 2, square, numpy=True)
    yield jitted("neighbours", _neighbours, square, numpy=True)
    yield jitted(
        "outer sum", lambda _, x, y: x[:, None] + y[None], normal((1000,), (1000,)), numpy=True
    )
    yield jitted("broadcast and tile", lambda j, x: j.numpy.tile(x, (4, 1)), square, numpy=True)
    yield jitted("repeat columns", lambda j, x: j.numpy.repeat(x, 3, axis=1), square, numpy=True)
    yield jitted("take rows", lambda j, x, i: j.numpy.take(x, i, axis=0), _indexed, numpy=True)
    yield jitted("x[i, j]", lambda _, x, i: x[i, i[::-1]], _indexed, numpy=True)
    yield jitted("take_along_axis", _along, _indexed_rows, numpy=True)
    yield jitted("x.at[i].add", lambda _, x, i: x.at[i].add(1.0), _indexed)
    yield jitted("x.at[:, 3].set", lambda _, x: x.at[:, 3].set(0.0), square)
    yield jitted("dynamic_slice", _dynamic, _placed)
    yield jitted("dynamic_update_slice", _dynamic_update, _placed)
    yield jitted("one_hot, 1000 of 1000", _one_hot, lambda: [_indices(1000)])
    yield jitted("where by mask", lambda j, x: j.numpy.where(x > 0, x, 0), square, numpy=True)
    yield jitted("lower triangle", lambda j, x: j.numpy.tril(x), square, numpy=True)
    yield jitted("sort, 1e+06", lambda j, x: j.numpy.sort(x), normal((1_000_000,)), numpy=True)
    yield jitted("sort rows", lambda j, x: j.numpy.sort(x, axis=1), square, numpy=True)
    yield jitted("argsort, 1e+05", _argsort, normal((100_000,)), numpy=True)
    yield jitted("top_k, 8 of 1000", lambda j, x: j.lax.top_k(x, 8)[0], square)
    yield jitted("searchsorted", _search, normal((10_000,), (10_000,)), numpy=True)


def _indices(count: int) -> Any:
    return np.random.default_rng(1).integers(0, 1000, count).astype("int32")


def _indexed() -> list[Any]:
    return [*normal(SQUARE)(), _indices(1000)]


def _indexed_rows() -> list[Any]:
    return [*normal(SQUARE)(), _indices(100_000).reshape(1000, 100)]


def _placed() -> list[Any]:
    return [*normal(SQUARE)(), np.int32(17)]


def _neighbours(_: Any, x: Any) -> Any:
    return x[1:-1, 1:-1] * 4 - x[:-2, 1:-1] - x[2:, 1:-1] - x[1:-1, :-2] - x[1:-1, 2:]


def _along(j: Any, x: Any, i: Any) -> Any:
    return j.numpy.take_along_axis(x, i, axis=1)


def _dynamic(j: Any, x: Any, start: Any) -> Any:
    return j.lax.dynamic_slice(x, (start, start), (500, 500))


def _dynamic_update(j: Any, x: Any, start: Any) -> Any:
    return j.lax.dynamic_update_slice(x, x[:100, :100] * 2, (start, start))


def _one_hot(j: Any, i: Any) -> Any:
    return j.nn.one_hot(i, 1000, dtype=j.numpy.float32)


def _argsort(j: Any, x: Any) -> Any:
    return x[j.numpy.argsort(x)]


def _search(j: Any, x: Any, y: Any) -> Any:
    return j.numpy.searchsorted(j.numpy.sort(x), y).astype(j.numpy.int32)

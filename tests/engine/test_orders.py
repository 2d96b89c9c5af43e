"""Sorts, orders and the greatest elements are those of one stable sort, bit by bit.

What fails here gives users elements out of order, or equal ones in another order than JAX has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.primitives import orders
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.primitives.sorting import sort_p, top_k_p
from oakum.values import host

REAL = [each for each in dtypes.NUMERIC if each.kind is not Kind.COMPLEX]
COMPLEX = [each for each in dtypes.NUMERIC if each.kind is Kind.COMPLEX]
SHAPES = ((), (1,), (7,), (40,), (700,), (5000,), (5, 300), (300, 5), (3, 0), (0, 3), (2, 65, 3))


@pytest.fixture(autouse=True)
def _every_array_is_long(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(orders, "_SHORT", 0)
    with np.errstate(all="ignore"):
        yield


def draw(source: np.random.Generator, shape: tuple[int, ...], dtype: DType, spread: int) -> Any:
    """Elements of any bits, or of few values with special ones among them."""
    kind = host.dtype(dtype)
    if dtype.kind is Kind.BOOL:
        return source.integers(0, 2, shape).astype(bool)
    if not spread and dtype.bits >= 8:
        raw = source.bytes(int(np.prod(shape)) * kind.itemsize)
        return np.frombuffer(raw, kind).reshape(shape)
    if dtype.kind in (Kind.INT, Kind.UINT):
        return source.integers(0, spread + 1, shape).astype(kind)
    real, imaginary = (np.rint(source.normal(0, spread, shape)) for _ in range(2))
    special = [np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0]
    mixed = np.where(source.random(shape) < 0.3, source.choice(special, shape), real)
    if dtype.kind is Kind.COMPLEX:
        return (mixed + 1j * imaginary).astype(kind)
    return mixed.astype(kind)


def total_order(raw: Any) -> Any:
    """Integers in the order of the bits of floats, with their signs."""
    wide = in_compute_dtype(raw)
    if wide.dtype.kind != "f":
        return wide
    bits = np.ascontiguousarray(wide).view(f"i{wide.dtype.itemsize}").reshape(wide.shape)
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)


seeds = st.integers(0, 2**32)
spreads = st.sampled_from((0, 1, 3, 100))


@given(seeds, st.sampled_from(REAL + COMPLEX), st.sampled_from(SHAPES[1:]), spreads)
def test_sorts(seed: int, dtype: DType, shape: tuple[int, ...], spread: int) -> None:
    source = np.random.default_rng(seed)
    operand, axis = draw(source, shape, dtype, spread), int(source.integers(len(shape)))
    params = {"dimension": axis, "is_stable": True, "num_keys": 1}
    (actual,) = sort_p.evaluate(np, operand, **params)
    expected = np.sort(in_compute_dtype(operand), axis, "stable").astype(operand.dtype)
    assert actual.dtype == operand.dtype
    assert actual.tobytes() == expected.tobytes()


@given(seeds, st.sampled_from(REAL + COMPLEX), st.sampled_from(SHAPES[1:]), spreads)
def test_orders(seed: int, dtype: DType, shape: tuple[int, ...], spread: int) -> None:
    source = np.random.default_rng(seed)
    key, axis = draw(source, shape, dtype, spread), int(source.integers(len(shape)))
    others: list[Any] = [np.reshape(np.arange(int(key.size)), shape), source.normal(size=shape)]
    params = {"dimension": axis, "is_stable": False, "num_keys": 1}
    results = sort_p.evaluate(np, key, *others, **params)
    places = np.argsort(in_compute_dtype(key), axis, "stable")
    for operand, actual in zip((key, *others), results, strict=True):
        expected = np.take_along_axis(operand, places, axis)
        assert actual.dtype == operand.dtype
        assert actual.tobytes() == expected.tobytes()


@given(seeds, st.sampled_from(REAL), st.sampled_from(SHAPES[1:]), spreads)
def test_greatest_elements(seed: int, dtype: DType, shape: tuple[int, ...], spread: int) -> None:
    source = np.random.default_rng(seed)
    operand, axis = draw(source, shape, dtype, spread), int(source.integers(len(shape)))
    length = shape[axis]
    count = min(length, int(source.choice([0, 1, 2, length // 9, length // 2, length])))
    values, indices = top_k_p.evaluate(np, operand, k=count, axis=axis)
    backwards = np.argsort(np.flip(total_order(operand), axis), axis, "stable")
    last = np.take(backwards, range(length - count, length), axis)
    expected = length - 1 - np.flip(last, axis)
    assert indices.dtype == np.int32
    np.testing.assert_array_equal(indices, expected)
    assert values.tobytes() == np.take_along_axis(operand, expected, axis).tobytes()


def test_a_short_array_is_sorted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    for dtype in (dtypes.float32, dtypes.int8):
        operand = draw(np.random.default_rng(0), (9, 9), dtype, 3)
        (actual,) = sort_p.evaluate(np, operand, dimension=0, is_stable=True, num_keys=1)
        assert actual.tobytes() == np.sort(operand, 0, "stable").tobytes()

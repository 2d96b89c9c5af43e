"""Contractions in native code agree with NumPy, for every layout, dtype and cut of the work."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from contraction_running import run
from hypothesis import given, settings
from hypothesis import strategies as st

from oakum import dtypes
from oakum.compile.cpu.contraction import emit
from oakum.compile.cpu.contraction.result_store import Place
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native import target
from oakum.compile.problems.contraction import Axis, Contraction, accumulator_of, dot_general
from oakum.primitives.rules.numpy_dot_general import contract
from oakum.values import host

EXTENTS = st.sampled_from([0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 24, 31, 33, 40])
FLOATS = (dtypes.float32, dtypes.float64)
FEW = settings(max_examples=40, deadline=None)


def array(generator: Any, shape: Any, dtype: Any) -> Any:
    """Numbers whose products and sums are exact enough to be compared."""
    if dtype.kind is dtypes.Kind.FLOAT:
        return generator.normal(size=shape).astype(host.dtype(dtype))
    low = 0 if dtype.kind is dtypes.Kind.UINT else -100
    return generator.integers(low, 100, shape).astype(host.dtype(dtype))


def assert_close(found: Any, expected: Any, dtype: Any, summed: int) -> None:
    """Equal up to rounding; integers are equal."""
    if dtype.kind is not dtypes.Kind.FLOAT:
        np.testing.assert_array_equal(found, expected)
        return
    unit = {"float64": 1e-15, "float32": 5e-7, "float16": 2e-3, "bfloat16": 2e-2}[dtype.name]
    scale = unit * math.sqrt(summed + 1) * 8
    np.testing.assert_allclose(
        found.astype(np.float64), expected.astype(np.float64), rtol=scale, atol=scale
    )


def check(lhs: Any, rhs: Any, numbers: Any, kinds: Any, parts: Any = ()) -> None:
    """Compares with what the interpreter computes."""
    made = dot_general(lhs.shape, rhs.shape, numbers, kinds)
    assert made is not None
    expected = contract(np, lhs, rhs, numbers, kinds[2])
    result = np.full(expected.shape, 7, expected.dtype)
    run(emit(made, target.host(), "product"), lhs, rhs, result, parts=parts)
    assert_close(result, expected, kinds[2], made.k)


@FEW
@given(EXTENTS, EXTENTS, EXTENTS, st.booleans(), st.booleans(), st.sampled_from(FLOATS))
def test_matrices(m: int, n: int, k: int, left: bool, right: bool, dtype: Any) -> None:
    """A wrong product of matrices of one of these extents and layouts."""
    generator = np.random.default_rng(m + 100 * n + 10_000 * k)
    lhs = array(generator, (k, m) if left else (m, k), dtype)
    rhs = array(generator, (n, k) if right else (k, n), dtype)
    check(lhs, rhs, (((int(not left),), (int(right),)), ((), ())), (dtype,) * 3)


SIZES = [(9, 5, 4), (13, 7, 12), (17, 5, 12), (17, 31, 31), (33, 2, 12), (33, 5, 33)]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("m", "n", "k"), SIZES)
@pytest.mark.parametrize("vector", [16, 32, 64])
def test_vectors_of_any_length(
    vector: int, m: int, n: int, k: int, dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is packed overlaps on machines whose vectors are longer, or shorter, than here."""
    machine = replace(target.host(), vector_bytes=vector)
    monkeypatch.setattr(target, "host", lambda: machine)
    generator = np.random.default_rng(0)
    for left, right in itertools.product([False, True], repeat=2):
        lhs = array(generator, (k, m) if left else (m, k), dtype)
        rhs = array(generator, (n, k) if right else (k, n), dtype)
        check(lhs, rhs, (((int(not left),), (int(right),)), ((), ())), (dtype,) * 3)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("m", [50, 203])
def test_large_matrices(left: bool, right: bool, dtype: Any, m: int) -> None:
    """A wrong product of matrices that are cut into blocks, computed by several calls."""
    generator = np.random.default_rng(0)
    n, k = 310, 1100
    lhs = array(generator, (k, m) if left else (m, k), dtype)
    rhs = array(generator, (n, k) if right else (k, n), dtype)
    check(lhs, rhs, (((int(not left),), (int(right),)), ((), ())), (dtype,) * 3, parts=(1, 3))


@FEW
@given(st.permutations(range(4)), st.permutations(range(4)), st.integers(0, 3), EXTENTS, EXTENTS)
def test_axes_in_any_order(left: Any, right: Any, batch: int, m: int, k: int) -> None:
    """A wrong product where batch, summed and other axes lie between one another."""
    generator = np.random.default_rng(m + 100 * k)
    sizes = {"b": batch, "m": m, "k": k, "l": 3, "n": 5, "o": 6}
    first = "".join("bmkl"[i] for i in left)
    second = "".join("bnko"[i] for i in right)
    lhs = array(generator, [sizes[c] for c in first], dtypes.float32)
    rhs = array(generator, [sizes[c] for c in second], dtypes.float32)
    numbers = (
        ((first.index("k"),), (second.index("k"),)),
        ((first.index("b"),), (second.index("b"),)),
    )
    check(lhs, rhs, numbers, (dtypes.float32,) * 3, parts=(1, 2))


@FEW
@given(st.permutations(range(5)), st.permutations(range(5)), EXTENTS)
def test_several_summed_axes(left: Any, right: Any, m: int) -> None:
    """A wrong product summed over axes that cannot be made one."""
    generator = np.random.default_rng(m)
    sizes = {"b": 2, "m": m, "k": 5, "j": 9, "i": 3, "n": 17}
    first, second = (
        "".join(word[i] for i in order) for word, order in (("bmkji", left), ("bnkji", right))
    )
    lhs = array(generator, [sizes[c] for c in first], dtypes.float64)
    rhs = array(generator, [sizes[c] for c in second], dtypes.float64)
    numbers = (
        (tuple(first.index(c) for c in "ijk"), tuple(second.index(c) for c in "ijk")),
        ((first.index("b"),), (second.index("b"),)),
    )
    check(lhs, rhs, numbers, (dtypes.float64,) * 3)


@pytest.mark.parametrize("spec", ["bij,bjk->ik", "bij,jbk->ik", "bji,bkj->ik", "jbi,kbj->ik"])
@pytest.mark.parametrize("inner", [16, 48, 50])
def test_axes_with_whole_vectors(spec: str, inner: int) -> None:
    """A wrong product summed over axes of which one has whole vectors, in several blocks."""
    generator = np.random.default_rng(0)
    sizes = {"b": 40, "i": 30, "j": inner, "k": 35}
    first, second = spec.split("->")[0].split(",")
    lhs = array(generator, [sizes[c] for c in first], dtypes.float32)
    rhs = array(generator, [sizes[c] for c in second], dtypes.float32)
    numbers = ((tuple(map(first.index, "bj")), tuple(map(second.index, "bj"))), ((), ()))
    check(lhs, rhs, numbers, (dtypes.float32,) * 3)


@pytest.mark.parametrize("wide", [16, 48, 50])
def test_columns_of_two_axes(wide: int) -> None:
    """A wrong product where columns are of two axes with the summed one between them."""
    generator = np.random.default_rng(0)
    lhs = array(generator, (30, 70), dtypes.float32)
    rhs = array(generator, (5, 70, wide), dtypes.float32)
    check(lhs, rhs, (((1,), (1,)), ((), ())), (dtypes.float32,) * 3)


@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bfloat16, dtypes.int8])
@pytest.mark.parametrize("sizes", [(5, 3, 3, 3), (7, 2, 4, 5), (3, 4, 1, 2), (300, 2, 2, 2)])
def test_many_small_matrices(dtype: Any, sizes: tuple[int, int, int, int]) -> None:
    """A wrong product of matrices that are so small that columns are read element by element."""
    b, m, n, k = sizes
    generator = np.random.default_rng(0)
    lhs, rhs = array(generator, (b, m, k), dtype), array(generator, (b, n, k), dtype)
    check(lhs, rhs, (((2,), (2,)), ((0,), (0,))), (dtype,) * 3, parts=(1, 2))


VECTORS = [
    (1, 1, 100_003),
    (1, 4099, 130),
    (1, 37, 4100),
    (3000, 1, 129),
    (77, 1, 5000),
    (2, 1, 9),
    (2, 2100, 133),
    (3, 705, 200),
    (1003, 4, 131),
    (7, 705, 100),
]


@pytest.mark.parametrize(("m", "n", "k"), VECTORS)
@pytest.mark.parametrize("turned", [False, True])
def test_vectors(m: int, n: int, k: int, turned: bool) -> None:
    """A wrong product of a matrix with a vector, or with few of them, or of two vectors."""
    generator = np.random.default_rng(0)
    lhs = array(generator, (k, m) if turned else (m, k), dtypes.float32)
    rhs = array(generator, (n, k) if turned else (k, n), dtypes.float32)
    numbers = (((int(not turned),), (int(turned),)), ((), ()))
    check(lhs, rhs, numbers, (dtypes.float32,) * 3, parts=(1, 2))


KINDS = [
    ("int8", "int8", "int8"),
    ("int8", "int8", "int32"),
    ("uint8", "uint8", "uint8"),
    ("uint8", "int8", "int32"),
    ("int16", "int16", "int64"),
    ("uint16", "uint16", "uint32"),
    ("int32", "int32", "int32"),
    ("uint32", "uint32", "uint64"),
    ("int64", "int64", "int64"),
    ("bfloat16", "bfloat16", "bfloat16"),
    ("bfloat16", "bfloat16", "float32"),
    ("float16", "float16", "float16"),
    ("float16", "float16", "float32"),
    ("bfloat16", "float32", "float32"),
    ("float32", "float32", "float64"),
    ("int8", "int8", "float32"),
    ("int32", "float32", "float32"),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize("names", KINDS)
@pytest.mark.parametrize(("m", "n", "k"), [(3, 5, 4), (1, 9, 33), (40, 50, 60), (9, 20, 1030)])
def test_dtypes(names: Any, m: int, n: int, k: int) -> None:
    """A wrong product of elements of a dtype, or of two."""
    kinds = tuple(dtypes.DTYPES[name] for name in names)
    generator = np.random.default_rng(0)
    lhs, rhs = array(generator, (m, k), kinds[0]), array(generator, (k, n), kinds[1])
    check(lhs, rhs, (((1,), (0,)), ((), ())), kinds)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("names", [("int8", "int8", "int32"), ("uint8", "int16", "int32")])
@pytest.mark.parametrize(("m", "n", "k"), [(40, 50, 61), (30, 35, 1101), (64, 64, 64), (3, 300, 3)])
@pytest.mark.parametrize("left", [False, True])
@pytest.mark.parametrize("right", [False, True])
def test_pairs(names: Any, m: int, n: int, k: int, left: bool, right: bool) -> None:
    """A wrong product of small integers, which are multiplied in pairs."""
    kinds = tuple(dtypes.DTYPES[name] for name in names)
    generator = np.random.default_rng(0)
    lhs = array(generator, (k, m) if left else (m, k), kinds[0])
    rhs = array(generator, (n, k) if right else (k, n), kinds[1])
    check(lhs, rhs, (((int(not left),), (int(right),)), ((), ())), kinds, parts=(1, 2))


PREPARED = [
    ("float32", (330, 200, 700), "rhs", False, True),
    ("float32", (131, 300, 1030), "lhs", False, False),
    ("float64", (131, 300, 1031), "lhs", True, False),
    ("int8", (210, 150, 1031), "rhs", True, False),
    ("int8", (140, 203, 1100), "lhs", False, True),
]


@pytest.mark.parametrize(("name", "sizes", "operand", "left", "right"), PREPARED)
def test_operands_packed_by_all_threads(
    name: str, sizes: tuple[int, int, int], operand: str, left: bool, right: bool
) -> None:
    """Threads overwrite what others have packed, or a unit reads another place of it."""
    m, n, k = sizes
    dtype = dtypes.DTYPES[name]
    kinds = (dtype, dtype, dtypes.int32 if name == "int8" else dtype)
    generator = np.random.default_rng(0)
    lhs = array(generator, (k, m) if left else (m, k), dtype)
    rhs = array(generator, (n, k) if right else (k, n), dtype)
    numbers = (((int(not left),), (int(right),)), ((), ()))
    made = dot_general(lhs.shape, rhs.shape, numbers, kinds)
    assert made is not None
    code = emit(made, target.host(), "product", threads=2)
    assert code.preparation is not None
    assert code.preparation.operand == ("lhs", "rhs").index(operand)
    expected = contract(np, lhs, rhs, numbers, kinds[2])
    result = np.full(expected.shape, 7, expected.dtype)
    run(code, lhs, rhs, result, parts=(1, 2, 5))
    assert_close(result, expected, kinds[2], k)


@pytest.mark.parametrize(("m", "n"), [(200, 130), (130, 200)])
@pytest.mark.parametrize("in_place", [False, True])
def test_epilogues_of_operands_packed_by_all_threads(m: int, n: int, in_place: bool) -> None:
    """An epilogue sees sums that are not finished, or is given a wrong place, where units read an
    operand that was packed before.
    """
    generator = np.random.default_rng(0)
    dtype, k = dtypes.float32, 1100
    lhs, rhs = array(generator, (m, k), dtype), array(generator, (k, n), dtype)
    bias, rest = array(generator, n, dtype), array(generator, (m, n), dtype)
    made = dot_general(lhs.shape, rhs.shape, (((1,), (0,)), ((), ())), (dtype, dtype, dtype))
    assert made is not None
    given: Any = {"extras": ("bias", "rest"), "in_place": in_place, "threads": 2}
    code = emit(made, target.host(), "dense", biased, **given)
    assert code.preparation is not None
    expected = lhs @ rhs + bias + 2 * rest
    result = rest if in_place else np.zeros_like(rest)
    run(code, lhs, rhs, result, [bias, rest], parts=(1, 2))
    assert_close(result, expected, dtype, k)


@pytest.mark.parametrize("stride", [-3, 1, 20])
def test_packed_windows(stride: int) -> None:
    """What lies before or behind an operand is read where its rows overlap, or are reversed."""
    generator = np.random.default_rng(0)
    m, n, k = 45, 70, 100
    signal, rhs = (array(generator, shape, dtypes.float32) for shape in (2100, (k, n)))
    made = Contraction(
        (),
        (Axis(m, lhs=1, result=n),),
        (Axis(n, rhs=1, result=1),),
        (Axis(k, lhs=stride, rhs=n),),
        dtypes.float32,
        dtypes.float32,
        dtypes.float32,
        dtypes.float32,
    )
    first = max(-stride * (k - 1), 0)
    rows = [signal[first + i + stride * np.arange(k)] for i in range(m)]
    result = np.zeros((m, n), np.float32)
    run(emit(made, target.host(), "windows"), signal[first:], rhs, result, parts=(1,))
    assert_close(result, np.stack(rows) @ rhs, dtypes.float32, k)


def test_extremes_of_integers() -> None:
    """The sum of two products of the least integers is saturated or too wide."""
    for name in ("int8", "int16"):
        dtype = dtypes.DTYPES[name]
        least = np.iinfo(name).min
        lhs, rhs = np.full((20, 40), least, name), np.full((40, 20), least, name)
        check(lhs, rhs, (((1,), (0,)), ((), ())), (dtype, dtype, dtypes.int32))


def test_strides() -> None:
    """A wrong product of windows that overlap, of reversed axes, or of a result that is spread."""
    generator = np.random.default_rng(0)
    signal, filters = (
        array(generator, 100, dtypes.float64),
        array(generator, (7, 4), dtypes.float64),
    )
    made = Contraction(
        (),
        (Axis(40, lhs=2, result=-1),),
        (Axis(4, rhs=1, result=80),),
        (Axis(7, lhs=3, rhs=-4),),
        dtypes.float64,
        dtypes.float64,
        dtypes.float64,
        dtypes.float64,
    )
    result = np.zeros((4, 80))
    run(emit(made, target.host(), "windows"), signal, filters[6:], result[:, 39:])
    windows = np.lib.stride_tricks.sliding_window_view(signal, 19)[:80:2, ::3]
    np.testing.assert_allclose(result[:, :40][:, ::-1].T, windows @ filters[::-1], rtol=1e-12)
    assert not result[:, 40:].any()


def test_rows_beside_infinite_ones() -> None:
    """What is infinite in one row of few comes into the sums of another."""
    generator = np.random.default_rng(0)
    lhs, rhs = (
        array(generator, (3, 200), dtypes.float32),
        array(generator, (200, 705), dtypes.float32),
    )
    lhs[1] = np.inf
    kinds = (dtypes.float32, dtypes.float32, dtypes.float32)
    made = dot_general((3, 200), (200, 705), (((1,), (0,)), ((), ())), kinds)
    assert made is not None
    result = np.zeros((3, 705), np.float32)
    run(emit(made, target.host(), "product"), lhs, rhs, result)
    assert_close(result[::2], lhs[::2] @ rhs, dtypes.float32, 200)


def biased(f: Function, value: Value, place: Place) -> Value:
    """Adds an element of a column, and twice what is in the result's place of a buffer."""
    width = value.width
    if place.column_step or width == 1:
        bias = f.load("%bias", place.column, value.dtype, width, place.mask)
    else:
        bias = f.splat(f.load("%bias", place.column, value.dtype), width)
    rest = f.load("%rest", place.offset, value.dtype, width, place.mask)
    return f.add(f.add(value, bias), f.mul(rest, 2.0))


SHAPES = [
    (4, 4, 4),
    (5, 3, 2),
    (1, 40, 20),
    (40, 1, 64),
    (33, 65, 0),
    (50, 70, 30),
    (31, 200, 900),
    (1, 5000, 120),
    (3, 1500, 70),
    (210, 190, 700),
]


@pytest.mark.parametrize(("m", "n", "k"), SHAPES)
@pytest.mark.parametrize("in_place", [False, True])
def test_epilogues(m: int, n: int, k: int, in_place: bool) -> None:
    """An epilogue sees sums that are not finished, or is given a wrong place, or twice."""
    generator = np.random.default_rng(0)
    dtype = dtypes.float32
    lhs, rhs = array(generator, (m, k), dtype), array(generator, (k, n), dtype)
    bias, rest = array(generator, n, dtype), array(generator, (m, n), dtype)
    made = dot_general(lhs.shape, rhs.shape, (((1,), (0,)), ((), ())), (dtype, dtype, dtype))
    assert made is not None
    code = emit(made, target.host(), "dense", biased, extras=("bias", "rest"), in_place=in_place)
    expected = lhs @ rhs + bias + 2 * rest
    result = rest if in_place else np.zeros_like(rest)
    run(code, lhs, rhs, result, [bias, rest], parts=(1, 2))
    assert_close(result, expected, dtype, k)


@pytest.mark.parametrize(("m", "n", "k"), SHAPES)
def test_epilogues_that_change_the_dtype(m: int, n: int, k: int) -> None:
    """Sums that are not finished are kept in a result whose elements are smaller."""
    generator = np.random.default_rng(0)
    dtype = dtypes.float32
    lhs, rhs = array(generator, (m, k), dtype), array(generator, (k, n), dtype)
    made = dot_general(lhs.shape, rhs.shape, (((1,), (0,)), ((), ())), (dtype, dtype, dtype))
    assert made is not None
    code = emit(made, target.host(), "positive", lambda f, x, place: f.compare("gt", x, 0.0))
    result = np.full((m, n), 7, np.bool_)
    run(code, lhs, rhs, result)
    expected = lhs.astype(np.float64) @ rhs.astype(np.float64)
    wrong = (result != (expected > 0)) & (np.abs(expected) > 1e-3)
    assert not wrong.any()


@pytest.mark.parametrize(("m", "n", "k"), SHAPES)
@pytest.mark.parametrize("turned", [False, True])
def test_producers(m: int, n: int, k: int, turned: bool) -> None:
    """What is computed of an operand's elements is told a wrong place, or not applied."""
    generator = np.random.default_rng(0)
    dtype = dtypes.float32
    lhs = array(generator, (k, m) if turned else (m, k), dtype)
    rhs = array(generator, (n, k) if turned else (k, n), dtype)
    mean = array(generator, n, dtype)
    numbers = (((int(not turned),), (int(turned),)), ((), ()))
    made = dot_general(lhs.shape, rhs.shape, numbers, (dtype, dtype, dtype))
    assert made is not None

    def centred(f: Function, value: Value, origin: Any) -> Value:
        if origin.free_step:
            return f.sub(value, f.load("%mean", origin.free, dtype, value.width, origin.mask))
        return f.sub(value, f.splat(f.load("%mean", origin.free, dtype), value.width))

    code = emit(
        made,
        target.host(),
        "centred",
        load_lhs=lambda f, value, origin: f.mul(value, value),
        load_rhs=centred,
        extras=("mean",),
    )
    result = np.zeros((m, n), np.float32)
    run(code, lhs, rhs, result, [mean], parts=(1, 2))
    left, right = (lhs.T, rhs.T) if turned else (lhs, rhs)
    assert_close(result, left**2 @ (right - mean), dtype, 2 * k)


def test_other_targets() -> None:
    """A wrong product where vectors are wider than, or narrower than, those of this machine."""
    generator = np.random.default_rng(0)
    lhs, rhs = (
        array(generator, (70, 300), dtypes.float32),
        array(generator, (300, 90), dtypes.float32),
    )
    made = dot_general(
        (70, 300),
        (300, 90),
        (((1,), (0,)), ((), ())),
        (dtypes.float32, dtypes.float32, dtypes.float32),
    )
    assert made is not None
    for size, registers in ((16, 16), (16, 32), (64, 32)):
        other = replace(target.host(), vector_bytes=size, registers=registers)
        result = np.zeros((70, 90), np.float32)
        run(emit(made, other, f"product{size}_{registers}"), lhs, rhs, result)
        assert_close(result, lhs @ rhs, dtypes.float32, 300)


def test_refused_dtypes() -> None:
    """Dtypes without native code are taken for others."""
    assert accumulator_of(dtypes.bool_, dtypes.bool_, dtypes.bool_) is None
    assert accumulator_of(dtypes.float32, dtypes.float32, dtypes.int32) is None
    assert accumulator_of(dtypes.complex64, dtypes.complex64, dtypes.complex64) is None

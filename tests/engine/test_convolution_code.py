"""Convolutions in native code agree with NumPy, for every layout, padding, dilation and group."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from contraction_running import run
from hypothesis import given, settings
from hypothesis import strategies as st

from oakum import dtypes
from oakum.compile.cpu.contraction import emit_convolution
from oakum.compile.cpu.contraction.result_store import Place
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native import target
from oakum.compile.problems.contraction import Convolution, convolution
from oakum.primitives.convolution import conv_general_dilated_p
from oakum.primitives.rules.conv_geometry import dimension_numbers
from oakum.values import host

LAYOUTS = {
    1: [("NWC", "WIO", "NWC"), ("NCW", "OIW", "NCW"), ("WCN", "OWI", "CNW")],
    2: [("NHWC", "HWIO", "NHWC"), ("NCHW", "OIHW", "NCHW"), ("CHWN", "IHWO", "HWNC")],
    3: [("NDHWC", "DHWIO", "NDHWC"), ("NCDHW", "OIDHW", "NCDHW"), ("DNCHW", "OHIDW", "WDHNC")],
}


def made(
    images: Any, filters: Any, kinds: Any, **params: Any
) -> tuple[Convolution, Any, dict[str, Any]]:
    """A convolution, and what the interpreter computes."""
    preferred = None if kinds[2] is kinds[0] else kinds[2]
    numbers = dimension_numbers(images.shape, filters.shape, params.pop("numbers"))
    count = images.ndim - 2
    params = {
        "window_strides": (1,) * count,
        "padding": ((0, 0),) * count,
        "lhs_dilation": (1,) * count,
        "rhs_dilation": (1,) * count,
        "feature_group_count": 1,
        "batch_group_count": 1,
        "dimension_numbers": numbers,
        **params,
    }
    expected = conv_general_dilated_p.evaluate(
        np, images, filters, preferred_element_type=preferred, **params
    )
    parts = convolution(images.shape, filters.shape, expected.shape, kinds, **params)
    assert parts is not None
    return parts, expected, params


def check(images: Any, filters: Any, kinds: Any, parts: Any = (), **params: Any) -> None:
    """Compares with what the interpreter computes."""
    problem, expected, _ = made(images, filters, kinds, **params)
    result = np.full(expected.shape, 7, expected.dtype)
    code = emit_convolution(problem, target.host(), "convolution")
    run(code, images, filters, result, parts=parts)
    exact = kinds[2].kind is not dtypes.Kind.FLOAT
    scale = {"float64": 1e-12, "float32": 1e-4, "bfloat16": 5e-2, "float16": 5e-3}
    close = 0 if exact else scale[kinds[2].name]
    np.testing.assert_allclose(
        result.astype(np.float64), expected.astype(np.float64), rtol=close, atol=close * 10
    )


def arranged(generator: Any, axes: str, sizes: dict[str, int]) -> Any:
    """An array whose axes have these names."""
    return generator.normal(size=[sizes[axis] for axis in axes]).astype(np.float32)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_geometry(data: st.DataObject) -> None:
    """A wrong convolution for a layout, stride, padding, dilation or number of groups."""
    rank = data.draw(st.integers(1, 3))
    layout = data.draw(st.sampled_from(LAYOUTS[rank]))
    axes = "DHW"[3 - rank :]
    small = st.integers(1, 3)
    features, batches = data.draw(st.sampled_from([(1, 1), (1, 1), (2, 1), (3, 1), (1, 2)]))
    inputs, outputs = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 9))
    images = {"N": data.draw(st.integers(0, 2)) * batches, "C": inputs * features}
    filters = {"I": inputs, "O": outputs * features * batches}
    for axis in axes:
        images[axis] = data.draw(st.integers(5, 11))
        filters[axis] = data.draw(small)
    generator: Any = np.random.default_rng(0)
    check(
        arranged(generator, layout[0], images),
        arranged(generator, layout[1], filters),
        (dtypes.float32,) * 3,
        numbers=layout,
        window_strides=tuple(data.draw(small) for _ in axes),
        padding=tuple((data.draw(st.integers(-1, 3)), data.draw(st.integers(-1, 3))) for _ in axes),
        lhs_dilation=tuple(data.draw(small) for _ in axes),
        rhs_dilation=tuple(data.draw(small) for _ in axes),
        feature_group_count=features,
        batch_group_count=batches,
        parts=(1, 2),
    )


NATURAL = ("NHWC", "HWIO", "NHWC")
SIZES = [
    (2, 30, 30, 16, 24, 3),
    (1, 14, 14, 128, 256, 3),
    (3, 20, 17, 3, 20, 7),
    (2, 9, 9, 64, 64, 1),
]


@pytest.mark.parametrize(("n", "h", "w", "c", "o", "k"), SIZES)
@pytest.mark.parametrize("stride", [1, 2])
def test_sizes(n: int, h: int, w: int, c: int, o: int, k: int, stride: int) -> None:
    """A wrong convolution of images that are cut into bands, or with filters that are packed."""
    generator: Any = np.random.default_rng(0)
    images = arranged(generator, "NHWC", {"N": n, "H": h, "W": w, "C": c})
    filters = arranged(generator, "HWIO", {"H": k, "W": k, "I": c, "O": o})
    pads = ((k // 2, (k - 1) // 2),) * 2
    kinds = (dtypes.float32,) * 3
    strides = (stride, stride)
    check(images, filters, kinds, (1, 5), numbers=NATURAL, window_strides=strides, padding=pads)
    check(images, filters, kinds, (1, 5), numbers=NATURAL, window_strides=strides)


@pytest.mark.parametrize("count", [1, 5, 16, 40])
@pytest.mark.parametrize("layout", LAYOUTS[2])
@pytest.mark.parametrize("stride", [1, 2])
def test_each_feature_alone(count: int, layout: Any, stride: int) -> None:
    """A wrong convolution where each feature has one filter."""
    generator: Any = np.random.default_rng(0)
    images = arranged(generator, layout[0], {"N": 2, "H": 13, "W": 12, "C": count})
    filters = arranged(generator, layout[1], {"H": 3, "W": 3, "I": 1, "O": count})
    check(
        images,
        filters,
        (dtypes.float32,) * 3,
        (1, 3),
        numbers=layout,
        padding=((1, 1), (0, 2)),
        window_strides=(stride, stride),
        feature_group_count=count,
    )


KINDS = [
    ("float64", "float64"),
    ("bfloat16", "bfloat16"),
    ("float16", "float16"),
    ("bfloat16", "float32"),
    ("int8", "int32"),
    ("uint8", "uint8"),
    ("int32", "int32"),
    ("int8", "float32"),
]


@pytest.mark.parametrize("names", KINDS)
@pytest.mark.parametrize("pad", [0, 1])
def test_dtypes(names: Any, pad: int) -> None:
    """A wrong convolution of elements of a dtype."""
    given, wanted = (dtypes.DTYPES[name] for name in names)
    generator: Any = np.random.default_rng(0)
    kind = host.dtype(given)
    low, high = (0, 50) if given.kind is dtypes.Kind.UINT else (-9, 9)
    images = generator.integers(low, high, (2, 9, 8, 5)).astype(kind)
    filters = generator.integers(low, high, (3, 3, 5, 12)).astype(kind)
    check(images, filters, (given, given, wanted), numbers=NATURAL, padding=((pad, pad),) * 2)


def biased(f: Function, value: Value, place: Place) -> Value:
    """Adds an element of a column, and what is in the result's place of a buffer."""
    width = value.width
    if place.column_step:
        bias = f.load("%bias", place.column, value.dtype, width, place.mask)
    else:
        bias = f.splat(f.load("%bias", place.column, value.dtype), width)
    return f.add(f.add(value, bias), f.load("%rest", place.offset, value.dtype, width, place.mask))


def test_long_epilogues() -> None:
    """An epilogue of many operations, which is no part of the tile, is given a wrong place."""
    generator: Any = np.random.default_rng(0)
    images = arranged(generator, "NCHW", {"N": 2, "H": 9, "W": 11, "C": 3})
    filters = arranged(generator, "OIHW", {"H": 3, "W": 3, "I": 3, "O": 21})
    layout = ("NCHW", "OIHW", "NCHW")
    problem, expected, _ = made(images, filters, (dtypes.float32,) * 3, numbers=layout)
    bias, rest = (generator.normal(size=n).astype(np.float32) for n in (21, expected.shape))

    def long(f: Function, value: Value, place: Place) -> Value:
        for _ in range(10):
            value = f.mul(f.add(value, 1.0), 0.5)
        return biased(f, value, place)

    code = emit_convolution(problem, target.host(), "long", long, extras=("bias", "rest"))
    result = np.zeros_like(rest)
    run(code, images, filters, result, [bias, rest], parts=(1,))
    expected = (expected - 1) / 1024 + 1 + rest + bias.reshape(-1, 1, 1)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("layout", "groups", "apart"), [(1, 1, 1), (1, 2, 1), (1, 1, 2)])
def test_filters_packed_by_all_threads(layout: int, groups: int, apart: int) -> None:
    """Threads overwrite what others have packed, or a tile reads another place of it."""
    generator: Any = np.random.default_rng(0)
    names = LAYOUTS[2][layout]
    images = arranged(generator, names[0], {"N": 3, "H": 12, "W": 11, "C": 24 * groups})
    filters = arranged(generator, names[1], {"H": 3, "W": 3, "I": 24, "O": 43 * groups})
    kinds, padding = (dtypes.float32,) * 3, ((1, 1 + (apart > 1)),) * 2
    given: Any = {"numbers": names, "padding": padding, "lhs_dilation": (apart, apart)}
    problem, expected, _ = made(images, filters, kinds, feature_group_count=groups, **given)
    code = emit_convolution(problem, target.host(), "convolution", threads=2)
    assert code.preparation is not None
    result = np.full(expected.shape, 7, expected.dtype)
    run(code, images, filters, result, parts=(1, 3))
    np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("pad", [0, 1])
@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("layout", LAYOUTS[2][:2])
def test_epilogues(pad: int, in_place: bool, layout: Any) -> None:
    """An epilogue is given a wrong place, or applied twice."""
    generator: Any = np.random.default_rng(0)
    images = arranged(generator, layout[0], {"N": 2, "H": 40, "W": 21, "C": 20})
    filters = arranged(generator, layout[1], {"H": 3, "W": 3, "I": 20, "O": 21})
    kinds = (dtypes.float32,) * 3
    problem, expected, _ = made(images, filters, kinds, numbers=layout, padding=((pad, pad),) * 2)
    bias = generator.normal(size=21).astype(np.float32)
    rest = generator.normal(size=expected.shape).astype(np.float32)
    code = emit_convolution(
        problem, target.host(), "biased", biased, extras=("bias", "rest"), in_place=in_place
    )
    expected = expected + rest + bias.reshape((-1, 1, 1) if layout[2] == "NCHW" else (-1,))
    result = rest if in_place else np.zeros_like(rest)
    run(code, images, filters, result, [bias, rest], parts=(1, 3))
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


def test_producers() -> None:
    """What is computed of an operand's elements is told a wrong place, or not applied, or applied
    to padding.
    """
    generator: Any = np.random.default_rng(0)
    images = arranged(generator, "NHWC", {"N": 2, "H": 10, "W": 11, "C": 12})
    filters = arranged(generator, "HWIO", {"H": 3, "W": 3, "I": 12, "O": 20})
    scale = generator.normal(size=images.shape).astype(np.float32)

    def scaled(f: Function, value: Value, origin: Any) -> Value:
        factor = f.load("%scale", origin.free, value.dtype, value.width, origin.mask)
        return f.add(f.mul(value, factor), 1.0)

    kinds = (dtypes.float32,) * 3
    params = {"numbers": NATURAL, "padding": ((1, 1),) * 2}
    problem, _, _ = made(images, filters, kinds, **params)
    _, expected, _ = made(images * scale + 1, filters**2, kinds, **params)
    code = emit_convolution(
        problem,
        target.host(),
        "scaled",
        load_lhs=scaled,
        load_rhs=lambda f, value, origin: f.mul(value, value),
        extras=("scale",),
    )
    result = np.zeros(expected.shape, np.float32)
    run(code, images, filters, result, [scale], parts=(1,))
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("layout", LAYOUTS[2])
@pytest.mark.parametrize("taps", [2, 3, 4, 5])
@pytest.mark.parametrize("low", [0, 1, 2, 3])
@pytest.mark.parametrize("dtype", [dtypes.float32, dtypes.bfloat16])
def test_spread_images(layout: Any, taps: int, low: int, dtype: Any) -> None:
    """A wrong transposed convolution, which is computed phase by phase."""
    generator: Any = np.random.default_rng(0)
    images = arranged(generator, layout[0], {"N": 2, "H": 9, "W": 6, "C": 5})
    filters = arranged(generator, layout[1], {"H": taps, "W": 3, "I": 5, "O": 12})
    check(
        images.astype(host.dtype(dtype)),
        filters.astype(host.dtype(dtype)),
        (dtype,) * 3,
        (1, 3),
        numbers=layout,
        lhs_dilation=(2, 3),
        padding=((low, 18 - low - (17 - taps + 1) + 1), (1, 3)),
    )


def test_numbers_of_rows_in_phases() -> None:
    """An epilogue is told a wrong row in a transposed convolution."""
    generator: Any = np.random.default_rng(0)
    images = arranged(generator, "NHWC", {"N": 2, "H": 9, "W": 6, "C": 5})
    filters = arranged(generator, "HWIO", {"H": 4, "W": 3, "I": 5, "O": 12})
    params = {"numbers": NATURAL, "lhs_dilation": (2, 3), "padding": ((1, 4), (1, 3))}
    problem, expected, _ = made(images, filters, (dtypes.float32,) * 3, **params)
    rows = generator.normal(size=expected.shape[:3]).astype(np.float32)
    code = emit_convolution(
        problem,
        target.host(),
        "numbered",
        lambda f, x, place: f.add(x, f.splat(f.load("%rows", place.row, x.dtype), x.width)),
        extras=("rows",),
    )
    result = np.zeros_like(expected)
    run(code, images, filters, result, [rows], parts=(1,))
    np.testing.assert_allclose(result, expected + rows[..., None], rtol=1e-4, atol=1e-4)

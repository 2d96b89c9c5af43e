"""Contractions, convolutions and Fourier transforms: what JAX gives, also under transformations."""

from typing import Any

import pytest

import oakum

np: Any = pytest.importorskip("numpy")
ml_dtypes: Any = pytest.importorskip("ml_dtypes")
jax: Any = pytest.importorskip("jax")

from tests.engine.against_jax import (  # noqa: E402
    assert_same,
    assert_same_derivatives,
    assert_same_everywhere,
    assert_same_mapped,
)

RNG = np.random.default_rng(2)
DTYPES = [
    np.bool_,
    np.int8,
    np.uint8,
    np.int32,
    np.uint32,
    ml_dtypes.bfloat16,
    np.float16,
    np.float32,
    np.complex64,
]


def data(dtype: Any, *shape: int) -> Any:
    """Small numbers of a dtype."""
    drawn = RNG.integers(0 if np.dtype(dtype).kind == "u" else -3, 4, size=shape) * 0.75
    if np.dtype(dtype).kind == "c":
        drawn = drawn + 1j * RNG.integers(-3, 4, size=shape)
    return np.asarray(drawn).astype(dtype)


PRODUCTS: list[tuple[Any, Any, Any]] = [
    ((5,), (5,), (((0,), (0,)), ((), ()))),
    ((4, 5), (5, 3), (((1,), (0,)), ((), ()))),
    ((5, 4), (3, 5), (((0,), (1,)), ((), ()))),
    ((2, 4, 5), (2, 5, 3), (((2,), (1,)), ((0,), (0,)))),
    ((4, 2, 5), (5, 3, 2), (((2,), (0,)), ((1,), (2,)))),
    ((2, 3, 4, 5), (5, 3, 2, 4), (((3, 2), (0, 3)), ((0, 1), (2, 1)))),
    ((2, 3), (4,), (((), ()), ((), ()))),
    ((3, 2), (3, 2), (((), ()), ((0, 1), (0, 1)))),
    ((3, 0), (0, 2), (((1,), (0,)), ((), ()))),
    ((), (), (((), ()), ((), ()))),
]


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("lhs", "rhs", "numbers"), PRODUCTS)
def test_dot_general(lhs: Any, rhs: Any, numbers: Any) -> None:
    """A product over given axes, its gradient or its form under vmap differs from JAX's."""
    x, y = data(np.float32, *lhs), data(np.float32, *rhs)

    def run(j: Any, x: Any, y: Any) -> Any:
        return j.lax.dot_general(x, y, numbers)

    assert_same_everywhere(run, x, y)
    stacked = np.stack([x, x + 1], axis=len(lhs) // 2)
    assert_same_mapped(run, stacked, y, in_axes=(len(lhs) // 2, None))
    stacked = np.stack([y, y + 1], axis=len(rhs) // 2)
    assert_same_mapped(run, x, stacked, in_axes=(None, len(rhs) // 2))


@pytest.mark.sweep(5)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("other", DTYPES)
def test_dot_of_dtypes(dtype: Any, other: Any) -> None:
    """The dtype of a product is another than JAX's, or integers lose digits."""
    assert_same(lambda j, x, y: j.lax.dot(x, y), data(dtype, 3, 4), data(other, 4, 2))


@pytest.mark.parametrize(
    ("dtype", "preferred"),
    [
        (np.int8, np.int32),
        (np.int8, np.float32),
        (np.uint8, np.int32),
        (np.float16, np.float32),
        (ml_dtypes.bfloat16, np.float32),
        (np.float32, ml_dtypes.bfloat16),
        (np.int32, np.int8),
        (np.complex64, np.float32),
        (np.float32, np.complex64),
    ],
)
def test_preferred_element_type(dtype: Any, preferred: Any) -> None:
    """`preferred_element_type` is not the dtype of the result."""
    if np.dtype(dtype).kind == "c" or np.dtype(preferred).kind == "c":
        pytest.skip("XLA does not compile these")
    x, y = data(dtype, 3, 4), data(dtype, 4, 2)

    def run(j: Any, x: Any, y: Any) -> Any:
        return j.lax.dot(x, y, preferred_element_type=preferred)

    assert_same(run, x, y)
    if np.dtype(dtype).kind not in "biu":
        assert_same_derivatives(run, x, y, tolerance=2e-2)


def test_integers_are_exact() -> None:
    """Products of large integers are rounded."""
    x, y = (RNG.integers(-(2**31), 2**31, size=(7, 7)).astype(np.int32) for _ in range(2))
    assert_same(lambda j, x, y: j.lax.dot(x, y), x, y)


@pytest.mark.parametrize(
    ("lhs", "rhs", "numbers"),
    [
        ((2, 3), (3, 4), (((2,), (0,)), ((), ()))),
        ((2, 3), (3, 4), (((1,), (-1,)), ((), ()))),
        ((2, 3), (4, 3), (((1,), (0,)), ((), ()))),
        ((2, 3), (3, 3), (((), ()), ((0,), (0,)))),
        ((2, 3), (2, 3), (((), ()), ((0,), ()))),
        ((2, 3), (2, 3), (((0,), (0,)), ((0,), (0,)))),
        ((2, 2), (2, 2), (((0, 0), (0, 1)), ((), ()))),
        ((2, 2), (2, 2), (((0, 1), (0,)), ((), ()))),
    ],
)
def test_dot_general_refuses(lhs: Any, rhs: Any, numbers: Any) -> None:
    """Axes that do not fit are contracted."""
    x, y = data(np.float32, *lhs), data(np.float32, *rhs)
    assert_same(lambda j, x, y: j.lax.dot_general(x, y, numbers), x, y)


def test_other_products() -> None:
    """`lax.dot` or `lax.batch_matmul` takes what JAX refuses, or gives something else."""
    a, b, c = data(np.float32, 2, 3, 4), data(np.float32, 2, 4, 5), data(np.float32, 4)
    assert_same(lambda j: j.lax.batch_matmul(a, b))
    assert_same(lambda j: j.lax.batch_matmul(a, b[0]))
    assert_same(lambda j: j.lax.batch_matmul(c, c))
    assert_same(lambda j: j.lax.dot(a, b))
    assert_same(lambda j: j.lax.dot(a[0], a[0]))
    assert_same(lambda j: j.lax.dot(2.0, c))
    for precision in ("highest", "float32", ("high", "default"), "F32_F32_F32", "banana"):
        assert_same(lambda j, p=precision: j.lax.dot(a[0], b[0], precision=p))


RAGGED: list[tuple[Any, Any, Any, Any]] = [
    ((7, 4), (3, 4, 2), (3,), ((((1,), (1,)), ((), ())), (0,), (0,))),
    ((2, 7, 4), (3, 2, 4, 5), (3,), ((((2,), (2,)), ((0,), (1,))), (1,), (0,))),
    ((7, 4), (7, 2), (3,), ((((0,), (0,)), ((), ())), (0,), ())),
    ((2, 4, 7), (2, 7, 3), (2, 3), ((((2,), (1,)), ((0,), (0,))), (2,), ())),
    ((2, 7, 4), (2, 4, 3), (3,), ((((2,), (1,)), ((0,), (0,))), (0,), ())),
    ((7, 4), (3, 4, 2), (3,), ((((1,), (1,)), ((), ())), (1,), (0,))),
    ((7, 4), (2, 4, 2), (3,), ((((1,), (1,)), ((), ())), (0,), (0,))),
]


@pytest.mark.parametrize(("lhs", "rhs", "sizes", "numbers"), RAGGED)
def test_ragged_products(lhs: Any, rhs: Any, sizes: Any, numbers: Any) -> None:
    """Groups of rows are multiplied by matrices of other groups."""
    x, y = data(np.float32, *lhs), data(np.float32, *rhs)
    groups = np.broadcast_to(np.int32([2, 4, 0])[: sizes[-1]], sizes)

    def run(j: Any, x: Any, y: Any) -> Any:
        given = j.lax.RaggedDotDimensionNumbers(*numbers)
        return j.lax.ragged_dot_general(x, y, groups, given)

    assert_same(run, x, y)
    if lhs == (7, 4) and rhs == (3, 4, 2) and numbers[1] == (0,):
        assert_same_derivatives(run, x, y)
        assert_same(lambda j: j.lax.ragged_dot(x, y, groups))


def options(**given: Any) -> dict[str, Any]:
    """The options of a convolution, with what must be given."""
    return {"window_strides": (1, 1), "padding": "VALID", **given}


CONVOLUTIONS: list[tuple[Any, Any, dict[str, Any]]] = [
    ((2, 3, 6, 5), (4, 3, 3, 2), options()),
    ((2, 3, 6, 5), (4, 3, 3, 2), options(padding="SAME", window_strides=(2, 1))),
    ((2, 3, 6, 5), (4, 3, 3, 2), options(padding="SAME_LOWER", rhs_dilation=(1, 2))),
    ((2, 3, 6, 5), (4, 3, 3, 2), options(padding=((2, -1), (-1, 3)), lhs_dilation=(2, 3))),
    (
        (2, 3, 6, 5),
        (4, 3, 3, 2),
        options(padding=((1, 2), (3, 0)), window_strides=(2, 3), rhs_dilation=(2, 1)),
    ),
    ((2, 6, 6, 5), (4, 3, 3, 2), options(feature_group_count=2)),
    ((4, 3, 6, 5), (6, 3, 3, 2), options(batch_group_count=2)),
    (
        (2, 6, 5, 3),
        (3, 2, 3, 4),
        options(dimension_numbers=("NHWC", "HWIO", "NHWC"), padding="SAME"),
    ),
    (
        (6, 2, 3, 5),
        (4, 2, 3, 3),
        options(dimension_numbers=("HNCW", "OWIH", "WCNH"), window_strides=(1, 2)),
    ),
    ((2, 3, 7), (4, 3, 3), options(window_strides=(2,), padding=((1, 1),))),
    ((2, 3), (4, 3), options(window_strides=())),
    ((2, 3, 2, 2), (4, 3, 3, 3), options()),
    ((0, 3, 6, 5), (4, 3, 3, 2), options()),
]


@pytest.mark.sweep(6)
@pytest.mark.parametrize(("lhs", "rhs", "given"), CONVOLUTIONS)
def test_convolutions(lhs: Any, rhs: Any, given: dict[str, Any]) -> None:
    """A convolution, its gradient or its form under vmap differs from JAX's."""
    x, y = data(np.float32, *lhs), data(np.float32, *rhs)

    def run(j: Any, x: Any, y: Any) -> Any:
        return j.lax.conv_general_dilated(x, y, **given)

    assert_same(run, x, y, tolerance=1e-4)
    if 0 not in lhs and lhs != (2, 3, 2, 2):
        assert_same_derivatives(run, x, y, tolerance=1e-3)
    for mine, theirs in ((None, 1), (2, None), (2, 0)):
        stacked = x if mine is None else np.stack([x, x + 1, x - 1], mine)
        filters = y if theirs is None else np.stack([y, y + 1, y - 1], theirs)
        assert_same_mapped(run, stacked, filters, in_axes=(mine, theirs), tolerance=1e-3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_convolutions_of_dtypes(dtype: Any) -> None:
    """The dtype of a convolution differs from JAX's."""
    if dtype is np.bool_:
        pytest.skip("XLA does not convolve booleans")
    x, y = data(dtype, 2, 3, 6, 5), data(dtype, 4, 3, 3, 2)
    assert_same(lambda j, x, y: j.lax.conv(x, y, (1, 1), "SAME"), x, y, tolerance=2e-2)
    for preferred in (np.int32, np.float32, np.uint32, np.int8, ml_dtypes.bfloat16):
        if np.dtype(dtype).kind in "uV" or np.dtype(preferred).kind == "V":
            continue
        assert_same(
            lambda j, x, y, p=preferred: j.lax.conv(x, y, (1, 1), "SAME", preferred_element_type=p),
            x,
            y,
        )


def test_convolution_refuses() -> None:
    """Images and filters that do not fit are convolved."""
    x, y = data(np.float32, 2, 4, 6, 5), data(np.float32, 4, 4, 3, 2)
    plain = options()
    for changed in (
        {"window_strides": (1,)},
        {"padding": ((1, 1),)},
        {"padding": (3, 3)},
        {"padding": "BANANA"},
        {"padding": ((-9, 1), (0, 0))},
        {"padding": "SAME", "lhs_dilation": (2, 2)},
        {"feature_group_count": 3},
        {"feature_group_count": 2},
        {"feature_group_count": 0},
        {"batch_group_count": 3},
        {"batch_group_count": 2, "feature_group_count": 2},
        {"dimension_numbers": ("NCHW", "OIHW")},
        {"dimension_numbers": ("NCHW", "OIHW", "NCH")},
        {"dimension_numbers": ("NCHW", "OIHH", "NCHW")},
        {"dimension_numbers": ("NCHX", "OIHW", "NCHW")},
        {"dimension_numbers": (1, 2, 3)},
        {"dimension_numbers": 4},
    ):
        given = {**plain, **changed}
        assert_same(lambda j, g=given: j.lax.conv_general_dilated(x, y, **g))
    assert_same(lambda j: j.lax.conv_general_dilated(x, y[0], **plain))
    assert_same(lambda j: j.lax.conv_general_dilated(x, y.astype(np.int32), **plain))


@pytest.mark.parametrize("padding", ["SAME", "VALID", ((1, 2), (0, 1))])
@pytest.mark.parametrize("strides", [(1, 1), (2, 3)])
@pytest.mark.parametrize("transpose_kernel", [False, True])
def test_transposed_convolutions(padding: Any, strides: Any, transpose_kernel: bool) -> None:
    """A transposed convolution has another shape or other elements than JAX's."""
    x = data(np.float32, 2, 6, 5, 3)
    y = data(np.float32, 3, 2, 4, 3) if transpose_kernel else data(np.float32, 3, 2, 3, 4)

    def run(j: Any, x: Any, y: Any) -> Any:
        return j.lax.conv_transpose(
            x,
            y,
            strides,
            padding,
            transpose_kernel=transpose_kernel,
            use_consistent_padding=strides == (2, 3),
        )

    assert_same(run, x, y, tolerance=1e-4)


def test_patches_and_local_convolutions() -> None:
    """Patches are in another order than JAX's."""
    x = data(np.float32, 2, 3, 6, 5)
    for numbers in (None, ("NCHW", "OIWH", "CNWH"), ("NHCW", "HWIO", "HWNC")):
        given: dict[str, Any] = {
            "filter_shape": (2, 3),
            "window_strides": (1, 2),
            "padding": "SAME",
            "dimension_numbers": numbers,
        }
        assert_same(lambda j, g=given: j.lax.conv_general_dilated_patches(x, **g))
    y = data(np.float32, 4, 3 * 6, 5, 3)
    assert_same(
        lambda j: j.lax.conv_general_dilated_local(x, y, (1, 1), "VALID", (2, 3)), tolerance=1e-4
    )
    z = data(np.float32, 5, 3, 3 * 6, 4)
    numbers = ("NCHW", "HWIO", "HWNC")
    assert_same(
        lambda j: j.lax.conv_general_dilated_local(
            x, z, (1, 1), "VALID", (2, 3), dimension_numbers=numbers
        ),
        tolerance=1e-4,
    )


def test_shapes_of_convolutions() -> None:
    """Shapes computed before a convolution differ from JAX's."""
    numbers = ("NHWC", "HWIO", "NHWC")
    lhs, rhs = (2, 9, 8, 3), (3, 2, 3, 4)

    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("conv_dimension_numbers", (lhs, rhs, numbers)),
        ("conv_general_permutations", (numbers,)),
        ("conv_general_shape_tuple", (lhs, rhs, (2, 1), "SAME", numbers)),
        ("conv_transpose_shape_tuple", (lhs, rhs, (2, 1), "SAME", numbers)),
        ("conv_shape_tuple", ((2, 3, 9, 8), (4, 3, 3, 2), (2, 1), "VALID")),
        ("padtype_to_pads", ((9, 8), (3, 2), (2, 1), "SAME_LOWER")),
        ("reduce_window_shape_tuple", ((9, 8), (3, 2), (2, 1), [(1, 0), (0, 2)], (1, 2), (2, 1))),
    ]
    for name, arguments in calls:
        ours, theirs = (getattr(j.lax, name)(*arguments) for j in (oakum, jax))
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))


FOURIER = [
    ("FFT", np.complex64, (3, 4, 6), (6,)),
    ("FFT", np.complex64, (3, 4, 6), (4, 6)),
    ("IFFT", np.complex64, (3, 4, 5), (4, 5)),
    ("RFFT", np.float32, (3, 4, 6), (6,)),
    ("RFFT", np.float32, (3, 4, 5), (4, 5)),
    ("RFFT", np.float32, (3, 4, 6), (3, 4, 6)),
    ("IRFFT", np.complex64, (3, 4, 4), (6,)),
    ("IRFFT", np.complex64, (3, 4, 4), (4, 7)),
]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("kind", "dtype", "shape", "lengths"), FOURIER)
def test_fourier_transforms(kind: str, dtype: Any, shape: Any, lengths: Any) -> None:
    """A Fourier transform, its gradient or its form under vmap differs from JAX's."""
    x = data(dtype, *shape)

    def run(j: Any, x: Any) -> Any:
        return j.lax.fft(x, kind, lengths)

    assert_same(run, x, tolerance=1e-4)
    assert_same_derivatives(run, x, tolerance=1e-4)
    assert_same_mapped(run, np.stack([x, x + 1], 1), in_axes=1, tolerance=1e-4)


def test_fourier_transforms_refuse() -> None:
    """Lengths or dtypes that do not fit are transformed."""
    x = data(np.float32, 3, 6)
    for kind, lengths in (
        ("fft", (3, 4, 5)),
        ("fft", (5,)),
        ("rfft", (5,)),
        ("irfft", (4, 6)),
        ("banana", (6,)),
        (3.0, (6,)),
        ("fft", ()),
    ):
        assert_same(lambda j, k=kind, n=lengths: j.lax.fft(x, k, n))
    assert_same(lambda j: j.lax.fft(x.astype(ml_dtypes.bfloat16), "rfft", (6,)))
    assert_same(lambda j: j.lax.fft(x.astype(np.complex64), "rfft", (6,)))
    assert_same(lambda j: j.lax.fft(x.astype(np.int32), "rfft", (6,)))

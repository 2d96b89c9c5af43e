"""Contractions, convolutions and transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum import primitives
from oakum.abstract import contraction, convolution, results
from oakum.array import Array
from oakum.dtypes import DType
from oakum.errors import ShapeError
from oakum.lax.options import RaggedDotDimensionNumbers
from oakum.primitives.rules import arguments, conv_geometry
from oakum.primitives.rules import precision as precisions
from oakum.runtime.topology import ignored_placement
from oakum.tracing.dtype_requests import requested
from oakum.typing import ArrayLike, DTypeLike, Placement, PrecisionLike, Shape
from oakum.values.declarations import public

_PLAIN_GROUPS = RaggedDotDimensionNumbers((((1,), (1,)), ((), ())), (0,), (0,))


def _preferred(dtype: object) -> DType | None:
    return None if dtype is None else requested(dtype, "dot")


def _convolutions() -> Any:
    from oakum.lax import conv_variants

    return conv_variants


def _axes(axes: Sequence[Any]) -> tuple[int, ...]:
    return tuple(map(arguments.integer, axes if hasattr(axes, "__iter__") else (axes,)))


def _axis_numbers(numbers: Any) -> Any:
    return tuple(tuple(map(_axes, pair)) for pair in numbers)


def _plain_numbers(lhs: tuple[int, ...], rhs: tuple[int, ...]) -> Any:
    if len(lhs) in (1, 2) and len(rhs) in (1, 2) and lhs[-1] == rhs[0]:
        return ((len(lhs) - 1,), (0,)), ((), ())
    raise ShapeError(
        "jax.lax.dot: dimension_numbers must be specified when not performing simple un-batched "
        "matrix-matrix, matrix-vector, or vector-vector products; "
        f"got lhs_shape={lhs} rhs_shape={rhs}",
        hint="Make the last size of the first operand and the first of the second agree.",
    )


@public("lax.batch_matmul", contraction.batch_matmul)
def batch_matmul(lhs: Array, rhs: Array, precision: PrecisionLike = None) -> Array:
    """Multiplies batches of matrices."""
    rank = arguments.rank_of(lhs)
    if rank < 2 or arguments.rank_of(rhs) < 2:
        raise ShapeError(
            f"Arguments to batch_matmul must be at least 2D, got {rank}, {arguments.rank_of(rhs)}",
            hint="Use jax.numpy.matmul.",
        )
    if rank != arguments.rank_of(rhs):
        raise ShapeError(
            f"Arguments to batch_matmul must have same ndim, got {rank}, {arguments.rank_of(rhs)}",
            hint="Use jax.numpy.matmul, which broadcasts.",
        )
    batch = tuple(range(rank - 2))
    numbers = (((rank - 1,), (rank - 2,)), (batch, batch))
    return dot_general(lhs, rhs, numbers, precision=precision)


@public("lax.dot", contraction.lax_dot, static=("dimension_numbers",))
def dot(
    lhs: ArrayLike,
    rhs: ArrayLike,
    *,
    dimension_numbers: Any = None,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Multiplies vectors or matrices."""
    if dimension_numbers is None:
        dimension_numbers = _plain_numbers(arguments.shape_of(lhs), arguments.shape_of(rhs))
    return primitives.contraction.dot_general_p.bind(
        lhs,
        rhs,
        dimension_numbers=_axis_numbers(dimension_numbers),
        precision=precisions.canonical_precision(precision),
        preferred_element_type=_preferred(preferred_element_type),
        out_sharding=out_sharding,
    )


@public("lax.dot_general", contraction.dot_general, static=("dimension_numbers",))
def dot_general(
    lhs: ArrayLike,
    rhs: ArrayLike,
    dimension_numbers: object,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts given axes of two arrays, over given batch axes."""
    return dot(
        lhs,
        rhs,
        dimension_numbers=dimension_numbers,
        precision=precision,
        preferred_element_type=preferred_element_type,
        out_sharding=out_sharding,
    )


@public("lax.ragged_dot", results.array, static=("group_offset",))
def ragged_dot(
    lhs: Array,
    rhs: Array,
    group_sizes: Array,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    group_offset: Array | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Multiplies groups of rows by a matrix each."""
    return ragged_dot_general(
        lhs,
        rhs,
        group_sizes,
        _PLAIN_GROUPS,
        precision=precision,
        preferred_element_type=preferred_element_type,
        group_offset=group_offset,
        out_sharding=out_sharding,
    )


@public("lax.ragged_dot_general", results.array, static=("ragged_dot_dimension_numbers",))
def ragged_dot_general(
    lhs: Array,
    rhs: Array,
    group_sizes: Array,
    ragged_dot_dimension_numbers: Any,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    group_offset: Array | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts groups of various sizes."""
    if group_offset is not None:
        raise NotImplementedError("Unimplemented group_offset support.")
    options = {
        "precision": precision,
        "preferred_element_type": preferred_element_type,
        "out_sharding": out_sharding,
    }
    from oakum.primitives.rules.ragged import ragged_product

    return ragged_product(lhs, rhs, group_sizes, ragged_dot_dimension_numbers, options)


@public("lax.scaled_dot", results.array, static=("dimension_numbers",))
def scaled_dot(
    lhs: Array,
    rhs: Array,
    *,
    lhs_scale: Array | None = None,
    rhs_scale: Array | None = None,
    dimension_numbers: tuple[
        tuple[Sequence[int], Sequence[int]], tuple[Sequence[int], Sequence[int]]
    ]
    | None = None,
    preferred_element_type: DTypeLike | None = None,
) -> Any:
    """Contracts two arrays of small floats with scales."""
    from oakum.primitives.rules.scaled import scaled_product

    dtype = requested(preferred_element_type or "bfloat16", "scaled_dot")
    return scaled_product(lhs, rhs, lhs_scale, rhs_scale, dimension_numbers, dtype)


@public("lax.conv", convolution.convolution(), static=("window_strides", "padding"))
def conv(
    lhs: Array,
    rhs: Array,
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Convolves images with filters."""
    return conv_general_dilated(
        lhs,
        rhs,
        window_strides,
        padding,
        precision=precision,
        preferred_element_type=preferred_element_type,
    )


@public("lax.conv_dimension_numbers", static_result=True)
def conv_dimension_numbers(lhs_shape: Any, rhs_shape: Any, dimension_numbers: object) -> Any:
    """Reads the specification of the axes of a convolution."""
    return conv_geometry.dimension_numbers(lhs_shape, rhs_shape, dimension_numbers)


@public(
    "lax.conv_general_dilated",
    convolution.convolution(),
    static=(
        "window_strides",
        "padding",
        "lhs_dilation",
        "rhs_dilation",
        "feature_group_count",
        "batch_group_count",
        "dimension_numbers",
    ),
)
def conv_general_dilated(
    lhs: Array,
    rhs: Array,
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: object = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Convolves with strides, padding, dilation and groups."""
    ignored_placement.require("lax.conv_general_dilated(out_sharding=...)", out_sharding)
    return _convolutions().convolve(
        lhs,
        rhs,
        window_strides=window_strides,
        padding=padding,
        lhs_dilation=lhs_dilation,
        rhs_dilation=rhs_dilation,
        dimension_numbers=dimension_numbers,
        feature_group_count=feature_group_count,
        batch_group_count=batch_group_count,
        precision=precisions.canonical_precision(precision),
        preferred_element_type=_preferred(preferred_element_type),
    )


@public(
    "lax.conv_general_dilated_local",
    results.array,
    static=("window_strides", "padding", "lhs_dilation", "rhs_dilation", "dimension_numbers"),
    shapes=("filter_shape",),
)
def conv_general_dilated_local(
    lhs: ArrayLike,
    rhs: ArrayLike,
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    filter_shape: Sequence[int],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: object = None,
    precision: PrecisionLike = None,
) -> Array:
    """Convolves with filters that differ for each position."""
    options: dict[str, Any] = {
        "window_strides": window_strides,
        "padding": padding,
        "lhs_dilation": lhs_dilation,
        "rhs_dilation": rhs_dilation,
        "dimension_numbers": dimension_numbers,
    }
    accuracy = precisions.canonical_precision(precision)
    return _convolutions().convolve_locally(lhs, rhs, filter_shape, accuracy, options)


@public(
    "lax.conv_general_dilated_patches",
    results.array,
    static=("window_strides", "padding", "lhs_dilation", "rhs_dilation", "dimension_numbers"),
    shapes=("filter_shape",),
)
def conv_general_dilated_patches(
    lhs: ArrayLike,
    filter_shape: Sequence[int],
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None = None,
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: object = None,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Takes the patches that a convolution would multiply."""
    options: dict[str, Any] = {
        "window_strides": window_strides,
        "padding": padding,
        "lhs_dilation": lhs_dilation,
        "rhs_dilation": rhs_dilation,
        "dimension_numbers": dimension_numbers,
        "precision": precisions.canonical_precision(precision),
        "preferred_element_type": _preferred(preferred_element_type),
    }
    return _convolutions().patches(lhs, filter_shape, options)


@public("lax.conv_general_permutations", static_result=True)
def conv_general_permutations(dimension_numbers: Any) -> Any:
    """Returns the permutations that bring axes of a convolution into order."""
    return conv_geometry.permutations(dimension_numbers)


@public("lax.conv_general_shape_tuple", static_result=True)
def conv_general_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, window_strides: Any, padding: object, dimension_numbers: Any
) -> Any:
    """Computes the shape of a convolution."""
    lhs_order, rhs_order, out_order = conv_geometry.permutations(dimension_numbers)
    images = conv_geometry.taken(lhs_shape, lhs_order)
    filters = conv_geometry.taken(rhs_shape, rhs_order)
    result = conv_geometry.result_shape(images, filters, window_strides, padding)
    return conv_geometry.taken(result, conv_geometry.inverse(out_order))


@public("lax.conv_shape_tuple", static_result=True)
def conv_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, strides: Any, pads: object, batch_group_count: Any = 1
) -> Any:
    """Computes the shape of a convolution."""
    return conv_geometry.result_shape(lhs_shape, rhs_shape, strides, pads, batch_group_count)


@public(
    "lax.conv_transpose",
    results.array,
    static=(
        "strides",
        "padding",
        "rhs_dilation",
        "transpose_kernel",
        "use_consistent_padding",
        "dimension_numbers",
    ),
)
def conv_transpose(
    lhs: Array,
    rhs: Array,
    strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    rhs_dilation: Sequence[int] | None = None,
    dimension_numbers: object = None,
    transpose_kernel: bool = False,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    use_consistent_padding: bool = False,
) -> Array:
    """Convolves with the transpose of a convolution."""
    options: dict[str, Any] = {
        "rhs_dilation": rhs_dilation,
        "dimension_numbers": dimension_numbers,
        "precision": precisions.canonical_precision(precision),
        "preferred_element_type": _preferred(preferred_element_type),
    }
    return _convolutions().convolve_transposed(
        lhs,
        rhs,
        strides,
        padding,
        transpose_kernel=transpose_kernel,
        consistent=use_consistent_padding,
        options=options,
    )


@public("lax.conv_transpose_shape_tuple", static_result=True)
def conv_transpose_shape_tuple(
    lhs_shape: Any,
    rhs_shape: Any,
    window_strides: Any,
    padding: object,
    dimension_numbers: Sequence[str],
) -> Any:
    """Computes the shape of a transposed convolution."""
    return conv_geometry.transposed_shape(
        lhs_shape, rhs_shape, window_strides, padding, dimension_numbers
    )


@public(
    "lax.conv_with_general_padding",
    convolution.convolution(),
    static=("window_strides", "padding", "lhs_dilation", "rhs_dilation"),
)
def conv_with_general_padding(
    lhs: Array,
    rhs: Array,
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    lhs_dilation: Sequence[int] | None,
    rhs_dilation: Sequence[int] | None,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Convolves with padding and dilation."""
    return conv_general_dilated(
        lhs,
        rhs,
        window_strides,
        padding,
        lhs_dilation=lhs_dilation,
        rhs_dilation=rhs_dilation,
        precision=precision,
        preferred_element_type=preferred_element_type,
    )


@public("lax.padtype_to_pads", static_result=True)
def padtype_to_pads(
    in_shape: Sequence[int] | ArrayLike,
    window_shape: Sequence[int] | ArrayLike,
    window_strides: Sequence[int] | ArrayLike,
    padding: object,
) -> list[tuple[int, int]]:
    """Computes the padding that a name such as "SAME" stands for."""
    shape: Any = in_shape
    window: Any = window_shape
    strides: Any = window_strides
    return conv_geometry.named_padding(shape, window, strides, padding)


@public("lax.reduce_window_shape_tuple", static_result=True)
def reduce_window_shape_tuple(
    operand_shape: Any,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any = None,
    window_dilation: Any = None,
) -> Any:
    """Computes the shape of a reduction over windows."""
    ones = (1,) * len(window_dimensions)
    base, dilation = base_dilation or ones, window_dilation or ones
    pairs = zip(conv_geometry.spread_all(operand_shape, base), padding, strict=True)
    whole = [size + low + high for size, (low, high) in pairs]
    window = conv_geometry.spread_all(window_dimensions, dilation)
    sizes = zip(whole, window, window_strides, strict=True)
    return tuple(max((size - length) // stride + 1, 0) for size, length, stride in sizes)


@public("lax.fft", results.array, static=("fft_type",), shapes=("fft_lengths",))
def fft(x: Any, fft_type: object, fft_lengths: Sequence[int]) -> Any:
    """Computes Fourier transforms of the last axes."""
    kind = primitives.fourier.read_type(fft_type)
    return primitives.fourier.transformed(x, kind, tuple(map(arguments.integer, fft_lengths)))


@public("lax.rng_bit_generator", results.Arrays(2), shapes=("shape",))
def rng_bit_generator(
    key: ArrayLike,
    shape: Shape,
    dtype: object = None,
    algorithm: Any = 0,
    *,
    out_sharding: Placement | None = None,
) -> Any:
    """Returns a new state and random bits."""
    ignored_placement.require("lax.rng_bit_generator(out_sharding=...)", out_sharding)
    return tuple(
        primitives.random.rng.rng_bit_generator_p.bind(
            key,
            shape=arguments.sizes(shape),
            dtype=primitives.random.rng.bits_dtype(dtype),
            algorithm=int(algorithm),
        )
    )


@public("lax.rng_uniform", results.array, shapes=("shape",))
def rng_uniform(a: Any, b: Any, shape: Shape) -> Any:
    """Returns random numbers of a shape from an interval."""
    return primitives.random.rng.rng_uniform_p.bind(a, b, shape=arguments.sizes(shape))

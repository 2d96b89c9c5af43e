"""Contractions, convolutions and transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import contraction, general, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Placement, PrecisionLike, Shape


@public("lax.batch_matmul", contraction.matmul)
def batch_matmul(lhs: Array, rhs: Array, precision: PrecisionLike = None) -> Array:
    """Multiplies batches of matrices."""
    ...


@public("lax.dot", general.dot, static=("dimension_numbers",))
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
    ...


@public("lax.dot_general", general.dot_general, static=("dimension_numbers",))
def dot_general(
    lhs: ArrayLike,
    rhs: ArrayLike,
    dimension_numbers: Any,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    *,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts given axes of two arrays, over given batch axes."""
    ...


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
    ...


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
    ...


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
    ...


@public("lax.conv", general.convolution(), static=("window_strides", "padding"))
def conv(
    lhs: Array,
    rhs: Array,
    window_strides: Sequence[int],
    padding: str,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Convolves images with filters."""
    ...


@public("lax.conv_dimension_numbers", static_result=True)
def conv_dimension_numbers(lhs_shape: Any, rhs_shape: Any, dimension_numbers: Any) -> Any:
    """Reads the specification of the axes of a convolution."""
    ...


@public(
    "lax.conv_general_dilated",
    general.convolution(),
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
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
    batch_group_count: int = 1,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Convolves with strides, padding, dilation and groups."""
    ...


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
    dimension_numbers: Any = None,
    precision: PrecisionLike = None,
) -> Array:
    """Convolves with filters that differ for each position."""
    ...


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
    dimension_numbers: Any = None,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Takes the patches that a convolution would multiply."""
    ...


@public("lax.conv_general_permutations", static_result=True)
def conv_general_permutations(dimension_numbers: Any) -> Any:
    """Gives the permutations that bring axes of a convolution into order."""
    ...


@public("lax.conv_general_shape_tuple", static_result=True)
def conv_general_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, window_strides: Any, padding: Any, dimension_numbers: Any
) -> Any:
    """Computes the shape of a convolution."""
    ...


@public("lax.conv_shape_tuple", static_result=True)
def conv_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, strides: Any, pads: Any, batch_group_count: Any = 1
) -> Any:
    """Computes the shape of a convolution."""
    ...


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
    dimension_numbers: Any = None,
    transpose_kernel: bool = False,
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    use_consistent_padding: bool = False,
) -> Array:
    """Convolves with the transpose of a convolution."""
    ...


@public("lax.conv_transpose_shape_tuple", static_result=True)
def conv_transpose_shape_tuple(
    lhs_shape: Any, rhs_shape: Any, window_strides: Any, padding: Any, dimension_numbers: Any
) -> Any:
    """Computes the shape of a transposed convolution."""
    ...


@public(
    "lax.conv_with_general_padding",
    general.convolution(),
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
    ...


@public("lax.padtype_to_pads", static_result=True)
def padtype_to_pads(
    in_shape: Sequence[int] | ArrayLike,
    window_shape: Sequence[int] | ArrayLike,
    window_strides: Sequence[int] | ArrayLike,
    padding: Any,
) -> list[tuple[int, int]]:
    """Computes the padding that a name such as "SAME" stands for."""
    ...


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
    ...


@public("lax.fft", results.array, static=("fft_type",), shapes=("fft_lengths",))
def fft(x: Any, fft_type: Any, fft_lengths: Sequence[int]) -> Any:
    """Computes Fourier transforms of the last axes."""
    ...


@public("lax.rng_bit_generator", results.arrays(2), shapes=("shape",))
def rng_bit_generator(
    key: ArrayLike,
    shape: Shape,
    dtype: Any = None,
    algorithm: Any = 0,
    *,
    out_sharding: Placement | None = None,
) -> Any:
    """Gives a new state and random bits."""
    ...


@public("lax.rng_uniform", results.array, shapes=("shape",))
def rng_uniform(a: Any, b: Any, shape: Shape) -> Any:
    """Gives random numbers of a shape from an interval."""
    ...

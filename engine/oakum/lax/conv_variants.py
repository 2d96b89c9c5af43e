"""The functions of convolutions, in terms of the one primitive."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum import lax
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.primitives.convolution import conv_general_dilated_p
from oakum.primitives.rules.arguments import array, dtype_of, integer, shape_of
from oakum.primitives.rules.conv_geometry import (
    dimension_numbers,
    explicit_padding,
    named_padding,
    spread_all,
    taken,
    transposed_padding,
)
from oakum.typing import ArrayLike, PrecisionLike
from oakum.values import host


def _sizes(values: Any, rank: int) -> tuple[int, ...]:
    return (1,) * rank if values is None else tuple(map(integer, values))


def convolve(lhs: ArrayLike, rhs: ArrayLike, **options: Any) -> Any:
    """Returns the convolution for the options of `conv_general_dilated`."""
    lhs, rhs = array(lhs), array(rhs)
    images, filters = shape_of(lhs), shape_of(rhs)
    numbers = dimension_numbers(images, filters, options["dimension_numbers"])
    lhs_dilation = _sizes(options["lhs_dilation"], len(images) - 2)
    rhs_dilation = _sizes(options["rhs_dilation"], len(filters) - 2)
    strides = _sizes(options["window_strides"], 0)
    padding = options["padding"]
    if not isinstance(padding, str):
        pads = explicit_padding(padding)
    elif any(each != 1 for each in lhs_dilation):
        raise ShapeError(
            "String padding is not implemented for transposed convolution using this op.",
            hint="Either exactly specify the required padding or use conv_transpose.",
        )
    else:
        window = spread_all(taken(filters, numbers.rhs_spec[2:]), rhs_dilation)
        spatial = taken(images, numbers.lhs_spec[2:])
        if len(strides) != len(window):
            raise ShapeError(
                "conv_general_dilated window and window_strides must have the same number of "
                f"dimensions, but got {len(window)} and {len(strides)}",
                hint="Give a stride for each spatial axis.",
            )
        pads = tuple(named_padding(spatial, window, strides, padding))
    return conv_general_dilated_p.bind(
        lhs,
        rhs,
        window_strides=strides,
        padding=pads,
        lhs_dilation=lhs_dilation,
        rhs_dilation=rhs_dilation,
        dimension_numbers=numbers,
        feature_group_count=integer(options.get("feature_group_count", 1)),
        batch_group_count=integer(options.get("batch_group_count", 1)),
        precision=options["precision"],
        preferred_element_type=options["preferred_element_type"],
    )


def patches(lhs: ArrayLike, filter_shape: Sequence[int], options: dict[str, Any]) -> Any:
    """Returns the elements of each window as features, by filters that pick one element each."""
    lhs = array(lhs)
    window = tuple(map(integer, filter_shape))
    shape = shape_of(lhs)
    numbers = dimension_numbers(shape, (1, 1, *window), options["dimension_numbers"])
    features, size = shape[numbers.lhs_spec[1]], math.prod(window)
    unit = host.np.eye(size).astype(host.dtype(dtype_of(lhs)))
    filters = host.np.tile(unit, (features, 1)).reshape((features * size, 1, *window))
    filters = host.np.moveaxis(filters, (0, 1), (numbers.rhs_spec[0], numbers.rhs_spec[1]))
    given = {**options, "dimension_numbers": numbers, "feature_group_count": features}
    return convolve(lhs, filters, **given)


def convolve_locally(
    lhs: ArrayLike,
    rhs: ArrayLike,
    filter_shape: Sequence[int],
    precision: PrecisionLike,
    options: dict[str, Any],
) -> Any:
    """Returns the convolution with filters of their own for each place."""
    lhs = array(lhs)
    if precision is not None and not isinstance(precision, tuple):
        raise ShapeError(
            f"Unsupported precision for conv_general_dilated_local: {precision}",
            hint="Give a lax.Precision.",
        )
    given: dict[str, Any] = {**options, "precision": precision, "preferred_element_type": None}
    windows = patches(lhs, filter_shape, given)
    window = (1, 1, *filter_shape)
    numbers = dimension_numbers(shape_of(lhs), window, options["dimension_numbers"])
    _, rhs_spec, out_spec = numbers
    pairs = sorted(zip(out_spec[2:], rhs_spec[2:], strict=True))
    batch = (tuple(mine for mine, _ in pairs), tuple(theirs for _, theirs in pairs))
    contracted = ((out_spec[1],), (rhs_spec[1],))
    out = lax.dot_general(windows, rhs, (contracted, batch), precision=precision)
    rank = len(shape_of(out))
    # The result is (place..., image, filter); the places are in the order of the result already.
    order = [axis for axis in range(rank) if axis not in (out_spec[0], out_spec[1])]
    places = dict(zip(order, range(rank - 2), strict=True))
    places[out_spec[0]], places[out_spec[1]] = rank - 2, rank - 1
    return lax.transpose(out, [places[axis] for axis in range(rank)])


_LAYOUTS = {
    2: ("NC", "IO", "NC"),
    3: ("NHC", "HIO", "NHC"),
    4: ("NHWC", "HWIO", "NHWC"),
    5: ("NHWDC", "HWDIO", "NHWDC"),
}


def convolve_transposed(
    lhs: Array,
    rhs: Array,
    strides: Sequence[int],
    padding: Any,
    *,
    transpose_kernel: bool,
    consistent: bool,
    options: dict[str, Any],
) -> Any:
    """Returns the convolution whose strides spread the images: the transpose of one that skips
    places.
    """
    lhs, rhs = array(lhs), array(rhs)
    rank = len(shape_of(lhs))
    given = options["dimension_numbers"]
    if given is None:
        if rank not in _LAYOUTS:
            raise ShapeError("No 4+ dimensional dimension_number defaults.", hint="Give them.")
        given = _LAYOUTS[rank]
    numbers = dimension_numbers(shape_of(lhs), shape_of(rhs), given)
    spec = numbers.rhs_spec
    dilation = _sizes(options["rhs_dilation"], rank - 2)
    window = spread_all(taken(shape_of(rhs), spec[2:]), dilation)
    pads: Any = padding
    if consistent or padding in ("SAME", "VALID"):
        every = [padding] * len(strides) if isinstance(padding, str) else padding
        triples = zip(window, strides, every, strict=True)
        pads = [transposed_padding(*each) for each in triples]
    if transpose_kernel:
        order = list(range(rank))
        order[spec[0]], order[spec[1]] = spec[1], spec[0]
        rhs = lax.transpose(lax.rev(rhs, tuple(spec[2:])), order)
    changed = {
        "window_strides": (1,) * (rank - 2),
        "padding": pads,
        "lhs_dilation": strides,
        "rhs_dilation": dilation,
        "dimension_numbers": numbers,
    }
    return convolve(lhs, rhs, **{**options, **changed})

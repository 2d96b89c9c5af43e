"""Counters of loops: their dtype, from the bounds between which they run."""

from oakum import dtypes
from oakum.dtypes import DType
from oakum.errors import DTypeError, Frame
from oakum.values.avals import ShapedArray


def counter_dtype(
    lower: ShapedArray, upper: ShapedArray, frame: Frame | None = None
) -> DType | None:
    """Returns the dtype of a counter between two bounds; None where one has none that is known."""
    if lower.dtype is None or upper.dtype is None or lower.dtype is upper.dtype:
        return lower.dtype and upper.dtype
    signed = all(bound.dtype.kind is dtypes.Kind.INT for bound in (lower, upper) if bound.dtype)
    if signed and None in (lower.weak_type, upper.weak_type):
        return None
    if signed and lower.weak_type is not upper.weak_type:
        return upper.dtype if lower.weak_type else lower.dtype
    raise DTypeError(
        "lower and upper arguments to fori_loop must have equal types, got "
        f"{lower.dtype} and {upper.dtype}",
        frame=frame,
        hint="Convert a bound with astype, or give Python integers.",
    )

"""Reductions of segments: the leading axes of the data become an axis of segments."""

from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.values.avals import UNKNOWN_DIM, ShapedArray


def reduced(arguments: Arguments) -> ShapedArray:
    """`segment_sum`: as many rows as there are segments.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"data": parse_aval("f32[8,3]"), "segment_ids": parse_aval("i32[8]")}
    >>> print(reduced({**given, "num_segments": 4}))
    f32[4,3]
    """
    data, ids = (operands.array(each) for each in operands.positional(arguments, 2))
    count = arguments.get("num_segments")
    size = UNKNOWN_DIM if count is None else operands.dim(count)
    if data.shape is None or ids.ndim is None:
        return ShapedArray(None, data.dtype, None)
    return ShapedArray((size, *data.shape[ids.ndim :]), data.dtype, None)

"""The lists of Python numbers that `.tolist()` makes of an array."""

import math

from oakum.dtypes import Kind
from oakum.values.avals import ShapedArray
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Scalar, ScalarKind, Value
from oakum_lint.python.objects.containers import MAX_ELEMENTS, make_list

KINDS: dict[Kind, ScalarKind] = {
    Kind.BOOL: "bool",
    Kind.INT: "int",
    Kind.UINT: "int",
    Kind.FLOAT: "float",
    Kind.COMPLEX: "complex",
}


def list_numbers(machine: Machine, aval: ShapedArray, frame: Frame) -> Value:
    """The numbers of an array whose numbers are there, in lists nested as the array has axes."""
    kind = KINDS.get(aval.dtype.kind) if aval.dtype is not None else "number"
    if aval.shape is None or kind is None:
        return UNKNOWN
    number = Scalar(kind)
    sizes = [size for size in aval.shape if isinstance(size, int) and size > 0]
    if len(sizes) < len(aval.shape) or math.prod(sizes) > MAX_ELEMENTS:
        return make_list(machine, None, number if len(aval.shape) == 1 else UNKNOWN, frame)
    rows: list[Value] = [number] * math.prod(sizes)
    for size in reversed(sizes):
        rows = [
            make_list(machine, tuple(rows[start : start + size]), UNKNOWN, frame)
            for start in range(0, len(rows), size)
        ]
    return rows[0]

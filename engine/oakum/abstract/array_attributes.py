"""Attributes of arrays: known while tracing, arrays themselves, or not there on tracers.

`Array`'s methods carry their facts themselves, in `oakum.array`; this is the rest of what can stand
after the dot.
"""

from collections.abc import Callable
from typing import Any, Final, Literal

from oakum import dtypes
from oakum.abstract import inspection, reshaping
from oakum.values import dims
from oakum.values.avals import UNKNOWN, PythonScalar, ShapedArray
from oakum.values.records import dataclass

AttributeKind = Literal["static", "array", "updates", "host"]
"""A Python value that tracing knows; an array, so a tracer of a tracer; the `.at` helper; or data
of the host that a tracer does not have, so that asking for it fails."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute of arrays."""

    name: str
    kind: AttributeKind
    value: Callable[[ShapedArray], Any]
    """Its abstract value for an array; `UNKNOWN` for what is not modelled."""


def _shape(aval: ShapedArray) -> Any:
    return inspection.shape_value(aval.shape)


def _ndim(aval: ShapedArray) -> Any:
    return PythonScalar("int") if aval.ndim is None else aval.ndim


def _size(aval: ShapedArray) -> Any:
    return inspection.size_value(aval.size)


def _dtype(aval: ShapedArray) -> Any:
    return UNKNOWN if aval.dtype is None else aval.dtype


def _weak_type(aval: ShapedArray) -> Any:
    return PythonScalar("bool") if aval.weak_type is None else aval.weak_type


def _itemsize(aval: ShapedArray) -> Any:
    return PythonScalar("int") if aval.dtype is None else (aval.dtype.bits + 7) // 8


def _nbytes(aval: ShapedArray) -> Any:
    if aval.dtype is None:
        return PythonScalar("int")
    return inspection.size_value(dims.mul(aval.size, (aval.dtype.bits + 7) // 8))


def _part(aval: ShapedArray) -> ShapedArray:
    return ShapedArray(aval.shape, dtypes.to_real(aval.dtype), False)


def _transposed(aval: ShapedArray) -> Any:
    return reshaping.transpose({"a": aval, "axes": None})


def _matrix_transposed(aval: ShapedArray) -> Any:
    return reshaping.matrix_transpose({"x": aval})


def _unknown(aval: ShapedArray) -> Any:
    return UNKNOWN


ATTRIBUTES: Final = {
    attribute.name: attribute
    for attribute in (
        Attribute("shape", "static", _shape),
        Attribute("dtype", "static", _dtype),
        Attribute("ndim", "static", _ndim),
        Attribute("size", "static", _size),
        Attribute("weak_type", "static", _weak_type),
        Attribute("itemsize", "static", _itemsize),
        Attribute("nbytes", "static", _nbytes),
        Attribute("aval", "static", _unknown),
        Attribute("T", "array", _transposed),
        Attribute("mT", "array", _matrix_transposed),
        Attribute("real", "array", _part),
        Attribute("imag", "array", _part),
        Attribute("at", "updates", _unknown),
        Attribute("sharding", "host", _unknown),
        Attribute("device", "host", _unknown),
        Attribute("committed", "host", _unknown),
        Attribute("is_fully_addressable", "host", _unknown),
        Attribute("is_fully_replicated", "host", _unknown),
        Attribute("addressable_shards", "host", _unknown),
        Attribute("global_shards", "host", _unknown),
        Attribute("format", "host", _unknown),
        Attribute("traceback", "host", _unknown),
    )
}
"""The attributes that are not methods, by name."""

UPDATES: Final = frozenset(
    ("set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply", "get")
)
"""The methods of `x.at[index]`; all but `get` give a changed copy of `x`."""

"""Functions whose result is a Python value known while tracing: shapes, sizes, dtypes. Beside them
the attributes of arrays: `Array`'s methods carry their facts themselves, in `oakum.array`; this is
the rest of what can stand after the dot.
"""

from collections.abc import Callable
from typing import Any, Final, Literal

from oakum import dtypes
from oakum.abstract import operands, reshaping
from oakum.abstract.creation import data
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType
from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import (
    UNKNOWN,
    Dim,
    PythonScalar,
    Shape,
    ShapedArray,
    UnknownDim,
    promote_avals,
)
from oakum.values.records import dataclass


def size_value(size: Dim) -> Any:
    """Returns a size as a Python value: the integer, or one that is not known.

    >>> from oakum.values import dims
    >>> size_value(3), size_value(dims.UNKNOWN_DIM)
    (3, PythonScalar(kind='int'))
    """
    return PythonScalar("int") if isinstance(size, UnknownDim) else size


def shape_value(shape: Shape | None) -> Any:
    """Returns a shape as a Python value: a tuple of sizes, or `UNKNOWN`."""
    return UNKNOWN if shape is None else tuple(map(size_value, shape))


def _describe(arguments: Arguments) -> ShapedArray | None:
    """Returns the operand as an array; None when it is not known to be one."""
    value = next(iter(arguments.values()))
    if isinstance(value, str | bytes) or value == PythonScalar("str"):
        # NumPy takes a text for one element.
        return ShapedArray((), None)
    return data(value) if value is not UNKNOWN else None


def shape(arguments: Arguments) -> Any:
    """`shape`: the tuple of sizes.

    >>> from oakum.values.avals import parse_aval
    >>> shape({"a": parse_aval("f32[8,?]")})
    (8, PythonScalar(kind='int'))
    """
    aval = _describe(arguments)
    return UNKNOWN if aval is None else shape_value(aval.shape)


def ndim(arguments: Arguments) -> Any:
    """`ndim`: the number of dimensions."""
    aval = _describe(arguments)
    return PythonScalar("int") if aval is None or aval.ndim is None else aval.ndim


def size(arguments: Arguments) -> Any:
    """`size`: the number of elements, of the whole or of an axis."""
    aval = _describe(arguments)
    if aval is None:
        return PythonScalar("int")
    axis = arguments.get("axis")
    if axis is None:
        return size_value(aval.size)
    if aval.shape is None or not isinstance(axis, int):
        return PythonScalar("int")
    return size_value(aval.shape[operands.axis(axis, len(aval.shape))])


def result_type(arguments: Arguments) -> Any:
    """`result_type`, `promote_types`: the dtype that the operands promote to.

    >>> from oakum.values.avals import parse_aval
    >>> result_type({"args": (parse_aval("bf16[3]"), 1.0)})
    dtype(bfloat16)
    """
    values: list[Any] = []
    for value in arguments.values():
        several = operands.items(value)
        values += [value] if several is None else several
    dtype, _ = promote_avals(*(_sample(value) for value in values))
    return UNKNOWN if dtype is None else dtype


def _sample(value: object) -> Any:
    """Returns an array of the dtype that a dtype argument names; an array as it is."""
    if isinstance(value, (DType, str, type)):
        weak = value in (int, float, complex)
        dtype = dtypes.read(value)
        return ShapedArray((), None if dtype is None else dtypes.canonicalize(dtype), weak)
    return value


def dtype(arguments: Arguments) -> Any:
    """`dtype`: the dtype that the argument names, or the dtype of an array."""
    value = next(iter(arguments.values()))
    if isinstance(value, ShapedArray):
        return UNKNOWN if value.dtype is None else value.dtype
    read = None if value is UNKNOWN else dtypes.read(value)
    return UNKNOWN if read is None else read


def broadcast_shapes(arguments: Arguments) -> Any:
    """`broadcast_shapes`: the common shape of several.

    >>> broadcast_shapes({"shapes": ((2, 1), (3,))})
    (2, 3)
    """
    items = operands.items(next(iter(arguments.values())))
    if items is None:
        return UNKNOWN
    arrays = [ShapedArray(operands.shape(each), None) for each in items]
    return shape_value(operands.broadcast_shapes(arrays))


def of_dtype(question: Callable[[DType], bool]) -> Callable[[Arguments], Any]:
    """Returns the rule of a question about the dtype of the argument: `iscomplexobj`,
    `isrealobj`.
    """

    def rule(arguments: Arguments) -> Any:
        value = dtype({"x": _sample(next(iter(arguments.values())))})
        return question(value) if isinstance(value, DType) else PythonScalar("bool")

    return rule


def is_subdtype(arguments: Arguments) -> Any:
    """`issubdtype`: whether a dtype belongs to a group, where both are known."""
    given, group = operands.positional(arguments, 2)
    read = None if given is UNKNOWN else dtypes.read(given)
    name = getattr(group, "__name__", group)
    if read is None or not isinstance(name, str):
        return PythonScalar("bool")
    if name in dtypes.GROUPS:
        return dtypes.is_subdtype(read, name)
    other = dtypes.read(group)
    return PythonScalar("bool") if other is None else read is other


def python_bool(_arguments: Arguments) -> Any:
    """Returns a rule for questions whose answer is a Python bool that is not known."""
    return PythonScalar("bool")


def check_rank(aval: ShapedArray, ndim: int, function: str) -> None:
    """Raises a `ShapeError` when the array certainly has fewer dimensions."""
    if aval.ndim is not None and aval.ndim < ndim:
        raise ShapeError(f"{function} takes an array of {ndim} dimensions or more, not {aval}")


def answer(arguments: Arguments) -> ShapedArray:
    """`allclose`, `array_equal`: one boolean for whole arrays.

    >>> print(answer({}))
    bool[]
    """
    return ShapedArray((), dtypes.bool_)


def closeness(arguments: Arguments) -> ShapedArray:
    """`isclose`: booleans, also of random keys.

    >>> from oakum.values.avals import parse_aval
    >>> print(closeness({"a": parse_aval("f32[3]"), "b": 1.0, "rtol": 1e-5, "atol": 1e-8}))
    bool[3]
    """
    arrays = [operands.array(each) for each in operands.positional(arguments, 4)]
    return ShapedArray(operands.broadcast_shapes(arrays), dtypes.bool_)


def all_close(arguments: Arguments) -> ShapedArray:
    """`allclose`: one boolean for arrays that broadcast."""
    return closeness(arguments).update(shape=())


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
    return shape_value(aval.shape)


def _ndim(aval: ShapedArray) -> Any:
    return PythonScalar("int") if aval.ndim is None else aval.ndim


def _size(aval: ShapedArray) -> Any:
    return size_value(aval.size)


def _dtype(aval: ShapedArray) -> Any:
    return UNKNOWN if aval.dtype is None else aval.dtype


def _weak_type(aval: ShapedArray) -> Any:
    return PythonScalar("bool") if aval.weak_type is None else aval.weak_type


def _itemsize(aval: ShapedArray) -> Any:
    return PythonScalar("int") if aval.dtype is None else (aval.dtype.bits + 7) // 8


def _nbytes(aval: ShapedArray) -> Any:
    if aval.dtype is None:
        return PythonScalar("int")
    return size_value(dims.mul(aval.size, (aval.dtype.bits + 7) // 8))


def _part(aval: ShapedArray) -> ShapedArray:
    return ShapedArray(aval.shape, dtypes.to_real(aval.dtype), False)


def _transpose(aval: ShapedArray) -> Any:
    return reshaping.transpose({"a": aval, "axes": None})


def _transpose_matrix(aval: ShapedArray) -> Any:
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
        Attribute("T", "array", _transpose),
        Attribute("mT", "array", _transpose_matrix),
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

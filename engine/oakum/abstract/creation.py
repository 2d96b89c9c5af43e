"""Functions that make arrays: of a shape asked for, like others, ranges, from Python data."""

import math
from collections.abc import Callable
from typing import Any, Final

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import NUMBERS, refused, result_type, takes
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType
from oakum.errors import DTypeError, Frame, ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import (
    ANY_ARRAY,
    UNKNOWN,
    UNKNOWN_DIM,
    Dim,
    Shape,
    ShapedArray,
    abstractify,
    scalar_kind,
)
from oakum.values.promotion import Typing

_MAX_RANK: Final = 64
"""No array has more dimensions than this."""

_MAX_DEPTH: Final = 16
"""Python data nested deeper than this is not looked into."""


def _default_float() -> Typing:
    return dtypes.canonicalize(dtypes.float64), False


def check_shape(value: object) -> Shape | None:
    """Returns the shape asked for; a `ShapeError` when a size is certainly negative or no
    integer.
    """
    shape = operands.shape(value)
    if shape is not None:
        operands.check_nonnegative("a shape", shape)
    items = operands.items(value)
    if items is None:
        items = [value]
    if any(scalar_kind(item) in ("float", "complex", "str") for item in items):
        raise ShapeError(
            f"a shape takes integers, and {value} holds something else",
            hint="Divide with //, or convert with int().",
        )
    return shape


def filled(arguments: Arguments) -> ShapedArray:
    """`zeros`, `ones`, `empty`: the shape asked for, of floats by default.

    >>> from oakum.values.avals import UNKNOWN
    >>> print(filled({"shape": (2, 3), "dtype": None}), filled({"shape": UNKNOWN, "dtype": "i4"}))
    f32[2,3] i32[...]
    """
    typing = operands.dtype_option(arguments.get("dtype"), _default_float())
    return ShapedArray(check_shape(arguments["shape"]), *typing)


def refuse_second_size(function: str, shape: object, dtype: object) -> None:
    """Raises where a second size is passed for the dtype: `jnp.zeros(2, 3)`."""
    if type(dtype) is int and isinstance(shape, int):
        raise DTypeError(
            f"Cannot interpret '{dtype}' as a data type",
            detail=f"Did you accidentally write `jax.numpy.{function}({shape}, {dtype})` when you "
            f"meant `jax.numpy.{function}(({shape}, {dtype}))`",  # JAX's words, which tests match
            hint=f"Give the shape as one tuple: jnp.{function}(({shape}, {dtype})).",
        )


def filled_by(function: str) -> Callable[[Arguments], ShapedArray]:
    """Returns the rule of a function of this name that takes a shape and a dtype."""

    def rule(arguments: Arguments) -> ShapedArray:
        refuse_second_size(function, arguments["shape"], arguments.get("dtype"))
        return filled(arguments)

    return rule


def described(arguments: Arguments) -> object:
    """`ShapeDtypeStruct`: the array that it stands for; of a reference nothing is known.

    >>> print(described({"shape": (2, 3), "dtype": "bfloat16"}))
    bf16[2,3]
    >>> print(described({"shape": (), "dtype": "float32", "weak_type": True}))
    ~f32[]
    """
    if arguments.get("is_ref", False) is not False:
        return UNKNOWN
    dtype, _ = operands.dtype_option(arguments.get("dtype"), (None, None))
    weak_type = arguments.get("weak_type", False)
    weak = weak_type if isinstance(weak_type, bool) else None
    return ShapedArray(operands.shape(arguments.get("shape")), dtype, weak)


def full(arguments: Arguments) -> ShapedArray:
    """`full`: the shape asked for, of the dtype of the value by default.

    >>> print(full({"shape": (2,), "fill_value": 1, "dtype": None}))
    ~i32[2]
    """
    value = operands.array(arguments["fill_value"])
    typing = operands.dtype_option(arguments.get("dtype"), value.typing)
    return ShapedArray(check_shape(arguments["shape"]), *typing)


def like(arguments: Arguments) -> ShapedArray:
    """`zeros_like`, `ones_like`, `empty_like`, `full_like`: another array's shape and dtype."""
    given = operands.operand(arguments)
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), given.typing)
    asked = arguments.get("shape")
    return ShapedArray(given.shape if asked is None else check_shape(asked), dtype, weak_type)


full_like = like
"""`full_like` has the dtype of the array, not of the value."""


def arange(arguments: Arguments) -> ShapedArray:
    """`arange`: as many elements as lie between the bounds, of the promoted type of the bounds.

    >>> from oakum.values.avals import PythonScalar
    >>> print(arange({"start": 2, "stop": 10, "step": 3, "dtype": None}))
    i32[3]
    >>> print(arange({"start": PythonScalar("int"), "stop": None, "step": None, "dtype": None}))
    i32[?]
    """
    start, stop, step = (arguments.get(name) for name in ("start", "stop", "step"))
    given = [value for value in (start, stop, step) if value is not None]
    promoted = promotion.promote(operands.array(value).typing for value in given)
    dtype, _ = operands.dtype_option(arguments.get("dtype"), promoted)
    if stop is None:
        start, stop = 0, start
    return ShapedArray((range_length(start, stop, 1 if step is None else step),), dtype, False)


def range_length(start: object, stop: object, step: object) -> Dim:
    """Returns the number of elements of `arange`.

    >>> range_length(0, 1.0, 0.25), range_length(0, dims.symbol("n"), 1)
    (4, SymbolicDim(n))
    """
    real = (int, float)
    if isinstance(start, real) and isinstance(stop, real) and isinstance(step, real):
        try:
            return max(0, math.ceil((stop - start) / step))
        except (ArithmeticError, ValueError):  # Infinite or too large, or a step of 0.
            return UNKNOWN_DIM
    if start == 0 and step == 1 and isinstance(stop, dims.SymbolicDim):
        return dims.maximum(stop, 0)
    return UNKNOWN_DIM


def linspace(arguments: Arguments) -> Any:
    """`linspace`, `logspace`, `geomspace`: `num` numbers along a new axis, inexact.

    >>> print(linspace({"start": 0, "stop": 1, "num": 5, "axis": 0}))
    f32[5]
    """
    ends = [operands.array(arguments[name]) for name in ("start", "stop")]
    default, _ = result_type(ends, "inexact")
    dtype, _ = operands.dtype_option(arguments.get("dtype"), (default, False))
    shape = operands.broadcast_shapes(ends)
    axis = arguments.get("axis", 0)
    number = operands.dim(arguments.get("num", 50))
    if isinstance(number, int) and number < 0:
        raise ShapeError(f"the number of samples is negative: {number}")
    if shape is None or not isinstance(axis, int):
        samples = ShapedArray(None, dtype, False)
    else:
        at = operands.axis(axis, len(shape) + 1)
        samples = ShapedArray((*shape[:at], number, *shape[at:]), dtype, False)
    several = isinstance(number, int) and number > 1
    step = ShapedArray(shape if several or shape == () else None, dtype, False)

    def result(both: bool) -> Any:
        return (samples, step) if both else samples

    return operands.complete(operands.flags(arguments.get("retstep", False)), result)


def array(arguments: Arguments) -> ShapedArray:
    """`array`, `asarray`: an array of Python data, numbers or other arrays.

    >>> from oakum.values.avals import UNKNOWN
    >>> print(array({"object": [[1, 2], [3, 4]], "dtype": None}))
    i32[2,2]
    >>> print(array({"object": 2.0, "dtype": None}), array({"object": UNKNOWN, "dtype": "f4"}))
    ~f32[] f32[...]
    """
    value = next(iter(arguments.values()))
    read = data(value)
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), read.typing)
    ndmin = arguments.get("ndmin", 0)
    shape = read.shape
    if ndmin != 0:
        known = shape is not None and isinstance(ndmin, int) and ndmin <= _MAX_RANK
        added = max(ndmin - len(shape), 0) if known and shape is not None else 0
        shape = (1,) * added + shape if known and shape is not None else None
    return ShapedArray(shape, dtype, weak_type)


def data(value: object, depth: int = _MAX_DEPTH) -> ShapedArray:
    """Returns the array that Python data makes: a scalar, an array, or a sequence of equal data.

    >>> from oakum.values.avals import PythonScalar
    >>> print(data([1, 2.0]), data([True, False]), data((PythonScalar("int"), 2)))
    f32[2] bool[2] i32[2]
    """
    items = operands.items(value)
    if items is None:
        read = abstractify(value)
        if isinstance(read, ShapedArray):
            return read
        if scalar_kind(value) == "str" or value is None:
            raise DTypeError(
                f"{value!r} is not a valid value for jnp.array",
                hint="Make an array of numbers: encode labels as integers first.",
            )
        return ANY_ARRAY
    if depth == 0:
        return ANY_ARRAY
    if not items:
        return ShapedArray((0,), *_default_float())
    parts = [data(item, depth - 1) for item in items]
    shape = parts[0].shape
    for part in parts[1:]:
        shape = _unify_shapes(shape, part.shape)
    dtype, weak_type = promotion.promote(part.typing for part in parts)
    return ShapedArray(
        None if shape is None else (len(items), *shape), dtype, False if weak_type else weak_type
    )


def _unify_shapes(left: Shape | None, right: Shape | None) -> Shape | None:
    """Returns the one shape of two elements of a sequence."""
    if left is None or right is None:
        return None
    if len(left) != len(right) or False in map(dims.equal, left, right):
        raise ShapeError(
            "the nested sequences have different lengths",
            detail=f"One part has the sizes {[*left]}, another {[*right]}",
            hint="Make all rows of equal length: pad them, or stack what np.pad returns.",
        )
    return tuple(b if a == UNKNOWN_DIM else a for a, b in zip(left, right, strict=True))


def astype(arguments: Arguments) -> ShapedArray:
    """`astype`, `convert_element_type`: the same array in another dtype."""
    given, dtype = operands.positional(arguments, 2)
    aval = operands.array(given)
    if dtype is None:
        return ShapedArray(aval.shape, *_default_float())
    return ShapedArray(aval.shape, *operands.dtype_option(dtype, (None, None)))


def one_hot(arguments: Arguments) -> ShapedArray:
    """`one_hot`: a new dimension of the number of classes, of floats by default.

    >>> print(one_hot({"x": ShapedArray((8,), dtypes.int32), "num_classes": 10, "axis": -1}))
    f32[8,10]
    """
    given = operands.operand(arguments)
    classes = operands.dim(arguments["num_classes"])
    if isinstance(classes, int) and classes < 0:
        raise ShapeError(
            f"one_hot makes an axis of as many classes as there are, got num_classes={classes}",
            hint="Give a number of classes from zero on.",
        )
    dtype, weak_type = operands.dtype_option(arguments.get("dtype"), _default_float())
    axis = arguments.get("axis", -1)
    if given.shape is None or not isinstance(axis, int):
        return ShapedArray(None, dtype, weak_type)
    at = operands.axis(axis, len(given.shape) + 1)
    return ShapedArray((*given.shape[:at], classes, *given.shape[at:]), dtype, weak_type)


def iota(arguments: Arguments) -> ShapedArray:
    """`iota`: the numbers from 0, of a dtype and size given."""
    return broadcasted_iota({**arguments, "shape": (arguments["size"],), "dimension": 0})


def broadcasted_iota(arguments: Arguments) -> ShapedArray:
    """`broadcasted_iota`: the numbers from 0 along one dimension of a shape."""
    dtype, _ = operands.dtype_option(arguments["dtype"], (None, None))
    shape, dimension = operands.shape(arguments["shape"]), arguments["dimension"]
    if shape is not None:
        operands.check_nonnegative("iota shape", shape)
    if not takes(dtype, NUMBERS):
        raise refused("iota", dtype, ("number",))
    if shape is not None and isinstance(dimension, int) and not 0 <= dimension < len(shape):
        raise ShapeError(
            "iota dimension must be between 0 and len(shape)",
            detail=f"Got dimension={dimension} for shape={operands.shape_text(shape)}",
            hint="Name an axis of the shape, counted from 0.",
        )
    return ShapedArray(shape, dtype)


def bitcast(arguments: Arguments) -> ShapedArray:
    """`bitcast_convert_type`: the same bits in another dtype; a dimension comes or goes with the
    ratio of the widths."""
    given = operands.operand(arguments)
    dtype, _ = operands.dtype_option(arguments["new_dtype"], (None, None))
    if given.dtype is None or dtype is None or given.shape is None:
        return ShapedArray(None, dtype)
    if given.dtype.bits == dtype.bits:
        return ShapedArray(given.shape, dtype)
    if given.dtype.bits > dtype.bits:
        return ShapedArray((*given.shape, given.dtype.bits // dtype.bits), dtype)
    return ShapedArray(given.shape[:-1], dtype)


def identity(arguments: Arguments) -> ShapedArray:
    """`identity`: a square matrix of floats by default.

    >>> print(identity({"n": 3, "dtype": None}))
    f32[3,3]
    """
    size = operands.dim(arguments["n"])
    if isinstance(size, int) and size < 0:
        raise ShapeError(
            f"negative dimensions are not allowed, got {size}", hint="Give a size from zero on."
        )
    default = dtypes.canonicalize(dtypes.float64), False
    typing = operands.dtype_option(arguments.get("dtype"), default)
    return ShapedArray((size, size), *typing)


def window(arguments: Arguments) -> ShapedArray:
    """`hanning` and the other windows: a vector of floats.

    >>> print(window({"M": 5}))
    f32[5]
    """
    size = operands.dim(next(iter(arguments.values())))
    return ShapedArray((size,), dtypes.canonicalize(dtypes.float64), False)


def square(arguments: Arguments) -> ShapedArray:
    """`hilbert`: a square matrix of floats."""
    size = operands.dim(next(iter(arguments.values())))
    return ShapedArray((size, size), dtypes.canonicalize(dtypes.float64), None)


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

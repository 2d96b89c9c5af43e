"""Fourier transforms: complex results, and the size of the axis that was asked for."""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.abstract.reshaping import on_shape
from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import ANY_ARRAY, UNKNOWN_DIM, Dim, Shape, ShapedArray
from oakum.values.facts import AbstractRule


def _whole(size: Dim) -> Dim:
    return size


def _half(size: Dim) -> Dim:
    return dims.add(dims.floordiv(size, 2), 1)


def along(*, half: bool = False) -> AbstractRule:
    """`fft`, `ifft`; with `half` of real data, whose result has half the size and one.

    >>> from oakum.values.avals import parse_aval
    >>> print(along()({"a": parse_aval("f32[8]"), "n": 4, "axis": -1}))
    c64[4]
    >>> print(along(half=True)({"a": parse_aval("f32[8]"), "n": None, "axis": -1}))
    c64[5]
    """
    result = _half if half else _whole

    def rule(arguments: Arguments) -> ShapedArray:
        given = operands.operand(arguments)
        dtype = dtypes.to_complex(dtypes.to_inexact(given.dtype))
        number, axis = arguments.get("n"), arguments.get("axis", -1)

        def resize(shape: Shape) -> Shape:
            if not isinstance(axis, int):
                return (UNKNOWN_DIM,) * len(shape)
            at = operands.axis(axis, len(shape))
            size = shape[at] if number is None else operands.dim(number)
            if number is not None and isinstance(size, int) and size <= 0:
                raise ShapeError("Shape should be positive", hint="Give a size from one on.")
            return (*shape[:at], result(size), *shape[at + 1 :])

        return on_shape(ShapedArray(given.shape, dtype), resize)

    return rule


def over() -> AbstractRule:
    """`fftn`, `fft2`: the shape of the data unless sizes are asked for.

    >>> from oakum.values.avals import parse_aval
    >>> print(over()({"a": parse_aval("f32[8,4]"), "s": None, "axes": None}))
    c64[8,4]
    """

    def rule(arguments: Arguments) -> ShapedArray:
        given = operands.operand(arguments)
        _check_axes(given, arguments)
        dtype = dtypes.to_complex(dtypes.to_inexact(given.dtype))
        shape = given.shape if arguments.get("s") is None else None
        return ShapedArray(shape, dtype)

    return rule


def _check_axes(given: ShapedArray, arguments: Arguments) -> None:
    """Raises a `ShapeError` for axes that are certainly not there."""
    axes = operands.items(arguments.get("axes"))
    if axes is None or given.shape is None:
        return
    for axis in axes:
        if isinstance(axis, int):
            operands.axis(axis, len(given.shape))


def real_over(arguments: Arguments) -> ShapedArray:
    """`rfftn`, `irfftn`: an array of unknown shape."""
    _check_axes(operands.operand(arguments), arguments)
    return ANY_ARRAY


def inverse_along(arguments: Arguments) -> ShapedArray:
    """`irfft`, `hfft`: real numbers, of the size asked for.

    >>> from oakum.values.avals import parse_aval
    >>> print(inverse_along({"a": parse_aval("c64[5]"), "n": None, "axis": -1}))
    f32[8]
    """
    given = operands.operand(arguments)
    whole = along()({**arguments, "n": arguments.get("n")})
    dtype = dtypes.to_real(dtypes.to_complex(dtypes.to_inexact(given.dtype)))
    axis = arguments.get("axis", -1)
    if arguments.get("n") is not None or whole.shape is None or not isinstance(axis, int):
        return whole.update(dtype=dtype)
    at = operands.axis(axis, len(whole.shape))
    size = dims.mul(dims.sub(whole.shape[at], 1), 2)
    return whole.update(dtype=dtype, shape=(*whole.shape[:at], size, *whole.shape[at + 1 :]))


def frequencies(*, half: bool = False) -> AbstractRule:
    """`fftfreq`, `rfftfreq`: a vector of floats.

    >>> print(frequencies(half=True)({"n": 8, "d": 1.0, "dtype": None}))
    f32[5]
    """
    result = _half if half else _whole

    def rule(arguments: Arguments) -> ShapedArray:
        default: Any = dtypes.canonicalize(dtypes.float64)
        typing = operands.dtype_option(arguments.get("dtype"), (default, False))
        return ShapedArray((result(operands.dim(arguments["n"])),), *typing)

    return rule

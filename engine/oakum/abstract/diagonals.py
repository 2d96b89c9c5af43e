"""Functions of diagonals and triangles of matrices."""

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.abstract.reduction import sums
from oakum.abstract.reshaping import on_shape
from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape, ShapedArray


def _diagonal_length(rows: Dim, columns: Dim, offset: object) -> Dim:
    if not isinstance(offset, int):
        return UNKNOWN_DIM
    height = dims.add(rows, min(offset, 0))
    width = dims.sub(columns, max(offset, 0))
    return dims.maximum(dims.minimum(height, width), 0)


def diagonal(arguments: Arguments) -> ShapedArray:
    """`diagonal`: two dimensions become one, at the end.

    >>> from oakum.values.avals import parse_aval
    >>> print(diagonal({"a": parse_aval("f32[2,3,4]"), "offset": 1, "axis1": 0, "axis2": 1}))
    f32[4,2]
    """
    given = operands.operand(arguments)
    if given.ndim is not None and given.ndim < 2:
        raise ShapeError(f"{given} has no diagonal: it has fewer than two dimensions")
    first, second = arguments.get("axis1", -2), arguments.get("axis2", -1)
    offset = arguments.get("offset", 0)

    def cut(shape: Shape) -> Shape:
        if not (isinstance(first, int) and isinstance(second, int)):
            return (UNKNOWN_DIM,) * (len(shape) - 1)
        i, j = operands.axes((first, second), len(shape))
        rest = tuple(size for k, size in enumerate(shape) if k not in (i, j))
        return (*rest, _diagonal_length(shape[i], shape[j], offset))

    return on_shape(given, cut)


def trace(arguments: Arguments) -> ShapedArray:
    """`trace`: the sum of a diagonal."""
    cut = diagonal(arguments)
    return sums({"a": cut, "axis": -1, "dtype": arguments.get("dtype")})


def diag(arguments: Arguments) -> ShapedArray:
    """`diag`: the diagonal of a matrix, or the matrix with a diagonal.

    >>> from oakum.values.avals import parse_aval
    >>> print(diag({"v": parse_aval("f32[3]"), "k": -1}))
    f32[4,4]
    >>> print(diag({"v": parse_aval("f32[3,4]"), "k": 0}))
    f32[3]
    """
    given = operands.operand(arguments)
    offset = arguments.get("k", 0)
    match given.shape:
        case None:
            return given.update()
        case (length,):
            return given.update(shape=_square(length, offset))
        case (rows, columns):
            return given.update(shape=(_diagonal_length(rows, columns, offset),))
        case _:
            raise ShapeError(f"diag takes one or two dimensions, not {given}")


def diagflat(arguments: Arguments) -> ShapedArray:
    """`diagflat`: the matrix with the flattened operand as a diagonal."""
    given = operands.operand(arguments)
    shape = _square(given.size, arguments.get("k", 0))
    return given.update(shape=shape, weak_type=False)


def _square(length: Dim, offset: object) -> Shape:
    size = dims.add(length, abs(offset)) if isinstance(offset, int) else UNKNOWN_DIM
    return (size, size)


def triangle(arguments: Arguments) -> ShapedArray:
    """`tril`, `triu`: the operand with a triangle set to zero."""
    given = operands.operand(arguments)
    if given.ndim is not None and given.ndim < 2:
        raise ShapeError(f"{given} has no triangle: it has fewer than two dimensions")
    return given.update()


def eye(arguments: Arguments) -> ShapedArray:
    """`eye`, `identity`, `tri`: a matrix of the size asked for, of floats by default.

    >>> print(eye({"N": 3, "M": None, "k": 0, "dtype": None}))
    f32[3,3]
    """
    rows, *rest = operands.positional(arguments, 2)
    columns = arguments["M"] if "M" in arguments and rest else None
    dtype, weak_type = operands.dtype_option(
        arguments.get("dtype"), (dtypes.canonicalize(dtypes.float64), False)
    )
    shape = tuple(operands.dim(rows if each is None else each) for each in (rows, columns))
    if any(isinstance(size, int) and size < 0 for size in shape):
        raise ShapeError(
            f"negative dimensions are not allowed, got {operands.shape_text(shape)}",
            hint="Give sizes from zero on.",
        )
    return ShapedArray(shape, dtype, weak_type)


tri = eye
"""`tri` takes the arguments of `eye`."""

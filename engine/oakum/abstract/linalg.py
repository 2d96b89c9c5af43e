"""Linear algebra: stacks of matrices in the last two dimensions, of inexact dtypes."""

from collections.abc import Callable
from typing import Any

from oakum import dims, dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import result_type
from oakum.abstract.operands import Arguments
from oakum.abstract.reduction import reduced_shape
from oakum.avals import ANY_ARRAY, UNKNOWN, UNKNOWN_DIM, Shape, ShapedArray
from oakum.dtypes import DType
from oakum.errors import ShapeError


def _matrices(arguments: Arguments, *, square: bool = False) -> tuple[Shape | None, DType | None]:
    """The shape and the inexact dtype of the operand, which holds matrices."""
    given = operands.operand(arguments)
    dtype, _ = result_type([given], "inexact")
    if given.shape is not None and len(given.shape) < 2:
        raise ShapeError(f"{given} has fewer than two dimensions, so it is no matrix")
    if square and given.shape is not None and dims.equal(*given.shape[-2:]) is False:
        raise ShapeError(f"the matrices in {given} are not square")
    return given.shape, dtype


def square(arguments: Arguments) -> ShapedArray:
    """`inv`, `cholesky`, `expm`, `matrix_power`: square matrices to square matrices.

    >>> from oakum.avals import parse_aval
    >>> print(square({"a": parse_aval("i32[5,3,3]")}))
    f32[5,3,3]
    """
    shape, dtype = _matrices(arguments, square=True)
    return ShapedArray(shape, dtype)


inverse = cholesky = square


def matrix_power(arguments: Arguments) -> ShapedArray:
    """`matrix_power`: square matrices, of the dtype of the operand unless the power is negative."""
    shape, inexact = _matrices(arguments, square=True)
    given, power = operands.positional(arguments, 2)
    dtype = operands.array(given).dtype
    certain = isinstance(power, int) and power >= 0
    return ShapedArray(shape, dtype if certain or dtype is inexact else None, None)


def determinant(arguments: Arguments) -> ShapedArray:
    """`det`: one number for each square matrix."""
    shape, dtype = _matrices(arguments, square=True)
    return ShapedArray(None if shape is None else shape[:-2], dtype)


def slogdet(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`slogdet`: the sign and the logarithm of the determinant."""
    shape, dtype = _matrices(arguments, square=True)
    batch = None if shape is None else shape[:-2]
    return ShapedArray(batch, dtype), ShapedArray(batch, dtypes.to_real(dtype))


def eigh(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`eigh`: real eigenvalues and the eigenvectors of symmetric matrices."""
    shape, dtype = _matrices(arguments, square=True)
    values = ShapedArray(None if shape is None else shape[:-1], dtypes.to_real(dtype))
    return values, ShapedArray(shape, dtype)


def eigvalsh(arguments: Arguments) -> ShapedArray:
    """`eigvalsh`: real eigenvalues of symmetric matrices."""
    return eigh(arguments)[0]


def eig(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`eig`: complex eigenvalues and eigenvectors."""
    shape, dtype = _matrices(arguments, square=True)
    kind = dtypes.to_complex(dtype)
    return ShapedArray(None if shape is None else shape[:-1], kind), ShapedArray(shape, kind)


def eigvals(arguments: Arguments) -> ShapedArray:
    """`eigvals`: complex eigenvalues."""
    return eig(arguments)[0]


def svd(arguments: Arguments) -> Any:
    """`svd`: the two bases and the singular values between them, or the values alone.

    >>> from oakum.avals import parse_aval
    >>> print(*svd({"a": parse_aval("f32[5,3]"), "full_matrices": False, "compute_uv": True}))
    f32[5,3] f32[3] f32[3,3]
    """
    shape, dtype = _matrices(arguments)
    real = dtypes.to_real(dtype)
    if shape is None:
        parts = ShapedArray(None, dtype), ShapedArray(None, real), ShapedArray(None, dtype)
    else:
        *batch, rows, columns = shape
        rank = dims.minimum(rows, columns)

        def bases(whole: bool) -> tuple[ShapedArray, ShapedArray]:
            left, right = (rows, columns) if whole else (rank, rank)
            return (
                ShapedArray((*batch, rows, left), dtype),
                ShapedArray((*batch, right, columns), dtype),
            )

        whole = operands.flags(arguments.get("full_matrices", True))
        left, right = operands.complete(whole, bases)
        parts = left, ShapedArray((*batch, rank), real), right

    def result(vectors: bool) -> Any:
        return parts if vectors else parts[1]

    return operands.complete(operands.flags(arguments.get("compute_uv", True)), result)


def singular_values(arguments: Arguments) -> ShapedArray:
    """`svdvals`: the singular values."""
    result: ShapedArray = svd({**arguments, "compute_uv": False})
    return result


def qr(arguments: Arguments) -> Any:
    """`qr`: an orthogonal basis and a triangle, or the triangle alone.

    >>> from oakum.avals import parse_aval
    >>> print(*qr({"a": parse_aval("f32[5,3]"), "mode": "reduced"}))
    f32[5,3] f32[3,3]
    """
    shape, dtype = _matrices(arguments)
    mode = arguments.get("mode", "reduced")
    if mode not in ("reduced", "complete", "r", "full", "economic") or not isinstance(mode, str):
        return UNKNOWN
    if shape is None:
        basis = triangle = ShapedArray(None, dtype)
    else:
        *batch, rows, columns = shape
        rank = rows if mode in ("complete", "full") else dims.minimum(rows, columns)
        basis = ShapedArray((*batch, rows, rank), dtype)
        triangle = ShapedArray((*batch, rank, columns), dtype)
    return triangle if mode == "r" else (basis, triangle)


def solve(arguments: Arguments) -> ShapedArray:
    """`solve`: the solution of a linear system, shaped as the right-hand side.

    >>> from oakum.avals import parse_aval
    >>> print(solve({"a": parse_aval("f32[3,3]"), "b": parse_aval("f32[3,2]")}))
    f32[3,2]
    """
    left, right = (operands.array(value) for value in operands.positional(arguments, 2))
    _matrices({"a": left}, square=True)
    dtype, _ = result_type([left, right], "inexact")
    if left.shape is None or right.shape is None or not right.shape:
        return ShapedArray(None, dtype)
    vector = len(right.shape) == 1
    size = right.shape[-1 if vector else -2]
    if dims.equal(left.shape[-1], size) is False:
        raise ShapeError(f"the system {left} does not fit the right-hand side {right}")
    tail = right.shape[-1:] if vector else right.shape[-2:]
    batch = operands.broadcast_shapes(
        [
            left.update(shape=left.shape[:-2]),
            right.update(shape=right.shape[: len(right.shape) - len(tail)]),
        ]
    )
    return ShapedArray(None if batch is None else (*batch, *tail), dtype)


def like_right_side(arguments: Arguments) -> ShapedArray:
    """`cho_solve`, `solve_triangular`: shape of the right-hand side, of the promoted dtype."""
    left, right = operands.positional(arguments, 2)
    factor: Any = left[0] if isinstance(left, tuple) and left else left
    arrays = [operands.array(factor), operands.array(right)]
    return ShapedArray(arrays[1].shape, result_type(arrays, "inexact")[0])


def pinv(arguments: Arguments) -> ShapedArray:
    """`pinv`: the last two dimensions change places."""
    shape, dtype = _matrices(arguments)
    return ShapedArray(
        None if shape is None else (*shape[:-2], shape[-1], shape[-2]), dtype
    )


def rank(arguments: Arguments) -> ShapedArray:
    """`matrix_rank`: one integer for each matrix."""
    shape = operands.operand(arguments).shape
    batch = None if shape is None else shape[: max(len(shape) - 2, 0)]
    return ShapedArray(batch, dtypes.canonicalize(dtypes.int64), None)


def condition(arguments: Arguments) -> ShapedArray:
    """`cond`: one real number for each matrix."""
    shape, dtype = _matrices(arguments)
    return ShapedArray(None if shape is None else shape[:-2], dtypes.to_real(dtype))


def lstsq(arguments: Arguments) -> Any:
    """`lstsq`: the solution, the residuals, the rank and the singular values."""
    left, right = (operands.array(value) for value in operands.positional(arguments, 2))
    dtype, _ = result_type([left, right], "inexact")
    shape = None
    if left.shape is not None and right.shape is not None and len(left.shape) == 2:
        shape = (left.shape[1], *right.shape[1:])
    values = dims.minimum(*left.shape) if left.shape is not None and len(left.shape) == 2 else None
    singular = ShapedArray(None if values is None else (values,), None)
    return ShapedArray(shape, dtype), ANY_ARRAY, ANY_ARRAY, singular


def norm(arguments: Arguments) -> ShapedArray:
    """`norm`, `vector_norm`: one real number for each vector or matrix.

    >>> from oakum.avals import parse_aval
    >>> print(norm({"x": parse_aval("f32[5,3]"), "ord": None, "axis": -1, "keepdims": False}))
    f32[5]
    """
    given = operands.operand(arguments)
    dtype, _ = result_type([given], "real inexact")
    axis, keepdims = arguments.get("axis"), arguments.get("keepdims", False)
    return ShapedArray(reduced_shape(given, axis, keepdims), dtype)


def matrix_norm(arguments: Arguments) -> ShapedArray:
    """`matrix_norm`: one real number for each matrix."""
    _matrices(arguments)
    return norm({**arguments, "axis": (-2, -1)})


def block_diagonal(_arguments: Arguments) -> ShapedArray:
    """`block_diag`: a matrix."""
    return ShapedArray((UNKNOWN_DIM, UNKNOWN_DIM), None, None)


def same_as(name: str) -> Callable[[Arguments], ShapedArray]:
    """The rule of a function whose result is shaped as the argument of this name, inexact."""

    def rule(arguments: Arguments) -> ShapedArray:
        given = operands.array(arguments[name])
        return ShapedArray(given.shape, result_type([given], "inexact")[0])

    return rule

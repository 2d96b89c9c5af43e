"""Linear algebra: stacks of matrices in the last two dimensions, of inexact dtypes."""

import inspect
from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.abstract.elementwise import INEXACT, Groups, check, result_type
from oakum.abstract.operands import Arguments
from oakum.abstract.reduction import reduced_shape
from oakum.errors import ShapeError
from oakum.values import dims
from oakum.values.avals import ANY_ARRAY, UNKNOWN, UNKNOWN_DIM, Shape, ShapedArray
from oakum.values.facts import AbstractRule
from oakum.values.promotion import Typing
from oakum.values.records import dataclass, replace


def _matrices(arguments: Arguments, *, square: bool = False) -> tuple[Shape | None, Typing]:
    """Returns the shape and the inexact type of the operand, which holds matrices."""
    given = operands.operand(arguments)
    if given.shape is not None and len(given.shape) < 2:
        raise ShapeError(f"{given} has fewer than two dimensions, so it is no matrix")
    if square and given.shape is not None and dims.equal(*given.shape[-2:]) is False:
        raise ShapeError(f"the matrices in {given} are not square")
    return given.shape, inexact_type([given])


def inexact_type(arrays: list[ShapedArray]) -> Typing:
    """Returns the inexact type of a result; weak typing is unknown if it is possible."""
    dtype, weak_type = result_type(arrays, "inexact")
    return dtype, None if weak_type else weak_type


def _real(typing: Typing) -> Typing:
    return dtypes.to_real(typing[0]), typing[1]


def square(arguments: Arguments) -> ShapedArray:
    """`inv`, `cholesky`, `expm`, `matrix_power`: square matrices to square matrices.

    >>> from oakum.values.avals import parse_aval
    >>> print(square({"a": parse_aval("i32[5,3,3]")}))
    f32[5,3,3]
    """
    shape, typing = _matrices(arguments, square=True)
    return ShapedArray(shape, *typing)


inverse = square


def cholesky(arguments: Arguments) -> ShapedArray:
    """`cholesky`: the factor of symmetric matrices."""
    shape, typing = _symmetric(arguments)
    return ShapedArray(shape, *typing)


def _symmetric(arguments: Arguments) -> tuple[Shape | None, Typing]:
    """Returns the operand made symmetric, which stretches a dimension of size 1."""
    shape, typing = _matrices(arguments)
    if shape is None:
        return None, typing
    size = dims.broadcast(*shape[-2:])
    if size is None:
        raise ShapeError(f"the matrices in {operands.operand(arguments)} are not square")
    return (*shape[:-2], size, size), typing


def matrix_power(arguments: Arguments) -> ShapedArray:
    """`matrix_power`: square matrices, of the dtype of the operand unless the power is negative."""
    shape, (inexact, _) = _matrices(arguments, square=True)
    given, power = operands.positional(arguments, 2)
    dtype = operands.array(given).dtype
    certain = isinstance(power, int) and power >= 0
    return ShapedArray(shape, dtype if certain or dtype is inexact else None, None)


def determinant(arguments: Arguments) -> ShapedArray:
    """`det`: one number for each square matrix."""
    shape, typing = _matrices(arguments, square=True)
    return ShapedArray(None if shape is None else shape[:-2], *typing)


def slogdet(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`slogdet`: the sign and the logarithm of the determinant."""
    shape, typing = _matrices(arguments, square=True)
    batch = None if shape is None else shape[:-2]
    return ShapedArray(batch, *typing), ShapedArray(batch, *_real(typing))


def eigh(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`eigh`: real eigenvalues and the eigenvectors of symmetric matrices."""
    shape, typing = _symmetric(arguments)
    values = ShapedArray(None if shape is None else shape[:-1], *_real(typing))
    return values, ShapedArray(shape, *typing)


def eigvalsh(arguments: Arguments) -> ShapedArray:
    """`eigvalsh`: real eigenvalues of symmetric matrices."""
    return eigh(arguments)[0]


def eig(arguments: Arguments) -> tuple[ShapedArray, ShapedArray]:
    """`eig`: complex eigenvalues and eigenvectors."""
    shape, typing = _matrices(arguments, square=True)
    kind = dtypes.to_complex(typing[0]), typing[1]
    return ShapedArray(None if shape is None else shape[:-1], *kind), ShapedArray(shape, *kind)


def eigvals(arguments: Arguments) -> ShapedArray:
    """`eigvals`: complex eigenvalues."""
    return eig(arguments)[0]


def svd(arguments: Arguments) -> Any:
    """`svd`: the two bases and the singular values between them, or the values alone.

    >>> from oakum.values.avals import parse_aval
    >>> print(*svd({"a": parse_aval("f32[5,3]"), "full_matrices": False, "compute_uv": True}))
    f32[5,3] f32[3] f32[3,3]
    """
    shape, typing = _matrices(arguments)
    real = _real(typing)
    if shape is None:
        parts = ShapedArray(None, *typing), ShapedArray(None, *real), ShapedArray(None, *typing)
    else:
        *batch, rows, columns = shape
        rank = dims.minimum(rows, columns)

        def bases(whole: bool) -> tuple[ShapedArray, ShapedArray]:
            left, right = (rows, columns) if whole else (rank, rank)
            return (
                ShapedArray((*batch, rows, left), *typing),
                ShapedArray((*batch, right, columns), *typing),
            )

        whole = operands.flags(arguments.get("full_matrices", True))
        left, right = operands.complete(whole, bases)
        parts = left, ShapedArray((*batch, rank), *real), right

    def result(vectors: bool) -> Any:
        return parts if vectors else parts[1]

    return operands.complete(operands.flags(arguments.get("compute_uv", True)), result)


def singular_values(arguments: Arguments) -> ShapedArray:
    """`svdvals`: the singular values."""
    result: ShapedArray = svd({**arguments, "compute_uv": False})
    return result


def qr(arguments: Arguments) -> Any:
    """`qr`: an orthogonal basis and a triangle, or the triangle alone.

    >>> from oakum.values.avals import parse_aval
    >>> print(*qr({"a": parse_aval("f32[5,3]"), "mode": "reduced"}))
    f32[5,3] f32[3,3]
    """
    shape, typing = _matrices(arguments)
    mode = arguments.get("mode", "reduced")
    if mode not in ("reduced", "complete", "r", "full", "economic"):
        return UNKNOWN
    if shape is None:
        basis = triangle = ShapedArray(None, *typing)
    else:
        *batch, rows, columns = shape
        rank = rows if mode in ("complete", "full") else dims.minimum(rows, columns)
        basis = ShapedArray((*batch, rows, rank), *typing)
        triangle = ShapedArray((*batch, rank, columns), *typing)
    return triangle if mode == "r" else (basis, triangle)


def solve(arguments: Arguments) -> ShapedArray:
    """`solve`: the solution of a linear system, shaped as the right-hand side.

    >>> from oakum.values.avals import parse_aval
    >>> print(solve({"a": parse_aval("f32[3,3]"), "b": parse_aval("f32[3,2]")}))
    f32[3,2]
    """
    left, right = (operands.array(value) for value in operands.positional(arguments, 2))
    _matrices({"a": left}, square=True)
    typing = inexact_type([left, right])
    if left.shape is None or right.shape is None or not right.shape:
        return ShapedArray(None, *typing)
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
    return ShapedArray(None if batch is None else (*batch, *tail), *typing)


def like_right_side(arguments: Arguments) -> ShapedArray:
    """`cho_solve`, `solve_triangular`: shape of the right-hand side, of the promoted dtype."""
    left, right = operands.positional(arguments, 2)
    parts = operands.items(left)
    factor = parts[0] if parts else left
    arrays = [operands.array(factor), operands.array(right)]
    return ShapedArray(arrays[1].shape, *inexact_type(arrays))


def pinv(arguments: Arguments) -> ShapedArray:
    """`pinv`: the last two dimensions change places."""
    shape, typing = _matrices(arguments)
    turned = None if shape is None else (*shape[:-2], shape[-1], shape[-2])
    return ShapedArray(turned, *typing)


def rank(arguments: Arguments) -> ShapedArray:
    """`matrix_rank`: one integer for each matrix."""
    shape = operands.operand(arguments).shape
    batch = None if shape is None else shape[: max(len(shape) - 2, 0)]
    return ShapedArray(batch, dtypes.canonicalize(dtypes.int64), None)


def condition(arguments: Arguments) -> ShapedArray:
    """`cond`: one real number for each matrix."""
    shape, typing = _matrices(arguments)
    return ShapedArray(None if shape is None else shape[:-2], *_real(typing))


def lstsq(arguments: Arguments) -> Any:
    """`lstsq`: the solution, the residuals, the rank and the singular values."""
    left, right = (operands.array(value) for value in operands.positional(arguments, 2))
    typing = inexact_type([left, right])
    shape = None
    if left.shape and right.shape and dims.equal(left.shape[0], right.shape[0]) is False:
        raise ShapeError(
            "Leading dimensions of input arrays must match",
            detail=f"Got {left} and {right}",
            hint="Give a right-hand side of as many rows as the matrix has.",
        )
    if left.shape is not None and right.shape is not None and len(left.shape) == 2:
        shape = (left.shape[1], *right.shape[1:])
    values = dims.minimum(*left.shape) if left.shape is not None and len(left.shape) == 2 else None
    singular = ShapedArray(None if values is None else (values,), None, None)
    return ShapedArray(shape, *typing), ANY_ARRAY, ANY_ARRAY, singular


def norm(arguments: Arguments) -> ShapedArray:
    """`norm`, `vector_norm`: one real number for each vector or matrix.

    >>> from oakum.values.avals import parse_aval
    >>> print(norm({"x": parse_aval("f32[5,3]"), "ord": None, "axis": -1, "keepdims": False}))
    f32[5]
    """
    given = operands.operand(arguments)
    dtype, _ = result_type([given], "real inexact")
    loose = None if given.weak_type else given.weak_type
    axis, keepdims = arguments.get("axis"), arguments.get("keepdims", False)
    return ShapedArray(reduced_shape(given, axis, keepdims), dtype, loose)


def matrix_norm(arguments: Arguments) -> ShapedArray:
    """`matrix_norm`: one real number for each matrix."""
    _matrices(arguments)
    return norm({**arguments, "axis": (-2, -1)})


def block_diagonal(_arguments: Arguments) -> ShapedArray:
    """`block_diag`: a matrix."""
    return ShapedArray((UNKNOWN_DIM, UNKNOWN_DIM), None, None)


def check_rank(name: str, position: int, given: ShapedArray, rank: int) -> None:
    """Raises a `ShapeError` for an operand that certainly has too few dimensions."""
    if given.shape is not None and len(given.shape) < rank:
        raise ShapeError(
            f"Input {position} to {name} must have rank at least {rank}, "
            f"but got shape={operands.shape_text(given.shape)}",
            hint="Give a matrix, or a batch of matrices.",
        )


@dataclass(frozen=True, slots=True)
class Factorization:
    """The rule of a function of `jax.lax.linalg`: stacks of inexact matrices, or of vectors.

    >>> from oakum.values.avals import parse_aval
    >>> print(Factorization((2,), lambda _: ANY_ARRAY)({"x": parse_aval("f32[3,3]")}))
    ?[...]
    """

    ranks: tuple[int, ...]
    """How many dimensions each operand has beside those of the stack."""
    result: AbstractRule
    accepts: Groups = INEXACT
    name: str = "the factorization"

    def declared(self, name: str, signature: inspect.Signature) -> "Factorization":
        """Returns this rule with the name of a public function."""
        return replace(self, name=name.rpartition(".")[2])

    def __call__(self, arguments: Arguments) -> Any:
        given = operands.positional(arguments, len(self.ranks))
        for i, (value, rank) in enumerate(zip(given, self.ranks, strict=False)):
            check(self.name, operands.array(value), self.accepts, i)
            check_rank(self.name, i, operands.array(value), rank)
        return self.result(arguments)


def unknown(_arguments: Arguments) -> Any:
    """Returns an unknown result."""
    return UNKNOWN

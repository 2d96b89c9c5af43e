"""Elimination: LU factors, and the solution of triangular and tridiagonal systems."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from oakum import dtypes, lax
from oakum.errors import DTypeError, ShapeError
from oakum.primitives.host.linalg import elimination
from oakum.primitives.rules import matrices
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import move, move_to_front
from oakum.primitives.rules.derivatives import Zero, add_tangents, instantiate, zero_of
from oakum.primitives.rules.lowering import Kernel
from oakum.primitives.rules.matrix_batching import Result, Sizes, batch, matrix_primitive, square
from oakum.primitives.rules.numpy_evaluation import in_compute_dtype
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray


def _lu_results(dtype: object, shape: Sizes) -> list[Result]:
    m, n = shape
    return [(shape, None), ((min(m, n),), dtypes.int32), ((m,), dtypes.int32)]


def _evaluate_lu(np: ModuleType, a: host.Array) -> list[Any]:
    factors, pivots, order = elimination.lu(np, in_compute_dtype(a))
    return [factors.astype(a.dtype, copy=False), pivots, order]


def _jvp_lu(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """Differentiates L U = A.

    By L'U + LU' = A', the strict lower triangle of L^-1 A' U^-1 is L^-1 L', the rest U' U^-1.

    A matrix that is not square is completed by parts of the unit matrix.
    """
    factors, pivots, order = lu_p.bind(primals[0])
    m, n = shape_of(factors)[-2:]
    k = min(m, n)
    lower, upper = _completed_lower(factors, m, k), _completed_upper(factors, n, k)
    change = matrices.rows_taken(tangents[0], order)
    solve = lax.linalg.triangular_solve
    change = solve(lower, change, left_side=True, lower=True, unit_diagonal=True)
    change = solve(upper, change)
    strict = matrices.lower(change, -1)
    tangent = lax.add(
        matrices.product(lower, strict), matrices.product(matrices.upper(change), upper)
    )
    return [factors, pivots, order], [tangent, zero_of(pivots), zero_of(order)]


def _completed_lower(factors: ArrayLike, m: int, k: int) -> Any:
    strict = matrices.lower(matrices.part(factors, slice(None), slice(k)), -1)
    unit = matrices.identity(factors, m)
    if m > k:
        rest = lax.full((*shape_of(factors)[:-2], m, m - k), 0, aval_of(factors).dtype)
        strict = matrices.beside(strict, rest)
    return lax.add(strict, unit)


def _completed_upper(factors: ArrayLike, n: int, k: int) -> Any:
    upper = matrices.upper(matrices.part(factors, slice(k), slice(None)))
    if n == k:
        return upper
    unit = matrices.part(matrices.identity(factors, n), slice(k, None), slice(None))
    return matrices.below(upper, unit)


lu_p = matrix_primitive("lu", (2,), _lu_results, _evaluate_lu, jvp=_jvp_lu, lower=Kernel("lu"))


def _abstract_permutation(pivots: ShapedArray, *, permutation_size: int) -> ShapedArray:
    if pivots.dtype is not dtypes.int32:
        raise DTypeError(
            f"lu_pivots_to_permutation does not accept dtype {pivots.dtype}. Accepted dtypes are "
            "subtypes of int32.",
            hint="Give the pivots of jax.lax.linalg.lu.",
        )
    *rest, size = shape_of(pivots) or (0,)
    if not pivots.shape or permutation_size < size:
        raise ShapeError(
            f"Output permutation size {permutation_size} has to exceed the trailing dimension of "
            f"the pivots. Got pivots size {size}",
            hint="Give the number of rows of the matrix.",
        )
    return pivots.update(shape=(*rest, permutation_size))


def _evaluate_permutation(np: ModuleType, pivots: host.Array, *, permutation_size: int) -> Any:
    return elimination.permutation(np, pivots, permutation_size)


lu_pivots_to_permutation_p = Primitive(
    "lu_pivots_to_permutation",
    abstract=_abstract_permutation,
    evaluate=_evaluate_permutation,
    batch=batch,
    lower=Kernel("lu_pivots_to_permutation"),
)


def _solution(
    dtype: object, a: Sizes, b: Sizes, *, left_side: bool, **rest: object
) -> list[Result]:
    square("The first input to triangular_solve must be a square matrix.", a)
    if a[-1] != b[-2 if left_side else -1]:
        raise ShapeError(
            f"Incompatible shapes for arguments to triangular_solve: {a} and {b}.",
            hint="Give a right-hand side of the size of the matrix.",
        )
    return [(b, None)]


def _evaluate_triangular(np: ModuleType, a: host.Array, b: host.Array, **params: bool) -> Any:
    solution = elimination.solve_triangular(np, in_compute_dtype(a), in_compute_dtype(b), **params)
    return solution.astype(b.dtype, copy=False)


def _derive_matrix(
    tangent: ArrayLike, out: ArrayLike, a: ArrayLike, b: ArrayLike, **params: object
) -> Any:
    """-A^-1 A' X, or -X A' A^-1; the cheaper product first."""
    offset = 1 if params["unit_diagonal"] else 0
    lower = params["lower"]
    change = matrices.lower(tangent, -offset) if lower else matrices.upper(tangent, offset)
    change = lax.neg(change)
    change = matrices.swapped(change) if params["transpose_a"] else change
    change = matrices.conjugate(change) if params["conjugate_a"] else change
    m, n = shape_of(b)[-2:]
    if params["left_side"]:
        if m > n:
            return triangular_solve_p.bind(a, matrices.product(change, out), **params)
        return matrices.product(triangular_solve_p.bind(a, change, **params), out)
    if m < n:
        return triangular_solve_p.bind(a, matrices.product(out, change), **params)
    return matrices.product(out, triangular_solve_p.bind(a, change, **params))


def _derive_side(
    tangent: ArrayLike, out: ArrayLike, a: ArrayLike, b: ArrayLike, **params: object
) -> Any:
    return triangular_solve_p.bind(a, tangent, **params)


def _transpose_triangular(
    cotangent: ArrayLike, a: object, b: object, *, transpose_a: bool, **params: object
) -> list[Any]:
    return [None, triangular_solve_p.bind(a, cotangent, transpose_a=not transpose_a, **params)]


def _batch_triangular(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], **params: object
) -> tuple[Any, int]:
    (a, b), (mine, theirs) = operands, dims
    if mine is not None or theirs is None:
        moved = [move_to_front(x, dim, axis.size) for x, dim in zip(operands, dims, strict=True)]
        return triangular_solve_p.bind(*moved, **params), 0
    # One matrix for all: the mapped right-hand sides are put side by side.
    place = -1 if params["left_side"] else -2
    b = move(b, theirs, place)
    shape = shape_of(b)
    rank = len(shape)
    low = rank - 2 if params["left_side"] else rank - 3
    merged = (*shape[:low], shape[low] * shape[low + 1], *shape[low + 2 :])
    solved = triangular_solve_p.bind(a, lax.reshape(b, merged), **params)
    return lax.reshape(solved, shape), rank + place


triangular_solve_p = matrix_primitive(
    "triangular_solve",
    (2, 2),
    _solution,
    _evaluate_triangular,
    one_result=True,
    derivatives=(_derive_matrix, _derive_side),
    transpose=_transpose_triangular,
    batch=_batch_triangular,
    lower=Kernel("triangular_solve"),
)


def _tridiagonal_solution(
    dtype: object, dl: Sizes, d: Sizes, du: Sizes, b: Sizes, **params: object
) -> list[Result]:
    if not dl == d == du:
        raise ShapeError(
            "tridiagonal_solve requires that all diagonal arguments have the same shape.",
            hint="Put a zero before the lower diagonal and after the upper one.",
        )
    if dl != b[:-1]:
        raise ShapeError(
            "tridiagonal_solve requires that the leading ndim-1 dimensions of b equal the "
            "dimensions of the diagonal arguments.",
            hint="Give the right-hand sides as columns.",
        )
    return [(b, None)]


def _evaluate_tridiagonal(np: ModuleType, *operands: host.Array, perturb_singular: bool) -> Any:
    wide = [in_compute_dtype(x) for x in operands]
    solution = elimination.solve_tridiagonal(np, *wide, perturb=perturb_singular)
    return solution.astype(operands[3].dtype, copy=False)


def _jvp_tridiagonal(
    primals: Sequence[Any], tangents: Sequence[Any], **params: object
) -> tuple[Any, Any]:
    solution = tridiagonal_solve_p.bind(*primals, **params)
    *diagonals, right = tangents
    if not all(isinstance(t, Zero) for t in diagonals):
        dl, d, du = map(instantiate, diagonals)
        applied = _tridiagonal_product(dl, d, du, solution)
        right = add_tangents(right, lax.neg(applied))
    return solution, tridiagonal_solve_p.bind(*primals[:3], instantiate(right), **params)


def _tridiagonal_product(dl: ArrayLike, d: ArrayLike, du: ArrayLike, x: ArrayLike) -> Any:
    count = shape_of(x)[-1]
    before, after = _shifted(x, 1, -2), _shifted(x, -1, -2)
    parts = ((dl, before), (d, x), (du, after))
    products = [lax.mul(matrices.columns(each, count), part) for each, part in parts]
    return lax.add(lax.add(products[0], products[1]), products[2])


def _shifted(x: ArrayLike, places: int, axis: int) -> Any:
    """Returns the array moved along an axis; what comes in is zero, what goes out is dropped."""
    rank = len(shape_of(x))
    config = [(0, 0, 0)] * rank
    config[axis % rank] = (places, -places, 0)
    return lax.pad(x, lax.full((), 0, aval_of(x).dtype), config)


def _transpose_tridiagonal(
    cotangent: ArrayLike, dl: ArrayLike, d: object, du: ArrayLike, b: object, **params: object
) -> list[Any]:
    lower, upper = _shifted(du, 1, -1), _shifted(dl, -1, -1)
    return [None, None, None, tridiagonal_solve_p.bind(lower, d, upper, cotangent, **params)]


tridiagonal_solve_p = matrix_primitive(
    "tridiagonal_solve",
    (1, 1, 1, 2),
    _tridiagonal_solution,
    _evaluate_tridiagonal,
    one_result=True,
    jvp=_jvp_tridiagonal,
    transpose=_transpose_tridiagonal,
    lower=Kernel("tridiagonal_solve"),
)

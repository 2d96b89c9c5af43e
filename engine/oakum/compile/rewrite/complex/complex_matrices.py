"""Complex matrices as real ones of twice the order, where a back end has kernels for real ones.

Each number a + bi becomes the square of a, -b, b and a: products and sums of such matrices stand
for those of complex ones. A lower triangle stays one if its diagonal is real: that of a Cholesky
factor is, and a system is divided by its own beforehand.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.problems.elimination import Cholesky
from oakum.compile.problems.problem import Kernels
from oakum.compile.rewrite import rewriter
from oakum.compile.rewrite.expand_primitives import inline, stage_function
from oakum.compile.rewrite.rewriter import is_complex
from oakum.primitives.cholesky import cholesky_p
from oakum.primitives.elimination import triangular_solve_p
from oakum.tracing.ir import ClosedJaxpr, Equation
from oakum.tracing.trace import aval_of


def double_complex_matrices(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program with complex factors and systems as real ones, in loops and branches
    too.
    """

    def doubled(eqn: Equation) -> ClosedJaxpr | None:
        function = _FUNCTIONS.get(eqn.primitive.name)
        if function is None or not is_complex(eqn.inputs[0]) or not _is_taken(eqn, kernels):
            return None
        avals = [atom.aval for atom in eqn.inputs]
        return stage_function(functools.partial(function, **eqn.params), avals, eqn.primitive.name)

    def rewrite(each: ClosedJaxpr) -> ClosedJaxpr:
        has_some = any(eqn.primitive.name in _FUNCTIONS for eqn in each.eqns)
        return inline(each, doubled) if has_some else each

    return rewriter.rewrite_all(closed, rewrite)


def _is_taken(eqn: Equation, kernels: Kernels) -> bool:
    """Returns whether there are elements, and a kernel for real ones."""
    real = dtypes.to_real(eqn.inputs[0].aval.dtype)
    assert real is not None
    is_empty = any(0 in shape_of(atom.aval) for atom in eqn.inputs)
    return not is_empty and kernels.takes(Cholesky(1, 1, 1, real))


def _double(x: Array) -> Any:
    """Returns matrices with a square in the place of each number."""
    *batch, rows, columns = shape_of(aval_of(x))
    real, imaginary = lax.real(x), lax.imag(x)
    pairs = [_beside(real, lax.neg(imaginary)), _beside(imaginary, real)]
    return lax.reshape(_beside(*pairs, axis=-3), (*batch, 2 * rows, 2 * columns))


def _beside(x: Array, y: Array, axis: int = -1) -> Any:
    """Returns two arrays along a new axis: behind the last one, or between rows and columns."""
    rank = len(shape_of(aval_of(x)))
    place = rank + 1 + axis
    parts = [lax.expand_dims(each, (place,)) for each in (x, y)]
    return lax.concatenate(parts, place)


def _columns(x: Array) -> Any:
    """Returns matrices of columns, each number as one real number above the other."""
    *batch, rows, columns = shape_of(aval_of(x))
    both = _beside(lax.real(x), lax.imag(x), axis=-2)
    return lax.reshape(both, (*batch, 2 * rows, columns))


def _whole(x: Array) -> Any:
    """Returns the complex numbers of columns of real ones."""
    *batch, rows, columns = shape_of(aval_of(x))
    apart = lax.reshape(x, (*batch, rows // 2, 2, columns))
    axis = len(batch) + 1
    real, imaginary = (lax.index_in_dim(apart, n, axis, keepdims=False) for n in range(2))
    return lax.complex(real, imaginary)


def _cholesky(x: Array) -> list[Any]:
    *batch, rows, columns = shape_of(aval_of(x))
    made = cholesky_p.bind(_double(x))
    # The first column of each two: what is real above what is imaginary.
    apart = lax.reshape(made, (*batch, 2 * rows, columns, 2))
    return [_whole(lax.index_in_dim(apart, 0, len(batch) + 2, keepdims=False))]


def _solve(
    a: Array,
    b: Array,
    *,
    left_side: bool,
    lower: bool,
    transpose_a: bool,
    conjugate_a: bool,
    unit_diagonal: bool,
) -> list[Any]:
    rank = len(shape_of(aval_of(a)))
    turn = (*range(rank - 2), rank - 1, rank - 2)
    matrix: Any = lax.conj(a) if conjugate_a else a
    sides: Any = b
    # The matrix is on the left, and not transposed.
    if transpose_a == left_side:
        matrix, lower = lax.transpose(matrix, turn), not lower
    if not left_side:
        sides = lax.transpose(sides, turn)
    if unit_diagonal:
        # What lies on the diagonal is not read, and would be beside it.
        matrix = lax.select(_is_diagonal(matrix), lax.full_like(matrix, 1), matrix)
    else:
        matrix, sides = _divided(matrix, sides)
    made = triangular_solve_p.bind(
        _double(matrix),
        _columns(sides),
        left_side=True,
        lower=lower,
        transpose_a=False,
        conjugate_a=False,
        unit_diagonal=True,
    )
    result = _whole(made)
    return [result if left_side else lax.transpose(result, turn)]


def _is_diagonal(matrix: Array) -> Any:
    shape = shape_of(aval_of(matrix))
    return lax.eq(*(lax.broadcasted_iota(dtypes.int32, shape, len(shape) - n) for n in (2, 1)))


def _divided(matrix: Array, sides: Array) -> tuple[Any, Any]:
    """Divides each row of a system by its element on the diagonal."""
    last = len(shape_of(aval_of(matrix))) - 1
    own = lax.select(_is_diagonal(matrix), matrix, lax.full_like(matrix, 0))
    diagonal = lax.complex(
        *(lax.reduce_sum(part, (last,)) for part in (lax.real(own), lax.imag(own)))
    )

    def divide(x: Array) -> Any:
        to = shape_of(aval_of(x))
        return lax.div(x, lax.broadcast_in_dim(diagonal, to, tuple(range(last))))

    return divide(matrix), divide(sides)


_FUNCTIONS: Final[dict[str, Callable[..., list[Any]]]] = {
    "cholesky": _cholesky,
    "triangular_solve": _solve,
}

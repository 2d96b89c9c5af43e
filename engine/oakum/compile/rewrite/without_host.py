"""Operations on matrices and along lines that have no kernels, as products, systems and selections,
for back ends whose data would have to leave the device.

The product of reflections is one matrix, I - V T V*: V has their vectors for columns, and T is a
triangle (Schreiber and Van Loan, 1989), which is the solution of a system of the products of the
vectors.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, Final

from oakum import dtypes, lax
from oakum.array import Array
from oakum.compile.rewrite import rewriter
from oakum.compile.rewrite.expand_primitives import inline, stage_function
from oakum.compile.rewrite.rewriter import is_complex
from oakum.dtypes import DType, Kind
from oakum.primitives.elimination import triangular_solve_p
from oakum.primitives.rules import matrices
from oakum.primitives.rules.arguments import dtype_of, shape_of
from oakum.primitives.sorting import take_along, top_k_p
from oakum.tracing.ir import ClosedJaxpr, Equation
from oakum.tracing.trace import Primitive
from oakum.typing import ArrayLike


def without_host(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program with other operations in the place of some that have no kernel, in loops
    and branches too.
    """

    def replaced(eqn: Equation) -> ClosedJaxpr | None:
        function = _function(eqn)
        if function is None or any(0 in (atom.aval.shape or ()) for atom in eqn.inputs):
            return None
        avals = [atom.aval for atom in eqn.inputs]
        return stage_function(functools.partial(function, **eqn.params), avals, eqn.primitive.name)

    def rewrite(each: ClosedJaxpr) -> ClosedJaxpr:
        has_some = any(_function(eqn) is not None for eqn in each.eqns)
        return inline(each, replaced) if has_some else each

    return rewriter.rewrite_all(closed, rewrite)


def _function(eqn: Equation) -> Callable[..., list[Any]] | None:
    name, params = eqn.primitive.name, eqn.params
    if name in _SMALL and _is_small(eqn.inputs[0].aval.dtype):
        return functools.partial(_in_singles, eqn.primitive)
    if name == "cumlogsumexp" and is_complex(eqn.inputs[0]):
        return None
    if name == "approx_top_k" and not params["aggregate_to_topk"]:
        return None
    return _FUNCTIONS.get(name)


def _is_small(dtype: DType | None) -> bool:
    return dtype is not None and dtype.kind is Kind.FLOAT and dtype.bits < 32


def _in_singles(primitive: Primitive, *operands: Array, **params: object) -> list[Any]:
    """Returns what matrices of small floats give, as the host does it."""
    small = dtype_of(operands[0])
    wide = [lax.convert_element_type(x, dtypes.float32) for x in operands]
    made = primitive.bind(*wide, **params)
    results = made if primitive.multiple_results else [made]
    return [
        lax.convert_element_type(x, small) if dtype_of(x) is dtypes.float32 else x for x in results
    ]


# Reflections.


def _vectors(packed: Array, count: int) -> Any:
    """Returns the vectors of reflections as columns: below the diagonal, on which there is one."""
    columns = matrices.part(packed, slice(None), slice(count))
    return lax.add(matrices.lower(columns, -1), matrices.lower(_ones_on_diagonal(columns)))


def _ones_on_diagonal(like: ArrayLike) -> Any:
    shape = shape_of(like)
    row, column = (lax.broadcasted_iota(dtypes.int32, shape, len(shape) - n) for n in (2, 1))
    return lax.convert_element_type(lax.eq(row, column), dtype_of(like))


def _triangle(vectors: ArrayLike, taus: Array) -> Any:
    """Returns the triangle T."""
    along = matrices.upper(matrices.product(matrices.adjoint(vectors), vectors), 1)
    count = shape_of(taus)[-1]
    system = lax.mul(matrices.columns(taus, count), along)
    return triangular_solve_p.bind(
        system,
        matrices.on_diagonal(taus),
        left_side=True,
        lower=False,
        transpose_a=False,
        conjugate_a=False,
        unit_diagonal=True,
    )


def _reflected(packed: Array, taus: Array, c: ArrayLike, *, is_turned: bool = False) -> Any:
    """Returns a matrix multiplied by the product of reflections, or by its adjoint."""
    vectors = _vectors(packed, shape_of(taus)[-1])
    triangle = _triangle(vectors, taus)
    if is_turned:
        triangle = matrices.adjoint(triangle)
    along = matrices.product(triangle, matrices.product(matrices.adjoint(vectors), c))
    return lax.sub(c, matrices.product(vectors, along))


def _unit(like: ArrayLike, rows: int, columns: int) -> Any:
    return _ones_on_diagonal(lax.full((*shape_of(like)[:-2], rows, columns), 0, dtype_of(like)))


def _product(packed: Array, taus: Array) -> list[Any]:
    return [_reflected(packed, taus, _unit(packed, *shape_of(packed)[-2:]))]


def _multiplied(packed: Array, taus: Array, c: Array, *, left: bool, transpose: bool) -> list[Any]:
    if left:
        return [_reflected(packed, taus, c, is_turned=transpose)]
    made = _reflected(packed, taus, matrices.adjoint(c), is_turned=not transpose)
    return [matrices.adjoint(made)]


# Lines.


def _greatest(x: Array, *, k: int, reduction_dimension: int, is_max_k: bool, **_: object) -> Any:
    """Returns the greatest or least elements, all of them right; a NaN is none of them."""
    keys = x if is_max_k else lax.neg(x)
    keys = lax.select(lax.ne(x, x), lax.full_like(x, -math.inf), keys)
    _, places = top_k_p.bind(keys, k=k, axis=reduction_dimension)
    return [take_along(x, places, reduction_dimension), places]


def _log_sums(x: Array, *, axis: int, reverse: bool) -> list[Any]:
    """Adds what lies one element before, then two, then four, which have as many in them by then
    (Hillis and Steele, 1986).
    """
    rank, length = len(shape_of(x)), shape_of(x)[axis]
    least = lax.full((), -math.inf, dtype_of(x))
    total: Any = x
    step = 1
    while step < length:
        config = [(0, 0, 0)] * rank
        config[axis] = (-step, step, 0) if reverse else (step, -step, 0)
        total = total.__array_namespace__().logaddexp(total, lax.pad(total, least, config))
        step *= 2
    return [total]


_SMALL: Final = frozenset(
    (
        *("cholesky", "lu", "qr", "triangular_solve", "tridiagonal_solve"),
        *("geqrf", "householder_product", "ormqr", "cumlogsumexp"),
    )
)
"""Those that are computed in wider numbers, as the host does, where floats are small."""

_FUNCTIONS: Final[dict[str, Callable[..., list[Any]]]] = {
    "householder_product": _product,
    "ormqr": _multiplied,
    "approx_top_k": _greatest,
    "cumlogsumexp": _log_sums,
}
"""What stands for operations without a kernel, by their names."""

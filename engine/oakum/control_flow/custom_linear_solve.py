"""The primitive of `custom_linear_solve`: a system is solved by a function of the user's.

The derivatives are those of the system, not of the function: another system of the same matrix is
solved for the tangents, and one of the transposed matrix for the cotangents. Operands are the
constants of the four programs and the right hand side; parameters are the programs and the numbers
of their constants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from oakum import lax
from oakum.array import Array
from oakum.control_flow.body_tracing import Body, leaves_of, trace_body
from oakum.control_flow.solver_checks import check_shapes, check_tree
from oakum.errors import TransposeSolveError
from oakum.primitives.rules.batching import move, move_to_front
from oakum.primitives.rules.derivatives import Zero, add_tangents, instantiate, zero_of
from oakum.pytrees import pytree
from oakum.tracing.ir import ClosedJaxpr, eval_closed, run_closed
from oakum.tracing.parameter_forms import register
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.transforms.autodiff import linearize
from oakum.transforms.autodiff.jvp import jvp_flat
from oakum.transforms.batching.batch_trace import batch_jaxpr
from oakum.transforms.jit.jit_primitive import named_axes
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame


@register
class Programs(NamedTuple):
    """The programs of a system: the product with the matrix and with its transpose, and what
    solves the system and the transposed one.
    """

    matvec: ClosedJaxpr
    vecmat: ClosedJaxpr | None
    solve: ClosedJaxpr
    transpose_solve: ClosedJaxpr | None


@register
class Counts(NamedTuple):
    """The numbers of the programs' constants."""

    matvec: int
    vecmat: int
    solve: int
    transpose_solve: int


def _parts(operands: Sequence[Any], counts: Counts) -> tuple[list[list[Any]], list[Any]]:
    """Returns the constants of each program, and the right hand side."""
    found: list[list[Any]] = []
    start = 0
    for count in counts:
        found.append([*operands[start : start + count]])
        start += count
    return found, [*operands[start:]]


def custom_linear_solve(
    matvec: Callable[..., Any],
    b: object,
    solve: Callable[..., Any],
    transpose_solve: Callable[..., Any] | None,
    symmetric: bool,
    has_aux: bool,
) -> Any:
    """`lax.custom_linear_solve`."""
    if transpose_solve is None and symmetric:
        transpose_solve = solve
    leaves, treedef = leaves_of(b)
    avals = [aval_of(x) for x in leaves]

    def traced(name: str, function: Callable[..., Any], aux: bool) -> Body:
        body = trace_body(function, (b,), avals, transform=name)
        check_tree(name, body, "b", treedef, aux)
        check_shapes(name, body.out_avals[: len(avals)], "b", avals)
        return body

    product = traced("matvec", matvec, False)
    solver = traced("solve", _bind_product(solve, matvec), has_aux)
    other: Body | None = None
    transposed: Body | None = None
    if transpose_solve is not None:
        vecmat = matvec if symmetric else _transpose_product(matvec, b)
        other = product if symmetric else traced("vecmat", vecmat, False)
        transposed = traced("transpose_solve", _bind_product(transpose_solve, vecmat), has_aux)
    bodies = [product, other, solver, transposed]
    programs = Programs(*(body and body.jaxpr for body in bodies))  # pyright: ignore[reportArgumentType]
    counts = Counts(*(len(body.lifted) if body else 0 for body in bodies))
    constants = [x for body in bodies if body for x in body.lifted]
    results = linear_solve_p.bind(*constants, *leaves, programs=programs, counts=counts)
    return pytree.unflatten(solver.out_tree, results)


def _transpose_product(matvec: Callable[..., Any], b: object) -> Callable[..., Any]:
    transpose = linearize.linear_transpose(matvec, (b,))

    def vecmat(x: object) -> Any:
        return transpose(x)[0]

    return vecmat


def _bind_product(solve: Callable[..., Any], product: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the solver as a function of the right-hand side alone."""

    def solver(x: object) -> Any:
        return solve(product, x)

    return solver


def _abstract(*avals: ShapedArray, programs: Programs, counts: Counts) -> list[ShapedArray]:
    b = avals[sum(counts) :]
    return [*b, *programs.solve.out_avals[len(b) :]]


def _evaluate(xp: ModuleType, *operands: object, programs: Programs, counts: Counts) -> list[Any]:
    constants, b = _parts(operands, counts)
    return run_closed(xp, programs.solve, [*constants[2], *b])


def _jvp(
    primals: Sequence[Any], tangents: Sequence[Any], *, programs: Programs, counts: Counts
) -> tuple[list[Any], list[Any]]:
    """Solves A dx = db - dA x, the derivative of A x = b."""
    results = linear_solve_p.bind(*primals, programs=programs, counts=counts)
    constants, b = _parts(primals, counts)
    given, right = _parts(tangents, counts)
    x = results[: len(b)]
    if any(not isinstance(t, Zero) for t in given[0]):
        _, change = jvp_flat(
            lambda *args: eval_closed(programs.matvec, *args),
            [*constants[0], *x],
            [*given[0], *map(zero_of, x)],
        )
        right = [add_tangents(db, _negative(c)) for db, c in zip(right, change, strict=True)]
    fixed = [each for part in constants for each in part]
    solved = linear_solve_p.bind(*fixed, *map(instantiate, right), programs=programs, counts=counts)
    return results, [*solved[: len(b)], *map(zero_of, results[len(b) :])]


def _negative(tangent: Array) -> Any:
    return tangent if isinstance(tangent, Zero) else lax.neg(tangent)


def _transpose(
    cotangents: Sequence[Any], *operands: object, programs: Programs, counts: Counts
) -> list[Any]:
    if programs.transpose_solve is None or programs.vecmat is None:
        raise TransposeSolveError(
            "transpose_solve required for backwards mode automatic differentiation of "
            "custom_linear_solve",
            frame=user_frame(),
            hint="Give transpose_solve, or symmetric=True where the matrix is symmetric.",
        )
    constants, b = _parts(operands, counts)
    matvec, vecmat, solve, transpose_solve = constants
    results = linear_solve_p.bind(
        *vecmat,
        *matvec,
        *transpose_solve,
        *solve,
        *map(instantiate, cotangents[: len(b)]),
        programs=Programs(
            programs.vecmat, programs.matvec, programs.transpose_solve, programs.solve
        ),
        counts=Counts(counts[1], counts[0], counts[3], counts[2]),
    )
    return [*([None] * sum(counts)), *results[: len(b)]]


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    programs: Programs,
    counts: Counts,
) -> tuple[list[Any], list[int]]:
    """Batches a system: the whole right hand side and solution are mapped where a part of the
    system is.
    """
    places, _ = _parts(dims, counts)
    size = len(operands) - sum(counts)

    def batched(program: ClosedJaxpr | None, fixed: Sequence[int | None]) -> ClosedJaxpr | None:
        if program is None:
            return None
        marks = [*(d is not None for d in fixed), *([True] * size)]
        return batch_jaxpr(program, axis, marks, True)[0]

    mapped = [batched(program, fixed) for program, fixed in zip(programs, places, strict=True)]
    moved = [
        move_to_front(x, d, axis.size) if i >= sum(counts) else (x if d is None else move(x, d, 0))
        for i, (x, d) in enumerate(zip(operands, dims, strict=True))
    ]
    results = linear_solve_p.bind(*moved, programs=Programs(*mapped), counts=counts)  # pyright: ignore[reportArgumentType]
    return results, [0] * len(results)


def _axes(*, programs: Programs, **_: object) -> tuple[Any, ...]:
    found = [name for program in programs if program for name in named_axes(program)]
    return tuple(dict.fromkeys(found))


def _effects(*, programs: Programs, **_: object) -> frozenset[str]:
    return programs.solve.effects


linear_solve_p = Primitive(
    "custom_linear_solve",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    transpose=_transpose,
    batch=_batch,
    effects=_effects,
    axes=_axes,
    multiple_results=True,
)

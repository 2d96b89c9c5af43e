"""`custom_root`: a root found by a function of the user's, differentiated through its equation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.control_flow.body_tracing import Body, leaves_of, trace_body
from oakum.control_flow.solver_checks import check_tree
from oakum.primitives.rules.derivatives import Zero, instantiate, tangent_aval, zero_of
from oakum.pytrees import pytree
from oakum.tracing.ir import eval_closed
from oakum.tracing.trace import aval_of
from oakum.transforms.autodiff import linearize
from oakum.transforms.autodiff.jvp import jvp_flat
from oakum.transforms.custom_rules import custom_jvp


def custom_root(
    function: Callable[..., Any],
    initial_guess: object,
    solve: Callable[..., Any],
    tangent_solve: Callable[..., Any],
    has_aux: bool,
) -> Any:
    """`lax.custom_root`."""
    leaves, treedef = leaves_of(initial_guess)
    avals = [aval_of(x) for x in leaves]
    equation = trace_body(function, (initial_guess,), avals, transform="custom_root")
    check_tree("f", equation, "initial_guess", treedef, False)

    def solved(x: object) -> Any:
        return solve(function, x)

    solver = trace_body(solved, (initial_guess,), avals, transform="custom_root solve")
    check_tree("solve", solver, "initial_guess", treedef, has_aux)

    def linearized(x: object, b: object) -> Any:
        _, derivative = linearize.linearize_tree(function, (x,), False)
        return tangent_solve(derivative, b)

    tangents = trace_body(
        linearized,
        (initial_guess, initial_guess),
        [*avals, *avals],
        transform="custom_root tangent_solve",
    )
    check_tree("tangent_solve", tangents, "x", treedef, False)
    results = _root(equation, solver, tangents, leaves)
    return pytree.unflatten(solver.out_tree, results)


def _root(equation: Body, solver: Body, tangents: Body, guess: Sequence[Any]) -> list[Any]:
    """Returns the solution as a function of what the equation closes over."""
    counts = [len(body.lifted) for body in (equation, solver, tangents)]

    def split(values: Sequence[Any]) -> list[Sequence[Any]]:
        first, second, third = counts[0], counts[0] + counts[1], sum(counts)
        return [values[:first], values[first:second], values[second:third], values[third:]]

    def find(*arguments: object) -> list[Any]:
        _, constants, _, start = split(arguments)
        return eval_closed(solver.jaxpr, *constants, *start)

    def rule(primals: Sequence[Any], given: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """Solves f_x dx = -f_m dm, the derivative of f(m, x) = 0."""
        results = call(*primals)
        count = len(guess)
        solution, aux = results[:count], results[count:]
        constants, _, others, _ = split(primals)
        _, change = jvp_flat(
            lambda *m: eval_closed(equation.jaxpr, *m, *solution),
            constants,
            [_tangent(p, t) for p, t in zip(constants, split(given)[0], strict=True)],
        )
        right = map(instantiate, change)
        solved = eval_closed(tangents.jaxpr, *others, *solution, *right)
        return results, [*map(lax.neg, solved), *(instantiate(zero_of(x)) for x in aux)]

    def call(*arguments: object) -> list[Any]:
        return custom_jvp.call(find, rule, (), arguments, False)

    constants = [x for body in (equation, solver, tangents) for x in body.lifted]
    return call(*constants, *guess)


def _tangent(primal: object, tangent: object) -> Any:
    """Returns a tangent that the rule is given; the zeros of integers stay symbolic."""
    wanted = tangent_aval(aval_of(primal))
    return Zero(wanted) if aval_of(primal).dtype is not wanted.dtype else tangent

"""Iterative solvers of linear systems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum.scipy.sparse import krylov
from oakum.values.declarations import named_as, public


def _gradients(method: Callable[[], krylov.Method]):
    """Declares a solver by its method; its signature is inferred."""

    def solve(
        A: Any,
        b: Any,
        x0: object = None,
        *,
        tol: object = 1e-05,
        atol: object = 0.0,
        maxiter: object = None,
        M: Any = None,
    ) -> Any:
        return krylov.solve(method(), A, b, x0, tol, atol, maxiter, M), None

    return public(f"scipy.sparse.linalg.{method.__name__}")(named_as(method, solve))


@_gradients
def cg() -> krylov.Method:
    """Solves a positive definite system by conjugate gradients."""
    return krylov.conjugate_gradients


@_gradients
def bicgstab() -> krylov.Method:
    """Solves a system by stabilized biconjugate gradients."""
    return krylov.stabilized_gradients


@public("scipy.sparse.linalg.gmres", static=("restart", "solve_method"))
def gmres(
    A: Any,
    b: Any,
    x0: object = None,
    *,
    tol: object = 1e-05,
    atol: object = 0.0,
    restart: object = 20,
    maxiter: object = None,
    M: Any = None,
    solve_method: Any = "batched",
) -> Any:
    """Solves a system by minimal residuals."""
    method = krylov.minimal_residuals(restart, solve_method)
    x = krylov.solve(method, A, b, x0, tol, atol, maxiter, M)
    return x, krylov.has_failed(x)

"""Iterative solvers of linear systems."""

from __future__ import annotations

from typing import Any

from oakum.scipy.sparse import krylov
from oakum.values.declarations import public


@public("scipy.sparse.linalg.cg")
def cg(
    A: Any,
    b: Any,
    x0: object = None,
    *,
    tol: object = 1e-05,
    atol: object = 0.0,
    maxiter: object = None,
    M: Any = None,
) -> Any:
    """Solves a positive definite system by conjugate gradients."""
    return krylov.solve(krylov.conjugate_gradients, A, b, x0, tol, atol, maxiter, M), None


@public("scipy.sparse.linalg.bicgstab")
def bicgstab(
    A: Any,
    b: Any,
    x0: object = None,
    *,
    tol: object = 1e-05,
    atol: object = 0.0,
    maxiter: object = None,
    M: Any = None,
) -> Any:
    """Solves a system by stabilized biconjugate gradients."""
    return krylov.solve(krylov.stabilized_gradients, A, b, x0, tol, atol, maxiter, M), None


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

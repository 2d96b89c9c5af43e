"""Iterative solvers, vector quantization and integration agree with direct solutions and JAX."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same, np

import oakum
from oakum.scipy.sparse import linalg

for _name in ("sparse.linalg", "cluster.vq", "integrate"):
    importlib.import_module(f"jax.scipy.{_name}")

RNG = np.random.default_rng(0)
A: Any = (RNG.normal(size=(8, 8)) + 6 * np.eye(8)).astype("f")
P: Any = (A @ A.T).astype("f")
B: Any = RNG.normal(size=8).astype("f")
SOLVERS: dict[str, tuple[Callable[..., Any], Any]] = {
    "cg": (linalg.cg, P),
    "bicgstab": (linalg.bicgstab, A),
    "gmres": (linalg.gmres, A),
}


@pytest.mark.parametrize("name", SOLVERS)
def test_solutions(name: str) -> None:
    """A solver does not solve, with a matrix, a function, a tree or a preconditioner."""
    solver, matrix = SOLVERS[name]
    exact = np.linalg.solve(matrix, B)
    scale = np.diag(1 / np.diag(matrix)).astype("f")
    for options in ({}, {"M": scale}, {"x0": exact + 0.1}, {"tol": 1e-6, "maxiter": 60}):
        x, _ = solver(matrix, B, **options)
        np.testing.assert_allclose(x, exact, rtol=1e-3, atol=1e-3)

    def product(tree: Any) -> Any:
        whole = matrix @ oakum.numpy.concatenate([tree["a"], tree["b"].reshape(-1)])
        return {"a": whole[:2], "b": whole[2:].reshape(2, 3)}

    x, _ = solver(product, {"a": B[:2], "b": B[2:].reshape(2, 3)})
    np.testing.assert_allclose(x["a"], exact[:2], rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(x["b"], exact[2:].reshape(2, 3), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("name", SOLVERS)
def test_gradients(name: str) -> None:
    """The gradient of a solution is not that of the system."""
    solver, matrix = SOLVERS[name]

    def total(b: Any) -> Any:
        return solver(matrix, b, tol=1e-6)[0].sum()

    gradient = oakum.jit(oakum.grad(total))(B)
    np.testing.assert_allclose(gradient, np.linalg.inv(matrix).sum(0), rtol=1e-3, atol=1e-4)


def test_restarts() -> None:
    """Minimal residuals with few directions do not come to the solution."""
    x, info = linalg.gmres(A, B, restart=3, tol=1e-6)
    np.testing.assert_allclose(x, np.linalg.solve(A, B), rtol=1e-3, atol=1e-3)
    assert int(info) == 0
    x, _ = linalg.gmres((A + 1j * P).astype("complex64"), B.astype("complex64"))
    np.testing.assert_allclose(x, np.linalg.solve(A + 1j * P, B), rtol=1e-2, atol=1e-3)


ERRORS: list[Callable[[Any], Any]] = [
    lambda s: s.cg(A[:, :3], B),
    lambda s: s.cg("matrix", B),
    lambda s: s.cg(P, B, x0={"a": B}),
    lambda s: s.gmres(A, B, solve_method="none"),
]


@pytest.mark.parametrize("program", ERRORS)
def test_errors(program: Callable[[Any], Any]) -> None:
    """A matrix, a start or a method that fits nothing is accepted."""
    assert_same(lambda p: program(importlib.import_module(f"{p.__name__}.scipy.sparse.linalg")))


def test_quantization_and_integration() -> None:
    """The nearest codes, or the integral of samples, differ from JAX's."""
    points, codes = RNG.normal(size=(9, 3)).astype("f"), RNG.normal(size=(4, 3)).astype("f")

    def nearest(package: Any) -> Any:
        vq = importlib.import_module(f"{package.__name__}.scipy.cluster.vq").vq
        return vq(points, codes), vq(points[:, 0], codes[:, 0])

    def mixed(package: Any) -> Any:
        return importlib.import_module(f"{package.__name__}.scipy.cluster.vq").vq(points, B)

    def integral(package: Any) -> Any:
        trapezoid = importlib.import_module(f"{package.__name__}.scipy.integrate").trapezoid
        return trapezoid(A), trapezoid(A, B, axis=0), trapezoid(A, dx=0.5)

    for program in (nearest, mixed, integral):
        assert_same(program)

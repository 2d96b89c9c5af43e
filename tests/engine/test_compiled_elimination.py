# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Compiled factorizations and triangular systems hold the identities that define them.

What fails here gives users of `solve`, `inv`, `det`, `cholesky` and their kin wrong numbers in
`jit`, or lets one matrix of a batch change another.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import jax
import numpy as np
import pytest
from tests.engine.compiled_programs import compare_compiled

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable

SIZES = (1, 2, 3, 8, 9, 17, 20, 33)
NEAR = {"float32": 3e-3, "float64": 1e-9}


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


def run(function, *arguments: np.ndarray) -> list[np.ndarray]:
    """The results of a function that the host has no part in."""
    traced = oakum.make_jaxpr(function)(*arguments)
    program = Executable(getattr(traced, "closed", traced))
    assert program.source is not None
    assert not program.source.host_steps
    return program(arguments)


def compare_with_jax(function, *arguments: np.ndarray, near: float) -> None:
    """Compares a function of namespaces with that of JAX, whatever the host has to do."""
    with jax.enable_x64(True):
        expected = jax.tree.leaves(jax.jit(lambda *x: function(jax, jax.numpy, *x))(*arguments))
    mine = oakum.jit(lambda *x: function(oakum, jnp, *x))(*arguments)
    for one, other in zip(oakum.tree_util.tree_leaves(mine), expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=near, atol=near)


@pytest.mark.parametrize("kind", NEAR)
@pytest.mark.parametrize("n", SIZES)
def test_factors_give_the_rows_in_their_order(n: int, kind: str) -> None:
    source = np.random.default_rng(n)
    for batch, m in (((), n), ((3,), n + 5), ((2, 2), max(n - 3, 1))):
        a = source.normal(size=(*batch, m, n)).astype(kind)
        factors, pivots, order = run(lax.linalg.lu, a)
        k = min(m, n)
        lower = np.tril(factors[..., :k], -1) + np.eye(m, k)
        rows = np.take_along_axis(a, order[..., None].astype(int), -2)
        np.testing.assert_allclose(
            lower @ np.triu(factors[..., :k, :]), rows, rtol=NEAR[kind], atol=NEAR[kind]
        )
        assert (np.abs(lower) <= 1).all(), "a pivot is not the largest of its column"
        swapped = lax.linalg.lu_pivots_to_permutation(pivots, m)
        np.testing.assert_array_equal(order, swapped)


@pytest.mark.parametrize("kind", NEAR)
@pytest.mark.parametrize("n", SIZES)
def test_cholesky_factors_of_the_lower_triangle(n: int, kind: str) -> None:
    source = np.random.default_rng(n)
    x = source.normal(size=(3, n, n))
    a = (x @ x.swapaxes(-1, -2) + n * np.eye(n)).astype(kind)
    noise = np.triu(source.normal(size=(3, n, n)), 1).astype(kind)
    (factors,) = run(lambda a: lax.linalg.cholesky(a, symmetrize_input=False), np.tril(a) + noise)
    assert not np.triu(factors, 1).any()
    product = factors @ factors.swapaxes(-1, -2)
    np.testing.assert_allclose(product, a, rtol=NEAR[kind], atol=NEAR[kind] * n)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("n", SIZES)
def test_triangular_systems_of_every_form(n: int) -> None:
    source = np.random.default_rng(n)
    forms = list(itertools.product((False, True), repeat=4))
    for form, sides in zip(forms, itertools.cycle((1, 2, 3, 8, 9, 17, 40)), strict=False):
        left, lower, transposed, unit = form
        kind = "float32" if (sides + n) % 2 else "float64"
        batch = (3,) if sides in (2, 9) else ()
        a = source.normal(size=(*batch, n, n)) * 0.3 / np.sqrt(n) + 2 * np.eye(n)
        b = source.normal(size=(*batch, *((n, sides) if left else (sides, n)))).astype(kind)
        a = a.astype(kind)
        (x,) = run(
            lambda a, b, left=left, lower=lower, transposed=transposed, unit=unit: (
                lax.linalg.triangular_solve(
                    a,
                    b,
                    left_side=left,
                    lower=lower,
                    transpose_a=transposed,
                    unit_diagonal=unit,
                )
            ),
            a,
            b,
        )
        used = np.tril(a) if lower else np.triu(a)
        if unit:
            used = used - used * np.eye(n) + np.eye(n)
        used = used.swapaxes(-1, -2) if transposed else used
        product = used @ x if left else x @ used
        np.testing.assert_allclose(product, b, rtol=NEAR[kind], atol=NEAR[kind])


@pytest.mark.parametrize("m", [1, 2, 3, 17])
def test_tridiagonal_systems_in_which_rows_are_swapped(m: int) -> None:
    source = np.random.default_rng(m)
    for number, sides in enumerate((1, 3, 8, 21)):
        below, main, above = (source.normal(size=(number, m)) for _ in range(3))
        below[:, 0] = above[:, -1] = np.nan  # they do not count
        b = source.normal(size=(number, m, sides))
        (x,) = run(lax.linalg.tridiagonal_solve, below, main, above, b)
        product = main[..., None] * x
        product[:, 1:] += below[:, 1:, None] * x[:, :-1]
        product[:, :-1] += above[:, :-1, None] * x[:, 1:]
        np.testing.assert_allclose(product, b, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 3), (5, 2), (2, 5), (20, 12)])
def test_orthogonal_factors(m: int, n: int) -> None:
    source = np.random.default_rng(m)
    for full, kind in itertools.product((False, True), NEAR):
        a = source.normal(size=(3, m, n)).astype(kind)
        a[1] *= 1e-30 if kind == "float32" else 1e200
        a[2, :, 0] = 0
        q, r = run(lambda a, full=full: lax.linalg.qr(a, full_matrices=full), a)
        assert not np.tril(r, -1).any()
        near = 1e-5 if kind == "float32" else 1e-13
        unit = np.broadcast_to(np.eye(q.shape[-1]), (3, q.shape[-1], q.shape[-1]))
        np.testing.assert_allclose(q.swapaxes(-1, -2) @ q, unit, atol=near)
        for index in range(3):
            size = np.abs(a[index]).max()
            np.testing.assert_allclose(q[index] @ r[index], a[index], atol=20 * near * size)
        wanted = np.linalg.qr(a[0].astype("float64"), "complete" if full else "reduced")
        np.testing.assert_allclose(r[0], wanted[1], atol=20 * near)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (3, 3), (5, 2), (2, 5), (20, 12)])
def test_reflections_that_leave_triangles(m: int, n: int) -> None:
    """`mode="raw"` gives other vectors or factors than the host's, or those of another matrix."""
    source = np.random.default_rng(m)
    for kind, near in NEAR.items():
        a = source.normal(size=(3, m, n)).astype(kind)
        a[2, :, 0] = 0
        for found, wanted in zip(
            run(lambda a: jnp.linalg.qr(a, "raw"), a), jnp.linalg.qr(a, "raw"), strict=True
        ):
            np.testing.assert_allclose(found, wanted, atol=20 * near)


def test_large_matrices() -> None:
    source = np.random.default_rng(0)
    a = source.normal(size=(300, 300))
    b = source.normal(size=(300, 70))
    (x,) = run(jnp.linalg.solve, a, b)
    np.testing.assert_allclose(a @ x, b, rtol=1e-9, atol=1e-9)
    (factors,) = run(jnp.linalg.cholesky, a @ a.T)
    np.testing.assert_allclose(factors @ factors.T, a @ a.T, rtol=1e-9, atol=1e-9)


def test_many_small_matrices() -> None:
    a = np.random.default_rng(0).normal(size=(5000, 3, 3))
    (inverses,) = run(jnp.linalg.inv, a)
    np.testing.assert_allclose(a @ inverses, np.broadcast_to(np.eye(3), a.shape), atol=1e-7)
    np.testing.assert_allclose(run(jnp.linalg.det, a)[0], np.linalg.det(a), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("n", [3, 20])
def test_a_matrix_without_factor_is_nan_alone(n: int) -> None:
    a = np.stack([np.eye(n), -np.eye(n), np.full((n, n), np.nan), 4 * np.eye(n)])
    (factors,) = run(jnp.linalg.cholesky, a)
    lower = np.tril(np.full((n, n), np.nan))
    np.testing.assert_array_equal(factors, [np.eye(n), lower, lower, 2 * np.eye(n)])


@pytest.mark.parametrize("n", [2, 5, 20])
def test_singular_matrices_give_what_jax_gives(n: int) -> None:
    a = np.outer(2.0 ** np.arange(n), np.ones(n))
    zeros = np.zeros((n, n))
    for x in (a, zeros):
        compare_with_jax(lambda j, np_, x: np_.linalg.det(x), x, near=1e-9)
        compare_with_jax(lambda j, np_, x: np_.linalg.slogdet(x), x, near=1e-9)
        compare_with_jax(lambda j, np_, x: j.lax.linalg.lu(x), x, near=1e-9)
        assert not np.isfinite(run(jnp.linalg.inv, x)[0]).all()


def test_nan_stays_in_its_matrix() -> None:
    a = np.random.default_rng(0).normal(size=(3, 4, 4))
    a[1, 2, 2] = np.nan
    (inverses,) = run(jnp.linalg.inv, a)
    assert np.isnan(inverses[1]).any()
    np.testing.assert_allclose(a[::2] @ inverses[::2], [np.eye(4)] * 2, atol=1e-9)


def test_empty_matrices() -> None:
    for shape in ((0, 0), (0, 3), (3, 0), (0, 3, 3)):
        factors, pivots, order = oakum.jit(lax.linalg.lu)(np.zeros(shape))
        assert factors.shape == shape
        assert pivots.shape == (*shape[:-2], min(shape[-2:]))
        np.testing.assert_array_equal(order, np.broadcast_to(np.arange(shape[-2]), order.shape))


@pytest.mark.parametrize("n", [2, 4, 18])
def test_derivatives_are_those_of_jax(n: int) -> None:
    source = np.random.default_rng(n)
    x = source.normal(size=(n, n))
    a, b = x @ x.T + n * np.eye(n), source.normal(size=(n, 2))

    def losses(np_, lax_, a, b):
        solved = lax_.linalg.triangular_solve(a, b, left_side=True, lower=True, transpose_a=True)
        return (
            np_.sum(np_.sin(np_.linalg.solve(a, b)))
            + np_.linalg.slogdet(a)[1]
            + np_.sum(np_.linalg.inv(a) ** 2)
            + np_.sum(np_.linalg.cholesky(a) * solved[:, :1])
            + np_.sum(lax_.linalg.lu(a)[0] ** 2)
        )

    compare_with_jax(
        lambda j, np_, a, b: j.grad(lambda a, b: losses(np_, j.lax, a, b), (0, 1))(a, b),
        a,
        b,
        near=1e-8,
    )
    if n == 2:
        compare_with_jax(
            lambda j, np_, a, b: j.hessian(lambda b: losses(np_, j.lax, a, b))(b), a, b, near=1e-8
        )


def test_factors_within_a_loop() -> None:
    a = np.random.default_rng(0).normal(size=(6, 6)) + 6 * np.eye(6)
    compare_compiled(
        lambda a: lax.fori_loop(0, 4, lambda i, x: jnp.linalg.solve(a, x) + i, a), a, near=1e-9
    )


def test_complex_matrices_are_factored_by_the_host() -> None:
    source = np.random.default_rng(0)
    a = source.normal(size=(3, 3)) + 1j * source.normal(size=(3, 3))
    result = oakum.jit(jnp.linalg.inv)(a)
    np.testing.assert_allclose(a @ np.asarray(result), np.eye(3), atol=1e-9)

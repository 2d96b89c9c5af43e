"""Solvers that know a matrix by its products with vectors.

Unknowns may be trees; the methods work on one vector of all their elements. Solutions are
differentiated as those of a linear system, whatever steps led to them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oakum import errors, flatten_util, lax, tree_util
from oakum import numpy as jnp
from oakum.array import Array
from oakum.primitives.rules.arguments import integer
from oakum.typing import ArrayLike
from oakum.values import host

Product = Callable[[Any], Any]
Method = Callable[[Product, Any, Any, Any, Any, Product], Any]
"""A method: of a product, the right side, a start, the bound of the residual, the number of steps
at most, and a preconditioner.
"""


def _product(matrix: Any) -> Product:
    """Returns the product with a matrix, or a function that is one."""
    if matrix is None:
        return lambda x: x
    if callable(matrix):
        return matrix
    if not isinstance(matrix, (Array, host.np.ndarray)) and not hasattr(matrix, "__matmul__"):
        raise errors.InvalidValueError(
            f"linear operator must be either a function or ndarray: {matrix}"
        )
    shape: tuple[int, ...] = matrix.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        raise errors.ShapeError(f"linear operator must be a square matrix, but has shape: {shape}")
    if isinstance(matrix, host.np.ndarray):
        matrix = jnp.asarray(matrix)
    return lambda x: matrix @ x


def solve(
    method: Method,
    a: object,
    b: Array,
    x0: object,
    tol: object,
    atol: Any,
    maxiter: object,
    m: Array,
) -> Any:
    """Solves a system by a method."""
    b = tree_util.tree_map(jnp.asarray, b)
    start = tree_util.tree_map(
        jnp.zeros_like if x0 is None else jnp.asarray, b if x0 is None else x0
    )
    _check_alike(start, b)
    right, as_tree = flatten_util.ravel_pytree(b)
    first, _ = flatten_util.ravel_pytree(start)
    product, precondition = _product(a), _product(m)

    def flat(function: Product) -> Product:
        return lambda x: flatten_util.ravel_pytree(function(as_tree(x)))[0]

    most = 10 * right.size if maxiter is None else maxiter
    inner = flat(precondition)

    def steps(multiply: Product, vector: Any) -> Any:
        bound = jnp.maximum(tol * jnp.linalg.norm(vector), atol)
        return method(multiply, vector, first, bound, most, inner)

    symmetric = method is conjugate_gradients and not jnp.iscomplexobj(right)
    result = lax.custom_linear_solve(
        flat(product), right, solve=steps, transpose_solve=steps, symmetric=symmetric
    )
    return as_tree(result)


def _check_alike(x0: object, b: ArrayLike) -> None:
    trees = [tree_util.tree_structure(each) for each in (x0, b)]
    if trees[0] != trees[1]:
        raise ValueError(f"x0 and b must have matching tree structure: {trees[0]} vs {trees[1]}")
    shapes = [[leaf.shape for leaf in tree_util.tree_leaves(each)] for each in (x0, b)]
    if shapes[0] != shapes[1]:
        raise errors.ShapeError(
            f"arrays in x0 and b must have matching shapes: {shapes[0]} vs {shapes[1]}"
        )


def has_failed(x: ArrayLike) -> Any:
    """Returns -1 where a solution has NaNs, else 0."""
    flat, _ = flatten_util.ravel_pytree(x)
    return jnp.where(jnp.isnan(jnp.linalg.norm(flat)), -1, 0)


def _square(x: ArrayLike) -> Any:
    return jnp.real(jnp.vdot(x, x))


def conjugate_gradients(
    a: Product, b: Array, x0: ArrayLike, bound: Any, most: Any, m: Product
) -> Any:
    """Returns the method of conjugate gradients, of Hestenes and Stiefel."""

    def go_on(state: Any) -> Any:
        _, r, _, _, k = state
        return (_square(r) > bound * bound) & (k < most)

    def step(state: Any) -> Any:
        x, r, gamma, p, k = state
        ap = a(p)
        alpha = gamma / jnp.vdot(p, ap).astype(b.dtype)
        x, r = x + alpha * p, r - alpha * ap
        z = m(r)
        new = jnp.vdot(r, z).astype(b.dtype)
        return x, r, new, z + new / gamma * p, k + 1

    r = b - a(x0)
    z = m(r)
    start = (x0, r, jnp.vdot(r, z).astype(b.dtype), z, 0)
    return lax.while_loop(go_on, step, start)[0]


def stabilized_gradients(
    a: Product, b: Array, x0: object, bound: Any, most: Any, m: Product
) -> Any:
    """Returns the stabilized method of biconjugate gradients, of van der Vorst."""
    r0 = b - a(x0)

    def go_on(state: Any) -> Any:
        r, k = state[1], state[-1]
        return (_square(r) > bound * bound) & (k < most) & (k >= 0)

    def step(state: Any) -> Any:
        x, r, alpha, omega, rho, p, q, k = state
        new = jnp.vdot(r0, r)
        p = r + new / rho * alpha / omega * (p - omega * q)
        from_p = m(p)
        q = a(from_p)
        alpha = new / jnp.vdot(r0, q)
        s = r - alpha * q
        enough = _square(s) < bound * bound
        from_s = m(s)
        t = a(from_s)
        omega = jnp.vdot(t, s) / jnp.vdot(t, t)
        half = x + alpha * from_p
        x = jnp.where(enough, half, half + omega * from_s)
        r = jnp.where(enough, s, s - omega * t)
        # The method breaks down where one of its divisors is zero.
        broken = (omega == 0) | (alpha == 0) | (new == 0)
        return x, r, alpha, omega, new, p, q, jnp.where(broken, -10, k + 1)

    one = jnp.ones((), b.dtype)
    return lax.while_loop(go_on, step, (x0, r0, one, one, one, r0, r0, 0))[0]


def minimal_residuals(restart: Any, solve_method: str) -> Method:
    """Returns the method of generalized minimal residuals, of Saad and Schultz, with restarts."""
    if solve_method not in ("batched", "incremental"):
        raise ValueError(
            f"invalid solve_method {solve_method}, must be either 'incremental' or 'batched'"
        )

    def method(a: Product, b: Array, x0: object, bound: Any, most: Any, m: Product) -> Any:
        size = min(integer(restart), b.size)

        def go_on(state: Any) -> Any:
            _, r, k = state
            return (jnp.linalg.norm(r) > bound) & (k < most)

        def cycle(state: Any) -> Any:
            x, r, k = state
            x = x + _correction(a, m, r, size)
            return x, m(b - a(x)), k + 1

        return lax.while_loop(go_on, cycle, (x0, m(b - a(x0)), 0))[0]

    return method


def _correction(a: Product, m: Product, r: Array, size: int) -> Any:
    """Returns what reduces a residual most within the space of its products with a matrix."""
    norm = jnp.linalg.norm(r)
    basis = jnp.zeros((size + 1, r.size), r.dtype).at[0].set(_unit(r, norm))
    start = (basis, jnp.zeros((size + 1, size), r.dtype))

    def extend(k: Array, state: Any) -> Any:
        rows, table = state
        v = m(a(rows[k]))
        whole = jnp.linalg.norm(v)
        parts = jnp.zeros(size + 1, r.dtype)
        for _ in range(2):  # once more, against rounding
            along = jnp.conj(rows) @ v
            v, parts = v - along @ rows, parts + along
        left = jnp.linalg.norm(v)
        left = jnp.where(left > jnp.finfo(r.dtype).eps * whole, left, 0.0)
        parts = parts.at[k + 1].set(left.astype(r.dtype))
        return rows.at[k + 1].set(_unit(v, left)), table.at[:, k].set(parts)

    rows, table = lax.fori_loop(0, size, extend, start)
    target = jnp.zeros(size + 1, r.dtype).at[0].set(norm.astype(r.dtype))
    weights = jnp.linalg.lstsq(table, target)[0]
    return weights @ rows[:-1]


def _unit(v: Array, norm: Any) -> Any:
    """Returns a vector of length one; zeros for zero."""
    return jnp.where(norm > 0, v / jnp.where(norm > 0, norm, 1.0).astype(v.dtype), 0.0)

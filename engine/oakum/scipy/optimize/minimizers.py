"""Minimization of functions of a vector by quasi-Newton methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.scipy.optimize import line_search
from oakum.values.declarations import transform


class OptimizeResults(NamedTuple):
    """What a minimization ends with."""

    x: Any
    success: Any
    status: Any
    fun: Any
    jac: Any
    hess_inv: Any
    nfev: Any
    njev: Any
    nit: Any


class _State(NamedTuple):
    converged: Any
    failed: Any
    count: Any
    evaluations: Any
    x: Any
    value: Any
    old_value: Any
    gradient: Any
    memory: Any
    search_status: Any


class _Method(NamedTuple):
    """A quasi-Newton method: its memory at first, the direction, and what it remembers."""

    start: Callable[[Any], Any]
    direction: Callable[[Any, Any], Any]
    remember: Callable[[Any, Any, Any], Any]


@transform("scipy.optimize.minimize", "minimize", ("fun",), staged=False)
def minimize(
    fun: Callable[..., Any],
    x0: Array,
    args: object = (),
    *,
    method: str,
    tol: float | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """Minimizes a function of a vector."""
    if not isinstance(args, tuple):
        raise TypeError(f"args argument to jax.scipy.optimize.minimize must be a tuple, got {args}")
    given: tuple[Any, ...] = args  # pyright: ignore[reportUnknownVariableType]
    chosen = dict(options or {})
    match method.lower():
        case "bfgs":
            maker = _bfgs()
        case "l-bfgs-experimental-do-not-rely-on-this":
            maker = _limited(chosen.pop("maxcor", 10))
        case _:
            raise ValueError(f"Method {method} not recognized")
    final = _run(lambda x: fun(x, *given), jnp.asarray(x0), maker, tol, chosen)
    return OptimizeResults(
        x=final.x,
        success=final.converged & ~final.failed,
        status=jnp.where(final.converged, 0, jnp.where(final.failed, 2 + final.search_status, 1)),
        fun=final.value,
        jac=final.gradient,
        hess_inv=final.memory if method.lower() == "bfgs" else None,
        nfev=final.evaluations,
        njev=final.evaluations,
        nit=final.count,
    )


def _run(
    fun: Callable[[Any], Any],
    x0: Array,
    method: _Method,
    tol: float | None,
    options: Mapping[str, Any],
) -> _State:
    from oakum import value_and_grad

    bound = options.get("gtol", 1e-5 if tol is None else tol)
    most = options.get("maxiter") or x0.size * 200
    order = options.get("norm", jnp.inf)
    steps = options.get("line_search_maxiter", options.get("maxls", 10))
    evaluate: Any = value_and_grad(fun)

    def is_small(gradient: Any) -> Any:
        return jnp.linalg.norm(gradient, ord=order) < bound

    def go_on(state: _State) -> Any:
        return ~state.converged & ~state.failed & (state.count < most)

    def advance(state: _State) -> _State:
        direction = method.direction(state.memory, state.gradient)
        found = line_search.search(
            evaluate, state.x, direction, state.value, state.old_value, state.gradient, steps
        )
        moved = found.step.astype(direction.dtype) * direction
        return _State(
            is_small(found.gradient),
            found.failed,
            state.count + 1,
            state.evaluations + found.evaluations,
            state.x + moved,
            found.value,
            state.value,
            found.gradient,
            method.remember(state.memory, moved, found.gradient - state.gradient),
            found.status,
        )

    value, gradient = evaluate(x0)
    start = _State(
        is_small(gradient),
        jnp.zeros((), bool),
        jnp.zeros((), int),
        jnp.ones((), int),
        x0,
        value,
        value + jnp.linalg.norm(gradient) / 2,
        gradient,
        method.start(x0),
        jnp.zeros((), int),
    )
    return lax.while_loop(go_on, advance, start)


def _bfgs() -> _Method:
    """Returns the method of Broyden, Fletcher, Goldfarb and Shanno: its memory is the inverse
    Hessian. Until the first step it is the identity, which the first update scales to the curvature
    that the step has found (Nocedal and Wright, equation 6.20): of a steep function in float32, the
    update is rounded away beside the identity otherwise.
    """

    def remember(inverse: Any, s: Array, y: Any) -> Any:
        product = jnp.dot(y, s)
        rho = 1 / product
        one = jnp.eye(s.shape[0], dtype=s.dtype)
        scale = product / jnp.dot(y, y)
        is_first = jnp.all(inverse == one) & jnp.isfinite(scale) & (scale > 0)
        inverse = jnp.where(is_first, scale, 1.0) * inverse
        left = one - rho * jnp.outer(s, y)
        updated = left @ inverse @ left.T + rho * jnp.outer(s, s)
        return jnp.where(jnp.isfinite(rho), updated, inverse)

    def start(x: Array) -> Any:
        return jnp.eye(x.shape[0], dtype=x.dtype)

    def direction(inverse: Any, gradient: Any) -> Any:
        return -(inverse @ gradient)

    return _Method(start, direction, remember)


def _limited(size: int) -> _Method:
    """Returns the method with limited memory: the last differences of points and of gradients."""

    def direction(memory: Any, gradient: Any) -> Any:
        points, gradients, rhos = memory
        # The direction of steepest descent of a real function of complex numbers is the conjugate.
        q = -jnp.conj(gradient)
        factors: list[Any] = [None] * size
        for i in reversed(range(size)):
            factors[i] = rhos[i] * jnp.vdot(points[i], q).real
            q = q - factors[i].astype(q.dtype) * jnp.conj(gradients[i])
        squares = jnp.vdot(gradients[-1], gradients[-1]).real
        known = rhos[-1] > 0
        scale = jnp.where(known, 1 / jnp.where(known, rhos[-1] * squares, 1.0), 1.0)
        q = q * scale.astype(q.dtype)
        for i in range(size):
            factor = factors[i] - rhos[i] * jnp.dot(gradients[i], q).real
            q = q + factor.astype(q.dtype) * points[i]
        return q

    def remember(memory: Any, s: Any, y: Any) -> Any:
        product = jnp.dot(s, y).real
        # A pair without positive curvature counts for nothing.
        rho = jnp.where(product > 0, 1 / jnp.where(product > 0, product, 1.0), 0.0)
        pushed = [
            jnp.concatenate([old[1:], new[None]])
            for old, new in zip(memory, (s, y, rho), strict=True)
        ]
        return tuple(pushed)

    def start(x: Array) -> Any:
        rows = jnp.zeros((size, x.shape[0]), x.dtype)
        return rows, rows, jnp.zeros((size,), x.real.dtype)

    return _Method(start, direction, remember)

"""Ordinary differential equations.

The method is the pair of Runge-Kutta formulas of orders 5 and 4 of Dormand and Prince (1980), with
the interpolation of Shampine (1986) between the steps, which the controller of Hairer, Norsett and
Wanner (Solving Ordinary Differential Equations I, II.4) chooses. The derivative is that of the
adjoint equation (Chen et al. 2018, appendix B and C), which is solved backwards in time.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from oakum import config, lax, tree_util
from oakum import numpy as jnp
from oakum.api import batching, custom_rules, derivatives, jit
from oakum.array import Array
from oakum.errors import DTypeError
from oakum.flatten_util import ravel_pytree
from oakum.typing import ArrayLike
from oakum.values.declarations import public
from oakum.values.host import np

Slope = Callable[..., Any]
"""The slope of a flat state at a time, `slope(y, t, *args)`."""

_NODES: Final = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0)
_STAGES: Final = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_SOLUTION: Final = (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84, 0)
_ERROR: Final = (
    35 / 384 - 1951 / 21600,
    0,
    500 / 1113 - 22642 / 50085,
    125 / 192 - 451 / 720,
    -2187 / 6784 + 12231 / 42400,
    11 / 84 - 649 / 6300,
    -1 / 60,
)
_MIDDLE: Final = (
    6025192743 / 30085553152 / 2,
    0,
    51252292925 / 65400821598 / 2,
    -2691868925 / 45128329728 / 2,
    187940372067 / 1594534317056 / 2,
    -1776094331 / 19743644256 / 2,
    11237099 / 235043384 / 2,
)
"""The weights of the slopes in the solution at the middle of a step."""

_ORDER: Final = 5
_SAFETY: Final = 0.9
_GREATEST_GROWTH: Final = 10.0
_GREATEST_CUT: Final = 0.2


class _Tolerances(NamedTuple):
    """What is asked of steps."""

    rtol: float
    atol: float
    steps: float
    """How many steps there may be between two times."""
    longest: float


class _Progress(NamedTuple):
    """The state of an integration behind a step."""

    steps: Any
    y: Array
    slope: Any
    t: Array
    dt: Array
    before: Any
    """The time before the last step that was accepted."""
    coefficients: Any
    """The polynomial of degree 4 over the last step that was accepted, highest power first."""


@public("experimental.ode.odeint")
def odeint(
    func: Callable[..., Any],
    y0: object,
    t: ArrayLike,
    *args: object,
    rtol: float = 1.4e-08,
    atol: float = 1.4e-08,
    mxstep: float = float("inf"),
    hmax: float = float("inf"),
) -> Any:
    """Integrates a differential equation with an adaptive Runge-Kutta method.

    `func(y, t, *args)` returns the slope of the state `y` at the time `t`, and the result has the
    state at each time of `t` along a new first axis. Raises TypeError where an argument is no array
    or the times are no floats, and where it is differentiated in forward mode.
    """
    for leaf in tree_util.tree_leaves(args):
        if not isinstance(leaf, int | float | complex | Array | np.ndarray | np.generic):
            raise DTypeError(
                f"The contents of odeint *args must be arrays or scalars, but got {leaf!r}.",
                hint="Pass what is no array to func by a closure or functools.partial.",
            )
    times = jnp.asarray(t)
    if not jnp.issubdtype(times.dtype, jnp.floating):
        raise DTypeError(
            f"t must be an array of floats, but got {t!r}.",
            hint="Make the times floats: t.astype(float).",
        )
    if not all(jnp.issubdtype(jnp.result_type(y), jnp.inexact) for y in tree_util.tree_leaves(y0)):
        raise DTypeError(
            "the initial state of odeint has to consist of floats",
            hint="Make it floats: y0 = 1.0, or y0.astype(float).",
        )
    asked = _Tolerances(rtol, atol, mxstep, hmax)
    converted, captured = custom_rules.closure_convert(func, y0, times[0], *args)
    if captured:
        return _solve(converted, asked, y0, times, *args, *captured)
    return _compiled()(func, asked, y0, times, *args)


@functools.cache
def _compiled() -> Callable[..., Any]:
    """Returns `_solve` for functions that capture no tracers: it keeps their programs."""
    return jit.jit(_solve, static_argnums=(0, 1))


def _solve(func: Slope, asked: _Tolerances, y0: object, times: Array, *args: object) -> Any:
    """Returns the states at the times; what `func` is differentiated by is in the arguments."""
    flat, unravel = ravel_pytree(y0)

    def slope(y: Array, t: Array, *rest: object) -> Any:
        return ravel_pytree(func(unravel(y), t, *rest))[0]

    with config.default_matmul_precision("highest"):
        ys = _differentiable(slope, asked)(flat, times, *args)
        return batching.vmap(unravel)(ys)


def _differentiable(slope: Slope, asked: _Tolerances) -> Callable[..., Any]:
    """Returns the function of the first state, the times and the arguments that integrates, with
    the derivative of the adjoint equation.
    """

    solve: Any = custom_rules.custom_vjp(functools.partial(_integrate, slope, asked))

    def forward(*operands: Array) -> Any:
        ys = solve(*operands)
        return ys, (ys, operands[1], operands[2:])

    def backward(saved: tuple[Array, Array, tuple[object, ...]], cotangents: Array) -> Any:
        with config.default_matmul_precision("highest"):
            ys, times, args = saved
            return _adjoint(slope, asked, ys, times, args, cotangents)

    solve.defvjp(forward, backward)
    return solve


def _adjoint(
    slope: Slope,
    asked: _Tolerances,
    ys: Array,
    times: Array,
    args: tuple[object, ...],
    given: Array,
) -> tuple[Any, ...]:
    """Returns the cotangents of the first state, the times and the arguments.

    The state of the backward equation is the state, its cotangent, and the integrals that are the
    cotangents of the time and of those arguments that have some; its time is the negative time.
    """
    leaves, tree = tree_util.tree_flatten(args)
    smooth = [jnp.issubdtype(jnp.result_type(leaf), jnp.inexact) for leaf in leaves]

    def of_smooth(some: Sequence[Any]) -> list[Any]:
        kept = iter(some)
        return [next(kept) if each else leaf for leaf, each in zip(leaves, smooth, strict=True)]

    def backwards(state: tuple[Array, ...], t: Array, *some: object) -> Any:
        y, cotangent = state[:2]

        def run(y: Array, t: Array, *some: object) -> Any:
            return slope(y, t, *tree_util.tree_unflatten(tree, of_smooth(some)))

        rate, pull = derivatives.vjp(run, y, -t, *some)
        return (-rate, *pull(cotangent))

    parameters = [leaf for leaf, each in zip(leaves, smooth, strict=True) if each]

    def over_interval(carry: tuple[Array, Array, list[Array]], end: tuple[Array, ...]) -> Any:
        cotangent, of_time, of_parameters = carry
        y, t, before, given_here, given_before = end
        moved = jnp.dot(slope(y, t, *args), given_here).real
        found = odeint(
            backwards,
            (y, cotangent, of_time - moved, *of_parameters),
            jnp.stack([-t, -before]),
            *parameters,
            rtol=asked.rtol,
            atol=asked.atol,
            mxstep=asked.steps,
            hmax=asked.longest,
        )
        _, cotangent, of_time, *of_parameters = tree_util.tree_map(operator.itemgetter(1), found)
        return (cotangent + given_before, of_time, of_parameters), moved

    begin = (given[-1], jnp.zeros((), times.dtype), [jnp.zeros_like(p) for p in parameters])
    ends = (ys[1:], times[1:], times[:-1], given[1:], given[:-1])
    (first, of_start, of_parameters), moved = lax.scan(over_interval, begin, ends, reverse=True)
    found = iter(of_parameters)
    of_leaves = [next(found) if each else None for each in smooth]
    of_times = jnp.concatenate([of_start[None], moved])
    return (first, of_times, *tree_util.tree_unflatten(tree, of_leaves))


def _integrate(slope_of: Slope, asked: _Tolerances, y0: Array, times: Array, *args: object) -> Any:
    """Returns the states at the times along a new first axis."""

    def slope(y: Array, t: Array) -> Any:
        return slope_of(y, t, *args)

    def advance(progress: _Progress) -> _Progress:
        steps, y, rate, t, dt, before, coefficients = progress
        reached, error, rates = _step(slope, y, rate, t, dt)
        ratio = _error_ratio(error, asked, y, reached)
        following = jnp.clip(_next_step(dt, ratio), 0.0, asked.longest)
        polynomial = _polynomial(y, reached, rates, dt)
        accepted = _Progress(steps + 1, reached, rates[-1], t + dt, following, t, polynomial)
        refused = _Progress(steps + 1, y, rate, t, following, before, coefficients)
        choose = functools.partial(jnp.where, ratio <= 1.0)
        return _Progress(*map(choose, accepted, refused))

    def reach(progress: _Progress, time: Array) -> Any:
        def is_before(now: _Progress) -> Any:
            return (now.t < time) & (now.steps < asked.steps) & (now.dt > 0)

        progress = lax.while_loop(is_before, advance, progress._replace(steps=0))
        part = (time - progress.before) / (progress.t - progress.before)
        return progress, jnp.polyval(progress.coefficients, part.astype(y0.dtype))

    rate = slope(y0, times[0])
    dt = jnp.clip(_first_step(slope, times[0], y0, asked, rate), 0.0, asked.longest)
    still = jnp.stack([y0] * 5)
    begin = _Progress(0, y0, rate, times[0], dt.astype(times.dtype), times[0], still)
    _, ys = lax.scan(reach, begin, times[1:])
    return jnp.concatenate([y0[None], ys])


def _step(slope: Slope, y: Array, rate: Array, t: Array, dt: Array) -> tuple[Any, Any, Any]:
    """Returns the state behind a step, an estimate of its error, and the slopes of its stages."""
    length = dt.astype(rate.dtype)
    rates = jnp.zeros((7, *rate.shape), rate.dtype).at[0].set(rate)
    nodes = jnp.asarray(_NODES, dt.dtype)
    stages = jnp.asarray([[*row, *[0.0] * (7 - len(row))] for row in _STAGES], rate.dtype)

    def stage(i: Array, rates: Array) -> Any:
        reached = y + length * jnp.dot(stages[i], rates)
        return rates.at[i + 1].set(slope(reached, t + dt * nodes[i]))

    rates = lax.fori_loop(0, 6, stage, rates)
    reached = length * jnp.dot(jnp.asarray(_SOLUTION, rate.dtype), rates) + y
    error = length * jnp.dot(jnp.asarray(_ERROR, rate.dtype), rates)
    return reached, error, rates


def _polynomial(y: Array, reached: Array, rates: Array, dt: Array) -> Any:
    """Returns the coefficients of the polynomial of degree 4, of the part of the step that has
    passed, that has the states at both ends and in the middle and the slopes at both ends.
    """
    length = dt.astype(y.dtype)
    middle = y + length * jnp.dot(jnp.asarray(_MIDDLE, y.dtype), rates)
    start, end = length * rates[0], length * rates[-1]
    return jnp.stack(
        [
            -2.0 * start + 2.0 * end - 8.0 * y - 8.0 * reached + 16.0 * middle,
            5.0 * start - 3.0 * end + 18.0 * y + 14.0 * reached - 32.0 * middle,
            -4.0 * start + end - 11.0 * y - 5.0 * reached + 16.0 * middle,
            start,
            y,
        ]
    )


def _first_step(slope: Slope, t: Array, y: Array, asked: _Tolerances, rate: Array) -> Any:
    """Returns the length of the first step: a hundredth of the time in which the state changes by
    its own size, or less where the slope changes fast.
    """
    scale = (asked.atol + jnp.abs(y) * asked.rtol).astype(y.dtype)
    size, speed = jnp.linalg.norm(y / scale), jnp.linalg.norm(rate / scale)
    small = (size < 1e-5) | (speed < 1e-5)
    guess = jnp.where(small, 1e-6, 0.01 * size / speed)
    probe = slope(y + guess.astype(y.dtype) * rate, t + guess)
    bend = jnp.linalg.norm((probe - rate) / scale) / guess
    greatest = jnp.maximum(speed, bend)
    chosen = jnp.where(
        greatest <= 1e-15,
        jnp.maximum(1e-6, guess * 1e-3),
        (0.01 / greatest) ** (1.0 / _ORDER),
    )
    return jnp.minimum(100.0 * guess, chosen)


def _error_ratio(error: Array, asked: _Tolerances, y: Array, reached: Array) -> Any:
    """Returns the mean error of a step over what is allowed."""
    allowed = asked.atol + asked.rtol * jnp.maximum(jnp.abs(y), jnp.abs(reached))
    return jnp.sqrt(jnp.mean(jnp.square(jnp.abs(error / allowed.astype(error.dtype)))))


def _next_step(dt: Array, ratio: Array) -> Any:
    """Returns the length of the next step; one that follows an accepted step is no shorter."""
    least = jnp.where(ratio < 1, 1.0, _GREATEST_CUT)
    factor = jnp.maximum(ratio ** (-1.0 / _ORDER) * _SAFETY, least)
    grown = jnp.where(ratio == 0, _GREATEST_GROWTH, jnp.minimum(_GREATEST_GROWTH, factor))
    return (dt * grown).astype(dt.dtype)

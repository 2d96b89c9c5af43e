"""A line search for the strong Wolfe conditions, by Nocedal and Wright, algorithms 3.5 and 3.6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from oakum import lax
from oakum import numpy as jnp
from oakum.typing import ArrayLike

_DECREASE: Final = 1e-4
_CURVATURE: Final = 0.9


class Found(NamedTuple):
    """The step that a search ends with, and what is known there."""

    failed: Any
    evaluations: Any
    step: Any
    value: Any
    gradient: Any
    status: Any


class _Point(NamedTuple):
    """A step, with the value and the slope of the function along the line."""

    step: Any
    value: Any
    slope: Any


class _State(NamedTuple):
    """A search: first it looks for an interval that holds a good step, then it narrows it."""

    done: Any
    narrowing: Any
    count: Any
    evaluations: Any
    low: _Point
    high: _Point
    next_step: Any
    best: _Point
    gradient: Any


def _cubic(low: _Point, high: _Point) -> Any:
    """Returns the least point of the cubic through two points with their slopes, kept off the
    ends.
    """
    width = high.step - low.step
    d1 = low.slope + high.slope - 3 * (low.value - high.value) / (low.step - high.step)
    square = d1 * d1 - low.slope * high.slope
    d2 = jnp.sign(width) * jnp.sqrt(jnp.maximum(square, 0))
    step = high.step - width * (high.slope + d2 - d1) / (high.slope - low.slope + 2 * d2)
    margin = 0.1 * jnp.abs(width)
    left = jnp.minimum(low.step, high.step) + margin
    right = jnp.maximum(low.step, high.step) - margin
    usable = (square >= 0) & jnp.isfinite(step) & (step >= left) & (step <= right)
    return jnp.where(usable, step, 0.5 * (low.step + high.step))


def _choose(flag: Any, yes: Any, no: Any) -> Any:
    return type(yes)(*(jnp.where(flag, a, b) for a, b in zip(yes, no, strict=True)))


def search(
    evaluate: Callable[[Any], tuple[Any, Any]],
    x: ArrayLike,
    direction: Any,
    value: ArrayLike,
    old_value: Any,
    gradient: Any,
    most: int,
) -> Found:
    """Looks along a direction for a step that decreases the function and its slope enough."""
    slope = jnp.dot(gradient, direction).real  # of complex vectors, too
    start = _Point(jnp.zeros_like(value), value, slope)
    guess = 1.01 * 2 * (value - old_value) / slope
    first = jnp.where((guess > 0) & (guess <= 1), guess, jnp.ones_like(guess))

    def along(step: Any) -> Any:
        return step.astype(direction.dtype) * direction

    def go_on(state: _State) -> Any:
        return ~state.done & (state.count < most)

    def advance(state: _State) -> _State:
        new_value, new_gradient = evaluate(x + along(state.next_step))
        slope_there = jnp.dot(new_gradient, direction).real
        point = _Point(state.next_step, new_value, slope_there)
        rises = (new_value > value + _DECREASE * state.next_step * slope) | (
            new_value >= state.low.value
        )
        # In the first step there is no lower point yet to compare with.
        rises = jnp.where(
            (state.count == 0) & ~state.narrowing,
            new_value > value + _DECREASE * state.next_step * slope,
            rises,
        )
        good = ~rises & (jnp.abs(point.slope) <= -_CURVATURE * slope)
        turned = point.slope * (state.high.step - state.low.step) >= 0
        return _next(state, point, new_gradient, rises, good, turned)

    state = _State(
        jnp.zeros((), bool),
        jnp.zeros((), bool),
        jnp.zeros((), int),
        jnp.zeros((), int),
        start,
        _Point(jnp.full_like(value, jnp.inf), value, slope),
        first,
        start,
        gradient,
    )
    state = lax.while_loop(go_on, advance, state)
    return _result(state, lambda step: evaluate(x + along(step)))


def _next(
    state: _State, point: _Point, gradient: object, rises: object, good: object, turned: object
) -> _State:
    """Returns the search after one more point is known."""
    ends = rises | (point.slope >= 0) | state.narrowing
    # Beyond a rise the point is the new end; else it is the new low one, and where the slope
    # points back, the old low one is the new end.
    back = jnp.where(state.narrowing, turned, point.slope >= 0)
    high = _choose(rises, point, _choose(back, state.low, state.high))
    low = _choose(rises, state.low, point)
    step = jnp.where(ends, _cubic(low, high), 2 * point.step)
    improved = point.value < state.best.value
    return _State(
        good,
        ends,
        state.count + 1,
        state.evaluations + 1,
        low,
        high,
        jnp.where(good, point.step, step),
        _choose(good | improved, point, state.best),
        jnp.where(good | improved, gradient, state.gradient),
    )


def _result(state: _State, evaluate: Callable[[Any], tuple[Any, Any]]) -> Found:
    found = state.best.step > 0
    step = jnp.where(found, state.best.step, 1e-8 * jnp.ones_like(state.best.step))
    value, gradient = evaluate(step)
    return Found(
        ~found & ~state.done,
        state.evaluations + 1,
        step,
        jnp.where(found, state.best.value, value),
        jnp.where(found, state.gradient, gradient),
        jnp.where(state.done, 0, jnp.where(found, 3, 1)),
    )

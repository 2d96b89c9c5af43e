# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Loops that change arrays where they are give what their evaluation gives.

A case that fails here overwrites something that is still needed: the user gets wrong numbers.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.compiled_programs import compare_compiled

import oakum.numpy as jnp
from oakum import lax
from oakum.compile.plan.steps import ControlStep, NestStep, Plan

SIZE = 6
CONSTANT = np.arange(7, 7 + SIZE, dtype=np.int32)


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with np.errstate(all="ignore"):
        yield


def _rows(x: Any) -> Any:
    return jnp.reshape(x, (2, SIZE // 2))


def _moved(chance: random.Random, x: Any, y: Any, at: Any) -> Any:
    """An array of the same size out of two, of which elements are moved or combined."""
    few = chance.randint(1, SIZE - 1)
    index = np.array([chance.randrange(-1, SIZE + 1) for _ in range(few)], np.int32)
    away = chance.choice([0, 1, 3, SIZE - 1])
    ways: Sequence[Callable[[], Any]] = [
        lambda: x + y,
        lambda: x * 3 - y,
        lambda: jnp.where(y > x, x, at),
        lambda: x[::-1],
        lambda: jnp.roll(x, 1),
        lambda: jnp.reshape(_rows(x).T, (SIZE,)),
        lambda: jnp.cumsum(x),
        lambda: jnp.sort(x),
        lambda: jnp.concatenate([x[1:], y[:1]]),
        lambda: x - jnp.max(x),
        lambda: x[y % SIZE],
        lambda: x.at[at].set(y[at]),
        lambda: x.at[at].set(x[at - 1] + 1),
        lambda: x.at[at + away].add(jnp.sum(y)),
        lambda: x.at[index].set(y[:few]),
        lambda: x.at[index].add(x[:few]),
        lambda: x.at[x % SIZE].set(y),
        lambda: x.at[y % SIZE].add(x),
        lambda: lax.dynamic_update_slice(x, y[:few], (at,)),
        lambda: lax.dynamic_update_slice(x, x[away : away + 1], (at,)),
        lambda: lax.dynamic_update_slice(x, x[SIZE - few :], (at + away,)),
        lambda: lax.dynamic_update_slice(x, lax.dynamic_slice(x, (at,), (few,)), (away,)),
        lambda: x.at[:-1].set(x[1:]),
        lambda: x.at[1:].set(x[:-1]),
        lambda: jnp.reshape(_rows(x).at[at % 2].set(_rows(y)[0]), (SIZE,)),
        lambda: jnp.reshape(_rows(x).at[:, at % 3].add(_rows(x)[:, 0]), (SIZE,)),
        lambda: x.at[at].set(x[-1]).at[-1].set(x[at]),
    ]
    return chance.choice(ways)()


def _step(chance: random.Random, state: tuple[Any, ...], at: Any, depth: int) -> tuple[Any, ...]:
    """What a round makes of its state."""
    known = list(state)
    for _ in range(chance.randint(1, 4)):
        x, y = chance.choice(known), chance.choice(known)
        if depth and chance.random() < 0.25:
            known += _control(chance, (x, y), at, depth - 1)
        else:
            known.append(_moved(chance, x, y, at))
    # The values that came last count most, but any may go anywhere.
    late = known[len(state) :] or known
    return tuple(chance.choice(late if chance.random() < 0.7 else known) for _ in state)


def _control(chance: random.Random, state: tuple[Any, ...], at: Any, depth: int) -> tuple[Any, ...]:
    """A loop or a branch over a state."""
    seed = chance.randrange(1 << 30)
    rounds = chance.choice([1, 2, 3, 4])

    def body(i: Any, current: Any) -> Any:
        return _step(random.Random(seed), current, i % SIZE, depth)

    def scanned(current: Any, x: Any) -> Any:
        new = body(x[0], current)
        return new, chance_of_rows.choice([new[0], current[-1], x])

    def changed(current: Any) -> Any:
        return body(at, current)

    def other(current: Any) -> Any:
        return _step(random.Random(seed + 1), current, at, depth)

    chance_of_rows = random.Random(seed)
    match chance.randrange(5):
        case 0:
            return lax.fori_loop(0, rounds, body, state)
        case 1:
            # The bound is known when it runs only.
            return lax.fori_loop(0, rounds + 0 * state[0][0], body, state)
        case 2:
            xs = jnp.reshape(jnp.tile(state[0], 3), (3, SIZE))
            final, rows = lax.scan(scanned, state, xs, reverse=chance.random() < 0.5)
            return (*final[:-1], final[-1] + jnp.sum(rows, 0))
        case 3:
            return lax.cond(state[0][0] > state[-1][1], changed, lambda current: current, state)
        case _:
            return lax.cond(state[0][0] % 2 == 0, changed, other, state)


@settings(max_examples=60)
@given(st.integers(0, 1 << 40))
def test_random_rounds(seed: int) -> None:
    chance = random.Random(seed)

    def function(x: Any, y: Any) -> Any:
        there = [x, y, jnp.asarray(CONSTANT), x + 1, jnp.zeros_like(x)]
        state = tuple(chance.choice(there) for _ in range(chance.randint(1, 3)))
        final = _control(chance, state, x[1] % SIZE, 1)
        return final, chance.choice([*there, *state]) + 1

    x, y = (np.random.default_rng(seed + n).integers(-9, 99, SIZE, np.int32) for n in (0, 1))
    compare_compiled(function, x, y, host=None)


def _changed(x: Any) -> Any:
    return lax.fori_loop(1, SIZE, lambda i, t: t.at[i].set(t[i - 1] * 2), x)


def _swapped(x: Any) -> Any:
    def swap(i: Any, t: Any) -> Any:
        a, b = t[i], t[-1 - i]
        return t.at[i].set(b).at[-1 - i].set(a)

    return lax.fori_loop(0, SIZE, swap, x)


def _until(x: Any) -> Any:
    return lax.while_loop(
        lambda s: s[0] < s[1].shape[0],
        lambda s: (
            s[0] + 1,
            lax.cond(s[1][s[0]] > 0, lambda t: t.at[s[0]].set(1), lambda t: t, s[1]),
        ),
        (0, x),
    )


def _nested(x: Any) -> Any:
    def row(i: Any, t: Any) -> Any:
        return lax.fori_loop(0, 3, lambda j, t: t.at[i].add(t[j]), t)

    return lax.fori_loop(0, SIZE, row, x)


def _ring(x: Any) -> Any:
    def step(state: Any, new: Any) -> Any:
        ring, at = state
        return (lax.dynamic_update_slice(ring, new[None], (at % SIZE,)), at + 1), ring[at % SIZE]

    return lax.scan(step, (x, 0), x)


@pytest.mark.parametrize("function", [_changed, _swapped, _until, _nested, _ring])
def test_rounds_copy_no_array(function: Callable[[Any], Any]) -> None:
    """A loop over the elements of an array would take quadratic time."""
    program = compare_compiled(function, np.arange(SIZE, dtype=np.int32) - 2)
    assert program.plan is not None
    waiting = [inner for step in program.plan.steps for inner in programs_of(step)]
    assert waiting
    while waiting:
        plan = waiting.pop()
        for step in plan.steps:
            waiting += programs_of(step)
            if isinstance(step, ControlStep):
                assert not any(b is not None and b.size == SIZE for b in step.spare)
            if isinstance(step, NestStep):
                assert all(extent != SIZE for extent in step.nest.extents)


def programs_of(step: Any) -> tuple[Plan, ...]:
    return step.programs if isinstance(step, ControlStep) else ()


HAZARDS: dict[str, Callable[[Any, Any], Any]] = {
    "old value read after the write": lambda x, y: lax.fori_loop(
        0, SIZE, lambda i, s: (s[0].at[i].set(s[1]), s[0][i] + jnp.sum(s[0])), (x, 1)
    ),
    "overlapping parts": lambda x, y: lax.fori_loop(
        0, 3, lambda i, t: lax.dynamic_update_slice(t, t[: SIZE - 1], (i % 2,)), x
    ),
    "one array twice": lambda x, y: lax.fori_loop(
        0, 3, lambda i, s: (s[0].at[i].set(s[1][0]), s[1].at[i].add(s[0][1])), (x, x)
    ),
    "values change places": lambda x, y: lax.fori_loop(
        0, 5, lambda i, s: (s[1], s[0].at[i].set(9)), (x, y)
    ),
    "one value becomes two": lambda x, y: lax.fori_loop(
        0, 4, lambda i, s: (s[0].at[i].set(s[1][i]), s[0]), (x, y)
    ),
    "a constant to begin with": lambda x, y: (
        lax.fori_loop(0, 4, lambda i, t: t.at[i].set(x[i]), jnp.asarray(CONSTANT)),
        jnp.asarray(CONSTANT) + y,
    ),
    "an argument to begin with": lambda x, y: (
        lax.fori_loop(0, 4, lambda i, t: t.at[i].set(0), x),
        lax.fori_loop(0, 4, lambda i, t: t.at[i].add(x[0]), x),
    ),
    "no rounds": lambda x, y: (
        lax.fori_loop(0, x[0] * 0, lambda i, t: t.at[i].set(5), x),
        lax.scan(lambda t, r: (t.at[0].set(r), r), y, x[:0])[0],
    ),
    "a branch on its own operand": lambda x, y: lax.fori_loop(
        0,
        4,
        lambda i, t: lax.cond(t[i] > 3, lambda a, b: a.at[0].set(b[1]), lambda a, b: b, t, t),
        x,
    ),
    "elements moved by what they are": lambda x, y: lax.fori_loop(
        0, 3, lambda i, t: t.at[t % SIZE].set(t), x
    ),
}


@pytest.mark.parametrize("name", HAZARDS)
def test_what_is_needed_is_not_written_over(name: str) -> None:
    x, y = np.arange(SIZE, dtype=np.int32), np.arange(3, 3 + SIZE, dtype=np.int32)
    before = CONSTANT.copy()
    program = compare_compiled(HAZARDS[name], x, y)
    assert program([x, y])[0].tobytes() == program([x, y])[0].tobytes()
    assert np.array_equal(before, CONSTANT)

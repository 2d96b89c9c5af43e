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

# pyright: basic
# Random programs are text: what stands in it has no types.
"""Makes the random whole program of a seed."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Generator
from typing import Any

import numpy as np
from tests.engine.agreement_values import Chance
from tests.engine.whole_nests import grow
from tests.engine.whole_operands import LARGE_SHAPES, some_operand, some_shapes
from tests.engine.whole_programs import Scope, WholeProgram, environment

import oakum
from oakum import config


@contextlib.contextmanager
def evaluated() -> Generator[None]:
    """Has programs interpreted in the block."""
    config.compile_programs.set_global(False)
    try:
        yield
    finally:
        config.compile_programs.set_global(True)


@contextlib.contextmanager
def quietly(wide: bool) -> Generator[None]:
    """Runs programs in the block without warnings, with x64 on or off."""
    with warnings.catch_warnings(), np.errstate(all="ignore"), oakum.enable_x64(wide):
        warnings.simplefilter("ignore")
        yield


def make_program(seed: int, *, failing: bool = False) -> WholeProgram:
    """The program of a seed; one in some ends with what fails, where `failing` says so."""
    chance = Chance(seed)
    wide = chance.often(0.3)
    with quietly(wide), evaluated():
        return _made(seed, chance, wide, failing)


def _made(seed: int, chance: Chance, wide: bool, failing: bool) -> WholeProgram:
    large = chance.often(0.02)
    shapes = LARGE_SHAPES if large else some_shapes(chance)
    operands = tuple(some_operand(chance, shapes, wide) for _ in range(chance.choice((1, 2, 2, 3))))
    given: dict[str, Any] = {f"a{n}": each.raw(0) for n, each in enumerate(operands)}
    arrays = tuple(n for n, each in enumerate(operands) if not each.scalar and chance.often(0.35))
    donated = tuple(n for n in arrays if chance.often(0.35))
    held = [n for n in range(len(operands)) if n not in donated and chance.often(0.06)]
    constants = tuple(held[: len(operands) - 1])
    # In a traced function an argument is an array; a number that it closes over is a number.
    values = {
        name: raw if n in constants and operands[n].scalar else _traced_like(raw)
        for n, (name, raw) in enumerate(given.items())
    }
    scope = Scope(chance, {**environment(oakum), **values}, [*given], 0)
    scope.large = large
    grow(scope, chance.choice((2, 3, 4) if large else (3, 4, 5, 6, 7, 8, 10)))
    made = [name for name in scope.own if name not in given]
    results = [name for name in made if chance.often(0.6)] or made[-1:]
    if chance.often(0.08):
        results.append(chance.choice(scope.own))
    lines = tuple(scope.lines)
    if failing and scope.failed and chance.often(0.3):
        lines = (*lines, *chance.choice(scope.failed).splitlines())
    return WholeProgram(
        seed, operands, lines, tuple(results[-8:]), wide, donated, arrays, constants
    )


def _traced_like(raw: Any) -> Any:
    return oakum.jit(lambda x: x)(raw)

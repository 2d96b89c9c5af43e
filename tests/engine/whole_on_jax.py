# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""Runs random whole programs on real JAX beside oakum: values, dtypes, weak types, errors."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from tests.engine.whole_making import quietly
from tests.engine.whole_programs import WholeProgram
from tests.engine.whole_runs import (
    Compiled,
    Disagreement,
    arguments_of,
    compare,
    counts,
    donations,
    function_of,
    raw_of,
)

import oakum

jax: Any = pytest.importorskip("jax")

_CLEARED_EVERY = 100
"""So many programs are kept compiled: thousands would take gigabytes."""


def disagreements_with_jax(program: WholeProgram) -> list[Disagreement]:
    """Where oakum's compiled program is not what real JAX's is."""
    counts["on JAX"] += 1
    if not counts["on JAX"] % _CLEARED_EVERY:
        jax.clear_caches()
        oakum.clear_caches()
    with quietly(program.wide):
        ours, compiled = _ours(program)
        with jax.enable_x64(program.wide):
            theirs = _theirs(program)
    if isinstance(theirs, Exception) or isinstance(ours, Exception):
        if not isinstance(theirs, Exception) and isinstance(ours, _caught_as(_evaluated(program))):
            counts["errors"] += 1
            counts["dead code"] += 1
            return []
        return _errors(ours, theirs)
    assert compiled is not None
    with quietly(program.wide):
        found = _compared(compiled, ours, theirs)
        if any(_is_explained(each, program.source) for each in found):
            counts["explained"] += 1
            return []
        evaluated: Any = _evaluated(program) if found else None
        if not found or isinstance(evaluated, Exception):
            return found
        # XLA rewrites what it compiles: `x * mask`, for one, is no longer NaN where x is.
        if _compared(compiled, ours, _described(evaluated)):
            return found
        counts["otherwise compiled by XLA"] += 1
        return []


def _ours(program: WholeProgram) -> tuple[Any, Compiled | None]:
    try:
        compiled = Compiled(program)
        return compiled.call(0), compiled
    except Exception as error:
        return error, None


def _theirs(program: WholeProgram) -> Any:
    try:
        function = jax.jit(function_of(program, jax), donate_argnums=donations(program))
        return _described(function(*arguments_of(program, jax, 0)))
    except Exception as error:
        return error


def _described(results: Sequence[Any]) -> list[Any]:
    arrays = [jax.numpy.asarray(x) for x in results]
    return [(raw_of(jax, x), bool(getattr(x, "weak_type", False)), str(x.dtype)) for x in arrays]


def _evaluated(program: WholeProgram) -> Any:
    """What JAX gives without compiling, which leaves out operations that no result needs, and with
    them what it would refuse of them.
    """
    with jax.enable_x64(program.wide), jax.disable_jit():
        try:
            return function_of(program, jax)(*arguments_of(program, jax, 0))
        except Exception as error:
            return error


def _errors(ours: Any, theirs: Any) -> list[Disagreement]:
    counts["errors"] += 1
    told = " | ".join(
        f"{type(x).__name__}: {str(x)[:200]}" if isinstance(x, Exception) else "runs"
        for x in (ours, theirs)
    )
    if not isinstance(theirs, Exception):
        return [Disagreement(f"only oakum fails: {type(ours).__name__}", told)]
    if any(text in str(theirs) + str(ours) for text in EXPLAINED):
        counts["explained"] += 1
        return []
    if not isinstance(ours, Exception):
        return [Disagreement(f"only JAX fails: {type(theirs).__name__}", told)]
    if isinstance(ours, _caught_as(theirs)):
        return []
    return [Disagreement(f"error class: {type(ours).__name__} {type(theirs).__name__}", told)]


EXPLAINED = {
    "`preferred_element_type` must not be narrower": "JAX's matmul refuses what its own promotion "
    "of weak operands asks for, under x64",
    "Linearization failed to produce known values": "JAX has no derivative of windows reduced with "
    "an initial value of the user's",
    "the function of scatter_apply has to give": "JAX refuses it too, where it is not dead code",
    "integer modulo by zero": "JAX divides by the size of an empty result in lax.map",
    "is not supported by dot_general on CPU": "JAX's attention asks for what its CPU does not have",
}
"""Texts of errors in which JAX alone is wrong, and why."""


EXPLAINED_FORMS = (
    (
        "type on JAX",
        r"\btake\(",
        r"\b0[,)].* for .*\b0[,)]",
        "JAX's take from an array without elements is the array itself",
    ),
    (
        "weak type on JAX",
        r"grad.*scan|scan.*grad",
        "True.* for .*False",
        "the derivative of a weakly typed carry is not weakly typed, as that of all else is",
    ),
)
"""Differences of shape or type in which JAX alone is odd: their kind, patterns of the program and
of the difference, and why.
"""


def _is_explained(found: Disagreement, source: str) -> bool:
    return any(
        found.kind == kind
        and re.search(program, source, re.DOTALL)
        and re.search(difference, found.detail)
        for kind, program, difference, _ in EXPLAINED_FORMS
    )


def _caught_as(error: Any) -> type[Exception] | tuple[()]:
    """The class that users would catch; no class of what is no error."""
    if not isinstance(error, Exception):
        return ()
    mine = getattr(oakum.errors, type(error).__name__, None)
    if isinstance(mine, type):
        return mine
    classes = (TypeError, ValueError, IndexError, NotImplementedError, OverflowError, RuntimeError)
    return next((each for each in classes if isinstance(error, each)), Exception)


def _compared(compiled: Compiled, ours: Sequence[Any], theirs: Sequence[Any]) -> list[Disagreement]:
    for place, (mine, (raw, weak, dtype)) in enumerate(zip(ours, theirs, strict=True)):
        form = (tuple(np.shape(raw)), weak, dtype)
        if str(mine.dtype).startswith("key<"):
            form = (tuple(np.shape(raw)[:-1]), weak, dtype)
        have = (tuple(mine.shape), bool(getattr(mine, "weak_type", False)), str(mine.dtype))
        if have != form:
            kind = "weak type on JAX" if (have[0], have[2]) == (form[0], form[2]) else "type on JAX"
            return [Disagreement(kind, f"result {place}: {have} for {form}")]
    raws = [raw_of(oakum, x) for x in ours]
    wanted = [raw for raw, _, _ in theirs]
    return compare(wanted, raws, lambda: compiled.evaluate(0), "value on JAX", every=True)

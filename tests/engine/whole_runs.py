# pyright: basic
# Arrays of dtypes that NumPy does not know have no types for the strict mode.
"""Runs random whole programs compiled, evaluated and on JAX, and says where they disagree."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tests.engine.agreement_values import Chance
from tests.engine.whole_making import quietly
from tests.engine.whole_programs import WholeProgram, environment
from tests.engine.whole_rounding import reached

import oakum
from oakum.errors import ReverseModeError
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.values import host


@dataclass(frozen=True)
class Disagreement:
    """What kind of difference, and how it shows."""

    kind: str
    detail: str


counts: Counter[str] = Counter()
"""How much was run and compared."""


def function_of(program: WholeProgram, package: Any) -> Callable[..., Any]:
    """The function of a program, on oakum or JAX."""
    names = environment(package)
    for n in program.constants:
        raw = program.operands[n].raw(0)
        names[f"a{n}"] = raw if program.operands[n].scalar else package.numpy.array(raw)
    exec(compile(program.source, "<whole program>", "exec"), names)
    return names["f"]


def arguments_of(program: WholeProgram, package: Any, turn: int) -> list[Any]:
    """The arguments of a call, made for it: some are given away."""
    found: list[Any] = []
    for n, each in enumerate(program.operands):
        if n not in program.constants:
            raw = each.raw(turn)
            found.append(package.numpy.array(raw) if n in program.arrays else raw)
    return found


def donations(program: WholeProgram) -> tuple[int, ...]:
    """The positions among the parameters of what is given away."""
    kept = [n for n in range(len(program.operands)) if n not in program.constants]
    return tuple(kept.index(n) for n in program.donated)


def raw_of(package: Any, value: Any) -> Any:
    """The numbers of a result; those of keys as words."""
    if str(getattr(value, "dtype", "")).startswith("key<"):
        value = package.random.key_data(value)
    return np.asarray(value)


class Compiled:
    """A program under `jit`, called as users do, and evaluated."""

    def __init__(self, program: WholeProgram) -> None:
        self.program = program
        self.function = function_of(program, oakum)
        self.jitted: Any = oakum.jit(self.function, donate_argnums=donations(program))
        arguments = arguments_of(program, oakum, 0)
        self.closed: ClosedJaxpr = self.jitted.trace(*arguments).jaxpr

    def call(self, turn: int) -> list[Any]:
        """What a call gives."""
        counts["calls"] += 1
        return list(self.jitted(*arguments_of(self.program, oakum, turn)))

    def evaluate(self, turn: int) -> list[Any]:
        """What the evaluation of the program gives."""
        given = arguments_of(self.program, oakum, turn)
        forms: list[Any] = [v.aval for v in self.closed.jaxpr.invars]
        dtypes = [host.dtype(aval.dtype) for aval in forms]
        raws = [np.asarray(raw_of(oakum, x)).astype(d) for x, d in zip(given, dtypes, strict=True)]
        with np.errstate(all="ignore"):
            return [np.asarray(x) for x in run_closed(np, self.closed, raws)]


def disagreements(program: WholeProgram) -> list[Disagreement]:
    """Where the compiled program is not what its evaluation is."""
    with quietly(program.wide):
        try:
            compiled = Compiled(program)
        except ReverseModeError:
            # What has a derivative with known bounds of a loop has none where they are traced.
            counts["refused"] += 1
            return []
        except Exception as error:
            return [Disagreement(f"traced: {type(error).__name__}", str(error)[:500])]
        counts["programs"] += 1
        counts["statements"] += program.statements
        counts["results"] += len(program.results)
        try:
            return _compared(compiled)
        except Exception as error:
            return [Disagreement(f"run: {type(error).__name__}", str(error)[:500])]


def _compared(compiled: Compiled) -> list[Disagreement]:
    chance = Chance(compiled.program.seed)
    given = arguments_of(compiled.program, oakum, 0)
    before = [x.copy() for x in given if isinstance(x, np.ndarray)]
    counts["calls"] += 1
    first = list(compiled.jitted(*given))
    after = [x for x in given if isinstance(x, np.ndarray)]
    for old, new in zip(before, after, strict=True):
        if old.tobytes() != np.ascontiguousarray(new).tobytes():
            return [Disagreement("argument written", "an argument was written to")]
    kept = [raw_of(oakum, x).copy() for x in first]
    found = _differences(compiled, first, 0, "value")
    second = compiled.call(1)
    found = found or _differences(compiled, second, 1, "value of another call")
    found = found or _again(compiled, kept, first, chance)
    if not found and chance.often(0.15):
        found = _threads(compiled, kept, [raw_of(oakum, x).copy() for x in second])
    return found


def _again(
    compiled: Compiled, kept: Sequence[Any], first: Sequence[Any], chance: Chance
) -> list[Disagreement]:
    """The results of the first call hold what they held, and a call like it gives the same."""
    if any(not _same(a, raw_of(oakum, x)) for a, x in zip(kept, first, strict=True)):
        return [Disagreement("results written", "the results of a call changed in the next")]
    if chance.often(0.3):
        third = [raw_of(oakum, x) for x in compiled.call(0)]
        if not all(map(_same, kept, third)):
            return [Disagreement("call again", f"{third} for {kept}")]
    return []


def _numbers(raw: Any) -> Any:
    """An array as numbers: the words of keys."""
    if raw.dtype.kind != "V" or raw.dtype.isbuiltin == 2:
        return raw
    return np.ascontiguousarray(raw)[..., None].view(np.uint32)


def _same(x: Any, y: Any) -> bool:
    return x.shape == y.shape and x.tobytes() == np.ascontiguousarray(y).tobytes()


def _threads(compiled: Compiled, first: Sequence[Any], second: Sequence[Any]) -> list[Disagreement]:
    """Calls in threads give the same bits."""
    wrong: list[str] = []
    turns = [0, 1, 0, 1]
    given = {
        thread: [arguments_of(compiled.program, oakum, turn) for turn in turns[thread:]]
        for thread in range(2)
    }

    def work(thread: int) -> None:
        with quietly(compiled.program.wide):
            for turn, arguments in zip(turns[thread:], given[thread], strict=True):
                results = [raw_of(oakum, x) for x in compiled.jitted(*arguments)]
                if not all(map(_same, (first, second)[turn], results)):
                    wrong.append(f"{results} for {(first, second)[turn]}")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counts["calls"] += sum(map(len, given.values()))
    return [Disagreement("threads", wrong[0])] if wrong else []


def _differences(
    compiled: Compiled, results: Sequence[Any], turn: int, kind: str
) -> list[Disagreement]:
    """Where results are not what evaluation gives."""
    expected = compiled.evaluate(turn)
    avals: list[Any] = [v.aval for v in compiled.closed.jaxpr.outvars]
    for place, (result, aval) in enumerate(zip(results, avals, strict=True)):
        if (result.shape, str(result.dtype)) != (aval.shape, aval.dtype.name):
            told = f"result {place}: {result.dtype}{result.shape} for {aval}"
            return [Disagreement("type", told)]
        if isinstance(result, oakum.Array) and bool(result.weak_type) != bool(aval.weak_type):
            return [Disagreement("weak type", f"result {place}: {result.aval} for {aval}")]
    raws = [np.asarray(getattr(x, "raw", x)) for x in results]
    for place, (raw, wanted) in enumerate(zip(raws, expected, strict=True)):
        if (raw.shape, raw.dtype) != (wanted.shape, wanted.dtype):
            return [Disagreement("type", f"result {place}: {raw.dtype} for {wanted.dtype}")]
    return compare(raws, expected, lambda: compiled.evaluate(turn), kind, every=False)


def compare(
    raws: Sequence[Any],
    expected: Sequence[Any],
    evaluate: Callable[[], Sequence[Any]],
    kind: str,
    *,
    every: bool,
) -> list[Disagreement]:
    counts["compared"] += len(raws)
    if all(map(_same, raws, expected)):
        counts["same bits"] += len(raws)
        return []
    raws, expected = [*map(_numbers, raws)], [*map(_numbers, expected)]
    wrong = reached(raws, expected, lambda: [_numbers(x) for x in evaluate()], every)
    for place, where in enumerate(wrong):
        if np.any(where):
            at = tuple(int(x) for x in np.argwhere(where)[0])
            told = (
                f"result {place}: {int(np.sum(where))} of {where.size} in {raws[place].dtype}"
                f"{list(where.shape)} differ, first at {at}: {raws[place][at]!r} for "
                f"{expected[place][at]!r}"
            )
            return [Disagreement(kind, told)]
    return []

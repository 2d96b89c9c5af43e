"""Parses and lowers one unit on demand.

Invariants:
- libcst is imported on the first parse, not before.
- No input raises or ends the process: what does not parse, or nests too deeply to be parsed, is
  answered with a `Problem`.
- LibCST's tree is dropped as soon as it is lowered; it takes four times the memory.
"""

import gc
import threading
from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from oakum.records import dataclass, fields
from oakum_lint.facts import nodes
from oakum_lint.facts.nesting import SHALLOW, Nesting, measure_text
from oakum_lint.facts.syntax import Problem, python_problem
from oakum_lint.facts.walk import walk

_STACK: Final = 64 * 1024 * 1024
"""Bytes of stack for a unit that nests deeply: some ten times what the bounds of `nesting` need."""
_stack_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Lowered:
    """What became of a unit's text: statements, or a problem (offsets relative to the unit)."""

    body: tuple[nodes.Statement, ...]
    problem: Problem | None = None
    from_whole: bool = False
    """Whether it comes from a parse of the whole file, and so not from the unit's text alone."""


def lower_text(text: str, nesting: Nesting) -> Lowered:
    """Parses and lowers `text`, whose nesting has been measured.

    >>> lower_text("f(1 +", Nesting(0)).problem.code
    'OAK001'
    """
    if nesting.excess:
        return too_deep(f"this code has {nesting.excess}, and is not checked", nesting.place)
    try:
        if nesting.depth > SHALLOW:
            return _with_deep_stack(lambda: _lower(text))
        return _lower(text)
    except (RecursionError, MemoryError):
        return too_deep("this code is nested too deeply to be parsed, and is not checked", 0)


def too_deep(message: str, place: int) -> Lowered:
    """The answer for code that no parser should be given."""
    return Lowered((), Problem("OAK003", place, place, message))


def _lower(text: str) -> Lowered:
    import libcst

    from oakum_lint.facts.lowering import lower

    collects = gc.isenabled()
    gc.disable()  # a tree is many objects and no garbage: the collector would double the time
    try:
        try:
            tree = libcst.parse_module(text)
        except (RecursionError, MemoryError, KeyboardInterrupt, SystemExit):
            raise
        except BaseException:
            # LibCST checks what it builds (bytes joined to text is another exception), cannot
            # take half of a surrogate pair, and a panic of its parser is no `Exception` at all.
            return Lowered((), python_problem(text, certain=False))
        return Lowered(lower(text, tree))
    finally:
        if collects:
            gc.enable()


def lower_whole(text: str, starts: list[int]) -> list[tuple[nodes.Statement, ...]] | None:
    """Parses a whole file, and gives each unit (which begin at `starts`) the statements in it.

    None if the file does not parse.
    """
    nesting = measure_text(text)
    lowered = lower_text(text, nesting)
    if lowered.problem is not None:
        return None
    bodies: list[list[nodes.Statement]] = [[] for _ in starts]
    for statement in lowered.body:
        index = bisect_right(starts, statement.start) - 1
        shift(statement, -starts[index])
        bodies[index].append(statement)
    return [tuple(body) for body in bodies]


def shift(statement: nodes.Statement, distance: int) -> None:
    """Moves a statement, with all that is in it, by `distance`."""
    for node in walk((statement,)):
        for name in _OFFSETS & {field.name for field in fields(node)}:
            setattr(node, name, getattr(node, name) + distance)


_OFFSETS: Final = frozenset({"start", "end", "name_start"})


def _with_deep_stack(work: Callable[[], Lowered]) -> Lowered:
    """Runs `work` in a thread of its own, whose stack holds what the bounds of `nesting` allow."""
    results: list[Lowered] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:  # handed on to the thread that waits
            failures.append(error)

    with _stack_lock:  # the stack size is set for the whole process
        try:
            before = threading.stack_size(_STACK)
        except (ValueError, RuntimeError) as error:  # this system has no such stacks
            raise MemoryError from error
        try:
            thread = threading.Thread(target=run, name="oakum-parse")
            thread.start()
        finally:
            threading.stack_size(before)
    thread.join()
    if failures:
        raise failures[0]
    return results[0]

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
from functools import cache
from typing import TYPE_CHECKING, Final

from oakum.values.records import dataclass, fields
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.failures import in_words
from oakum_lint.text.large_displays import LargeDisplay, large_displays, without
from oakum_lint.text.nesting import SHALLOW, Nesting, measure_text
from oakum_lint.text.syntax_errors import Problem, python_problem

if TYPE_CHECKING:
    from libcst import Module

_STACK: Final = 64 * 1024 * 1024
"""Bytes of stack for a unit that nests deeply: some ten times what the bounds of `nesting` need."""
_stack_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Lowered:
    """The outcome of lowering a unit: statements, a problem (offsets relative to the unit), or
    both: then some statements are unknown by a fault of ours.
    """

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
        return too_deep(f"not all was analysed: {nesting.excess}", nesting.place)
    try:
        if nesting.depth > SHALLOW:
            return _with_deep_stack(lambda: _lower(text))
        return _lower(text)
    except (RecursionError, MemoryError):
        return too_deep("not all was analysed: nested too deeply to be parsed", 0)


def too_deep(message: str, place: int) -> Lowered:
    """The answer for code that is too deep for a parser."""
    return Lowered((), Problem("OAK003", place, place, message))


def _lower(text: str) -> Lowered:
    collects = gc.isenabled()
    gc.disable()  # a tree is many objects and no garbage: the collector would double the time
    try:
        return _in_pieces(text) or _at_once(text)
    finally:
        if collects:
            gc.enable()


def _in_pieces(text: str) -> Lowered | None:
    """Parses and lowers a text whose large displays are parsed in pieces; None if it has none, or
    if only the whole text shows something about them.
    """
    displays = large_displays(text)
    if not displays or "yield" in text:
        return None
    whole = _at_once(without(text, displays))
    if whole.problem is not None:
        return None
    holes = {
        node.start: node
        for node in walk(whole.body)
        if isinstance(node, nodes.Display | nodes.DictDisplay)
    }
    for display in displays:
        hole = holes.get(display.start)
        if hole is None or hole.end != display.stop + 1 or not _fill(text, display, hole):
            return None
    return whole


def _fill(text: str, display: LargeDisplay, hole: nodes.Display | nodes.DictDisplay) -> bool:
    """Puts its elements into a display; whether all pieces are of its kind."""
    keys: list[nodes.Expression | None] = []
    values: list[nodes.Expression] = []
    is_dict = isinstance(hole, nodes.DictDisplay)
    for start, end in display.pieces():
        piece = text[start:end]
        lowered = _at_once(f"{{{piece}}}" if is_dict else f"[{piece}]")
        match lowered:
            case Lowered((nodes.ExpressionStatement(value=nodes.DictDisplay() as part),), None):
                keys += part.keys
                values += part.values
            case Lowered((nodes.ExpressionStatement(value=nodes.Display() as part),), None) if (
                not is_dict
            ):
                values += part.elements
            case _:
                return False
        shift(lowered.body[0], start - 1)
    if isinstance(hole, nodes.DictDisplay):
        hole.keys, hole.values = tuple(keys), tuple(values)
    else:
        hole.elements = tuple(values)
    return True


def _at_once(text: str) -> Lowered:
    """Parses and lowers a text as one tree."""
    from oakum_lint.syntax.lowering import Refused, parse_module

    try:
        tree = parse_module(text)
    except (RecursionError, MemoryError, KeyboardInterrupt, SystemExit):
        raise
    except (Refused, UnicodeError):
        return Lowered((), python_problem(text, certain=False) or _refused(text))
    except BaseException as error:  # a panic of LibCST's parser is no `Exception` at all
        failure = Problem("OAK004", 0, 0, in_words("this code", error))
        return Lowered((), python_problem(text, certain=False) or failure)
    return _lowered(text, tree)


def _refused(text: str) -> Problem:
    """Says that code which Python accepts was not analysed: LibCST does not know a form feed in
    the first indentation of a block, or `(x): int`.
    """
    start = len(text) - len(text.lstrip())
    end = start + len(text[start:].partition("\n")[0].rstrip())
    reason = "not all was analysed: LibCST does not parse this valid Python"
    return Problem("OAK003", start, end, reason, _PLAINER[0 if "\f" in text else 1])


_PLAINER = (
    "Remove the form feeds (`\\f`) from the indentation of this code.",
    "Write it in a more usual form: without parentheses around a name that is annotated, for "
    "instance.",
)


def _lowered(text: str, tree: "Module") -> Lowered:
    """Lowers a tree; what goes wrong costs a statement, or at worst the unit."""
    from oakum_lint.syntax.lowering import lower

    try:
        body, failures = lower(text, tree)
    except (RecursionError, MemoryError):
        raise
    except Exception as error:
        return Lowered((), Problem("OAK004", 0, 0, in_words("this code", error)))
    if not failures:
        return Lowered(body)
    start, end, error = failures[0]
    return Lowered(body, Problem("OAK004", start, end, in_words("this statement", error)))


def lower_whole(text: str, starts: list[int]) -> list[tuple[nodes.Statement, ...]] | None:
    """Parses a whole file, and returns the statements of each unit (which begin at `starts`).

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
        for name in offsets_of(type(node)):
            setattr(node, name, getattr(node, name) + distance)


_OFFSETS: Final = frozenset({"start", "end", "name_start"})


@cache
def offsets_of(kind: type[nodes.Node]) -> tuple[str, ...]:
    """The fields of a node that are offsets."""
    return tuple(field.name for field in fields(kind) if field.name in _OFFSETS)


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

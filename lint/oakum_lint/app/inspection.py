"""What an analysis meets at one line of a file: the tree, the values and the events of it.

For authors of rules: a rule sees events, which the interpreter makes of values, which it computes
for the nodes of the compact tree.
"""

from collections.abc import Callable, Container, Iterator, Mapping
from pathlib import Path
from typing import cast

from oakum.values.records import dataclass, fields, replace
from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.app.texts import Texts
from oakum_lint.app.value_words import describe
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import ExpressionEvaluator
from oakum_lint.domain.project import Project
from oakum_lint.domain.values import Value
from oakum_lint.driver import PARTS, interpret_bodies
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.syntax.walk import parts_of
from oakum_lint.text.finding import Location
from oakum_lint.text.source import Source, Unreadable, read_source, real_path

MAX_VALUES = 8
"""So many different values of one expression are shown."""


STATEMENTS = tuple(PARTS.statements)


class NothingThereError(Exception):
    """No code stands at the line, or the file cannot be read."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file that can be read; lines count from 1."""

    source: Source
    path: Path
    number: int

    def covers(self, facts: ModuleFacts, base: int, node: nodes.Node) -> bool:
        """Whether a node, whose offsets count from `base`, stands on the line at least in part."""
        first = facts.source.location(base + node.start, base + node.start, "").line
        last = facts.source.location(base + node.end, base + node.end, "").line
        return first <= self.number <= last


def find_line(path: Path, number: int) -> Line:
    """The line of a file."""
    source = read_source(path)
    if isinstance(source, Unreadable):
        raise NothingThereError(source.message)
    if not 1 <= number <= len(source.text.splitlines()):
        raise NothingThereError(f"{path} has no line {number}")
    return Line(source, path, number)


# --- the tree -------------------------------------------------------------------------------------


def tree_at(line: Line) -> Iterator[str]:
    """The statements that begin on the line, or else those around it, as an indented tree."""
    facts = ModuleFacts(line.source)
    for unit in facts.units:
        # The innermost block that the line is in, and the statements of it that stand there.
        found = [s for s in unit.body if line.covers(facts, unit.base, s)]
        inner = found
        while inner:
            found = inner
            if any(_first_line(facts, unit.base, s) == line.number for s in found):
                break
            children = [child for s in found for child in _statements_in(s)]
            inner = [s for s in children if line.covers(facts, unit.base, s)]
        for statement in found:
            yield from _outline(statement, unit.text, 0)


def _first_line(facts: ModuleFacts, base: int, node: nodes.Node) -> int:
    return facts.source.location(base + node.start, base + node.start, "").line


def _statements_in(statement: nodes.Node) -> Iterator[nodes.Node]:
    """The statements directly in the blocks of one."""
    for name in parts_of(type(statement)):
        for each in _parts(getattr(statement, name)):
            if isinstance(each, STATEMENTS):
                yield each
            elif isinstance(each, nodes.Handler | nodes.MatchCase):
                yield from each.body


def _parts(value: object) -> list[nodes.Node]:
    """The nodes in a tuple of them, or a field that is one."""
    if isinstance(value, nodes.Node):
        return [value]
    items = cast("tuple[object, ...]", value) if isinstance(value, tuple) else ()
    return [item for item in items if isinstance(item, nodes.Node)]


def _outline(node: nodes.Node, text: str, depth: int, role: str = "") -> Iterator[str]:
    """A node and, indented, what is in it; plain fields on its own line."""
    pending = [(node, depth, role)]
    while pending:
        current, level, name = pending.pop()
        plain: list[str] = []
        children: list[tuple[nodes.Node, int, str]] = []
        for field in fields(type(current)):
            value: object = getattr(current, field.name)
            if field.name in ("start", "end"):
                continue
            if isinstance(value, nodes.Node):
                children.append((value, level + 1, field.name))
            elif parts := _parts(value):
                children += [(v, level + 1, f"{field.name}[{i}]") for i, v in enumerate(parts)]
            else:
                plain.append(f"{field.name}={value!r}")
        lead = "  " * level + (f"{name}: " if name else "")
        spelled = " ".join(text[current.start : current.end].split())
        yield f"{lead}{type(current).__name__}({', '.join(plain)})  # {_shortened(spelled)}"
        pending += reversed(children)


def _shortened(text: str, limit: int = 50) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


# --- values and events ----------------------------------------------------------------------------


def events_at(line: Line) -> list[str]:
    """The events that begin on the line, each with its fields: what the rules are asked about."""
    found: dict[str, None] = {}

    def emit(event: Event) -> None:
        place = event.location
        if place.line == line.number and real_path(Path(place.file)) == real_path(line.path):
            found["\n".join(_shown_event(event))] = None

    _interpret(line.path, emit, {})
    return list(found)


def _shown_event(event: Event) -> Iterator[str]:
    yield type(event).__name__
    for field in fields(type(event)):
        value: object = getattr(event, field.name)
        if field.name == "location":
            value = f"{event.location.line}:{event.location.column}"
        elif field.name == "related":
            value = [f"{r.location.line}: {r.message}" for r in event.related]
        yield f"  {field.name}: {value if isinstance(value, str) else repr(value)}"


@dataclass(frozen=True, slots=True)
class Evaluated:
    """An expression of a file, by its offsets in the text, and the values that it has had."""

    start: int
    end: int
    text: str
    values: tuple[str, ...]


def values_at(line: Line) -> list[str]:
    """Lists the values of the expressions on the line, in the order of their evaluation."""
    found = evaluated_in(line.path, frozenset({line.number})).get(line.number, [])
    return [f"{each.text}: {'; '.join(each.values)}" for each in found]


def evaluated_in(path: Path, lines: Container[int]) -> dict[int, list[Evaluated]]:
    """The expressions that begin on some lines of a file, in the order of their evaluation."""
    found: dict[tuple[int, int, int, str], dict[str, None]] = {}

    def observe(node: nodes.Node, frame: Frame, value: Value) -> None:
        unit = frame.unit
        first = _first_line(frame.module.facts, unit.base, node)
        if first in lines:
            spelled = " ".join(unit.text[node.start : node.end].split())
            key = (first, unit.base + node.start, unit.base + node.end, _shortened(spelled))
            _note(found.setdefault(key, {}), frame, value)

    _interpret(path, _ignore, _observed(path, observe))
    shown: dict[int, list[Evaluated]] = {}
    for (first, start, end, text), values in found.items():
        shown.setdefault(first, []).append(Evaluated(start, end, text, tuple(values)))
    return shown


def _observed(
    path: Path, observe: Callable[[nodes.Node, Frame, Value], None]
) -> dict[type[nodes.Node], ExpressionEvaluator]:
    """The evaluators of expressions, which show what each in a file has become."""
    resolved = real_path(path)

    def observed(evaluate: ExpressionEvaluator) -> ExpressionEvaluator:
        def evaluator(machine: Machine, node: nodes.Node, frame: Frame) -> Value:
            value = evaluate(machine, node, frame)
            if frame.module.real_path == resolved:
                observe(node, frame, value)
            return value

        return evaluator

    return {kind: observed(e) for kind, e in PARTS.expressions.items()}


def _note(values: dict[str, None], frame: Frame, value: Value) -> None:
    if len(values) < MAX_VALUES:
        where = "" if frame.trace is None else f" (in {frame.trace.label})"
        values[f"{describe(value)}{where}"] = None


def _ignore(event: Event) -> None:
    """Hears of an event and does nothing."""


def _interpret(
    path: Path,
    emit: Callable[[Event], None],
    expressions: dict[type[nodes.Node], ExpressionEvaluator],
    overlay: Mapping[Path, str] | None = None,
) -> None:
    """Interprets the file, following its imports."""
    texts = Texts(overlay or {})

    def read(file: Path) -> ModuleFacts | None:
        source = texts.source(file)
        return None if isinstance(source, Unreadable) else ModuleFacts(source)

    def fail(_place: Location, what: str, error: Exception) -> None:
        raise NothingThereError(f"the analysis failed on {what}: {error!r}") from error

    def work() -> None:
        project = Project([path], read)
        module = project.module_at(path)
        parts = replace(PARTS, expressions={**PARTS.expressions, **expressions})
        if module is not None:
            interpret_bodies(project, [module], emit, fail, parts=parts).run_groups()

    run_deep(work)

"""Which of the tracers that a run has shown the analysis knows, and where it loses the rest.

Soundness asks whether what was seen is allowed; this asks how much of it is known. Each expression
that a run has shown as a tracer counts once.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lost_tracers import Held, Search
from recorded_values import Record, Span
from value_patterns import SeenArray

from oakum.values.records import replace
from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.app.texts import Texts
from oakum_lint.app.value_words import describe
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Transformed,
)
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import ExpressionEvaluator
from oakum_lint.domain.project import Project
from oakum_lint.domain.values import (
    Array,
    Choice,
    Constant,
    External,
    HeapObject,
    LibraryObject,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
    is_tracer,
)
from oakum_lint.driver import PARTS, interpret_bodies
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Location
from oakum_lint.text.source import Unreadable


@dataclass(frozen=True, slots=True)
class Lost:
    """A tracer that is not known as one."""

    span: Span
    cause: str
    at: Span
    """Where it is lost."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of the expressions that were tracers in a run are known as tracers."""

    proved: int
    likely: int
    lost: tuple[Lost, ...]

    def causes(self) -> list[tuple[str, int]]:
        """Returns the causes of what is lost, the most frequent first."""
        return Counter(each.cause for each in self.lost).most_common()


def share_known(files: Sequence[Path], found: Record) -> Share:
    """Analyses files as a check of all of them does; returns what it knows of a run's tracers."""
    held = evaluated(files)
    tracers = dict.fromkeys(
        span
        for activation in found.activations
        for span, values in activation.seen.items()
        if any(isinstance(each, SeenArray) and "tracer" in each.home for each in values)
    )
    search = Search(held, tracers, found)
    known = [held[span] for span in tracers if span in held and held[span].traced]
    lost = [
        Lost(span, *search.cause(span))
        for span in tracers
        if span not in held or not held[span].traced
    ]
    proved = sum(each.proved for each in known)
    return Share(proved, len(known) - proved, tuple(lost))


def evaluated(files: Sequence[Path]) -> dict[Span, Held]:
    """Interprets files; returns what each expression was evaluated to, by its place."""
    texts = Texts({})
    found: dict[Span, Held] = {}
    places: dict[tuple[ModuleFacts, int, int], Held] = {}

    def read(path: Path) -> ModuleFacts | None:
        source = texts.source(path)
        return None if isinstance(source, Unreadable) else ModuleFacts(source)

    def held_at(facts: ModuleFacts, start: int, end: int) -> Held:
        held = places.get((facts, start, end))
        if held is None:
            at = facts.source.location(start, end, str(facts.source.path))
            span = (at.file, at.line, at.column, at.end_line, at.end_column)
            held = places[facts, start, end] = found.setdefault(span, Held())
        return held

    def observed(evaluate: ExpressionEvaluator) -> ExpressionEvaluator:
        def evaluator(machine: Machine, node: nodes.Node, frame: Frame) -> Value:
            value = evaluate(machine, node, frame)
            base = frame.unit.base
            _note(held_at(frame.module.facts, base + node.start, base + node.end), value, frame)
            return value

        return evaluator

    def fail(_place: Location, what: str, error: Exception) -> None:
        raise AssertionError(what) from error

    def ignore(event: Event) -> None:
        """Hears of an event and does nothing."""

    def work() -> None:
        project = Project(files, read)
        modules = [module for file in files if (module := project.module_at(file)) is not None]
        parts = replace(PARTS, expressions={k: observed(e) for k, e in PARTS.expressions.items()})
        interpret_bodies(project, modules, ignore, fail, parts=parts).run_groups()

    run_deep(work)
    return found


def _note(held: Held, value: Value, frame: Frame) -> None:
    options = value.options if isinstance(value, Choice) else (value,)
    for each in options:
        if isinstance(each, Array | Tree) and is_tracer(each):
            presumed = frame.trace is not None and frame.trace.presumed
            doubtful = each.origin is not None and bool(each.origin.doubt)
            if presumed or doubtful:
                held.likely = True
            else:
                held.proved = True
        elif len(held.words) < 8:
            held.words[kind_of(each)] = None


def kind_of(value: Value) -> str:
    """Returns what a value is, in words by which places of many programs can be counted."""
    match value:
        case Array(place=place):
            return "an array" if place in (Place.HOST, Place.DEVICE) else "an array or tracer"
        case Constant() | Scalar():
            return "a Python value"
        case TupleValue():
            return "a tuple"
        case HeapObject(kind="instance", cls=ClassValue()):
            return "an object of the project"
        case HeapObject(kind=kind):
            return f"a {kind}"
        case FunctionValue() | BoundMethod() | Transformed():
            return "a function of the project"
        case Method(name=name):
            return f"the method `{name}`"
        case ClassValue():
            return "a class of the project"
        case ModuleValue():
            return "a module"
        case External(path) | LibraryObject(path):
            return f"`{path}`"
        case _:
            return describe(value, 1)

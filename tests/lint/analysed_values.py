"""What the analysis knows of each expression of a program, as patterns."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from recorded_values import Span
from value_patterns import (
    ANY,
    ArrayPattern,
    ChoicePattern,
    Home,
    NamedPattern,
    ObjectPattern,
    Pattern,
    ScalarPattern,
    TreePattern,
    TuplePattern,
    shown_number,
)

from oakum.values.records import replace
from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.app.texts import Texts
from oakum_lint.arrays.enums import EnumMember
from oakum_lint.domain.callables import (
    BoundMethod,
    ClassValue,
    FunctionValue,
    Method,
    ModuleValue,
    Partial,
    Scope,
    Transformed,
)
from oakum_lint.domain.doubts import REFUSALS, STOPPING
from oakum_lint.domain.events import Event, ItemAssignment
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import ExpressionEvaluator
from oakum_lint.domain.project import Project
from oakum_lint.domain.values import (
    FROZEN,
    Array,
    Choice,
    Constant,
    HeapObject,
    Origin,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.driver import PARTS, interpret_bodies
from oakum_lint.rules import RULES
from oakum_lint.rules.rule import AnyRule, heard_by
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Confidence, Location
from oakum_lint.text.source import Unreadable

HOMES: dict[Place, frozenset[Home]] = {
    Place.HOST: frozenset[Home](("numpy",)),
    Place.DEVICE: frozenset[Home](("array",)),
    Place.ANY: frozenset[Home](("array", "tracer", "concrete tracer")),
    # What has a derivative of zero is no tracer where only a derivative is taken: `jnp.round(x)`.
    Place.CONCRETE: frozenset[Home](("concrete tracer", "array")),
    Place.ABSTRACT: frozenset[Home](("tracer",)),
}
NUMBERS = frozenset(("bool", "int", "float", "complex"))
DEEPEST = 3
STOPPED_BY = frozenset(
    cast("type[Event]", each).__name__ for each in (*STOPPING, *REFUSALS, ItemAssignment)
)
"""The names of events behind which nothing of the activation runs."""


@cache
def raising_rules() -> dict[str, tuple[AnyRule, ...]]:
    """The rules that hear of what raises at its place, by the name of the event."""
    rules = [(kind(), heard_by(kind)) for kind in RULES]
    return {name: tuple(rule for rule, heard in rules if name in heard) for name in STOPPED_BY}


@dataclass(slots=True)
class Known:
    """What is known of the runs of one function that begin with the same, or of one module."""

    entry: dict[str, Pattern]
    """Its arguments with what they hold, and what it uses of the functions around it."""
    values: dict[Span, dict[Pattern, None]] = field(default_factory=dict[Span, dict[Pattern, None]])
    runs: int = 0
    raising: dict[Span, list[str]] = field(default_factory=dict[Span, list[str]])
    """Places at which runs are proved to raise, with the finding of each run."""
    is_traced: bool | None = None
    """Whether a trace is running in them."""

    def always_raised(self) -> dict[Span, str]:
        """The places at which each of the runs is proved to raise, with one finding."""
        return {span: said[0] for span, said in self.raising.items() if len(said) == self.runs}


def analysed(main: Path, files: Sequence[Path]) -> list[Known]:
    """Interprets the main file, and of the others what it uses; returns what is known of the
    expressions that were evaluated, by how their function was called.
    """
    found: dict[tuple[object, frozenset[tuple[str, Pattern]], bool], Known] = {}
    by_scope: dict[Scope, Known] = {}
    texts = Texts({})

    def read(path: Path) -> ModuleFacts | None:
        source = texts.source(path)
        return None if isinstance(source, Unreadable) else ModuleFacts(source)

    reporting: list[Known] = []
    """That of the run in which something is being reported; what is reported later has none."""
    listeners = raising_rules()

    def note(event: Event) -> None:
        if reporting and event.confidence is Confidence.PROVED:
            for rule in listeners.get(type(event).__name__, ()):
                for finding in rule.check(event):
                    at = finding.location
                    span = (at.file, at.line, at.column, at.end_line, at.end_column)
                    said = f"{finding.code}: {finding.message}"
                    reporting[-1].raising.setdefault(span, []).append(said)

    def fail(_place: Location, what: str, error: Exception) -> None:
        raise AssertionError(what) from error

    watched: list[Machine] = []

    def reporter(emit: Callable[..., None], machine: Machine) -> Callable[..., None]:
        def emitter(event: Callable[..., Event], frame: Frame, *about: Any, **details: Any) -> None:
            reporting.append(known_of(machine, frame))
            try:
                emit(event, frame, *about, **details)
            finally:
                reporting.pop()

        return emitter

    spans: dict[tuple[ModuleFacts, int, int], Span] = {}

    def span_of(facts: ModuleFacts, start: int, end: int) -> Span:
        found = spans.get((facts, start, end))
        if found is None:
            at = facts.source.location(start, end, str(facts.source.path))
            found = (at.file, at.line, at.column, at.end_line, at.end_column)
            spans[facts, start, end] = found
        return found

    def known_of(machine: Machine, frame: Frame) -> Known:
        scope = frame.scope
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        known = by_scope.get(scope)
        if known is None:
            function = frame.called.function if scope.kind == "function" else None
            entry = {} if function is None else _entry(machine, function, scope)
            made = scope if function is None else function.definition
            traced = frame.trace is not None
            key = (made, frozenset(entry.items()), traced)
            known = found.setdefault(key, Known(entry, is_traced=traced))
            known.runs += 1
            by_scope[scope] = known
        return known

    def observed(evaluate: ExpressionEvaluator) -> ExpressionEvaluator:
        def evaluator(machine: Machine, node: nodes.Node, frame: Frame) -> Value:
            known = known_of(machine, frame)
            if not watched:
                watched.append(machine)
                machine.emit = reporter(machine.emit, machine)
            value = evaluate(machine, node, frame)
            base = frame.unit.base
            span = span_of(frame.module.facts, base + node.start, base + node.end)
            # Of a trace that is presumed, or in which some tracers have values, nothing is claimed.
            trace = frame.trace
            presumed = trace is not None and (trace.presumed or trace.keeps_alike)
            allowed = ANY if presumed else pattern(value, DEEPEST)
            known.values.setdefault(span, {})[allowed] = None
            return value

        return evaluator

    def work() -> None:
        project = Project([main, *files], read)
        module = project.module_at(main)
        assert module is not None
        expressions = {kind: observed(e) for kind, e in PARTS.expressions.items()}
        parts = replace(PARTS, expressions=expressions)
        interpret_bodies(project, [module], note, fail, parts=parts).run_groups()

    run_deep(work)
    return list(found.values())


def _entry(machine: Machine, function: FunctionValue, scope: Scope) -> dict[str, Pattern]:
    store = machine.store
    found: dict[str, Pattern] = {}
    values = {
        each.name: store.get((scope, each.name)) for each in function.definition.parameters.items
    }
    around = scope.parent
    while around is not None and around.kind == "function":
        values = {name: store.get((around, name)) for name in store.names_of(around)} | values
        around = around.parent
    for name, value in values.items():
        if value is None:
            continue
        found[name] = pattern(value, DEEPEST)
        if isinstance(value, HeapObject) and value.kind == "instance":
            held = store.held_by(value)
            found.update((f"{name}.{field}", pattern(each, DEEPEST)) for field, each in held)
    return found


def pattern(value: Value, depth: int) -> Pattern:
    """All that a value stands for."""
    match value:
        case Array(origin=Origin(doubt=doubt)) | Tree(origin=Origin(doubt=doubt)) if doubt:
            return ANY  # it is probably a tracer, which asserts nothing
        case Array(aval):
            return ArrayPattern(aval, HOMES[value.place])
        case Tree():
            # One that is only differentiated may hold what has a derivative of zero.
            is_sure = value.place is Place.ABSTRACT and not value.opaque
            return TreePattern() if is_sure else ANY
        case Choice(options):
            return ChoicePattern(frozenset(pattern(each, depth) for each in options))
        case Constant(EnumMember(cls=cls)):
            return ObjectPattern(frozenset((cls.name,)))
        case Constant(held):
            return ScalarPattern(frozenset((type(held).__name__,)), shown_number(held))
        case Scalar(kind):
            return ScalarPattern(NUMBERS if kind == "number" else frozenset((kind,)))
        case FunctionValue():
            wrapped = value.decorated or value.is_context_manager or value.cached
            return NamedPattern("callable" if wrapped else "function", value.name)
        case ClassValue():
            return NamedPattern("class", value.name)
        case ModuleValue():
            return NamedPattern("module", value.module.name)
        case Method(receiver=Array() | HeapObject() | TupleValue() | Constant() | Scalar()):
            return NamedPattern("callable", "")
        case Partial() | Transformed() | BoundMethod():
            return NamedPattern("callable", "")
        case HeapObject(kind="instance", cls=ClassValue(name=name)):
            return ObjectPattern(frozenset((name,)))
        case HeapObject(kind="list" | "deque" | "dict" | "set" as kind):
            return ObjectPattern(frozenset((kind, FROZEN) if kind == "set" else (kind,)))
        case TupleValue(elements, rest) if depth:
            known = None if elements is None else tuple(pattern(e, depth - 1) for e in elements)
            return TuplePattern(known, pattern(rest, depth - 1), value.length)
        case _:
            return ANY

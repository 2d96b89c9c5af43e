"""What the analysis knows of each expression of a program, as patterns."""

from collections.abc import Sequence
from pathlib import Path

from recorded_values import Span
from value_patterns import (
    ANY,
    ArrayPattern,
    ChoicePattern,
    Home,
    MappingPattern,
    NamedPattern,
    ObjectPattern,
    Pattern,
    ScalarPattern,
    SequencePattern,
    TreePattern,
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
    Transformed,
)
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import ExpressionEvaluator
from oakum_lint.domain.project import Project
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import (
    Array,
    Choice,
    Constant,
    Entries,
    HeapObject,
    Items,
    Origin,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.driver import PARTS, interpret_bodies
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Location
from oakum_lint.text.source import Unreadable

HOMES: dict[Place, frozenset[Home]] = {
    Place.HOST: frozenset[Home](("numpy",)),
    Place.DEVICE: frozenset[Home](("array",)),
    Place.ANY: frozenset[Home](("array", "tracer", "concrete tracer")),
    Place.CONCRETE: frozenset[Home](("concrete tracer",)),
    Place.ABSTRACT: frozenset[Home](("tracer",)),
}
NUMBERS = frozenset(("bool", "int", "float", "complex"))
TUPLES = frozenset(("tuple", "range", "dict_keys", "dict_values", "dict_items"))
"""What the analysis keeps as a tuple: what cannot be changed through it."""
DEEPEST = 3

Known = dict[Span, dict[Pattern, None]]


def analysed(main: Path, files: Sequence[Path]) -> Known:
    """Interprets the main file, and of the others what it uses; returns what is known of each
    expression that was evaluated.
    """
    known: Known = {}
    texts = Texts({})

    def read(path: Path) -> ModuleFacts | None:
        source = texts.source(path)
        return None if isinstance(source, Unreadable) else ModuleFacts(source)

    def ignore(_event: Event) -> None:
        """Passes over what is reported."""

    def fail(_place: Location, what: str, error: Exception) -> None:
        raise AssertionError(what) from error

    def observed(evaluate: ExpressionEvaluator) -> ExpressionEvaluator:
        def evaluator(machine: Machine, node: nodes.Node, frame: Frame) -> Value:
            value = evaluate(machine, node, frame)
            base = frame.unit.base
            facts = frame.module.facts
            place = facts.source.location(base + node.start, base + node.end, "")
            span = (
                str(facts.source.path),
                place.line,
                place.column,
                place.end_line,
                place.end_column,
            )
            known.setdefault(span, {})[pattern(machine, value, DEEPEST)] = None
            return value

        return evaluator

    def work() -> None:
        project = Project([main, *files], read)
        module = project.module_at(main)
        assert module is not None
        expressions = {kind: observed(e) for kind, e in PARTS.expressions.items()}
        parts = replace(PARTS, expressions=expressions)
        interpret_bodies(project, [module], ignore, fail, parts=parts).run_groups()

    run_deep(work)
    return known


def pattern(machine: Machine, value: Value, depth: int) -> Pattern:
    """All that a value stands for at this moment."""
    match value:
        case Array(origin=Origin(doubt=doubt)) | Tree(origin=Origin(doubt=doubt)) if doubt:
            return ANY  # it is probably a tracer, which asserts nothing
        case Array(aval):
            return ArrayPattern(aval, HOMES[value.place])
        case Tree():
            return ANY if value.opaque else TreePattern()
        case Choice(options):
            return ChoicePattern(frozenset(pattern(machine, each, depth) for each in options))
        case Constant(EnumMember(cls=cls)):
            return ObjectPattern(cls.name)
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
        case _ if depth == 0:
            return ANY
        case TupleValue(elements, rest):
            return SequencePattern(
                TUPLES,
                None
                if elements is None
                else tuple(pattern(machine, e, depth - 1) for e in elements),
                pattern(machine, rest, depth - 1),
                value.length,
            )
        case HeapObject():
            return _object(machine, value, depth)
        case _:
            return ANY


def _object(machine: Machine, value: HeapObject, depth: int) -> Pattern:
    content = machine.store.now.get((value, CONTENT)) or machine.store.ground.get((value, CONTENT))
    match value.kind, content:
        case "list" | "deque" | "set", Items(elements, rest):
            kinds = (
                frozenset(("set", "frozenset")) if value.kind == "set" else frozenset((value.kind,))
            )
            return SequencePattern(
                kinds,
                None
                if elements is None
                else tuple(pattern(machine, e, depth - 1) for e in elements),
                pattern(machine, rest, depth - 1),
                content.length,
            )
        case "dict", Entries(entries, rest):
            held = tuple((shown_number(k), pattern(machine, v, depth - 1)) for k, v in entries)
            return MappingPattern(held, None if rest is None else pattern(machine, rest, depth - 1))
        case "instance", _ if value.cls is not None and content is None:
            cells = machine.store.held_by(value)
            fields = tuple((str(k), pattern(machine, v, depth - 1)) for k, v in cells)
            return ObjectPattern(value.cls.name, fields)
        case _:
            return ANY

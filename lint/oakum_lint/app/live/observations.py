"""What the expressions of some files have become in an analysis, and what functions were traced.

An editor shows this. It is noted while the analysis runs, apart for each group of its work: where
only some groups run again after an edit, what the rest has shown stands.

Invariants:
- Places are those of nodes and of `Spot`s, which move with their text.
- Nothing is noted that the analysis itself would not evaluate, and it sees nothing of the notes.
"""

from collections.abc import Collection, Iterator
from pathlib import Path

from oakum.values.records import dataclass, field, replace
from oakum_lint.domain.callables import Site
from oakum_lint.domain.frames import Frame, traces
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import ExpressionEvaluator, Parts, StatementExecutor
from oakum_lint.domain.values import Array, Constant, Value
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts, UnitFacts

MOST_VALUES = 8
"""So many different values of one expression are kept."""

MOST_CALLS = 8
"""So many calls of a chain are kept, the innermost."""


@dataclass(slots=True, eq=False)
class Spot:
    """A place in a unit, which moves when the text before it changes."""

    unit: UnitFacts
    start: int
    end: int

    @property
    def file(self) -> Path:
        """The file that it is in."""
        return self.unit.module.source.path

    @property
    def offset(self) -> int:
        """Where it begins in the text of its file."""
        return self.unit.base + self.start

    @property
    def line(self) -> int:
        """The line on which it begins."""
        return self.unit.module.source.place(self.offset)[0]


@dataclass(frozen=True, slots=True)
class Transform:
    """A transform that traces: its name in words, and where it is applied."""

    label: str
    spot: Spot
    is_presumed: bool


@dataclass(frozen=True, slots=True)
class Situation:
    """How the program got to a piece of code."""

    transforms: tuple[Transform, ...]
    """Those that trace it, the innermost first."""
    calls: tuple[tuple[str, Spot], ...]
    """The functions that run, the innermost first, and where each is called."""


@dataclass(slots=True, eq=False)
class Seen:
    """An expression, or a name that is bound, and the values that it had."""

    unit: UnitFacts
    node: nodes.Node
    is_binding: bool
    values: list[tuple[Value, Situation]] = field(default_factory=list[tuple[Value, Situation]])

    @property
    def span(self) -> tuple[int, int]:
        """Where it begins and ends in the text of its file."""
        return self.unit.base + self.node.start, self.unit.base + self.node.end


@dataclass(frozen=True, slots=True)
class Entered:
    """A function that was traced, with the values of its parameters."""

    unit: UnitFacts
    definition: nodes.FunctionDefinition
    situation: Situation
    arguments: tuple[tuple[str, Value | None], ...]


@dataclass(slots=True, eq=False)
class _Notes:
    """What one group of the work has shown."""

    seen: dict[int, Seen] = field(default_factory=dict[int, Seen])
    """By the identity of the node."""
    entered: dict[tuple[int, int], Entered] = field(default_factory=dict[tuple[int, int], Entered])
    situations: dict[tuple[int, ...], Situation] = field(
        default_factory=dict[tuple[int, ...], Situation]
    )
    spots: dict[tuple[int, int, int], Spot] = field(
        default_factory=dict[tuple[int, int, int], Spot]
    )


class Observations:
    """What is noted of some files, by their real paths."""

    def __init__(self, files: Collection[Path]) -> None:
        self._files = frozenset(files)
        self._groups: dict[str, _Notes] = {}
        self._now = _Notes()
        self._modules: dict[Path, ModuleFacts] = {}
        self._frame: Frame | None = None
        self._situation: Situation | None = None

    def begins(self, group: str) -> None:
        """Hears that a group of the work runs: what it has shown before is forgotten."""
        self._now = self._groups[group] = _Notes()
        self._frame = self._situation = None

    def ended(self) -> None:
        """Hears that a run is over, and lets go of what only the running analysis needs."""
        self._frame = self._situation = None

    # --- what is known ------------------------------------------------------------------------

    def module(self, file: Path) -> ModuleFacts | None:
        """A file of which something is noted, by its real path."""
        return self._modules.get(file)

    def seen(self, module: ModuleFacts) -> Iterator[Seen]:
        """The expressions and bound names of a file, each once, with its values in all groups."""
        merged: dict[int, Seen] = {}
        for notes in self._groups.values():
            for number, each in notes.seen.items():
                if each.unit.module is not module:
                    continue
                known = merged.get(number)
                if known is None:
                    values = [*each.values]
                    merged[number] = Seen(each.unit, each.node, each.is_binding, values)
                else:
                    known.values += each.values
        yield from merged.values()

    def entered(self, module: ModuleFacts) -> Iterator[Entered]:
        """The functions of a file that were traced, once for each way."""
        for notes in self._groups.values():
            for each in notes.entered.values():
                if each.unit.module is module:
                    yield each

    def spots_in(self, unit: UnitFacts) -> Iterator[Spot]:
        """The spots in a unit, each once."""
        for notes in self._groups.values():
            yield from (spot for spot in notes.spots.values() if spot.unit is unit)

    # --- what is noted ------------------------------------------------------------------------

    def watch(self, parts: Parts) -> Parts:
        """Parts of an interpreter that note what they evaluate."""
        expressions = {kind: self._noting(each) for kind, each in parts.expressions.items()}
        statements = {kind: self._binding(each) for kind, each in parts.statements.items()}
        return replace(parts, expressions=expressions, statements=statements)

    def _noting(self, evaluate: ExpressionEvaluator) -> ExpressionEvaluator:
        files = self._files

        def evaluator(machine: Machine, node: nodes.Node, frame: Frame) -> Value:
            value = evaluate(machine, node, frame)
            if frame.module.real_path in files:
                self._note(node, frame, value, is_binding=False)
                if isinstance(node, nodes.NamedExpression):
                    self._note(node.target, frame, value, is_binding=True)
            return value

        return evaluator

    def _binding(self, execute: StatementExecutor) -> StatementExecutor:
        files = self._files

        def executor(machine: Machine, node: nodes.Statement, frame: Frame) -> bool:
            if frame.module.real_path not in files:
                return execute(machine, node, frame)
            if frame.trace is not None:
                self._note_entry(machine, node, frame)
            falls_through = execute(machine, node, frame)
            for target in _targets(node):
                value = machine.store.get((frame.scope, target.identifier))
                if value is not None:
                    self._note(target, frame, value, is_binding=True)
            return falls_through

        return executor

    def _note(self, node: nodes.Node, frame: Frame, value: Value, *, is_binding: bool) -> None:
        seen = self._now.seen.get(id(node))
        if seen is None:
            seen = self._now.seen[id(node)] = Seen(frame.unit, node, is_binding)
            self._modules[frame.module.real_path] = frame.unit.module
        values = seen.values
        if len(values) < MOST_VALUES:
            situation = self._situation_of(frame)
            for known, way in values:
                if way.transforms == situation.transforms and _is_same(known, value):
                    return
            values.append((value, situation))

    def _note_entry(self, machine: Machine, node: nodes.Statement, frame: Frame) -> None:
        """Notes the parameters of the function whose first statement is about to run."""
        function = frame.called.function
        definition = None if function is None else function.definition
        if not isinstance(definition, nodes.FunctionDefinition) or frame.scope.kind != "function":
            return
        if not definition.statements or definition.statements[0] is not node:
            return
        situation = self._situation_of(frame)
        key = (id(definition), id(situation))
        if key not in self._now.entered:
            arguments = tuple(
                (each.name, machine.store.get((frame.scope, each.name)))
                for each in definition.parameters.items
            )
            self._now.entered[key] = Entered(frame.unit, definition, situation, arguments)

    def _situation_of(self, frame: Frame) -> Situation:
        if frame is self._frame and self._situation is not None:
            return self._situation
        site, trace = frame.called.site, frame.trace
        key = (
            id(frame.called.function and frame.called.function.definition),
            0 if site is None else id(site.unit),
            0 if site is None else site.start,
            0 if trace is None else trace.uid,
        )
        found = self._now.situations.get(key)
        if found is None:
            transforms = tuple(
                Transform(each.label, self._spot(each.site), each.presumed)
                for each in traces(trace)
            )
            calls = [
                (caller.called.function.name, self._spot(caller.called.site))
                for caller in frame.callers()
                if caller.called.function is not None and caller.called.site is not None
            ]
            found = self._now.situations[key] = Situation(transforms, tuple(calls[:MOST_CALLS]))
        self._frame, self._situation = frame, found
        return found

    def _spot(self, site: Site) -> Spot:
        key = (id(site.unit), site.start, site.end)
        spot = self._now.spots.get(key)
        if spot is None:
            spot = self._now.spots[key] = Spot(site.unit, site.start, site.end)
        return spot


_NO_TARGETS: tuple[nodes.Name, ...] = ()


def _targets(statement: nodes.Statement) -> tuple[nodes.Name, ...]:
    """The names that a statement binds to values, in their order."""
    match statement:
        case nodes.Assignment(targets=targets):
            return tuple(name for target in targets for name in _names(target))
        case nodes.AugmentedAssignment(target=target):
            return tuple(_names(target))
        case nodes.AnnotatedAssignment(target=target, value=value) if value is not None:
            return tuple(_names(target))
        case nodes.With(items=items):
            return tuple(
                name for item in items if item.target is not None for name in _names(item.target)
            )
        case _:
            return _NO_TARGETS


def _names(target: nodes.Expression) -> Iterator[nodes.Name]:
    """The names in a target of an assignment, in their order."""
    pending = [target]
    while pending:
        match pending.pop():
            case nodes.Name() as name:
                yield name
            case nodes.Display(elements=elements):
                pending += reversed(elements)
            case _:
                pass


def _is_same(first: Value, second: Value) -> bool:
    """Whether two values are shown alike; whole containers are not compared."""
    if isinstance(first, Array | Constant):
        return first == second
    return first is second

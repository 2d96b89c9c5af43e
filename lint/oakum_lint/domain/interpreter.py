"""The machine: the state of one run, and the operations through which its parts meet.

Each part (expressions, statements, ...) is a module of functions that take the machine first.
`driver` puts the parts' tables into a machine; no part imports the assembly.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from oakum.values import declarations
from oakum.values.facts import Facts
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.assumptions import NOTHING_ASSUMED, Assumptions
from oakum_lint.domain.budget import Budget, Running, Statistics
from oakum_lint.domain.callables import ClassValue, FunctionValue, Scope, Site, Transformed
from oakum_lint.domain.cuts import cut_at, cut_in, root_of
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.groups.bodies import BodyRuns
from oakum_lint.domain.groups.known import KnownFunctions
from oakum_lint.domain.groups.states import States
from oakum_lint.domain.limits import SECONDS_PER_ROOT
from oakum_lint.domain.namespaces.star_imports import StarImports
from oakum_lint.domain.parts import Parts
from oakum_lint.domain.project import Module, Project, location_of
from oakum_lint.domain.reporting import Reporter
from oakum_lint.domain.store import CONTENT, Key, Owner, Part, Recorder, Store
from oakum_lint.domain.values import UNKNOWN, Unknown, Value
from oakum_lint.models.packages import declared_name, in_jax
from oakum_lint.syntax import nodes
from oakum_lint.syntax.reading import note_name
from oakum_lint.text.finding import Location

State = TypeVar("State")
Failure = Callable[[Location, str, Exception], None]
"""Receives where the interpreter itself failed, on what, and how."""


class Machine:
    """One analysis of one project."""

    def __init__(
        self,
        project: Project,
        emit: Callable[[Event], None],
        parts: Parts,
        assumptions: Assumptions = NOTHING_ASSUMED,
        fail: Failure | None = None,
        seconds: float = SECONDS_PER_ROOT,
    ) -> None:
        self.assumptions = assumptions
        self._fail = fail
        self.project = project
        self._store = self.root_store = Store()
        """What is known outside every path: modules run here."""
        self.recorder: Recorder | None = None
        self.budget = Budget(seconds)
        self.epoch = 0
        """What has a lower identity was made by other code than what is looked at now."""
        self.statistics = Statistics()
        self.pending: list[tuple[Transformed, Frame]] = []
        """Transformed functions, to be traced with unknown arguments if no call of them is seen."""
        self.known = KnownFunctions()
        self.rebound: set[Key] = set()
        """Variables that were bound more than once."""
        self.stars = StarImports(self.root_store)
        self.lasting = self.stars.lasting
        self.running = Running()
        self.defined: list[tuple[FunctionValue, Frame]] = []
        """Every function defined so far, and where."""
        self.defined_classes: list[tuple[ClassValue, Frame]] = []
        self.conventional: list[tuple[Value, Frame]] = []
        """Functions that run under tracing by convention."""
        self.reports = Reporter(emit, self)
        self.emit = self.reports.emit
        self._tell_cut = emit
        self._parts = parts
        self.moments = parts.moments
        self.states = States()
        self.bodies: BodyRuns | None = None  # until the statements of all modules have run
        # The tables are asked for every expression: keep them at hand.
        self._expressions = parts.expressions
        self._statements = parts.statements
        self._callers = parts.callers

    @property
    def store(self) -> Store:
        """The current path. Assigning another one leaves this and enters that."""
        return self._store

    @store.setter
    def store(self, store: Store) -> None:
        store.enter()
        self._store = store

    # --- evaluation ---------------------------------------------------------------------------

    def evaluate(self, node: nodes.Node, frame: Frame) -> Value:
        """The abstract value of an expression."""
        budget = self.budget
        budget.steps -= 1
        if budget.steps < budget.check_at and not self._may_go_on(frame, node):
            return UNKNOWN
        return self._expressions[type(node)](self, node, frame)

    def look(self, node: nodes.Node, frame: Frame) -> Value:
        """Evaluates an expression that is evaluated elsewhere too: nothing is reported or kept."""
        base = self.store
        self.store = base.fork()
        try:
            with frame.trying():
                return self.evaluate(node, frame)
        finally:
            self.store = base

    def spend(self, frame: Frame, node: nodes.Node) -> bool:
        """Takes one step off the budget, for work outside expressions; whether one was left."""
        self.budget.steps -= 1
        return self.budget.steps >= self.budget.check_at or self._may_go_on(frame, node)

    def _may_go_on(self, frame: Frame, node: nodes.Node) -> bool:
        """Looks at the clock; whether the root may go on. Reports once that it may not."""
        limit = self.budget.runs_out()
        if limit:
            reason = f"the analysis of {root_of(frame)} has taken all of its {limit}"
            self._tell_cut(cut_at(frame, node, reason))
        return not self.budget.is_spent

    def cut(self, cause: str, frame: Frame, node: nodes.Node, reason: str) -> None:
        """Reports, once for each root and cause, what is not analysed, and why."""
        if cause not in self.budget.cuts:
            self.budget.cuts.add(cause)
            self._tell_cut(cut_at(frame, node, reason))

    @contextmanager
    def new_root(self) -> Generator[None]:
        """Runs the block with a budget of its own, so that no root starves another."""
        outer, self.budget = self.budget, self.budget.begin_inner()
        try:
            yield
        finally:
            self.statistics.steps += self.budget.used
            outer.leave_out(self.budget)
            self.budget = outer

    def execute(self, block: Sequence[nodes.Node], frame: Frame) -> bool:
        """Runs a block; whether its end is reached."""
        reached = True
        for statement in block:
            reached = self._statements[type(statement)](self, statement, frame)
            if not reached:
                break
        return reached

    def call(self, function: Value, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
        """Calls any value."""
        caller = self._callers.get(type(function)) or self._callers[Unknown]
        return caller(self, function, arguments, frame, node)

    def evaluate_arguments(self, node: nodes.Call, frame: Frame) -> Arguments:
        """The arguments of a call expression."""
        return self._parts.arguments(self, node, frame)

    def call_special(
        self, owner: Value, name: str, arguments: tuple[Value, ...], node: nodes.Node, frame: Frame
    ) -> Value | None:
        """Calls a special method of an instance; None where its class has none."""
        return self._parts.special(self, owner, name, arguments, node, frame)

    # --- names --------------------------------------------------------------------------------

    def load_name(self, module: Module, name: str) -> Value | None:
        """The value of a module's name whose definition has not been interpreted yet."""
        return self._parts.load_name(self, module, name)

    def module_attribute(self, module: Module, name: str) -> Value | None:
        """`module.name`, or None."""
        return self._parts.module_attribute(self, module, name)

    def public(self, path: str) -> Facts | None:
        """The engine's declaration of a JAX function, by its canonical name."""
        return declarations.find(declared_name(path)) if in_jax(path) else None

    def fail(self, site: Site, what: str, error: Exception) -> None:
        """Reports that the interpreter failed on something, which costs this and no more."""
        if isinstance(error, RecursionError):
            if "stack" not in self.budget.cuts:
                self.budget.cuts.add("stack")
                reason = f"{what} nests more deeply than the stack allows"
                self._tell_cut(cut_in(location_of(site), reason))
            return
        if self._fail is None:
            raise error
        self._fail(location_of(site), what, error)

    # --- state --------------------------------------------------------------------------------

    def read(self, owner: Owner, name: str, part: Part = None) -> Value | None:
        """The content of a cell, or None."""
        key, store = (owner, name), self._store
        value = store.now.get(key)
        if value is None:
            value = store.ground.get(key)
            if value is None and name in self.stars.names:
                value = self.stars.fetch(key, store)
        if isinstance(owner, Scope) and owner.parent is None:
            note_name(key)
        recorder = self.recorder
        if recorder is not None and owner.uid < recorder.start:
            if not (key in recorder.reads or key in self.lasting.keys or key in recorder.writes):
                recorder.reads[key] = value
            if name == CONTENT:
                recorder.note_part(owner, part)
        return value

    def write(self, owner: Owner, name: str, value: Value, path: Store | None = None) -> None:
        """Overwrites a cell; on a path around the current one, which has not written it since."""
        key = (owner, name)
        if isinstance(owner, Scope) and owner.kind == "module":
            self.stars.before_write(key, self._store)
            self.lasting.note(owner, name, value, self._store)
        (self._store if path is None else path).set(key, value)
        recorder = self.recorder
        if recorder is not None and owner.uid < recorder.start:
            recorder.writes[key] = None

    def written_in(self, frame: Frame) -> dict[Key, Value]:
        """Returns the cells that this path has written since the frame was entered."""
        return dict(self.store.since(frame.flow.entry)) if frame.flow.entry is not None else {}

    def run_path(self, run: Callable[[], bool]) -> tuple[bool, dict[Key, Value]]:
        """Runs something on a path of its own; whether it falls through, and what it wrote."""
        base = self.store
        self.store = path = base.fork()
        try:
            falls_through = run()
            return falls_through, path.since(base)
        finally:
            self.store = base

    def state_of(self, kind: type[State]) -> State:
        """Returns the state of an analysis in this run, made when it is first asked for."""
        found = self.states.by_kind.get(kind)  # asked some 30 times for each function that runs
        return self.states.of(kind) if found is None else found

"""The machine: the state of one analysis, and the operations through which its parts meet.

Each part (expressions, statements, calls, transforms, ...) is a module of functions that take the
machine first. `driver` puts the parts' tables into a machine; no part imports the assembly.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from oakum.values import declarations
from oakum.values.declarations import Facts
from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.assumptions import NOTHING_ASSUMED, Assumptions
from oakum_lint.domain.budget import Budget, Statistics
from oakum_lint.domain.callables import ClassValue, FunctionValue, Site, Transformed
from oakum_lint.domain.cuts import cut_at, cut_in, root_of
from oakum_lint.domain.descriptions import describe
from oakum_lint.domain.events import Event, Leak, StagedConstant
from oakum_lint.domain.frames import Frame, Trace, is_definition, traces
from oakum_lint.domain.limits import SECONDS_PER_ROOT
from oakum_lint.domain.moments import Moments
from oakum_lint.domain.project import Module, Project
from oakum_lint.domain.store import CONTENT, Key, Owner, Part, Recorder, Store
from oakum_lint.domain.use_kinds import STATIC_USES, converts
from oakum_lint.domain.values import UNKNOWN, Array, Origin, Tree, Value
from oakum_lint.models.decorators import wraps_functions
from oakum_lint.models.frameworks.register import framework_transform
from oakum_lint.models.packages import declared_name, in_jax
from oakum_lint.syntax import nodes
from oakum_lint.text.finding import Confidence, Location, Related

ExpressionEvaluator = Callable[["Machine", Any, Frame], Value]
StatementExecutor = Callable[["Machine", Any, Frame], bool]
LibraryCall = Callable[["Machine", Arguments, Frame, nodes.Node], Value]
"""Calls one function from outside the project."""

State = TypeVar("State")
Failure = Callable[[Location, str, Exception], None]
"""Is told where the interpreter itself failed, on what, and how."""


class Caller(Protocol):
    """Calls a value of one class."""

    def __call__(
        self,
        machine: "Machine",
        function: Any,
        arguments: Arguments,
        frame: Frame,
        node: nodes.Node,
        /,
    ) -> Value: ...


class ModuleLookup(Protocol):
    """Looks a name up in a module of the project; None if the module does not bind it."""

    def __call__(self, machine: "Machine", module: Module, name: str) -> Value | None: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a machine, put together by `driver`."""

    expressions: Mapping[type[nodes.Node], ExpressionEvaluator]
    statements: Mapping[type[nodes.Node], StatementExecutor]
    callers: Mapping[type[Value], Caller]
    load_name: ModuleLookup
    module_attribute: ModuleLookup
    star_names: Callable[["Machine", Module], list[tuple[str, Value]]]
    arguments: Callable[["Machine", nodes.Call, Frame], Arguments]
    special: Callable[["Machine", Value, str, tuple[Value, ...], nodes.Node, Frame], "Value | None"]
    moments: Moments


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
        self.seconds = seconds
        """What one root may take."""
        self.project = project
        self.root_store = Store()
        """What is known outside every path: modules run here."""
        self._store = self.root_store
        self.recorder: Recorder | None = None
        self.budget = Budget(seconds)
        self.epoch = 0
        """What has a lower identity was made by other code than what is looked at now, which runs
        after it, or before, or never."""
        self.statistics = Statistics()
        self.pending: list[tuple[Transformed, Frame]] = []
        """Transformed functions, to be traced with unknown arguments if no call of them is seen."""
        self.entered: set[int] = set()
        """Identities of the function definitions that have been interpreted."""
        self.traced: set[int] = set()
        """Identities of the function definitions that have been traced by a transform."""
        self.hosted: set[int] = set()
        """Identities of the function definitions that a callback runs on the host."""
        self.rebound: set[Key] = set()
        """Variables that were bound more than once."""
        self.summaries: dict[Any, list[Any]] = {}
        self.active: list[int] = []
        self.defined: list[tuple[FunctionValue, Frame]] = []
        """Every function defined so far, and where."""
        self.defined_classes: list[tuple[ClassValue, Frame]] = []
        self.conventional: list[tuple[Value, Frame]] = []
        """Functions that run under tracing by convention."""
        self.record_classes: dict[str, ClassValue] = {}
        """Named tuples of libraries, by their canonical names."""
        self.registered: dict[int, tuple[Value, Value]] = {}
        """The flatten and unflatten functions of registered pytree classes, by the class's
        identity."""
        self.prototypes: dict[int, Value] = {}
        """An instance of each class whose methods were looked at without one, by the class's
        identity."""
        self.derivative_rules: dict[tuple[Site, str], Value] = {}
        """The rules given to custom_jvp and custom_vjp functions, by where those were made."""
        self.widened: set[int] = set()
        """Identities of the functions that run for all arguments of their kinds."""
        self._emit = self._tell_cut = emit
        self._parts = parts
        self.moments = parts.moments
        self._states: dict[type[object], object] = {}
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
        if store.parent is not self._store or store.cells:
            self._store.switch(store)
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
        """The value of an expression that is evaluated elsewhere too: nothing is told or kept."""
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
        """Looks at the clock; whether the root may go on. Tells once where it may not."""
        limit = self.budget.runs_out()
        if limit:
            reason = f"the analysis of {root_of(frame)} has taken all of its {limit}"
            self._tell_cut(cut_at(frame, node, reason))
        return not self.budget.is_spent

    def cut(self, cause: str, frame: Frame, node: nodes.Node, reason: str) -> None:
        """Tells, once for each root and cause, what is not analysed, and why."""
        if cause not in self.budget.cuts:
            self.budget.cuts.add(cause)
            self._tell_cut(cut_at(frame, node, reason))

    @contextmanager
    def new_root(self) -> Generator[None]:
        """Gives what runs in the block a budget of its own: what one root costs must not starve
        another.
        """
        outer, self.budget = self.budget, Budget(self.seconds)
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
        caller = self._callers.get(type(function))
        if caller is None:
            for hears in self.moments.unknown_call:
                hears(self, function, arguments, frame, node)
            return UNKNOWN
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

    def star_names(self, module: Module) -> list[tuple[str, Value]]:
        """What `from module import *` binds."""
        return self._parts.star_names(self, module)

    def public(self, path: str) -> Facts | None:
        """The engine's declaration of a JAX function, by its canonical name."""
        return declarations.find(declared_name(path)) if in_jax(path) else None

    def array_method(self, name: str) -> Facts | None:
        """The engine's declaration of a method of arrays."""
        return declarations.find(f"Array.{name}")

    def is_modelled(self, path: str) -> bool:
        """Whether calling a library name has a known effect."""
        return (
            wraps_functions(path)
            or self.public(path) is not None
            or framework_transform(path) is not None
        )

    def fail(self, site: Site, what: str, error: Exception) -> None:
        """Tells that the interpreter failed on something, which costs this and no more."""
        if isinstance(error, RecursionError):
            if "stack" not in self.budget.cuts:
                self.budget.cuts.add("stack")
                reason = f"{what} nests more deeply than the stack allows"
                self._tell_cut(cut_in(self.location(site), reason))
            return
        if self._fail is None:
            raise error
        self._fail(self.location(site), what, error)

    # --- state --------------------------------------------------------------------------------

    def read(self, owner: Owner, name: str, part: Part = None) -> Value | None:
        """The content of a cell, or None."""
        value = self._store.now.get((owner, name))
        recorder = self.recorder
        if recorder is not None and owner.uid < recorder.start:
            key = (owner, name)
            if key not in recorder.writes and key not in recorder.reads:
                recorder.reads[key] = value
            if name == CONTENT:
                recorder.note_part(owner, part)
        return value

    def write(self, owner: Owner, name: str, value: Value) -> None:
        """Overwrites a cell."""
        self._store.set((owner, name), value)
        recorder = self.recorder
        if recorder is not None and owner.uid < recorder.start:
            recorder.writes.add((owner, name))

    def forget_calls(self, definitions: frozenset[int]) -> None:
        """Forgets what calls of some functions gave and did: they are followed again."""
        for key in [key for key in self.summaries if key[0] in definitions]:
            del self.summaries[key]

    def written_in(self, frame: Frame) -> dict[Key, Value]:
        """What this path has written since the frame was entered."""
        return dict(self.store.since(frame.entry)) if frame.entry is not None else {}

    def written_in_loop(self, frame: Frame) -> dict[Key, Value]:
        """What this path has written since the round of the innermost loop began."""
        return dict(self.store.since(frame.loops[-1].entry))

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
        """What an analysis keeps in this run, made when it is first asked for."""
        state = self._states.get(kind)
        if state is None:
            state = self._states[kind] = kind()
        assert isinstance(state, kind)
        return state

    def waits(self, *values: Value) -> None:
        """Announces that Python waits for values; UNKNOWN: nobody knows for which."""
        for hears in self.moments.host_waits:
            hears(self, values)

    # --- events -------------------------------------------------------------------------------

    def emit(
        self,
        event: Callable[..., Event],
        frame: Frame,
        node: nodes.Node,
        value: Value,
        operand: nodes.Node | None = None,
        presumed: bool = False,
        /,
        **details: object,
    ) -> None:
        """Tells the rules that `value`, written at `operand` (or `node`), meets a forbidden use at
        `node`; `presumed` where that need not be so on every run.
        """
        silence = frame.silence
        if silence == "all" or (silence == "errors" and event is not Leak):
            return
        if isinstance(value, Array | Tree) and value.level > frame.level:
            # It has leaked out of its trace, and that was reported where it did.
            return
        trace = self.trace_of(value, frame)
        if trace is not None and frame.runs_elsewhere:
            return
        by_convention = _is_presumed(value, trace)
        if isinstance(value, Tree) and by_convention:
            # By convention a parameter may still be a plain number; what is computed of it is not.
            return
        if trace is not None and trace.assumed and converts(event, details):
            # Who hands an array over to the host by name runs there.
            return
        guard = frame.guards[-1] if frame.guards else ""
        origin = value.origin if isinstance(value, Array | Tree) else None
        presumed |= by_convention or (origin is not None and origin.presumed)
        self._emit(
            event(
                location=self.location(frame.site(node)),
                operand=describe(value, frame.text(operand or node)),
                trace=trace.label if trace is not None else "",
                confidence=Confidence.LIKELY if guard or presumed else Confidence.PROVED,
                guard=guard,
                related=self.provenance(value, trace, frame),
                is_differentiated=frame.trace is not None and frame.trace.differentiated > 0,
                **details,
            )
        )

        if event in STATIC_USES and origin is not None and origin.computed:
            self._emit_origin(value, origin, frame, node, likely=bool(guard) or presumed)

    @contextmanager
    def collecting(self) -> Generator[list[Event]]:
        """Keeps what is told in the block from the rules, and gives it."""
        told, emit = list[Event](), self._emit
        self._emit = told.append
        try:
            yield told
        finally:
            self._emit = emit

    def tell(self, told: Sequence[Event]) -> None:
        """Tells the rules what was kept from them."""
        for event in told:
            self._emit(event)

    def _emit_origin(
        self, value: Value, origin: Origin, frame: Frame, node: nodes.Node, *, likely: bool
    ) -> None:
        """Tells the rules where JAX was given what had better stayed a Python value, if that is not
        the line where it is needed.
        """
        site = Site(origin.module, origin.unit, origin.start, origin.end)
        place, use = self.location(site), self.location(frame.site(node))
        if (place.file, place.line) == (use.file, use.line):
            return
        trace = self.trace_of(value, frame)
        self._emit(
            StagedConstant(
                location=place,
                operand=describe(value, origin.unit.text[origin.start : origin.end]),
                trace=trace.label if trace is not None else "",
                confidence=Confidence.LIKELY if likely else Confidence.PROVED,
                guard=frame.guards[-1] if frame.guards else "",
                related=(Related(use, "a Python value is needed here"),),
                is_differentiated=False,
                line=use.line,
            )
        )

    def location(self, site: Site) -> Location:
        """A place as lines and columns of its file."""
        return site.unit.location(site.start, site.end, str(site.module.path))

    def trace_of(self, value: Value, frame: Frame) -> Trace | None:
        """The trace that a value belongs to, as seen from a frame."""
        level = value.level if isinstance(value, Array | Tree) else 0
        trace = frame.trace
        while trace is not None and trace.level > level > 0:
            trace = trace.parent
        return trace

    def provenance(self, value: Value, trace: Trace | None, frame: Frame) -> tuple[Related, ...]:
        """Why the value is a tracer here: the transform, the calls on the way, the value's
        origin.
        """
        related: list[Related] = []
        if trace is not None:
            related.append(Related(self.location(trace.site), f"traced by {trace.label}"))
        calls = [
            Related(
                self.location(caller.call_site),
                f"`{caller.function.name}` is called here" if caller.function else "called here",
            )
            for caller in frame.callers()
            if caller.call_site is not None and not is_definition(caller)
        ]
        related.extend(reversed(calls[:8]))
        if isinstance(value, Array | Tree) and value.origin is not None:
            origin = value.origin
            site = Site(origin.module, origin.unit, origin.start, origin.end)
            related.append(Related(self.location(site), origin.message))
        return tuple(related)


def _is_presumed(value: Value, trace: Trace | None) -> bool:
    """Whether that a value is a tracer, or that anything here is traced, is only assumed. What a
    trace makes a tracer that is seen is one, however the code around it is run.
    """
    if isinstance(value, Array | Tree) and value.level:
        return trace is not None and trace.presumed
    return any(outer.presumed for outer in traces(trace))

"""Traces and frames: where in the program, and under which transforms, the interpreter stands."""

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Literal

from oakum.values.facts import TraceKind
from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import FunctionValue, Scope, Site
from oakum_lint.domain.project import Module
from oakum_lint.domain.store import Key, Store
from oakum_lint.domain.values import HeapObject, Value, next_uid
from oakum_lint.models.transforms import BRANCHING, REPEATING, WITHOUT_AXES
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.text.expressions import asks_for_other_library

KEPT = REPEATING | {"jit"}
"""Transforms that trace a function once, for a program that runs many times."""


@dataclass(frozen=True, slots=True)
class Trace:
    """One transform at work. Traces nest; `level` counts from 1.

    `staged_level` is the level of the innermost trace, this one included, in which operations on
    constants are staged too (jit and control flow), or 0.
    """

    level: int
    parent: "Trace | None"
    staged: bool
    staged_level: int
    label: str
    """In words that fit after "traced by": `jax.jit of `update``."""
    site: Site
    """Where the transform was applied."""
    presumed: bool = False
    """Assumed by convention, not seen in the program: findings are likely, not proved."""
    assumed: bool = False
    """Presumed of code that may as well run on the host: what it converts for the host, it means
    to."""
    differentiates: bool = False
    """Whether it is one of grad, jvp, vjp, linearize."""
    kind: TraceKind | None = None
    """What the transform does, by its declaration; None where it is only presumed."""
    differentiated: int = 0
    """The level of the innermost trace that differentiates, this one included, or 0."""
    reversed: int = 0
    """The level of the innermost trace whose derivatives go back through what runs, this one
    included, or 0."""
    lifted: bool = False
    """Whether its framework looks after the state of modules in it, as `nnx.jit` does."""
    keeps_alike: bool = False
    """Whether what all devices have alike has a value in it: `shard_map` that nothing compiles."""
    axes: frozenset[str] = frozenset()
    """The names of axes that it binds for collective operations."""
    hides_axes: bool = False
    """Whether it may bind other names, which are not known."""
    refused: bool = False
    """Whether the transform raises where it is applied: an option of it fits no parameter."""
    by_first: bool = True
    """Of a map: whether all that it maps over is taken apart along its first axis."""
    uid: int = field(default_factory=next_uid, compare=False)
    """Tells two traces of one place from each other, as of the branches of a `cond`."""

    @property
    def is_kept(self) -> bool:
        """Whether the program that it gives runs more often than Python runs the function."""
        return self.kind in KEPT or (self.kind == "vmap" and self.staged)


@dataclass(slots=True)
class Loop:
    """A loop under interpretation: the states in which `break` and `continue` leave its body.

    `entry` is the store from which the iteration was forked, `binds` the names that the loop binds
    to its items, `span` where it stands, `guards` how many tests the loop itself stands behind,
    `is_first` whether what is known holds in the first of several iterations only.
    """

    entry: Store
    binds: frozenset[str] = frozenset()
    span: tuple[int, int] = (0, 0)
    guards: int = 0
    is_first: bool = False
    started: int = 0
    """What has a lower identity is older than the loop; 0: it is not known when it began."""
    counters: frozenset[str] = frozenset()
    """The names that it binds to a running number, if it has several iterations."""
    inside: int = 0
    """How many iterations a loop in it has that makes traced operations."""
    repeated_from: int = 0
    """Where that begins which each iteration does: behind what the loop goes over."""
    breaks: list[dict[Key, Value]] = field(default_factory=list[dict[Key, Value]])
    continues: list[dict[Key, Value]] = field(default_factory=list[dict[Key, Value]])


@dataclass(slots=True, eq=False)
class Called:
    """The function that an activation runs, and how it was called."""

    site: Site | None = None
    """Where it is called; None for what runs without a call."""
    node: nodes.Node | None = None
    """The node there."""
    function: FunctionValue | None = None
    receiver: Value | None = None
    depth: int = 0
    speculative: int = 0
    """Positive below a function that nobody was seen to call: 1 while nothing unknown is passed on,
    then one more for each call."""
    handed: dict[str, tuple[Value, nodes.Name]] = field(
        default_factory=dict[str, tuple[Value, nodes.Name]]
    )
    """What was handed to parameters under a name of the caller: the value, and the name."""
    computed: dict[str, tuple[Value, nodes.BinaryOperation]] = field(
        default_factory=dict[str, tuple[Value, nodes.BinaryOperation]]
    )
    """What was computed for parameters in the call, in code that is differentiated."""
    rooted: str = ""
    """The method by which a module is run here with variables of its own: `init`, `apply`."""


@dataclass(slots=True, eq=False)
class Flow:
    """Where the control of an activation is, and how it has left so far."""

    iterations: int = 1
    """How often the loops around have this code interpreted."""
    entry: Store | None = None
    """The store from which the activation was forked; None for a module body."""
    on_yield: Callable[[Value], None] | None = None
    """What a `yield` runs: the body of the `with` statement whose context manager this is."""
    generator: HeapObject | None = None
    """What a generator function gives, as far as it has run."""
    returns: list[Value] = field(default_factory=list[Value])
    exits: list[dict[Key, Value]] = field(default_factory=list[dict[Key, Value]])
    yields: dict[int, Value] = field(default_factory=dict[int, Value])
    """What each `yield` gives, by where it stands."""
    loops: list[Loop] = field(default_factory=list[Loop])


@dataclass(slots=True, eq=False)
class Regions:
    """The regions of code in which an activation is, in which other things count as mistakes."""

    firsts: int = 0
    """Positive where a test of whether something was made before has just found that it was not:
    what runs here does not run again."""
    quiet: int = 0
    """Positive inside code that expects the errors that are reported here, or is tried out."""
    caught: int = 0
    """Positive inside a `try` that handles those errors: what raises none is not caught."""
    guards_of_try: int = 0
    """How many guards stand around the innermost such `try`."""
    until: int = 0
    """Where the innermost code ends that catches errors, of whatever kind; 0 outside of it."""
    raised: bool = False
    """Whether what its body certainly does has raised one of them: the body does not end."""
    one_of_several: int = 0
    """Positive inside a call of one of several functions: which, nothing here decides."""
    lenient: int = 0
    """Positive inside code that expects what operands raise that do not fit."""
    eager: int = 0
    """Positive inside `ensure_compile_time_eval`: operations on constants are not staged."""
    unjitted: int = 0
    """Positive where compilation is turned off: what fails in a function that is compiled works."""


@dataclass(slots=True, eq=False)
class Frame:
    """One activation: of a module body, a function, or a comprehension inside them."""

    scope: Scope
    unit: UnitFacts
    module: Module
    trace: Trace | None
    caller: "Frame | None" = None
    guards: tuple[str, ...] = ()
    current_class: "Value | None" = None
    exhausting: nodes.Node | None = None
    """The generator expression that is evaluated for a call that asks it for all that it has."""
    called: Called = field(default_factory=Called)
    flow: Flow = field(default_factory=Flow)
    regions: Regions = field(default_factory=Regions)

    @property
    def level(self) -> int:
        """The depth of the trace that this frame runs in."""
        return 0 if self.trace is None else self.trace.level

    @property
    def staged_level(self) -> int:
        """The trace that operations on constants belong to, or 0 when they run at once."""
        return 0 if self.trace is None or self.regions.eager else self.trace.staged_level

    @property
    def kept_level(self) -> int:
        """The innermost trace in which Python runs this code once for a program that runs many
        times, or 0.
        """
        trace = self.trace
        while trace is not None and not trace.is_kept:
            trace = trace.parent
        return 0 if trace is None else trace.level

    def beneath(self, trace: Trace | None, rooted: str = "") -> "Frame":
        """The frame that calls from here what runs in a trace, or on variables of its own."""
        return Frame(
            self.scope,
            self.unit,
            self.module,
            trace,
            caller=self,
            current_class=self.current_class,
            called=Called(
                function=self.called.function,
                receiver=self.called.receiver,
                depth=self.called.depth + 1,
                rooted=rooted,
            ),
            flow=Flow(self.flow.iterations, self.flow.entry),
        )

    def leave(self) -> None:
        """Lets go of what only the running activation needs: definitions keep their frame."""
        self.caller = None
        self.called.handed = {}
        self.called.computed = {}
        self.flow = Flow(self.flow.iterations)

    def site(self, node: nodes.Node) -> Site:
        """The place of a node of this frame."""
        return Site(self.module, self.unit, node.start, node.end)

    def text(self, node: nodes.Node) -> str:
        """The user's own text of a node."""
        return self.unit.part(node.start, node.end)

    # What follows is asked at every call: plain loops take a third of the time of `any`.

    @property
    def silence(self) -> Literal["all", "errors", "none"]:
        """Whether nothing is reported here, or nothing that raises."""
        silence: Literal["errors", "none"] = "none"
        frame: Frame | None = self
        while frame is not None:
            if frame.regions.quiet:
                return "all"
            if frame.regions.caught:
                silence = "errors"
            frame = frame.caller
        return silence

    @property
    def is_guarded(self) -> bool:
        """Whether this code, or a call that led here, stands behind a test."""
        frame: Frame | None = self
        while frame is not None:
            if frame.guards:
                return True
            frame = frame.caller
        return False

    @property
    def is_one_of_several(self) -> bool:
        """Whether a call that led here may be one of another function instead."""
        frame: Frame | None = self
        while frame is not None:
            if frame.regions.one_of_several:
                return True
            frame = frame.caller
        return False

    @property
    def expects_misfits(self) -> bool:
        """Whether this code expects what operands raise that do not fit."""
        frame: Frame | None = self
        while frame is not None:
            if frame.regions.lenient:
                return True
            frame = frame.caller
        return False

    @property
    def runs_elsewhere(self) -> bool:
        """Whether a test that this stands behind asks for another library than JAX."""
        return any(map(asks_for_other_library, self.guards))

    @property
    def in_first_iteration(self) -> bool:
        """Whether what is known holds in the first of several iterations of a loop only."""
        frame: Frame | None = self
        while frame is not None:
            for loop in frame.flow.loops:
                if loop.is_first:
                    return True
            frame = frame.caller
        return False

    @property
    def is_premature(self) -> bool:
        """Whether this stands behind a test in the first of several iterations of a loop: the test
        may be there for the later ones, in which other things are known.
        """
        tested = False
        for caller in self.callers():
            for loop in reversed(caller.flow.loops):
                tested = tested or len(caller.guards) > loop.guards
                if loop.is_first and (tested or loop.breaks or loop.continues):
                    return True
            tested = tested or bool(caller.guards)
        return False

    @contextmanager
    def trying(self) -> Generator[None]:
        """Has nothing reported in the block, which tries one of several values after the other:
        what fails for one of them need not happen.
        """
        self.regions.quiet += 1
        try:
            yield
        finally:
            self.regions.quiet -= 1

    def callers(self) -> Iterator["Frame"]:
        """This frame and those that called it, innermost first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.caller


def is_definition(frame: Frame) -> bool:
    """Whether a frame was entered where its function is defined: nobody was seen to call it."""
    site, function = frame.called.site, frame.called.function
    return (
        site is not None
        and function is not None
        and site.unit is function.unit
        and site.start == function.definition.start
    )


def is_seen_to_run(frame: Frame) -> bool:
    """Whether the program itself gets here."""
    return not any(caller.called.speculative or is_definition(caller) for caller in frame.callers())


def traces(trace: Trace | None) -> list[Trace]:
    """A trace and those around it, innermost first."""
    found: list[Trace] = []
    while trace is not None:
        found.append(trace)
        trace = trace.parent
    return found


@dataclass(frozen=True, slots=True)
class CallChain:
    """The calls that have led to a place, innermost first: the scope of each and the place in it;
    `branches` are those of a `cond` that it stands in.
    """

    calls: tuple[tuple[int, Site], ...]
    branches: tuple[tuple[Site, int], ...]


def calls_to(frame: Frame, node: nodes.Node) -> CallChain:
    """The calls that have led to a node of a frame."""
    calls: list[tuple[int, Site]] = []
    site = frame.site(node)
    for caller in frame.callers():
        calls.append((caller.scope.uid, site))
        site = caller.called.site or site
    branches = [(each.site, each.uid) for each in traces(frame.trace) if each.kind in BRANCHING]
    return CallChain(tuple(calls), tuple(branches))


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """A trace about to be entered."""

    trace: Trace
    abstract: bool
    """Whether its tracers have no values (jit, vmap, control flow) or stand for concrete ones
    (grad)."""
    frame: Frame
    """Where the traced function is called from: the caller's frame, inside the trace."""
    node: nodes.Node


def begin_trace(
    frame: Frame,
    label: str,
    node: nodes.Node,
    *,
    site: Site | None = None,
    staged: bool,
    abstract: bool,
    differentiates: bool = False,
    forward: bool = False,
    presumed: bool = False,
    assumed: bool = False,
    kind: TraceKind | None = None,
    lifted: bool = False,
    keeps_alike: bool = False,
    axes: frozenset[str] = frozenset(),
    hides_axes: bool | None = None,
    refused: bool = False,
    by_first: bool = True,
) -> TraceEntry:
    """The trace that a transform starts in a frame; one that differentiates only `forward` never
    goes back through what it runs. Its kind decides whether it `hides_axes` where that is None.
    """
    level = frame.level + 1
    trace = Trace(
        level,
        frame.trace,
        staged,
        level if staged else frame.staged_level,
        label,
        site or frame.site(node),
        presumed=presumed,
        assumed=assumed,
        differentiates=differentiates,
        kind=kind,
        lifted=lifted,
        keeps_alike=keeps_alike,
        axes=axes,
        hides_axes=kind not in WITHOUT_AXES if hides_axes is None else hides_axes,
        refused=refused,
        by_first=by_first,
        differentiated=(
            level if differentiates else frame.trace.differentiated if frame.trace else 0
        ),
        reversed=(
            level if differentiates and not forward else frame.trace.reversed if frame.trace else 0
        ),
    )
    return TraceEntry(trace, abstract, frame.beneath(trace), node)

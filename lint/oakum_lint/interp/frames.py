"""Traces and frames: where in the program, and under which transforms, the interpreter stands."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from oakum_lint.facts import nodes
from oakum_lint.facts.module_facts import UnitFacts
from oakum_lint.interp.callables import FunctionValue, Scope, Site
from oakum_lint.interp.project import Module
from oakum_lint.interp.store import Key, Store
from oakum_lint.interp.values import Value


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
    differentiates: bool = False
    """Whether it is one of grad, jvp, vjp, linearize."""
    differentiated: int = 0
    """The level of the innermost trace that differentiates, this one included, or 0."""


@dataclass(slots=True)
class Loop:
    """A loop under interpretation: the states in which `break` and `continue` leave its body.

    `entry` is the store from which the round was forked.
    """

    entry: Store
    breaks: list[dict[Key, Value]] = field(default_factory=list[dict[Key, Value]])
    continues: list[dict[Key, Value]] = field(default_factory=list[dict[Key, Value]])


@dataclass(slots=True, eq=False)
class Frame:
    """One activation: of a module body, a function, or a comprehension inside them."""

    scope: Scope
    unit: UnitFacts
    module: Module
    trace: Trace | None
    caller: "Frame | None" = None
    call_site: Site | None = None
    function: FunctionValue | None = None
    receiver: Value | None = None
    depth: int = 0
    guards: tuple[str, ...] = ()
    quiet: int = 0
    """Positive inside code that expects the errors that are reported here."""
    eager: int = 0
    """Positive inside `ensure_compile_time_eval`: operations on constants are not staged."""
    returns: list[Value] = field(default_factory=list[Value])
    exits: list[dict[Key, Value]] = field(default_factory=list[dict[Key, Value]])
    yields: list[Value] = field(default_factory=list[Value])
    entry: Store | None = None
    """The store from which the activation was forked; None for a module body."""
    loops: list[Loop] = field(default_factory=list[Loop])
    current_class: "Value | None" = None
    speculative: int = 0
    """How many calls deep the frame is below a function that was called with nothing known; 0
    elsewhere."""
    on_yield: "Callable[[Value], None] | None" = None
    """What a `yield` runs: the body of the `with` statement whose context manager this is."""

    @property
    def level(self) -> int:
        """The depth of the trace that this frame runs in."""
        return 0 if self.trace is None else self.trace.level

    @property
    def staged_level(self) -> int:
        """The trace that operations on constants belong to, or 0 when they run at once."""
        return 0 if self.trace is None or self.eager else self.trace.staged_level

    def site(self, node: nodes.Node) -> Site:
        """The place of a node of this frame."""
        return Site(self.module, self.unit, node.start, node.end)

    def text(self, node: nodes.Node) -> str:
        """The user's own text of a node."""
        return self.unit.text[node.start : node.end]

    def callers(self) -> Iterator["Frame"]:
        """This frame and those that called it, innermost first."""
        frame: Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.caller

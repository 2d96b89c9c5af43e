"""Situations: the circumstances of a call, and the summary of what it did in them."""

from collections.abc import Iterator
from typing import Any

from oakum.values.records import dataclass
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import CallChain, Frame, Trace, traces
from oakum_lint.domain.reachability import Made, closure_kind, comparable
from oakum_lint.domain.store import Key, Lapse, Owner, Part, StopReason
from oakum_lint.domain.values import Array, Tree, Value
from oakum_lint.models.transforms import NOT_RUNNING
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class Situation:
    """The circumstances on which a call depends, but for the state it reads: `key` names its
    objects by their places in `objects`.
    """

    key: Any
    objects: tuple[Owner, ...]
    given: tuple[Value | None, ...]
    frame: Frame
    node: nodes.Node

    @property
    def tolerance(self) -> tuple[bool, bool]:
        """Returns the flags that decide, beside the operands, whether a misfit is reported in the
        call.
        """
        return self.frame.in_first_iteration, self.frame.expects_misfits

    @property
    def runs(self) -> bool:
        """Returns whether what the call computes is run, and so uses up random keys."""
        return not any(outer.kind in NOT_RUNNING for outer in traces(self.frame.trace))


@dataclass(frozen=True, slots=True)
class Summary:
    """The result of a call, and the cells of older objects that it read and wrote."""

    objects: tuple[Owner, ...]
    given: tuple[Value | None, ...]
    reads: dict[Key, Value | None]
    parts: dict[Owner, Part]
    writes: dict[Key, Value]
    result: Value
    made: Made
    """The objects that it made and returned, functions among them with the activations that these
    see, and what they hold, the oldest first: new ones are made when it is used."""
    lapses: frozenset[Lapse]
    """What analyses ask before it is used again."""
    tolerance: tuple[bool, bool] | None
    """That of its situation, if the call met a misfit."""
    runs: bool | None
    """Whether that of its situation runs, if the call draws by random keys."""
    failing: frozenset[int]
    """Where in its unit it fails, or shows a tracer."""
    stops: StopReason
    """Why it certainly raises, or ends the program; empty where it need not."""
    epoch: int
    """What had a lower identity was made by other code than what was looked at."""
    led_to: CallChain | None
    """The calls that have led to this one, if it has left notes."""

    @property
    def held(self) -> Iterator[Value]:
        """Yields the values in the objects that it made."""
        for owner, cells in self.made.items():
            yield from cells.values()
            if isinstance(owner, FunctionValue):
                yield from owner.defaults.values()


def situation_of(
    function: FunctionValue,
    bound: dict[str, Value | None],
    trace: Trace | None,
    guarded: bool,
    silence: str,
    speculative: int,
    frame: Frame,
    node: nodes.Node,
) -> Situation | None:
    """Returns the situation of a call; None where situations of it cannot be compared.
    `speculative` is the same for calls that are followed equally far.
    """
    level = 0 if trace is None else trace.level
    staged = 0 if trace is None else trace.staged_level
    doubts = tuple([outer.presumed for outer in traces(trace)])
    doubts = (*doubts, any(map(_is_doubtful, bound.values())))
    flags = (
        *(level, staged, guarded, silence, bool(frame.regions.eager), doubts, speculative),
        0 if trace is None else trace.differentiated,
        0 if trace is None else trace.reversed,
    )
    objects: dict[Owner, int] = {}
    closure = closure_kind(function.scope, objects)
    # Of functions that a loop defines, each has defaults of its own.
    held = {
        name: function.defaults.get(name) if value is None else value
        for name, value in bound.items()
    }
    given = tuple([(name, comparable(value, objects)) for name, value in held.items()])
    key = (id(function.definition), closure, flags, given)
    try:
        hash(key)
    except TypeError:
        return None
    return Situation(key, tuple(objects), tuple(held.values()), frame, node)


def _is_doubtful(value: Value | None) -> bool:
    """Whether a value is only probably a tracer: what is reported of it is likely, not proved."""
    return isinstance(value, Array | Tree) and value.origin is not None and bool(value.origin.doubt)

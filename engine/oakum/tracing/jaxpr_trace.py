"""Staging: the trace that records operations as a jaxpr instead of evaluating them.

Invariants:
- Every operation under the trace is recorded, also one on constants only (omnistaging).
- Values from outside become constants of the program; known scalars stand in it as literals.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Sequence
from contextvars import ContextVar
from typing import Any, Final, cast

from oakum import config, dtypes
from oakum.array import Array
from oakum.tracing import compile_logging, profile_spans
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.ir import (
    Atom,
    ClosedJaxpr,
    Concrete,
    Equation,
    Jaxpr,
    Literal,
    Var,
    checked,
    operation_source,
    prune,
)
from oakum.tracing.trace import (
    Primitive,
    Trace,
    Tracer,
    as_operand,
    base_trace,
    current_trace,
    refuse_dead,
    under,
)
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import UserFrame


class StagedTracer(Tracer):
    """A value that a staged program will compute: an abstract tracer."""

    __slots__ = ("argument", "variable")

    def __init__(
        self,
        trace: StagingTrace,
        var: Var,
        source: tuple[UserFrame, ...],
        argument: str | None = None,
    ) -> None:
        super().__init__(trace, source)
        self.variable = var
        self.argument = argument
        """What the value is called where it is an argument of the traced function."""

    @property
    def aval(self) -> ShapedArray:
        return self.variable.aval


class Reference:
    """A mutable reference to an array: see `transforms.references`, which is loaded where there is
    one.
    """

    __slots__ = ()

    @property
    def type(self) -> object:
        """The type of what it refers to."""
        raise NotImplementedError

    def read(self, index: object = ...) -> Array:
        """Returns what is held at an index."""
        raise NotImplementedError

    def write(self, value: object) -> None:
        """Replaces all that is held."""
        raise NotImplementedError

    def add(self, index: object, value: object) -> None:
        """Adds at an index."""
        raise NotImplementedError


class Cell:
    """What a mutable reference holds: within a program that uses a reference from outside, an
    argument of the program until something else is written.
    """

    __slots__ = ("argument", "value")

    def __init__(self, value: Array, argument: StagedTracer | None = None) -> None:
        self.argument = argument
        self.value = value

    def write(self, value: Array) -> None:
        """Has the reference hold a value."""
        written = _written.get()
        if written is not None:
            written.setdefault(self, self.value)
        self.value = value


_written: Final[ContextVar[dict[Cell, Array] | None]] = ContextVar("written", default=None)
"""What cells held before this thread has written to them, where that is to be undone; else None."""


@contextlib.contextmanager
def undoing_writes() -> Generator[None]:
    """Has references hold after a block what they held before."""
    before: dict[Cell, Array] = {}
    token = _written.set(before)
    try:
        yield
    finally:
        _written.reset(token)
        for cell, value in before.items():
            cell.value = value


class StagingTrace(Trace):
    """Records operations; `function` is what the traced function is called in messages. `cells` has
    what is held by the references from outside that the program uses, in the order of their use;
    it is None for a program that cannot use any.
    """

    __slots__ = ("_constants", "_known", "_repeated", "cells", "eqns", "function", "numbers")

    name = "jit"

    def __init__(
        self,
        parent: Trace,
        function: str = "<unnamed>",
        transform: str = "jit",
        traced: Callable[..., Any] | None = None,
        *,
        captures: bool = False,
    ) -> None:
        super().__init__(parent, transform, traced)
        self.eqns: list[Equation] = []
        self.function = function
        self.cells: dict[Reference, Cell] | None = {} if captures else None
        self._known: dict[int, tuple[Atom, Any]] = {}
        """Variables and literals of the values from outside, by identity; the value is kept, so
        that the identity stays its own."""
        self._constants: list[tuple[Var, Any]] = []
        self._repeated: set[Equation] = set()
        self.numbers: dict[Var, Array] = {}
        """Numbers of the user's, by the variables that stand for them: see `lax.conversion`."""

    def argument(self, aval: ShapedArray, name: str | None = None) -> StagedTracer:
        """Returns a new argument of the program."""
        return StagedTracer(self, Var(aval), (), name)

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        atoms = [self.atom(x) for x in operands]
        return self.record(primitive, atoms, params)

    def process_custom_call(self, call: CustomCall, operands: Sequence[Any]) -> Sequence[Any]:
        return call.record(self, operands)

    def record(self, primitive: Primitive, atoms: Sequence[Atom], params: dict[str, Any]) -> Any:
        """Appends an equation; returns the tracers of its results."""
        avals = primitive.result_avals([atom.aval for atom in atoms], params)
        results = [Var(aval) for aval in (avals if primitive.multiple_results else [avals])]
        effects = frozenset[str]() if primitive.effects is None else primitive.effects(**params)
        source = operation_source()
        self.eqns.append(Equation(primitive, atoms, results, params, effects, source))
        tracers = [StagedTracer(self, var, source) for var in results]
        return tracers if primitive.multiple_results else tracers[0]

    def atom(self, value: object) -> Atom:
        """Returns the variable or literal of an operand."""
        if type(value) is StagedTracer and value.owner is self:
            return value.variable
        known = self._known.get(id(value))
        if known is not None:
            return known[0]
        given = value
        value = as_operand(value)
        refuse_dead(value)
        if isinstance(value, Tracer):
            atom = self._constant(value, value.aval)
        else:
            array: Concrete = cast("Any", base_trace()).constant(value)
            atom = Literal(array) if _is_literal(array) else self._constant(array, array.aval)
        self._known[id(given)] = (atom, given)
        return atom

    def _constant(self, value: object, aval: ShapedArray) -> Var:
        var = Var(aval)
        self._constants.append((var, value))
        return var

    @contextlib.contextmanager
    def repeating(self) -> Generator[None]:
        """Has operations of a block, which repeat those before, leave nothing in the program."""
        begin = len(self.eqns)
        try:
            yield
        finally:
            self._repeated.update(self.eqns[begin:])

    def held(self) -> tuple[list[StagedTracer], list[Array]]:
        """Returns what references from outside hold, at first and now."""
        cells = (self.cells or {}).values()
        arguments = [cell.argument for cell in cells if cell.argument is not None]
        return arguments, [cell.value for cell in cells]

    def close(self, arguments: Sequence[StagedTracer], results: Sequence[Any]) -> ClosedJaxpr:
        """Returns the program that was recorded, from these arguments to these results."""
        outputs = [self.atom(x) for x in results]
        eqns = self.eqns
        if self._repeated:  # The program may have kept some of their results, and use them.
            eqns = prune(eqns, outputs, lambda eqn: eqn not in self._repeated)
        used = {atom for eqn in eqns for atom in eqn.inputs if isinstance(atom, Var)}
        used.update(atom for atom in outputs if isinstance(atom, Var))
        constants = [(var, value) for var, value in self._constants if var in used]
        jaxpr = Jaxpr(
            [var for var, _ in constants],
            [tracer.variable for tracer in arguments],
            outputs,
            eqns,
            self.function,
        )
        return ClosedJaxpr(jaxpr, [value for _, value in constants])


EVALUATION: Final = "evaluation"
"""The transform of a trace of what is evaluated, for it to be compiled as it is seen often."""


def recorder() -> StagingTrace | None:
    """Returns the trace that records what is computed now, whatever transforms it before."""
    trace: Trace | None = current_trace()
    while trace is not None and not isinstance(trace, StagingTrace):
        trace = trace.parent
    return trace


def is_recording() -> bool:
    """Whether what is computed now becomes part of a program."""
    return recorder() is not None


def folds_numbers() -> bool:
    """Whether the user's numbers are converted while a program is recorded."""
    trace = recorder()
    return trace is not None and trace.transform != EVALUATION


def _is_literal(array: Concrete) -> bool:
    aval = array.aval
    return aval.shape == () and aval.dtype is not None and aval.dtype.kind not in _NO_LITERALS


_NO_LITERALS = (dtypes.Kind.KEY, dtypes.Kind.FLOAT0)


def stage(
    function: Callable[..., Sequence[Any]],
    avals: Sequence[ShapedArray],
    *,
    name: str = "<unnamed>",
    transform: str = "jit",
    arguments: Sequence[str | None] | None = None,
    traced: Callable[..., Any] | None = None,
    captured: list[Reference] | None = None,
) -> ClosedJaxpr:
    """Traces a function of flat arrays, which returns a list of arrays, to a closed program.

    Its constants may be tracers of the traces around it: see `hoist`. `name`, `traced`, the user's
    function, `transform` and `arguments`, the names of the arguments, are for messages. To the list
    `captured` the references from outside that the function uses are added: what they hold are the
    first arguments, and in the end the first results. Without a list it cannot use any.
    """
    begun = time.perf_counter()
    captures = captured is not None
    trace = StagingTrace(current_trace(), name, transform, traced, captures=captures)
    trace.begin()
    names = arguments or [None] * len(avals)
    tracers = [trace.argument(aval, each) for aval, each in zip(avals, names, strict=True)]
    block = under(trace)
    try:
        with block:
            results = list(function(*tracers))
        if captured is not None and trace.cells:
            captured += trace.cells
            before, after = trace.held()
            tracers, results = [*before, *tracers], [*after, *results]
            del before, after
        closed = trace.close(tracers, results)
    finally:
        trace.alive = False
        trace.cells = None
        block.leave()
    del tracers, results

    def rerun(begin: Callable[[Trace], None]) -> None:
        again = StagingTrace(current_trace(), name, transform, traced, captures=captures)
        begin(again)
        with under(again):
            function(*(again.argument(aval, n) for aval, n in zip(avals, names, strict=True)))

    trace.end(closed, rerun=rerun)
    if traced is not None and profile_spans.recording is not None:
        shown = ", ".join(map(compile_logging.described, avals))
        profile_spans.note(f"trace {name}", "tracing", begun, transform=transform, arguments=shown)
    if traced is not None and config.log_compiles.value:
        compile_logging.note_trace(name, transform, avals, time.perf_counter() - begun)
    return checked(closed)


def hoist(closed: ClosedJaxpr) -> tuple[ClosedJaxpr, list[Any]]:
    """Makes the constants that are tracers arguments, put before the others; gives them too."""
    if not any(isinstance(const, Tracer) for const in closed.consts):
        return closed, []
    pairs = list(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    lifted = [(var, const) for var, const in pairs if isinstance(const, Tracer)]
    kept = [(var, const) for var, const in pairs if not isinstance(const, Tracer)]
    old = closed.jaxpr
    jaxpr = Jaxpr(
        [var for var, _ in kept],
        [*(var for var, _ in lifted), *old.invars],
        old.outvars,
        old.eqns,
        old.name,
    )
    hoisted = ClosedJaxpr(jaxpr, [const for _, const in kept])
    return checked(hoisted), [const for _, const in lifted]

"""Runs of plans over symbols: what is in memory after each step, whatever the operations
compute.

A plan is run twice: before memory was assigned, with a buffer per variable, and after. Both have to
give the same symbols and the same effects.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from oakum.compile.loops.loop_ir import Buffer, Load
from oakum.compile.plan.steps import (
    AccumulationStep,
    ContractionStep,
    ControlStep,
    HostStep,
    KernelStep,
    NestStep,
    Plan,
    PlanStep,
)
from oakum.compile.plan_verify import symbolic_control
from oakum.compile.plan_verify.errors import PlanError, title
from oakum.compile.plan_verify.symbolic_nests import run_nest
from oakum.compile.plan_verify.symbols import (
    Frame,
    Memory,
    made,
    mix,
    mix_arrays,
    symbol_of,
    unwritten,
)
from oakum.tracing.ir import Literal
from oakum.values import host

MOST: Final = 1 << 21
"""The most elements that are visited. The plans of larger programs are checked by ranges alone,
which do not see two values taken for one.
"""


class TooLargeError(Exception):
    """A program is too large to be run."""


class Run:
    """Runs a plan. `choice` selects branches, `unit` is the bytes of a cell, `known` are the
    symbols that may be stored, if that is checked.
    """

    def __init__(self, unit: int, choice: int, known: host.Array | None = None) -> None:
        self.unit = unit
        self.choice = choice
        self.log: list[int] = []
        """The effects of a run: host calls, and the branches taken."""
        self.stored: list[Any] = []
        self._known = known
        self._constants: dict[int, Memory] = {}
        self._left = MOST
        self._noise = host.np.random.default_rng(1)

    def run(self, plan: Plan, *, shared: bool) -> list[Memory]:
        """Returns the memory of the outputs; `shared` says whether values share memory."""
        inputs = [self._made(b, symbol_of("in", n)) for n, b in enumerate(plan.inputs)]
        outputs = [self.fresh(b.nbytes, shared=shared) for b in plan.outputs]
        for result, given in plan.aliases.items():
            # The result is given with the values of the input, whose own memory is not looked at.
            outputs[result] = inputs[given]
            inputs[given] = self.fresh(plan.inputs[given].nbytes, shared=True)
        arena = self.fresh(plan.arena_bytes, shared=True) if shared else None
        self.program(Frame(plan, inputs, outputs, arena))
        return outputs

    def program(self, frame: Frame) -> None:
        """Runs a program."""
        for number, step in enumerate(frame.plan.steps):
            try:
                self._step(frame, step)
            except PlanError as error:
                raise PlanError(f"{title(number, step)}: {error}") from None

    # Memory.

    def cells(self, nbytes: int) -> int:
        """Returns the cells of so many bytes."""
        return -(-nbytes // self.unit)

    def fresh(self, nbytes: int, *, shared: bool) -> Memory:
        """Memory in which nothing is; where memory is shared, something that nobody wants."""
        cells = self.cells(nbytes)
        self.pay(cells)
        return Memory(self._scribble(cells), 0) if shared else unwritten(cells)

    def _scribble(self, cells: int) -> Any:
        return self._noise.integers(1, 1 << 63, cells, dtype=host.np.uint64)

    def pay(self, elements: float) -> None:
        """Counts elements that are looked at."""
        self._left -= elements
        if self._left < 0:
            raise TooLargeError

    def _made(self, buffer: Buffer, origin: int) -> Memory:
        self.pay(self.cells(buffer.nbytes))
        return made(self.cells(buffer.nbytes), self.width(buffer), origin)

    def width(self, buffer: Buffer) -> int:
        """Returns the cells of an element."""
        return max(buffer.dtype.itemsize // self.unit, 1)

    def find(self, frame: Frame, buffer: Buffer) -> Memory:
        """Where a buffer lies."""
        match buffer.role:
            case "in":
                return frame.inputs[buffer.number]
            case "out":
                return frame.outputs[buffer.number]
            case "constant":
                found = self._constants.get(buffer.number)
                if found is None:
                    found = self._made(buffer, symbol_of("constant", buffer.number))
                    self._constants[buffer.number] = found
                return found
            case _:
                if frame.arena is not None:
                    return frame.arena.at(frame.plan.offsets[buffer] // self.unit)
                found = frame.own.get(buffer)
                if found is None:
                    found = frame.own[buffer] = self.fresh(buffer.nbytes, shared=False)
                return found

    def wrote(self, symbols: host.Array) -> None:
        """Notes what is stored."""
        if self._known is None:
            self.stored.append(symbols)
        elif not host.np.isin(symbols, self._known).all():
            raise PlanError("what it stores is no value of the program: it reads something else")

    # Steps.

    def _step(self, frame: Frame, step: PlanStep) -> None:
        match step:
            case NestStep(nest):
                touched = sum(
                    (len(sweep.stores) + sum(isinstance(x, Load) for x in sweep.instructions))
                    * math.prod(nest.extents[a] for a in (*nest.outer, *sweep.axes))
                    for sweep in nest.sweeps
                )
                self.pay(touched)
                run_nest(nest, lambda b: (self.find(frame, b), self.width(b)), self.wrote)
            case ControlStep():
                symbolic_control.run(self, frame, step)
            case HostStep():
                operands = [x for x in step.inputs if not isinstance(x, Literal)]
                found = self._whole(frame, symbol_of(id(step.eqn)), operands, step.outputs)
                if step.eqn.effects:
                    self.log.append(found)
            case ContractionStep():
                origin, operands = (
                    symbol_of((step.problem, step.epilogue)),
                    (step.lhs, step.rhs, *step.reads),
                )
                self._whole(frame, origin, operands, (step.result, *step.others), step.scratch)
            case AccumulationStep(problem, source, result):
                self._whole(frame, symbol_of(problem), (source,), (result,))
            case KernelStep(problem, operands, results, scratch):
                self._whole(frame, symbol_of(problem), operands, results, scratch)

    def _whole(
        self,
        frame: Frame,
        origin: int,
        operands: Iterable[Buffer],
        results: Iterable[Buffer],
        scratch: Buffer | None = None,
    ) -> int:
        """Carries out a step of which each result depends on all operands; returns its symbol."""
        for buffer in operands:
            memory, cells = self.find(frame, buffer), self.cells(buffer.nbytes)
            self.pay(cells)
            if frame.arena is None and memory.has_nothing(cells):
                raise PlanError(f"{buffer} is read, a part of which was never written")
            origin = mix(origin, memory.digest(cells))
        if scratch is not None:
            self.scribble(frame, scratch)
        np = host.np
        for number, buffer in enumerate(results):
            if not buffer.nbytes:  # Elements may have no bytes, too: those of float0.
                continue
            self.pay(self.cells(buffer.nbytes))
            places = np.arange(buffer.size)
            symbols = mix_arrays(places.astype(np.uint64), mix(origin, number))
            self.find(frame, buffer).write(places, self.width(buffer), symbols)
            self.wrote(symbols)
        return origin

    def scribble(self, frame: Frame, buffer: Buffer) -> None:
        """Fills a buffer with symbols that nothing may read, if memory is shared."""
        if frame.arena is not None:
            cells = self.cells(buffer.nbytes)
            self.pay(cells)
            self.find(frame, buffer).whole(cells)[...] = self._scribble(cells)

"""Loops and branches over symbols: a few iterations, and one of the branches.

Where each variable has memory of its own, a program takes and returns arrays. Where memory is
shared, iterations find carried values where the step says: in the memory of the result, or
alternately there and in spare memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan.steps import ControlStep, Plan
from oakum.compile.plan_verify.errors import PlanError
from oakum.compile.plan_verify.symbols import Frame, Memory, mix_arrays, symbol_of
from oakum.primitives.rules.lowering import Branched, Looped
from oakum.values import host

if TYPE_CHECKING:
    from oakum.compile.plan_verify.symbolic_run import Run

_ITERATIONS: Final = 2
"""As many iterations write what is carried to each of the two places that there are."""


def run(runs: Run, frame: Frame, step: ControlStep) -> None:
    """Carries out a loop or a branch."""
    control = _Control(runs, frame, step)
    if frame.arena is not None:
        runs.scribble(frame, step.scratch)
    lower = step.eqn.primitive.lower
    if isinstance(lower, Branched):
        control.branch()
    elif isinstance(lower, Looped):
        control.loop()
    else:
        control.scan()


class _Control:
    def __init__(self, runs: Run, frame: Frame, step: ControlStep) -> None:
        self._runs = runs
        self._frame = frame
        self._step = step
        self._inputs = [self._find(buffer) for buffer in step.inputs]
        self._outputs = [self._find(buffer) for buffer in step.outputs]

    def _find(self, buffer: Buffer) -> Memory:
        return self._runs.find(self._frame, buffer)

    def _call(self, number: int, inputs: Sequence[Memory], outputs: Sequence[Memory]) -> None:
        plan: Plan = self._step.programs[number]
        shared = self._frame.arena is not None
        arena = self._find(self._step.scratch) if shared else None
        try:
            self._runs.program(Frame(plan, inputs, outputs, arena))
        except PlanError as error:
            raise PlanError(f"the program inside: {error}") from None

    def branch(self) -> None:
        """One of several programs."""
        step, runs = self._step, self._runs
        index, *operands = self._inputs
        runs.log.append(index.digest(runs.cells(step.inputs[0].nbytes)))
        self._call(runs.choice % len(step.programs), operands, self._outputs)

    def scan(self) -> None:
        """The first iterations; of more, what is stacked is something else of each."""
        step, runs = self._step, self._runs
        length: int = step.eqn.params["length"]
        iterations = length if length <= _ITERATIONS + 1 else _ITERATIONS + length % 2
        first, count = step.first, step.carried
        turns = _Turns(self, runs, iterations)
        for turn in range(iterations):
            place = length - 1 - turn if step.eqn.params["reverse"] else turn
            read, written = turns.of(turn)
            stacked = self._rows(step.inputs, self._inputs, first + count, place, length)
            results = self._rows(step.outputs, self._outputs, count, place, length)
            self._call(0, [*self._inputs[:first], *read, *stacked], [*written, *results])
            turns.done(written)
        done = {length - 1 - n if step.eqn.params["reverse"] else n for n in range(iterations)}
        for number in range(count, len(step.outputs)):
            self._fill(number, [n for n in range(length) if n not in done], length)
        turns.end()

    def _rows(
        self,
        buffers: Sequence[Buffer],
        memory: Sequence[Memory],
        begin: int,
        place: int,
        length: int,
    ) -> list[Memory]:
        return [
            each.at(self._runs.cells(buffer.nbytes // length) * place)
            for buffer, each in zip(buffers[begin:], memory[begin:], strict=True)
        ]

    def _fill(self, number: int, rows: Sequence[int], length: int) -> None:
        buffer, np = self._step.outputs[number], host.np
        if not rows or not buffer.size:
            return
        size = buffer.size // length
        places = (np.array(rows)[:, None] * size + np.arange(size)).reshape(-1)
        self._runs.pay(len(places))
        origin = symbol_of(id(self._step.eqn), number)
        symbols = mix_arrays(places.astype(np.uint64), origin)
        self._outputs[number].write(places, self._runs.width(buffer), symbols)
        self._runs.wrote(symbols)

    def loop(self) -> None:
        """A few iterations of a loop, with what is asked before each of them and after the last."""
        step, runs = self._step, self._runs
        asks: int = step.eqn.params["cond_consts"]
        consts = self._inputs[asks : step.first]
        turns = _Turns(self, runs, None)
        flag = self._find(step.flag)
        for turn in range(_ITERATIONS + 1):
            read, written = turns.of(turn)
            self._call(0, [*self._inputs[:asks], *read], [flag])
            runs.log.append(flag.digest(runs.cells(step.flag.nbytes)))
            if turn < _ITERATIONS:
                self._call(1, [*consts, *read], written)
                turns.done(written)
        turns.end()

    # What turns ask.

    def find(self, buffer: Buffer) -> Memory:
        """Where a buffer lies."""
        return self._find(buffer)

    @property
    def carried(self) -> list[tuple[Memory, Memory, Buffer]]:
        """What is carried: where it is given, where the result is to be, and its buffer."""
        step = self._step
        given = self._inputs[step.first : step.first + step.carried]
        outputs = zip(self._outputs, step.outputs, strict=True)
        return [(x, y, b) for x, (y, b) in zip(given, outputs, strict=False)]

    @property
    def spare(self) -> Sequence[Buffer | None]:
        """The other place of what is carried; None where it is written in place."""
        return self._step.spare

    @property
    def is_shared(self) -> bool:
        """Whether values share memory."""
        return self._frame.arena is not None


class _Turns:
    """Where iterations find what is carried, and where they put it."""

    def __init__(self, control: _Control, runs: Run, iterations: int | None) -> None:
        self._runs = runs
        self._carried = control.carried
        self._iterations = iterations
        self._shared = control.is_shared
        self._latest = [given for given, _, _ in self._carried]
        self._spare: list[Memory | None] = [None] * len(self._carried)
        if not self._shared:
            return
        self._spare = [None if each is None else control.find(each) for each in control.spare]
        for number, (given, final, buffer) in enumerate(self._carried):
            if self._spare[number] is None:
                # Written in place: there the first iteration finds it.
                self._copy(given, final, buffer)

    def _copy(self, given: Memory, to: Memory, buffer: Buffer) -> None:
        cells = self._runs.cells(buffer.nbytes)
        self._runs.pay(cells)
        to.whole(cells)[...] = given.whole(cells).copy()

    def of(self, turn: int) -> tuple[list[Memory], list[Memory]]:
        """What an iteration reads, and what it writes."""
        written: list[Memory] = []
        for number, (_, final, buffer) in enumerate(self._carried):
            spare = self._spare[number]
            if not self._shared:
                written.append(self._runs.fresh(buffer.nbytes, shared=False))
            elif spare is None:
                self._latest[number] = final
                written.append(final)
            else:
                written.append(final if self._writes_result(turn) else spare)
        return list(self._latest), written

    def _writes_result(self, turn: int) -> bool:
        """Returns whether an iteration writes the memory of the result: the last one of a scan
        does, and the first one of other loops.
        """
        return (turn - (0 if self._iterations is None else self._iterations - 1)) % 2 == 0

    def done(self, written: Sequence[Memory]) -> None:
        """What an iteration has written is what the next one reads."""
        self._latest = list(written)

    def end(self) -> None:
        """Puts the results where they are to be."""
        for latest, (_, final, buffer) in zip(self._latest, self._carried, strict=True):
            if latest is not final:
                self._copy(latest, final, buffer)

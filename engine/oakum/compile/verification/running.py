"""Verified runs: a call of a compiled program in guarded memory, followed step by step.

Invariants:
- A run is left where something is found. In other threads than the main one native code comes to
  its end: nothing more is compared, and loops whose condition is asked end.
- What the host calls back for the user is called once, by the program itself.
- Runs in several threads, and within each other, do not know of each other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.compile.loops.elements import shape_of
from oakum.compile.plan.steps import ControlStep, HostStep, Plan, describe
from oakum.compile.program.driver import BEGINS, event_of
from oakum.compile.verification.followed import Difference, Followed, Program
from oakum.compile.verification.guarded_memory import Block, bytes_at, next_poison
from oakum.compile.verification.iterations import WrongIteration
from oakum.errors import Frame, MiscompiledProgramError
from oakum.primitives.rules.lowering import Looped
from oakum.tracing.ir import Equation, Jaxpr, Var
from oakum.tracing.jaxpr_printer import print_jaxpr
from oakum.values import host
from oakum.values.avals import ShapedArray

Entry = Callable[[Any, Any, Any], object]


class Verification:
    """Observes the runs of one executable.

    `context` are the addresses that its code takes, before that of the observer; `constants` are
    the arrays that some of them point to. `watched` are the plans of its programs.
    """

    def __init__(
        self, name: str, watched: Sequence[Plan], context: Sequence[int], constants: Sequence[Any]
    ) -> None:
        self.name = name
        self.programs = [Program(plan) for plan in watched]
        self.number_of = {id(plan): number for number, plan in enumerate(watched)}
        self.conditions = {
            self.number_of[id(step.programs[0])]
            for plan in watched
            for step in plan.steps
            if isinstance(step, ControlStep) and isinstance(step.eqn.primitive.lower, Looped)
        }
        """The programs that say whether a loop goes on."""
        self._constants = [(each, each.tobytes()) for each in constants]
        self._runs: dict[int, _Run] = {}
        self._watch = self._watched
        self._context = [*context, id(self._watch)]

    def _watched(self, number: int, table: int) -> bool:
        """Follows a run; returns whether it is to be left."""
        buffers, context, arena = (ctypes.c_void_p * 3).from_address(table)
        return self._runs[context].hear(*event_of(number), buffers, arena or 0)

    def run(
        self, entry: Entry, given: Sequence[Any], results: Sequence[Any], settle: Callable[[], None]
    ) -> None:
        """Runs the program on arrays and copies its results into others. `settle` raises what host
        calls have raised, which precedes what was found here.
        """
        plan, poison = self.programs[0].plan, next_poison()
        variables = self.programs[0].closed.jaxpr.invars
        given = [_in_memory(x, var.aval) for x, var in zip(given, variables, strict=True)]
        operands = [_fill(f"operand {n}", x, poison) for n, x in enumerate(given)]
        written = [Block(f"result {n}", x.nbytes, poison) for n, x in enumerate(results)]
        for number, source in plan.aliases.items():
            written[number].bytes[...] = operands[source].bytes
        scratch = Block("scratch memory", plan.arena_bytes, poison)
        blocks = [*operands, *written, scratch]
        addresses = [block.address for block in (*operands, *written)]
        buffers = (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
        context = (ctypes.c_void_p * len(self._context))(*self._context)
        run = self._runs[ctypes.addressof(context)] = _Run(self, given, blocks, poison)
        try:
            ended = entry(buffers, ctypes.addressof(context), scratch.address)
        finally:
            del self._runs[ctypes.addressof(context)]
        settle()
        run.end(self._constants)
        if not ended:  # Ctrl-C came where Python was about to follow the run.
            raise KeyboardInterrupt
        for array, block in zip(results, written, strict=True):
            array[...] = block.array(array.shape, array.dtype)


def _in_memory(array: host.Array, aval: ShapedArray) -> Any:
    """Returns an argument as the program sees its bytes: keys are words there, complex numbers
    pairs.
    """
    assert aval.dtype is not None
    shape, dtype = shape_of(aval), host.dtype(aval.dtype)
    if not array.size:
        return host.np.empty(shape, dtype)
    return array.reshape(-1).view(dtype).reshape(shape)


def _fill(name: str, array: host.Array, poison: int) -> Block:
    block = Block(name, array.nbytes, poison)
    block.bytes[...] = host.np.frombuffer(array.tobytes(), host.np.uint8)
    return block


class _Run:
    """One call of a program."""

    def __init__(
        self, owner: Verification, given: Sequence[Any], blocks: Sequence[Block], poison: int
    ) -> None:
        self._owner = owner
        self._given = given
        self._blocks = blocks
        self._poison = poison
        self._running: list[Followed] = []
        self._error: BaseException | None = None

    def hear(self, program: int, step: int, buffers: int, arena: int) -> bool:
        """Takes how far a program has come; returns whether a difference was found."""
        try:
            if self._error is None:
                self._follow(program, step, buffers, arena)
        except Difference as error:
            self._error = self._miscompiled(error)
        except BaseException as error:
            self._error = error
        if self._error is not None and program in self._owner.conditions:
            self._end_loop(program, step, buffers)
        return self._error is not None

    def _follow(self, number: int, step: int, buffers: int, arena: int) -> None:
        program = self._owner.programs[number]
        if step == BEGINS:
            plan = program.plan
            count = len(plan.inputs) + len(plan.outputs)
            table = (ctypes.c_void_p * count).from_address(buffers)
            addresses = [address or 0 for address in table]
            inputs = self._inputs(number)
            self._running.append(Followed(program, addresses, arena, inputs))
            self._running[-1].begin(self._poison)
        else:
            current = self._running[-1]
            assert current.program is program
            assert current.step == step
            self._check_guards(step)
            current.finish_step()
        if self._running[-1].is_done:
            results = self._running[-1].results()
            self._running.pop()
            if self._running:
                iterations = self._running[-1].iterations
                assert iterations is not None
                iterations.end(self._place(number), results)

    def _inputs(self, number: int) -> Sequence[Any]:
        """What the program of a number has to be given."""
        if not self._running:
            return self._given
        outer = self._running[-1]
        assert outer.iterations is not None
        try:
            return outer.iterations.begin(self._place(number))
        except WrongIteration as error:
            raise Difference(str(error), outer.step, outer.iterations.step.eqn) from None

    def _place(self, number: int) -> int:
        """Which of the programs of the equation that runs programs now a program is."""
        outer = self._running[-1]
        assert outer.iterations is not None
        step, closed = outer.iterations.step, self._owner.programs[number].closed
        found = [n for n, each in enumerate(outer.iterations.programs) if each is closed]
        planned = [self._owner.number_of[id(plan)] for plan in step.programs]
        if number not in planned or not found:
            raise Difference("a program is run that is none of the step's", outer.step, step.eqn)
        at = planned.index(number)
        return at if at in found else found[0]

    def _check_guards(self, step: int) -> None:
        for block in self._blocks:
            damage = block.damage()
            if damage is not None:
                raise Difference(f"the step writes outside of its memory, {damage}", step)

    def _end_loop(self, program: int, step: int, buffers: int) -> None:
        """Has the condition of a loop say that it ends."""
        plan = self._owner.programs[program].plan
        if step == len(plan.steps) - 1:
            address = (ctypes.c_void_p * (len(plan.inputs) + 1)).from_address(buffers)[-1]
            bytes_at(address or 0, 1)[...] = 0

    def end(self, constants: Sequence[tuple[Any, bytes]]) -> None:
        """Raises what was found in the run."""
        if self._error is None and any(array.tobytes() != was for array, was in constants):
            found = Difference("a constant of the program was written to", 0)
            self._error = self._miscompiled(found)
        if self._error is not None:
            raise self._error

    def _miscompiled(self, found: Difference) -> MiscompiledProgramError:
        """Returns the error that says what differs, in which step, equation and line."""
        running = self._running[-1] if self._running else None
        plan = self._owner.programs[0].plan if running is None else running.plan
        name = self._owner.name
        inner = "" if len(self._running) < 2 else " in a loop or branch"
        lines = [f"Compiled code of {name} differs from its evaluation in step {found.step}{inner}"]
        step = plan.steps[found.step] if 0 <= found.step < len(plan.steps) else None
        if step is not None:
            lines.append(f"  step {found.step}: {describe(step)}")
        eqn = found.eqn
        if eqn is None and running is not None and step is not None:
            eqn = _first_equation(running, found.step)
        if eqn is not None:
            lines.append(f"  equation: {_text(eqn)}")
        if len(found.among) > 1:
            names = [each.primitive.name for each in found.among if each is not eqn]
            lines.append(f"  computed together with: {', '.join(names[-_NAMED:])}")
        lines.append(f"  {found}")
        return MiscompiledProgramError("\n".join(lines), frame=_frame(eqn))


def _first_equation(running: Followed, number: int) -> Equation | None:
    """Returns an equation that a step is for."""
    step = running.plan.steps[number]
    if isinstance(step, (ControlStep, HostStep)):
        return step.eqn
    completed = running.program.completed[number]
    return running.program.made[completed[0][0]] if completed else None


def _frame(eqn: Equation | None) -> Frame | None:
    return eqn.source[0].frame if eqn is not None and eqn.source else None


_LONGEST: Final = 200
"""The most characters of an equation in a message."""

_NAMED: Final = 12
"""So many of the equations before one are named: a nest may have hundreds."""


def _text(eqn: Equation) -> str:
    """Returns an equation with the types of its operands, on one line."""
    given = list(dict.fromkeys(x for x in eqn.inputs if isinstance(x, Var)))
    text = print_jaxpr(Jaxpr((), given, eqn.outputs, [eqn]))
    line = " ".join(text.removeprefix("{ lambda ; ").removesuffix(" }").split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."

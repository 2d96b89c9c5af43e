"""Control flow: scans, loops and branches as native loops around the functions of programs.

A carried value lies in the memory of the loop's result: it is copied there before the first
iteration, and each iteration updates it in place. Where an iteration would read the old value after
it has written the new one, there are two buffers: each iteration reads one and writes the other,
and the first iteration reads the operand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index
from oakum.compile.llvm.llvm_value import Value, constant
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.native import interruption
from oakum.compile.plan.steps import ControlStep
from oakum.dtypes import Kind
from oakum.primitives.rules.lowering import Branched, Looped, Scanned

if TYPE_CHECKING:
    from oakum.compile.program.driver import DriverWriter

_ITERATIONS = 10.0
"""The iterations that a `while` loop is estimated to take at least. It is unknown; ten makes a loop
around work of a microsecond long enough (`_LENGTHY`) that other Python threads run meanwhile.
"""

_LIKELY_ITERATIONS = 200.0
"""The iterations assumed where code quality is chosen: elementary functions are written in line
(`is_short`) in bodies of 21 elements and more, since 4096 / 200 = 20.5. An assumption, not a
measurement.
"""

_TURNS = (4096, 128, 16, 4)
"""A loop with no, one, two or more loops inside calls for Ctrl-C after so many iterations. A call
takes half a microsecond, invisible beside 4096 iterations of 5 ns; four loops around each other
then ask every sixth of a second.
"""


class ControlWriter:
    """Writes the steps that run programs into the function of the program around them."""

    def __init__(
        self,
        driver: DriverWriter,
        function: Function,
        address: Callable[[Buffer], str],
        iterations: float,
    ) -> None:
        self._driver = driver
        self._f = function
        self._address = address
        self._iterations = iterations

    def write(self, step: ControlStep) -> float:
        """Writes a step, and returns its estimated time."""
        match step.eqn.primitive.lower:
            case Scanned():
                return self._scan(step)
            case Looped():
                return self._loop(step)
            case Branched():
                return self._branch(step)
            case _:
                raise AssertionError(f"{step.eqn.primitive} runs no program")

    # Tables of addresses, which programs are called with.

    def _table(self, count: int) -> str:
        name = self._f.fresh("table")
        self._f.write(f"{name} = alloca [{max(count, 1)} x ptr], align 8")
        return name

    def _put(self, table: str, place: int, address: str) -> None:
        at = self._f.fresh("p")
        self._f.write(f"{at} = getelementptr ptr, ptr {table}, i64 {place}")
        self._f.write(f"store ptr {address}, ptr {at}, align 8")

    def _call(self, name: str, table: str, step: ControlStep) -> None:
        scratch = self._address(step.scratch)
        self._f.write(f"call void @{name}(ptr {table}, ptr %context, ptr {scratch})")

    def _pick(self, condition: Value, then: str, otherwise: str) -> str:
        name = self._f.fresh("p")
        self._f.write(f"{name} = select {condition.typed}, ptr {then}, ptr {otherwise}")
        return name

    def _copy(self, to: str, source: str, buffer: Buffer) -> None:
        f = self._f
        f.declarations["declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"] = None
        size = f"i64 {buffer.nbytes}"
        f.write(f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, {size}, i1 false)")

    # The three kinds.

    def _scan(self, step: ControlStep) -> float:
        f, params = self._f, step.eqn.params
        length, first, count = params["length"], step.first, step.carried
        stacked, results = step.inputs[first + count :], step.outputs[count:]
        if length == 0:
            for number, buffer in enumerate(step.outputs[:count]):
                self._give(buffer, step.inputs[first + number])
            return 0.0
        (plan,) = step.programs
        name, cost = self._driver.program(plan, self._iterations * length)
        table = self._table(len(plan.inputs) + len(plan.outputs))
        for place, buffer in enumerate(step.inputs[:first]):
            self._put(table, place, self._address(buffer))
        self._put_carried(step, table, first, len(plan.inputs))
        with f.loop(0, length) as loop:
            turn = loop.index
            start = f.compare("eq", turn, 0)
            # The last iteration writes the result.
            even = f.compare("eq", f.bit_and(turn, 1), (length - 1) % 2)
            for number, (given, final, spare) in self._by_turns(step):
                there = self._pick(even, spare, final)
                self._put(table, first + number, self._pick(start, given, there))
                self._put(table, len(plan.inputs) + number, self._pick(even, final, spare))
            index: Index = (
                f.sub(constant(length - 1, dtypes.int64), turn) if params["reverse"] else turn
            )
            self._rows(table, first + count, stacked, length, index)
            self._rows(table, len(plan.inputs) + count, results, length, index)
            self._call(name, table, step)
        return cost * length

    def _put_carried(self, step: ControlStep, table: str, first: int, outputs: int) -> None:
        """Copies carried values to the buffers of the results, whose addresses it puts into a
        table.
        """
        for number, spare in enumerate(step.spare):
            if spare is None:
                final = step.outputs[number]
                self._give(final, step.inputs[step.first + number])
                self._put(table, first + number, self._address(final))
                self._put(table, outputs + number, self._address(final))

    def _give(self, to: Buffer, source: Buffer) -> None:
        if to != source:
            self._copy(self._address(to), self._address(source), to)

    def _by_turns(self, step: ControlStep) -> list[tuple[int, tuple[str, str, str]]]:
        """Returns the numbers of carried values that are not updated in place, with the addresses
        of operand, result and spare buffer.
        """
        return [
            (
                number,
                (
                    self._address(step.inputs[step.first + number]),
                    self._address(step.outputs[number]),
                    self._address(spare),
                ),
            )
            for number, spare in enumerate(step.spare)
            if spare is not None
        ]

    def _rows(
        self, table: str, place: int, buffers: Sequence[Buffer], length: int, index: Index
    ) -> None:
        for number, buffer in enumerate(buffers):
            row = buffer.nbytes // length
            offset = self._f.mul_index(index, row)
            address = self._f.pointer(self._address(buffer), offset, dtypes.int8)
            self._put(table, place + number, address)

    def _loop(self, step: ControlStep) -> float:
        f, params = self._f, step.eqn.params
        for_cond, for_body = params["cond_consts"], params["body_consts"]
        asked, body = step.programs
        driver = self._driver
        before, driver.open_loops = driver.open_loops, driver.open_loops + 1
        iterations = self._iterations * _LIKELY_ITERATIONS
        (cond_name, cond_cost), (name, cost) = (
            self._driver.program(program, iterations) for program in step.programs
        )
        within = min(driver.open_loops - before, len(_TURNS)) - 1
        cond_table = self._table(len(asked.inputs) + 1)
        table = self._table(len(body.inputs) + len(body.outputs))
        for place, buffer in enumerate(step.inputs[:for_cond]):
            self._put(cond_table, place, self._address(buffer))
        for place, buffer in enumerate(step.inputs[for_cond : step.first]):
            self._put(table, place, self._address(buffer))
        flag = self._address(step.flag)
        self._put(cond_table, len(asked.inputs), flag)
        for number, spare in enumerate(step.spare):
            if spare is None:
                self._put(cond_table, for_cond + number, self._address(step.outputs[number]))
        self._put_carried(step, table, for_body, len(body.inputs))
        by_turns = self._by_turns(step)

        head, inside, after = f.label(), f.label(), f.label()
        before = f.block
        f.jump(head)
        f.enter(head)
        turn, following = f.fresh("i"), f.fresh("i")
        line = len(f.lines)
        f.lines.append("")
        counted = Value(turn, dtypes.int64)
        start = f.compare("eq", counted, 0)
        odd = f.compare("ne", f.bit_and(counted, 1), 0)
        sources = [
            self._pick(start, given, self._pick(odd, final, spare))
            for _, (given, final, spare) in by_turns
        ]
        for (number, _), source in zip(by_turns, sources, strict=True):
            self._put(cond_table, for_cond + number, source)
        self._call(cond_name, cond_table, step)
        f.branch(f.load(flag, 0, dtypes.bool_), inside, after)
        f.enter(inside)
        for (number, (_, final, spare)), source in zip(by_turns, sources, strict=True):
            self._put(table, for_body + number, source)
            self._put(table, len(body.inputs) + number, self._pick(odd, spare, final))
        self._call(name, table, step)
        self._persist(counted, _TURNS[within])
        f.write(f"{following} = add i64 {turn}, 1")
        f.lines[line] = f"  {turn} = phi i64 [0, %{before}], [{following}, %{f.block}]"
        f.jump(head)
        f.enter(after)
        with f.when(f.compare("eq", f.bit_and(counted, 1), 0)):
            for (number, (_, final, _)), source in zip(by_turns, sources, strict=True):
                self._copy(final, source, step.outputs[number])
        return (cond_cost + cost) * _ITERATIONS

    def _persist(self, turn: Value, turns: int) -> None:
        """Writes a call for Ctrl-C every so many iterations."""
        f = self._f
        f.declarations[f"declare void @{interruption.PERSIST}()"] = None
        with f.when(f.compare("eq", f.bit_and(turn, turns - 1), turns - 1)):
            f.write(f"call void @{interruption.PERSIST}()")

    def _branch(self, step: ControlStep) -> float:
        f = self._f
        index, *operands = step.inputs
        value = f.load(self._address(index), 0, index.dtype)
        if value.dtype.kind is Kind.BOOL:
            value = f.cast("zext", value, dtypes.int32)
        plans = step.programs
        table = self._table(len(plans[0].inputs) + len(plans[0].outputs))
        for place, buffer in enumerate([*operands, *step.outputs]):
            self._put(table, place, self._address(buffer))
        labels = [f.label() for _ in plans]
        after = f.label()
        costs: list[float] = []
        places = " ".join(
            f"{value.type} {number}, label %{label}" for number, label in enumerate(labels)
        )
        f.write(f"switch {value.typed}, label %{labels[-1]} [ {places} ]")
        for plan, label in zip(plans, labels, strict=True):
            f.enter(label)
            name, cost = self._driver.program(plan, self._iterations)
            costs.append(cost)
            self._call(name, table, step)
            f.jump(after)
        f.enter(after)
        return max(costs)

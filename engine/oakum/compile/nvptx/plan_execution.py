"""The host's side of a program of a GPU: it launches kernels in order, counts the iterations of
loops, reads conditions, and evaluates what has no kernel.

A carried value lies in the memory of the loop's result: it is copied there before the first
iteration, and each iteration updates it in place. Where an iteration would read the old value after
it has written the new one, there are two buffers: each iteration reads one and writes the other,
and the first iteration reads the operand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.nvptx.plan_code import Controlled, GpuDevice, Launched, PlanCode
from oakum.compile.plan.steps import ControlStep, HostStep
from oakum.primitives.rules.lowering import Branched, Looped, Scanned
from oakum.tracing.ir import Literal
from oakum.values import host
from oakum.values.avals import ShapedArray

Address = Callable[[Buffer], int]

host_steps: Final[Counter[str]] = Counter()
"""How often the host has evaluated an equation of a program of a GPU, by its primitive."""


class Execution:
    """One run of a program on a device, with the addresses of its constants."""

    def __init__(self, device: GpuDevice, constants: Sequence[int]) -> None:
        self._device, self._constants = device, constants

    def run(
        self, code: PlanCode, given: Sequence[int], results: Sequence[int], arena: int = 0
    ) -> None:
        """Runs a plan on arguments and results at some addresses; temporary buffers lie in the
        arena, or are allocations of their own where the device keeps them apart: so it knows where
        each ends, and that nothing has been written yet.
        """
        if code.flat is not None:
            code.flat.run([*given, *results], self._constants, arena)
            return
        temporaries: dict[Buffer, int] = {}
        offsets = code.plan.offsets

        def address(buffer: Buffer) -> int:
            match buffer.role:
                case "in":
                    return given[buffer.number]
                case "out":
                    return results[buffer.number]
                case "constant":
                    return self._constants[buffer.number]
                case _ if not self._device.keeps_buffers_apart:
                    return arena + offsets[buffer]
                case _:
                    if buffer not in temporaries:
                        temporaries[buffer] = self._device.allocate(buffer.nbytes)
                    return temporaries[buffer]

        try:
            self._steps(code, address)
        finally:
            for each in temporaries.values():
                self._device.release(each)

    def _steps(self, code: PlanCode, address: Address) -> None:
        for step in code.steps:
            match step:
                case Launched(kernel_code, kernel):
                    addresses = [address(buffer) for buffer in kernel_code.buffers]
                    kernel.launch(kernel_code.grid, kernel_code.threads, addresses)
                case Controlled():
                    self._control(step, address)
                case HostStep():
                    self._evaluate(step, address)

    # What the host evaluates.

    def _evaluate(self, step: HostStep, address: Address) -> None:
        primitive = step.eqn.primitive
        host_steps[primitive.name] += 1
        operands = [
            given.raw if isinstance(given, Literal) else self._fetch(address(given), atom.aval)
            for atom, given in zip(step.eqn.inputs, step.inputs, strict=True)
        ]
        with host.np.errstate(all="ignore"):
            made = primitive.evaluate(host.np, *operands, **step.eqn.params)
        results = made if primitive.multiple_results else (made,)
        for aval, buffer, result in zip(step.out_avals, step.outputs, results, strict=True):
            self._device.put(address(buffer), host.np.asarray(result, _dtype(aval)))

    def _fetch(self, address: int, aval: ShapedArray) -> Any:
        dtype, shape = _dtype(aval), shape_of(aval)
        count = 1
        for extent in shape:
            count *= extent
        if not count * dtype.itemsize:
            return host.np.zeros(shape, dtype)  # Elements may have no bytes, too.
        raw = self._device.get(address, count * dtype.itemsize)
        return raw.view(dtype).reshape(shape)

    # Loops and branches.

    def _control(self, code: Controlled, address: Address) -> None:
        match code.step.eqn.primitive.lower:
            case Scanned():
                self._scan(code, address)
            case Looped():
                self._loop(code, address)
            case Branched():
                self._branch(code, address)
            case other:
                raise AssertionError(f"{other} runs no program")

    def _move(self, to: int, source: int, buffer: Buffer) -> None:
        if to != source and buffer.nbytes:
            self._device.copy(to, source, buffer.nbytes)

    def _scan(self, code: Controlled, address: Address) -> None:
        step, params = code.step, code.step.eqn.params
        length: int = params["length"]
        first, count = step.first, step.carried
        constants = [address(b) for b in step.inputs[:first]]
        stacked, rows = step.inputs[first + count :], step.outputs[count:]
        carried, arena = _Carried(step, address, last=length - 1), address(step.scratch)
        self._begin(step, address, is_empty=not length)
        for turn in range(length):
            at = length - 1 - turn if params["reverse"] else turn
            given = [*constants, *carried.sources(turn), *_rows(stacked, at, length, address)]
            results = [*carried.targets(turn), *_rows(rows, at, length, address)]
            self.run(code.programs[0], given, results, arena)

    def _begin(self, step: ControlStep, address: Address, *, is_empty: bool) -> None:
        """Puts carried values that are updated in place where they are updated."""
        for number, buffer in enumerate(step.outputs[: step.carried]):
            if step.spare[number] is None or is_empty:
                source = address(step.inputs[step.first + number])
                self._move(address(buffer), source, buffer)

    def _loop(self, code: Controlled, address: Address) -> None:
        step, params = code.step, code.step.eqn.params
        for_cond: int = params["cond_consts"]
        constants = [address(b) for b in step.inputs[: step.first]]
        asked, body = code.programs
        carried = _Carried(step, address, last=0)
        self._begin(step, address, is_empty=False)
        turn, flag, arena = 0, address(step.flag), address(step.scratch)
        while True:
            sources = carried.sources(turn)
            self.run(asked, [*constants[:for_cond], *sources], [flag], arena)
            if not self._device.get(flag, 1)[0]:
                break
            given = [*constants[for_cond:], *sources]
            self.run(body, given, carried.targets(turn), arena)
            turn += 1
        for buffer, source in zip(step.outputs, sources, strict=True):
            self._move(address(buffer), source, buffer)

    def _branch(self, code: Controlled, address: Address) -> None:
        step = code.step
        index, *operands = step.inputs
        raw = self._device.get(address(index), index.nbytes).view(host.dtype(index.dtype))
        number, last = int(raw[0]), len(code.programs) - 1
        chosen = code.programs[number if 0 <= number <= last else last]
        given = [address(b) for b in operands]
        self.run(chosen, given, [address(b) for b in step.outputs], address(step.scratch))


class _Carried:
    """Where each iteration of a loop reads and writes the carried values. With a spare buffer the
    iterations `last`, `last - 2` ... write the result's.
    """

    def __init__(self, step: ControlStep, address: Address, *, last: int) -> None:
        self._last = last
        self._places = [
            (address(given), address(final), None if spare is None else address(spare))
            for given, final, spare in zip(
                step.inputs[step.first : step.first + step.carried],
                step.outputs[: step.carried],
                step.spare,
                strict=True,
            )
        ]

    def targets(self, turn: int) -> list[int]:
        """Returns the addresses that an iteration writes."""
        is_final = (self._last - turn) % 2 == 0
        return [final if spare is None or is_final else spare for _, final, spare in self._places]

    def sources(self, turn: int) -> list[int]:
        """Returns the addresses that an iteration reads."""
        if turn:
            return self.targets(turn - 1)
        return [final if spare is None else given for given, final, spare in self._places]


def _rows(buffers: Sequence[Buffer], at: int, length: int, address: Address) -> list[int]:
    return [address(buffer) + at * (buffer.nbytes // length) for buffer in buffers]


def _dtype(aval: ShapedArray) -> Any:
    assert aval.dtype is not None
    return host.dtype(aval.dtype)

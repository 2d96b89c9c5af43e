"""The threads of some blocks of a launch, side by side: registers, shared memory, and the order in
which they go on.

Threads that are at one instruction carry it out together, in lock step; where they part, one group
goes on until it meets another. Which group that is, nobody may depend on: it is the one that is
furthest behind, the one furthest ahead, or any (`Order`). A barrier waits for all threads of a
block, a shuffle for all threads of a warp that have not ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from oakum.runtime.emulator.async_copies import AsyncCopies
from oakum.runtime.emulator.decoder import Kind, Step
from oakum.runtime.emulator.memory_access import Form
from oakum.runtime.emulator.ptx_types import EmulationError, unsigned
from oakum.runtime.emulator.race_detector import MOST_THREADS, RaceDetector, Touching
from oakum.values import host
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.runtime.emulator.device_memory import DeviceMemory
    from oakum.runtime.emulator.emulated_device import Counts

WARP: Final = 32

_JUNK: Final = 0xA5


class Order(Enum):
    """Which group of threads goes on where they have parted."""

    BEHIND = "behind"
    AHEAD = "ahead"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class Launch:
    """What the threads of a launch have in common."""

    number: int
    grid: int
    threads: int
    """The threads of a block."""
    arguments: Sequence[int]
    steps: Sequence[Step]
    registers: int
    shared_bytes: int
    local_bytes: int
    memory: DeviceMemory
    order: Order
    watches_races: bool
    counts: Counts
    seed: int


class ThreadBatch:
    """The threads of the blocks of these numbers."""

    def __init__(self, launch: Launch, blocks: host.Array) -> None:
        np, threads = host.np, launch.threads
        if launch.grid * threads > MOST_THREADS:
            raise EmulationError(f"a launch of more than {MOST_THREADS} threads is not emulated")
        self._launch = launch
        self.memory, self.watches_races = launch.memory, launch.watches_races
        self.arguments = launch.arguments
        self.count = len(blocks) * threads
        self.registers: list[Any] = [None] * launch.registers
        number = np.arange(self.count)
        self._local_block = number // threads
        """The number of the block of each thread among those of the batch."""
        self._within = number % threads
        self._block = np.repeat(blocks, threads)
        self._thread = self._block * threads + self._within
        self._lane = self._within % WARP
        self._warp = self._local_block * -(-threads // WARP) + self._within // WARP
        self._warps = int(self._warp[-1]) + 1
        self._epoch = np.zeros(len(blocks), np.int64)
        self._stride = -(-max(launch.shared_bytes, 16) // 16) * 16
        self.shared = np.zeros(len(blocks) * self._stride, np.uint8)
        self.shared_written = np.zeros(len(self.shared), np.bool_)
        self.copies = AsyncCopies(self.count)
        self.shared_races = RaceDetector("shared", len(self.shared) if launch.shared_bytes else 16)
        self._local = np.zeros(self.count * launch.local_bytes, np.uint8)
        self._dice = np.random.default_rng(launch.seed)
        self._next = np.zeros(self.count, np.int64)
        """The instruction that each thread has come to, where they have parted."""
        self._running = np.ones(self.count, np.bool_)
        self._waiting = np.zeros(self.count, np.bool_)
        self._group: Any = None

    # What instructions ask for.

    def special(self, register: str) -> Any:
        """Returns a special register of all threads."""
        np, launch = host.np, self._launch
        match register:
            case "%tid.x":
                return self._within
            case "%ctaid.x":
                return self._block
            case "%laneid":
                return self._lane
            case "%ntid.x" | "%nctaid.x":
                value = launch.threads if register == "%ntid.x" else launch.grid
            case _:
                value = 1 if register.startswith(("%ntid", "%nctaid")) else 0
        return np.full(self.count, value, np.int64)

    def whole(self, value: host.Array, at: host.Array | None) -> Any:
        """Returns a value with an element for each thread: immediates have one for all."""
        return value if value.ndim else host.np.full(self._many(at), value)

    def _many(self, at: host.Array | None) -> int:
        return self.count if at is None else len(at)

    def set_register(
        self, number: int, at: host.Array | None, value: host.Array, kind: host.ArrayDType
    ) -> None:
        """Puts values into a register of some threads."""
        if at is None:
            self.registers[number] = value if value.ndim else host.np.full(self.count, value)
            return
        if self.registers[number] is None:
            self.registers[number] = self.junk(kind).copy()
        self.registers[number][at] = value

    def junk(self, kind: host.ArrayDType) -> Any:
        """Returns what is in a register that nobody wrote."""
        return host.np.full(self.count * kind.itemsize, _JUNK, host.np.uint8).view(kind)

    def shuffled(self, count: int) -> Any:
        """Returns the numbers below `count` in any order."""
        return self._dice.permutation(count)

    def note_access(self, nbytes: int, count: int) -> None:
        """Counts an access of some threads."""
        self._launch.counts.accessed_bytes += nbytes * count

    def touching(self, at: host.Array | None) -> Touching:
        """Returns who accesses memory."""
        launch = self._launch
        if at is None:
            epoch = self._epoch[self._local_block]
            return Touching(launch.number, launch.threads, self._thread, self._block, epoch)
        epoch = self._epoch[self._local_block[at]]
        return Touching(launch.number, launch.threads, self._thread[at], self._block[at], epoch)

    def shared_places(self, at: host.Array | None, places: host.Array, nbytes: int) -> Any:
        """Returns the places of addresses of shared memory among those of all blocks."""
        if (places < 0).any() or (places + nbytes > self._launch.shared_bytes).any():
            raise EmulationError("out of bounds of shared memory")
        block = self._local_block if at is None else self._local_block[at]
        return places + block * self._stride

    def local_memory(
        self, at: host.Array | None, places: host.Array, form: Form
    ) -> tuple[Any, Any]:
        """Returns the local memory of all threads, and the places of addresses in it."""
        nbytes = self._launch.local_bytes
        if (places < 0).any() or (places + form.nbytes > nbytes).any():
            raise EmulationError("out of bounds of local memory")
        thread = host.np.arange(self.count) if at is None else at
        return self._local.view(unsigned(form.size)), places + thread * nbytes

    def exchange(
        self,
        at: host.Array | None,
        mode: str,
        value: host.Array,
        distance: host.Array,
        control: host.Array,
    ) -> Any:
        """Returns for each thread the value of another lane of its warp."""
        np = host.np
        lane = self._lane if at is None else self._lane[at]
        segment, clamp = (control >> 8) & 31, control & 31
        first = lane & segment
        last = first | (clamp & ~segment)
        source = {
            "up": lane - distance,
            "down": lane + distance,
            "bfly": lane ^ distance,
            "idx": first | (distance & ~segment),
        }[mode]
        inside = source >= last if mode == "up" else source <= last
        source = np.where(inside, source, lane)
        if at is None:
            return value[np.arange(self.count) - lane + source]
        everywhere, there = np.zeros(self.count, value.dtype), np.zeros(self.count, np.bool_)
        everywhere[at], there[at] = value, True
        if not there[at - lane + source].all():
            raise EmulationError("a shuffle takes the value of a thread that has ended")
        return everywhere[at - lane + source]

    # The order of instructions.

    def run(self) -> None:
        """Runs the threads to their ends."""
        steps, counts = self._launch.steps, self._launch.counts
        place, limit = 0, len(steps)
        while place >= 0:
            if place >= limit:
                if place >= len(steps):
                    raise EmulationError("threads run beyond the last instruction")
                self._park(place)
                place, limit = self._choose()
                continue
            step = steps[place]
            counts.steps += 1
            counts.thread_steps += self._many(self._group)
            try:
                place, limit = self._advance(step, place, limit)
            except EmulationError as error:
                raise EmulationError(f"{error}\n  at {step.text}") from None

    def _advance(self, step: Step, place: int, limit: int) -> tuple[int, int]:
        """Carries out a step; returns the next instruction, and where the group meets another."""
        match step.kind:
            case Kind.PLAIN:
                at = self._group
                if step.guard is not None:
                    at = self._subset(step.guard(self, at))
                if at is None or len(at):
                    step.run(self, at)
                return place + 1, limit
            case Kind.SHUFFLE:
                return self._shuffle(step, place, limit)
            case Kind.BRANCH:
                return self._branch(step, place, limit)
            case Kind.EXIT:
                return self._exit(step, place, limit)
            case Kind.BARRIER:
                if self._group is None:
                    self._epoch += 1
                    return place + 1, limit
                self._park(place + 1)
                self._waiting[self._group] = True
                self._running[self._group] = False
                return self._choose()

    def _shuffle(self, step: Step, place: int, limit: int) -> tuple[int, int]:
        if step.guard is not None:
            raise EmulationError("a shuffle under a condition is not emulated")
        if self._group is not None and not self._are_whole(self._group):
            self._park(place)  # It waits for the other threads of the warp.
            return self._choose()
        step.run(self, self._group)
        return place + 1, limit

    def _subset(self, condition: host.Array) -> Any:
        if self._group is None:
            return None if condition.all() else host.np.nonzero(condition)[0]
        return self._group[condition] if condition.ndim else self._group

    def _branch(self, step: Step, place: int, limit: int) -> tuple[int, int]:
        taken = None if step.guard is None else step.guard(self, self._group)
        if taken is None or taken.all():
            to = step.target
        elif not taken.any():
            to = place + 1
        else:
            self._park(host.np.where(taken, step.target, place + 1))
            return self._choose()
        if to <= place and self._group is not None:
            self._park(to)  # Others may wait on the way back.
            return self._choose()
        return to, limit

    def _exit(self, step: Step, place: int, limit: int) -> tuple[int, int]:
        ended = None if step.guard is None else step.guard(self, self._group)
        if ended is not None and not ended.any():
            return place + 1, limit
        self._park(place + 1)
        self._running[self._group if ended is None else self._subset(ended)] = False
        return self._choose()

    def _park(self, place: host.Array | int) -> None:
        if self._group is None:
            self._next[:] = place
            self._group = host.np.arange(self.count)
        else:
            self._next[self._group] = place

    def _are_whole(self, group: host.Array) -> bool:
        there = host.np.bincount(self._warp[group], minlength=self._warps)
        alive = host.np.bincount(self._warp[self._running | self._waiting], minlength=self._warps)
        return bool((there == alive)[there > 0].all())

    def _choose(self) -> tuple[int, int]:
        """Returns an instruction to go on with, and where its group meets another; -1 at the
        end.
        """
        np, order = host.np, self._launch.order
        if not self._running.any():
            if not self._waiting.any():
                return -1, 0
            self._pass_barrier()
        there = np.unique(self._next[self._running])
        ways = there
        if order is Order.AHEAD:
            ways = there[::-1]
        elif order is Order.ANY:
            ways = self._dice.permutation(there)
        for place in ways:
            active = self._running & (self._next == place)
            if place < len(self._launch.steps):
                step = self._launch.steps[int(place)]
                if step.kind is Kind.SHUFFLE:
                    active &= self._whole_warps(active)[self._warp]
            if active.any():
                self._group = None if active.all() else np.nonzero(active)[0]
                if order is not Order.BEHIND:
                    return int(place), int(place) + 1
                later = there[there > place]
                return int(place), int(later[0]) if len(later) else len(self._launch.steps)
        text = self._launch.steps[int(there[0])].text
        raise EmulationError(f"a shuffle that not all threads of a warp reach\n  at {text}")

    def _whole_warps(self, active: host.Array) -> Any:
        bincount = host.np.bincount
        alive = self._running | self._waiting
        return bincount(self._warp[active], minlength=self._warps) == bincount(
            self._warp[alive], minlength=self._warps
        )

    def _pass_barrier(self) -> None:
        """Lets blocks go on whose threads all wait at one barrier."""
        threads = self._launch.threads
        waiting = self._waiting.reshape(-1, threads)
        some = waiting.any(1)
        if (waiting.sum(1)[some] != threads).any():
            raise EmulationError("a barrier that not all threads of a block reach")
        places = self._next.reshape(-1, threads)[some]
        if (places != places[:, :1]).any():
            raise EmulationError("threads of one block wait at different barriers")
        self._epoch[some] += 1
        self._running |= self._waiting
        self._waiting[:] = False

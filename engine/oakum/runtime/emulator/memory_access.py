"""Loads, stores and atomics of many threads, and what is checked of them: bounds, alignment, memory
that nobody wrote, races.

Addresses are generic: those of shared memory and of the local memory of threads lie in windows
above all global memory.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum.runtime.emulator.arithmetic import bit_and, bit_or, bit_xor
from oakum.runtime.emulator.ptx_types import BYTES, EmulationError, dtype_of, is_signed, unsigned
from oakum.values import host
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.runtime.emulator.thread_batch import ThreadBatch

SHARED: Final = 1 << 40
"""The first address of shared memory."""

LOCAL: Final = 1 << 41
"""The first address of the local memory of a thread."""


@dataclass(frozen=True, slots=True)
class Form:
    """What an instruction accesses: `count` values of a type side by side, in a memory."""

    type: str
    count: int
    space: str | None
    """The memory; None where the addresses say it."""
    is_fixed: bool
    """Whether the memory is said not to be written while the kernel runs."""

    @classmethod
    def of(cls, opcode: tuple[str, ...], count: int) -> Form:
        """Returns the form of an instruction."""
        space = next((m for m in opcode if m in ("global", "shared", "local", "const")), None)
        return cls(opcode[-1], count, space, "nc" in opcode)

    @property
    def size(self) -> int:
        """The bytes of one value."""
        return BYTES[self.type]

    @property
    def nbytes(self) -> int:
        """The bytes of all values."""
        return self.size * self.count


def load(t: ThreadBatch, at: host.Array | None, places: host.Array, form: Form) -> list[Any]:
    """Returns the values at some addresses."""
    space, places = _place(places, form)
    t.note_access(form.nbytes, len(places))
    match space:
        case "shared":
            places = t.shared_places(at, places, form.nbytes)
            last = places + form.nbytes - 1
            if not (t.shared_written[places].all() and t.shared_written[last].all()):
                raise EmulationError("a read of shared memory that nobody wrote")
            t.shared_races.read(places, form.nbytes, t.touching(at))
            memory = t.shared.view(unsigned(form.size))
        case "local":
            memory, places = t.local_memory(at, places, form)
        case _:
            device = t.memory
            device.check_read(places, form.nbytes)
            if t.watches_races:
                device.races.read(places, form.nbytes, t.touching(at), fixed=form.is_fixed)
            memory = device.view(form.size)
    first = places // form.size
    values = [memory[first + number] for number in range(form.count)]
    return [x.view(dtype_of(form.type)) for x in values] if is_signed(form.type) else values


def store(
    t: ThreadBatch, at: host.Array | None, places: host.Array, form: Form, values: Sequence[Any]
) -> None:
    """Puts values at some addresses."""
    space, places = _place(places, form)
    t.note_access(form.nbytes, len(places))
    match space:
        case "shared":
            places = t.shared_places(at, places, form.nbytes)
            t.shared_races.write(places, form.nbytes, t.touching(at))
            t.shared_written.reshape(-1, form.nbytes)[places // form.nbytes] = True
            memory = t.shared.view(unsigned(form.size))
        case "local":
            memory, places = t.local_memory(at, places, form)
        case _:
            device = t.memory
            device.check_written(places, form.nbytes)
            if t.watches_races:
                device.races.write(places, form.nbytes, t.touching(at))
            memory = device.view(form.size)
    first = places // form.size
    for number, value in enumerate(values):
        memory[first + number] = value.view(memory.dtype)


def forget(t: ThreadBatch, at: host.Array | None, places: host.Array, form: Form) -> None:
    """Notes that what is at some addresses of shared memory is going to be overwritten."""
    _, places = _place(places, form)
    places = t.shared_places(at, places, form.nbytes)
    t.shared_races.write(places, form.nbytes, t.touching(at))
    t.shared_written.reshape(-1, form.nbytes)[places // form.nbytes] = False


def change(
    t: ThreadBatch,
    at: host.Array | None,
    places: host.Array,
    form: Form,
    verb: str,
    values: Sequence[Any],
) -> Any:
    """Changes what is at some addresses by an atomic, thread by thread in any order; returns what
    was there.
    """
    space, places = _place(places, form)
    if space == "local":
        raise EmulationError("an atomic on the memory of a thread")
    t.note_access(form.nbytes, len(places))
    if space == "shared":
        places = t.shared_places(at, places, form.nbytes)
        if not t.shared_written[places].all():
            raise EmulationError("an atomic on shared memory that nobody wrote")
        t.shared_races.change(places, form.nbytes, t.touching(at))
        memory = t.shared.view(unsigned(form.size))
    else:
        t.memory.check_read(places, form.nbytes)
        t.memory.check_written(places, form.nbytes)
        if t.watches_races:
            t.memory.races.change(places, form.nbytes, t.touching(at))
        memory = t.memory.view(form.size)
    cells = memory.view(dtype_of(form.type))
    first, function = places // form.size, VERBS[verb]
    old = host.np.empty(len(places), cells.dtype)
    for number in t.shuffled(len(places)):
        cell = first[number]
        old[number] = cells[cell]
        cells[cell] = function(old[number], *[value[number] for value in values])
    return old


def _exchanged(_: object, x: object) -> Any:
    return x


def _compared(old: object, expected: object, x: object) -> Any:
    return x if old == expected else old


VERBS: Final[dict[str, Callable[..., Any]]] = {
    "add": operator.add,
    "min": min,
    "max": max,
    "and": bit_and,
    "or": bit_or,
    "xor": bit_xor,
    "exch": _exchanged,
    "cas": _compared,
}
"""What atomics make of what is there."""


def _place(places: host.Array, form: Form) -> tuple[str, Any]:
    """Returns the memory, and the places in it."""
    if (places % form.nbytes).any():
        raise EmulationError(f"a misaligned access of {form.nbytes} bytes")
    space = form.space
    if space is None:
        first = int(places[0])
        space = "local" if first >= LOCAL else "shared" if first >= SHARED else "global"
    if space == "shared":
        places = host.np.where(places >= SHARED, places - SHARED, places)
    if space == "local":
        places = host.np.where(places >= LOCAL, places - LOCAL, places)
    return space, places

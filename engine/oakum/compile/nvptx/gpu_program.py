"""Programs of a GPU: the kernels of a plan, loaded on a device, and what the host does in between.

Results stay on the device, and so do copies of arguments of the host, which the arrays hold. An
equation without a kernel is evaluated by the host, with copies both ways; a counter tells how often
that happens.

A program that is called twice with the same memory is recorded, where the device can do that: what
it launches is then asked for in one call. A loop of a training step is such a case, whose results
lie where those of the step before last were.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import dtypes
from oakum.compile.loops.elements import shape_of
from oakum.compile.nvptx import nvptx_target
from oakum.compile.nvptx.plan_code import GpuDevice, Loader, Recording
from oakum.compile.nvptx.plan_execution import Execution
from oakum.compile.plan.steps import Plan
from oakum.compile.program.driver import Source
from oakum.compile.program.native_program import Observer
from oakum.runtime.arrays import ArrayImpl, on_device
from oakum.runtime.device_storage import DeviceStorage
from oakum.runtime.prepared_launch import MOVED_WORDS, PROGRAM_WORDS, DeviceCalls
from oakum.values import host, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

Form = tuple[tuple[int, ...], Any]
"""A shape, and a dtype of the host."""

_Moved: Final = ctypes.c_int64 * len(MOVED_WORDS.split())

_NOTHING: Final = ShapedArray((), dtypes.float32)
"""What an array is until native code says what it is."""

_LARGE: Final = 1 << 20
"""The bytes from which on the line is kept that asks for memory: an error may name it."""

_LAUNCH_NS: Final = 2000.0
"""The estimated time of a launch: what drivers take at least."""

_FEWEST: Final = 2
"""Programs of fewer launches are not recorded: one call of the driver would replace another."""

_MOST: Final = 20_000
"""Nor are those of more launches: each takes about half a kilobyte of the host."""

_RECORDINGS: Final = 4
"""The recordings that a program keeps: loops alternate between two places or three."""


@dataclass(frozen=True, slots=True)
class _Recording:
    """What a program asks for, with its arguments and results at certain addresses."""

    recorded: Recording
    arena: DeviceStorage | None
    """Memory that it writes to."""


class GpuProgram:
    """A program of flat arrays, run by a device; called through Python."""

    source: Source | None = None
    observer: Observer | None = None
    address: int | None = None
    guard = context = code_bytes = 0
    addresses: Sequence[int] = ()
    settle: Callable[[object], None] | None = None
    origin, is_new = "for a GPU", False

    def __init__(
        self,
        loader: Loader,
        device: GpuDevice,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
    ) -> None:
        self._device, self._loader = device, loader
        self._takes = [_form(aval) for aval in avals[0]]
        self._gives = [_form(aval) for aval in avals[1]]
        self._sizes = [_nbytes(form) for form in self._gives]
        self._constants = constants
        self._placed: list[DeviceStorage] = []
        """The constants on the device, from the first run on."""
        self.arena_bytes = plan.arena_bytes
        with loader.lock:
            self._code = loader.load(plan, {}, len(constants))
        self.kernels = self._code.kernels
        self.cost_ns = _LAUNCH_NS * len(self.kernels)
        launches = self._code.launches
        self._is_recorded = launches is not None and _FEWEST <= launches <= _MOST
        self._recordings = OrderedDict[tuple[int, ...], _Recording | None]()
        self._words = (ctypes.c_int64 * len(PROGRAM_WORDS.split()))()
        """What native code reads of the program, and what that points to."""
        self._kept: list[ctypes.Array[ctypes.c_int64]] = []
        self._said = (ctypes.c_int64 * 0)()
        self._name = "unknown"

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on arrays of the host."""
        with self._loader.lock:
            held = [self._put(raw, form) for raw, form in zip(raws, self._takes, strict=True)]
            made = self._run(held)
            forms = zip(made, self._gives, strict=True)
            return [storage.fetch(shape, dtype) for storage, (shape, dtype) in forms]

    def run(self, arrays: Sequence[ArrayImpl], name: str) -> list[DeviceStorage]:
        """Runs the program on arrays, and returns the memory of its results; errors that are found
        later name it so.
        """
        with self._loader.lock:
            self._device.note(name)
            self._name = name
            held = [self._hold(x, form) for x, form in zip(arrays, self._takes, strict=True)]
            return self._run(held)

    def _hold(self, array: ArrayImpl, form: Form) -> DeviceStorage:
        """Returns the memory of an array, which from now on has some here."""
        found = array.storage
        if found is None or found.device is not self._device:
            raw = array.raw
            found = self._put(raw, form) if raw.ndim else self._hold_number(raw, form)
            array.hold(found)
        else:
            array.require_data()
        return found

    def _hold_number(self, raw: host.Array, form: Form) -> DeviceStorage:
        """Returns memory that has the bytes of a number: programs are called with the same ones
        again and again, which are other arrays each time.
        """
        key = raw.astype(form[1], copy=False).tobytes()
        found = self._loader.numbers.get(key)
        if found is None:
            found = self._put(raw, form)
            found.is_shared = True
            self._loader.keep_number(key, found)
        return found

    def _put(self, raw: host.Array, form: Form) -> DeviceStorage:
        found = self._new(_nbytes(form))
        self._device.put(found.address, host.np.asarray(raw, form[1]))
        return found

    def _new(self, nbytes: int) -> DeviceStorage:
        origin = None
        if nbytes >= _LARGE:
            origin = next(iter(user_frames.user_frames(1)), None)
        return DeviceStorage(self._device, self._device.allocate(nbytes), nbytes, origin)

    def _run(self, held: Sequence[DeviceStorage]) -> list[DeviceStorage]:
        results = self._results(held)
        self._queue((*[x.address for x in held], *[x.address for x in results]))
        return results

    def _queue(self, key: tuple[int, ...]) -> None:
        """Asks for a run on arguments and results at these addresses."""
        self._place_constants()
        known = self._recordings.get(key)
        if known is not None:
            known.recorded.replay()
        elif self._is_recorded and key in self._recordings:
            self._record(key)
        else:
            self._execute(key, self._arena())
            if self._is_recorded:
                self._keep(key, None)

    def _place_constants(self) -> None:
        if self._constants and not self._placed:
            forms = [(raw.shape, raw.dtype) for raw in self._constants]
            self._placed = [self._put(*pair) for pair in zip(self._constants, forms, strict=True)]

    # Native calls.

    @property
    def device(self) -> DeviceCalls:
        """How native calls run it."""
        with self._loader.lock:
            self._place_constants()
            values = self._native_values()
        for number, name in enumerate(PROGRAM_WORDS.split()):
            if name in values:
                self._words[number] = values[name]
        words, device = ctypes.addressof(self._words), self._device
        return DeviceCalls(
            device.words,
            words,
            self._allot,
            device.bucket,
            self._put_at,
            self._copy_at,
            self._run_at,
            device.fail_launch,
        )

    def _native_values(self) -> dict[str, int]:
        flat = self._code.flat
        count = len(self._takes) + len(self._gives)
        values = {"number": self._device.queued.number(self._name), "arguments": count}
        if flat is None or not flat.words:
            return values
        lists = [x.address for x in self._placed], flat.offsets, flat.words
        self._kept = [(ctypes.c_int64 * len(each))(*each) for each in lists]
        constants, offsets, launches = (ctypes.addressof(each) for each in self._kept)
        return {
            **values,
            "constants": constants,
            "n_constants": len(self._placed),
            "offsets": offsets,
            "n_offsets": len(flat.offsets),
            "slots": count + len(self._placed) + len(flat.offsets),
            "most": flat.most,
            "launches": launches,
            # What is recorded is launched in Python once, to be recorded at the second time.
            "n_launches": 0 if self._is_recorded else len(self._code.steps),
            "arena_bytes": self.arena_bytes,
            "arena_bucket": self._device.bucket(self.arena_bytes),
        }

    def _say_recordings(self) -> None:
        """Has native code know the recordings."""
        found = list(self._recordings.items())
        pairs = [(each.recorded.handle, *key) for key, each in found if each is not None]
        words = [word for pair in pairs for word in pair]
        self._said = (ctypes.c_int64 * len(words))(*words)
        names = PROGRAM_WORDS.split()
        self._words[names.index("recordings")] = ctypes.addressof(self._said)
        self._words[names.index("n_recordings")] = len(pairs)

    def _allot(self, nbytes: int) -> ArrayImpl:
        with self._loader.lock:
            return on_device(self._new(nbytes), _NOTHING)

    def _put_at(self, place: int) -> DeviceStorage:
        """Copies bytes of the host for native code, which says what at a place."""
        source, _, nbytes, is_number = _Moved.from_address(place)
        data = (ctypes.c_uint8 * nbytes).from_address(source)
        raw = host.np.ndarray((nbytes,), host.np.uint8, data)
        form: Form = raw.shape, raw.dtype
        with self._loader.lock:
            return self._hold_number(raw, form) if is_number else self._put(raw, form)

    def _copy_at(self, place: int) -> None:
        """Copies bytes on the device for native code, which says what at a place."""
        source, to, nbytes, _ = _Moved.from_address(place)
        with self._loader.lock:
            self._device.note(self._name)
            self._device.copy(to, source, nbytes)

    def _run_at(self, frame: int) -> None:
        """Runs the program for native code, on the addresses that are there."""
        count = len(self._takes) + len(self._gives)
        with self._loader.lock:
            self._device.note(self._name)
            self._queue(tuple((ctypes.c_uint64 * count).from_address(frame)))

    def _results(self, held: Sequence[DeviceStorage]) -> list[DeviceStorage]:
        """Returns the memory of the results: that of donated arguments where a result takes it."""
        aliases = self._code.plan.aliases
        results: list[DeviceStorage] = []
        for number, nbytes in enumerate(self._sizes):
            source = held[aliases[number]] if number in aliases else None
            is_own = source is not None and not source.is_shared and held.count(source) == 1
            if source is not None and is_own:
                source.forget_fetch()
                results.append(source)
                continue
            results.append(self._new(nbytes))
            if source is not None and source.nbytes:
                self._device.copy(results[-1].address, source.address, source.nbytes)
        return results

    def _arena(self) -> DeviceStorage | None:
        is_needed = self.arena_bytes and not self._device.keeps_buffers_apart
        return self._new(self.arena_bytes) if is_needed else None

    def _execute(self, key: tuple[int, ...], arena: DeviceStorage | None) -> None:
        """Asks for all that a run does; `key` are the addresses of arguments and results."""
        first = 0 if arena is None else arena.address
        constants = [x.address for x in self._placed]
        count = len(self._takes)
        Execution(self._device, constants).run(self._code, key[:count], key[count:], first)

    def _record(self, key: tuple[int, ...]) -> None:
        arena = self._arena()
        recorded = self._device.record(lambda: self._execute(key, arena))
        if recorded is None:
            self._is_recorded = False
            self._execute(key, arena)
            return
        self._keep(key, _Recording(recorded, arena))
        recorded.replay()

    def _keep(self, key: tuple[int, ...], recording: _Recording | None) -> None:
        self._recordings[key] = recording
        self._recordings.move_to_end(key)
        dropped: list[object] = []  # They live until native code does not know them any more.
        while len(self._recordings) > 2 * _RECORDINGS:
            dropped.append(self._recordings.popitem(last=False))
        self._say_recordings()

    def seconds(self, raws: Sequence[Any]) -> float:
        """Measures a run on arrays of the host."""
        begun = time.perf_counter()
        self(raws)
        return time.perf_counter() - begun

    def text(self, form: str) -> str:
        """Returns the text of all kernels in a form: `llvm`, `called` (there is none) or
        `assembly`, which is PTX.
        """
        match form:
            case "llvm":
                return "\n".join(f"; {code.title}\n{code.text}" for code in self.kernels)
            case "called":
                return ""
            case _:
                # Products of a library have no text.
                made = [code.text and nvptx_target.emit_ptx(code.text) for code in self.kernels]
                pairs = zip(self.kernels, made, strict=True)
                return "\n".join(f"// {code.title}\n{ptx}" for code, ptx in pairs)


def _form(aval: ShapedArray) -> Form:
    assert aval.dtype is not None
    return shape_of(aval), host.dtype(aval.dtype)


def _nbytes(form: Form) -> int:
    shape, dtype = form
    return math.prod(shape) * dtype.itemsize

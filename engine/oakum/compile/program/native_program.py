"""Native programs: the linked entry of a program, with its constants, scratch memory, and the
object that calls Python.
"""

from __future__ import annotations

import ctypes
import functools
import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from oakum.compile.elementary import math_calls
from oakum.compile.loops.elements import shape_of
from oakum.compile.native import interruption, jit_link
from oakum.compile.plan.steps import Plan
from oakum.compile.program.driver import ENTRY, Source
from oakum.compile.program.host_calls import HostCalls
from oakum.values import host, interruptible_work
from oakum.values.avals import ShapedArray

_RUN: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_GUARD: Final = ctypes.PYFUNCTYPE(ctypes.c_bool, *[ctypes.c_void_p] * 4)

_LENGTHY: Final = 20_000
"""Calls estimated above this (in ns) release the GIL, which costs a fraction of a microsecond."""

_VERY_LENGTHY: Final = 1_000_000
"""Calls estimated above this (in ns) can be left on Ctrl-C. Preparing that takes a third of a
microsecond; a millisecond is below what a user notices.
"""

Entry = Callable[[Any, Any, Any], object]
"""Runs a program, given the addresses of its table of buffers, its context and its arena."""

Observer = Callable[[Entry, Sequence[Any], Sequence[Any], Callable[[], None]], None]
"""Runs an entry on arguments, into results, and calls `settle` behind it (see `verification`)."""


class NativeProgram:
    """A program of flat arrays in the memory of the host.

    `address` is the entry `void run(ptr buffers, ptr context, ptr arena)`, None where the program
    calls functions of the user's or is watched; `cost_ns` is the estimated time of a call. Results
    that the plan's `aliases` name are written over arguments that are given away: the entry finds
    these in the memory of the results.
    """

    def __init__(
        self,
        plan: Plan,
        source: Source,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
        imports: Mapping[str, int],
        *,
        is_watched: bool,
    ) -> None:
        imports = dict(imports)
        if source.host_steps or is_watched:
            imports[interruption.ASK] = interruption.address(interruption.ASK)
        if not source.bounded:
            imports[interruption.PERSIST] = interruption.address(interruption.PERSIST)
        library = self._library = jit_link.link(source.text, [ENTRY], imports)
        self.source, self.constants = source, constants
        self.arena_bytes, self.cost_ns = plan.arena_bytes, source.cost_ns
        self._aliases = plan.aliases
        self._asked = HostCalls(source.host_steps)
        self.addresses = [id(self._asked.call), *[raw.ctypes.data for raw in constants]]
        self._context = (ctypes.c_void_p * len(self.addresses))(*self.addresses)
        entry: Entry = _RUN(library[ENTRY])
        self.guard = 0
        """The address of what runs the entry, where that may take long; else zero."""
        guard = interruption.GUARD if is_watched else _guard_of(source)
        if guard is not None:
            self.guard = interruption.address(guard)
            entry = functools.partial(_GUARD(self.guard), library[ENTRY])
        self._entry = entry
        self.observer: Observer | None = None
        """Runs the entry where the program is watched."""
        is_callable = not is_watched and self._asked.are_plain
        self.address: int | None = library[ENTRY] if is_callable else None
        given, results = avals
        self._takes = [_form(aval) for aval in given]
        self._gives = [_form(aval) for aval in results]
        self._is_large = any(
            interruptible_work.is_long(math.prod(shape)) for shape, _ in self._takes
        )

    @property
    def code_bytes(self) -> int:
        """The size of the code of the program, with what links it."""
        return self._library.nbytes

    @property
    def origin(self) -> str:
        """Where the code was found, in words."""
        return self._library.origin

    @property
    def is_new(self) -> bool:
        """Whether the code was in no cache."""
        return self.origin == jit_link.MADE

    @property
    def settle(self) -> Callable[[object], None] | None:
        """What raises, behind the entry and on its thread, what host calls have raised; None if
        there are no host calls.
        """
        return self._asked.settle if self.source.host_steps else None

    @property
    def context(self) -> int:
        """The address of the array of addresses that the entry takes: constants and their like."""
        return ctypes.addressof(self._context)

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on the host's arrays."""
        given = self._arguments(raws)
        results = self._results()
        if self.observer is not None:
            self.observer(self._entry, given, results, self._asked.settle)
            return results
        for number, source in self._aliases.items():
            # They have as many bytes: of another shape, or complex numbers where these are real.
            taken = results[number].reshape(-1).view(host.np.uint8)
            taken[...] = given[source].reshape(-1).view(host.np.uint8)
        buffers = _table(given, results)
        arena = _take_arena(self.arena_bytes)
        try:
            self._entry(buffers, ctypes.addressof(self._context), _aligned(arena))
            self._asked.settle()
        except BaseException:
            interruptible_work.keep(given, results, arena)
            raise
        if not _spare and arena.nbytes <= _MOST_SPARE:
            _spare.append(arena)
        return results

    def seconds(self, raws: Sequence[Any]) -> float:
        """Measures one run on the host's arrays, without what prepares it."""
        given, results, arena = (
            self._arguments(raws),
            self._results(),
            _take_arena(self.arena_bytes),
        )
        for result in results:
            result[...] = 0  # The system gives memory when it is first touched.
        buffers, context = _table(given, results), ctypes.addressof(self._context)
        begun = time.perf_counter()
        self._entry(buffers, context, _aligned(arena))
        return time.perf_counter() - begun

    def text(self, form: str) -> str:
        """Returns the text of the program in a form: `llvm`, `called` or `assembly`."""
        source = self.source
        match form:
            case "llvm":
                return source.text
            case "called":
                return "\n".join(math_calls.text_of(each, source.target) for each in source.called)
            case _:
                return jit_link.emit_assembly(source.text)

    def _results(self) -> list[Any]:
        return [host.np.empty(shape, dtype) for shape, dtype in self._gives]

    def _arguments(self, raws: Sequence[Any]) -> list[Any]:
        """Returns the arguments as the code takes them: contiguous and aligned."""
        if self._is_large and any(not raw.flags.c_contiguous for raw in raws):
            return interruptible_work.run(lambda: self._laid_out(raws))
        return self._laid_out(raws)

    def _laid_out(self, raws: Sequence[Any]) -> list[Any]:
        given: list[Any] = []
        for raw, (shape, dtype) in zip(raws, self._takes, strict=True):
            array = host.np.ascontiguousarray(raw, dtype)
            given.append(array if array.flags.aligned else array.copy())
            assert array.shape == shape or not shape
        return given


def _table(given: Sequence[Any], results: Sequence[Any]) -> Any:
    """Returns the table of the addresses of arguments and results."""
    addresses = [x.ctypes.data for x in given] + [x.ctypes.data for x in results]
    return (ctypes.c_void_p * max(len(addresses), 1))(*addresses)


_spare: Final[list[Any]] = []
"""The arena that no call uses now, kept for the next call of any program."""

_MOST_SPARE: Final = 1 << 26
"""Larger arenas (in bytes) go back to the system after a call. Keeping one saves page faults, 0.1
ms per MiB as measured, but holds its memory for good.
"""


def _take_arena(size: int) -> Any:
    """Returns scratch memory of a size in bytes, aligned as `_aligned` finds it."""
    try:
        found = _spare.pop()
    except IndexError:  # it is in use, or there is none yet
        found = None
    if found is None or found.nbytes < size + 64:
        found = host.np.empty(size + 64, host.np.uint8)
    return found


def _guard_of(source: Source) -> str | None:
    """Returns the function that runs a program; None if the program is so short that it is called
    directly.
    """
    # The host lets other threads run, too, which must not free the operands.
    may_take_longer = bool(source.host_steps) or not source.bounded
    if source.cost_ns > (_LENGTHY if may_take_longer else _VERY_LENGTHY):
        return interruption.GUARD
    if may_take_longer:
        return interruption.LIGHT_GUARD
    return interruption.APART if source.cost_ns > _LENGTHY else None


def _form(aval: ShapedArray) -> tuple[tuple[int, ...], Any]:
    assert aval.dtype is not None
    return shape_of(aval), host.dtype(aval.dtype)


def _aligned(arena: host.Array) -> int:
    address: int = arena.ctypes.data
    return -(-address // 64) * 64

"""Executables: programs that were compiled, ready to be called.

What cannot be compiled is evaluated by interpretation, with one warning; a result is never wrong
for it, only slower.
"""

from __future__ import annotations

import ctypes
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum import codes, config, host, journal
from oakum.avals import ShapedArray
from oakum.compile import cache, functions, memory, native, target, threads
from oakum.compile.driver import ENTRY, DriverWriter, Source
from oakum.compile.elements import shape_of
from oakum.compile.host_calls import HostCalls
from oakum.compile.plan import Planner, Shared
from oakum.compile.preparation import prepare
from oakum.compile.steps import Plan
from oakum.deferred import Namespace
from oakum.errors import CompilationWarning
from oakum.ir import DONATED, ClosedJaxpr, run_apart

if TYPE_CHECKING:
    from oakum.compile import dumps
else:
    dumps = Namespace("oakum.compile.dumps")

_RUN: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Executable:
    """A program of flat arrays, compiled.

    `address` is the entry `void run(ptr buffers, ptr context, ptr arena)`, None where the program
    is interpreted or calls functions of the user's; `arena_bytes` is the scratch memory that a call
    needs, `cost_ns` the estimated time of one. Results that `aliases` names are written over
    arguments that are given away: the entry finds these in the memory of the results.
    """

    def __init__(self, closed: ClosedJaxpr) -> None:
        self.in_avals: tuple[ShapedArray, ...] = tuple(closed.in_avals)
        self.out_avals: tuple[ShapedArray, ...] = tuple(closed.out_avals)
        self.closed = closed
        self.refusal = ""
        """Why the program is interpreted; nothing where it is not."""
        self.arena_bytes = 0
        self.aliases: Mapping[int, int] = {}
        self.cost_ns = 0.0
        self.address: int | None = None
        self.source: Source | None = None
        self.plan: Plan | None = None
        self._entry: Callable[[Any, Any, Any], None] | None = None
        self._library: native.Library | None = None
        try:
            self._compile()
        except Exception as error:
            self.refusal = f"{type(error).__name__}: {error}"
            warnings.warn(
                f"The program {closed.jaxpr.name} is interpreted{journal.place()}, as it could not "
                f"be compiled: {self.refusal}. Its results are the same, but slower "
                f"({codes.UNCOMPILED_PROGRAM})",
                CompilationWarning,
                stacklevel=2,
            )

    def _compile(self) -> None:
        machine = target.host()
        shared = Shared()
        plan = Planner(prepare(self.closed), shared).plan()
        memory.finish(plan, memory.aliases_of(plan, self.closed.cache.get(DONATED, ())))
        source = DriverWriter(machine).write(plan)
        imports = functions.addresses(source.called, machine)
        if source.parallel:
            imports[native.PARALLEL] = threads.address()
        library = self._library = native.link(source.text, [ENTRY], imports)
        self.source, self.plan = source, plan
        self.arena_bytes, self.cost_ns = plan.arena_bytes, source.cost_ns
        self.aliases = plan.aliases
        raws = self._constants = shared.raws
        self._asked = HostCalls(source.host_steps)
        addresses = [self._asked.address, *[raw.ctypes.data for raw in raws]]
        self._context = (ctypes.c_void_p * len(addresses))(*addresses)
        self._entry = _RUN(library[ENTRY])
        self._takes = [_form(aval) for aval in self.in_avals]
        self._gives = [_form(aval) for aval in self.out_avals]
        if self._asked.are_plain:
            self.address = library[ENTRY]

    @property
    def code_bytes(self) -> int:
        """The size of the code of the program, with what links it."""
        return 0 if self._library is None else self._library.nbytes

    @property
    def settle(self) -> Callable[[object], None] | None:
        """What has to be called after the entry, by the thread that called that, as it raises what
        the host raised; None where the host is not asked for anything.
        """
        if self.source is None or not self.source.host_steps:
            return None
        return self._asked.settle

    @property
    def context(self) -> int:
        """The address of the array of addresses that the entry takes: constants and their like."""
        return ctypes.addressof(self._context)

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on the host's arrays."""
        if self._entry is None:
            return run_apart(host.np, self.closed, raws)
        np = host.np
        given: list[Any] = []
        for raw, (shape, dtype) in zip(raws, self._takes, strict=True):
            array = np.ascontiguousarray(raw, dtype)
            given.append(array if array.flags.aligned else array.copy())
            assert array.shape == shape or not shape
        results = [np.empty(shape, dtype) for shape, dtype in self._gives]
        for number, source in self.aliases.items():
            # They have as many elements, in the same order, but need not be of one shape.
            results[number].reshape(-1)[...] = given[source].reshape(-1)
        addresses = [x.ctypes.data for x in given] + [x.ctypes.data for x in results]
        buffers = (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
        arena = _take_arena(self.arena_bytes)
        self._entry(buffers, ctypes.addressof(self._context), _aligned(arena))
        if not _spare and arena.nbytes <= _MOST_SPARE:
            _spare.append(arena)
        self._asked.settle()
        return results

    def note(self, seconds: float) -> None:
        """Says that the program was compiled in this time."""
        outcome = f"it is interpreted, {self.refusal}"
        if self.plan is not None and self._library is not None:
            steps, library = len(self.plan.steps), self._library
            ending = "" if steps == 1 else "s"
            outcome = f"{steps} step{ending}, {library.nbytes} bytes of code {library.origin}"
        journal.note_compilation(self.closed.jaxpr.name, seconds, outcome)

    def explain(self) -> None:
        """Says that the code of the program was not in the cache, where that is so."""
        if self._library is not None and self._library.origin == native.MADE:
            journal.note_absence(self.closed.jaxpr.name, cache.place())


_spare: Final[list[Any]] = []
"""Scratch memory that no call uses now, for the next one of any program."""

_MOST_SPARE: Final = 1 << 26
"""More bytes than this are given back to the system."""


def _take_arena(size: int) -> Any:
    """Scratch memory of a size in bytes, aligned as `_aligned` finds it."""
    try:
        found = _spare.pop()
    except IndexError:  # it is in use, or there is none yet
        found = None
    if found is None or found.nbytes < size + 64:
        found = host.np.empty(size + 64, host.np.uint8)
    return found


def _form(aval: ShapedArray) -> tuple[tuple[int, ...], Any]:
    assert aval.dtype is not None
    return shape_of(aval), host.dtype(aval.dtype)


def _aligned(arena: Any) -> int:
    address: int = arena.ctypes.data
    return -(-address // 64) * 64


def of(closed: ClosedJaxpr) -> Executable:
    """The executable of a program, made when it is first asked for."""
    found = closed.cache.get("executable")
    if found is None:
        begun = time.perf_counter()
        found = closed.cache["executable"] = Executable(closed)
        if config.log_compiles.value:
            found.note(time.perf_counter() - begun)
        if config.explain_cache_misses.value:
            found.explain()
        if directory := config.dump_to.value:
            dumps.write(found, directory)
    return found

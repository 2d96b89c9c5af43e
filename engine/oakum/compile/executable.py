"""Executables: programs that were compiled, ready to be called.

What cannot be compiled is evaluated by interpretation, with one warning; a result is never wrong
for it, only slower.
"""

from __future__ import annotations

import ctypes
import functools
import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum import config
from oakum.compile.elementary import math_calls
from oakum.compile.loops.elements import shape_of
from oakum.compile.native import interruption, jit_link, object_cache, target, threads
from oakum.compile.plan import buffer_assignment
from oakum.compile.plan.pipeline import prepare
from oakum.compile.plan.planner import Planner, Shared
from oakum.compile.plan.steps import Plan
from oakum.compile.program.driver import ENTRY, DriverWriter, Source
from oakum.compile.program.host_calls import HostCalls
from oakum.errors import CompilationWarning
from oakum.tracing import compile_logging
from oakum.tracing.ir import DONATED, ClosedJaxpr, run_apart
from oakum.values import codes, host, interruptible_work
from oakum.values.avals import ShapedArray
from oakum.values.lazy_modules import Namespace

if TYPE_CHECKING:
    from oakum.compile import dumps, plan_verify
    from oakum.compile.verification import running
else:
    dumps = Namespace("oakum.compile.dumps")
    plan_verify = Namespace("oakum.compile.plan_verify")
    running = Namespace("oakum.compile.verification.running")

_RUN: Final = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_GUARD: Final = ctypes.PYFUNCTYPE(ctypes.c_bool, *[ctypes.c_void_p] * 4)

_LENGTHY: Final = 20_000
"""Calls of more nanoseconds than this let other threads run."""

_VERY_LENGTHY: Final = 1_000_000
"""Calls of more are left on Ctrl-C: to have that prepared takes a third of a microsecond."""


class Executable:
    """A program of flat arrays, compiled.

    `address` is the entry `void run(ptr buffers, ptr context, ptr arena)`, None where the program
    is interpreted or calls functions of the user's; `arena_bytes` is the scratch memory that a call
    needs, `cost_ns` the estimated time of one. Results that `aliases` names are written over
    arguments that are given away: the entry finds these in the memory of the results.

    Where the option `oakum_verify` is set when it is made, each of its runs is compared with the
    evaluation, and it has no address: native calls would pass that by.
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
        self.guard = 0
        """The address of what runs the entry, where that may take long; else zero."""
        self.source: Source | None = None
        self.plan: Plan | None = None
        self._entry: Callable[[Any, Any, Any], object] | None = None
        self._library: jit_link.Library | None = None
        self._verification: running.Verification | None = None
        try:
            self._compile()
        except Exception as error:
            self.refusal = f"{type(error).__name__}: {error}"
            warnings.warn(
                f"The program {closed.jaxpr.name} is interpreted{compile_logging.place()}, as "
                f"it could not be compiled: {self.refusal}. Its results are the same, but slower "
                f"({codes.UNCOMPILED_PROGRAM})",
                CompilationWarning,
                stacklevel=2,
            )

    def _compile(self) -> None:
        machine = target.host()
        is_verified = config.verify.value
        shared = Shared(keeps_histories=is_verified)
        plan = Planner(prepare(self.closed), shared).plan()
        aliases = buffer_assignment.aliases_of(plan, self.closed.cache.get(DONATED, ()))
        finish = plan_verify.finished if config.enable_checks.value else buffer_assignment.finish
        finish(plan, aliases)
        watcher = 1 + len(shared.raws) if is_verified else None
        source = DriverWriter(machine, watcher).write(plan)
        imports = math_calls.addresses(source.called, machine)
        if source.parallel:
            imports[jit_link.PARALLEL] = threads.address()
        if source.host_steps or is_verified:
            imports[interruption.ASK] = interruption.address(interruption.ASK)
        if not source.bounded:
            imports[interruption.PERSIST] = interruption.address(interruption.PERSIST)
        library = self._library = jit_link.link(source.text, [ENTRY], imports)
        self.source, self.plan = source, plan
        self.arena_bytes, self.cost_ns = plan.arena_bytes, source.cost_ns
        self.aliases = plan.aliases
        raws = self._constants = shared.raws
        self._asked = HostCalls(source.host_steps)
        addresses = [id(self._asked.call), *[raw.ctypes.data for raw in raws]]
        self._context = (ctypes.c_void_p * len(addresses))(*addresses)
        entry: Callable[[Any, Any, Any], object] = _RUN(library[ENTRY])
        guard = interruption.GUARD if is_verified else _guard_of(source)
        if guard is not None:
            self.guard = interruption.address(guard)
            entry = functools.partial(_GUARD(self.guard), library[ENTRY])
        self._entry = entry
        self._takes = [_form(aval) for aval in self.in_avals]
        self._gives = [_form(aval) for aval in self.out_avals]
        self._is_large = any(
            interruptible_work.is_long(math.prod(shape)) for shape, _ in self._takes
        )
        if is_verified:
            name = self.closed.jaxpr.name
            self._verification = running.Verification(name, source.watched, addresses, raws)
        elif self._asked.are_plain:
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
        if self._is_large and any(not raw.flags.c_contiguous for raw in raws):
            given = interruptible_work.run(lambda: self._laid_out(raws))
        else:
            given = self._laid_out(raws)
        results = [np.empty(shape, dtype) for shape, dtype in self._gives]
        if self._verification is not None:
            self._verification.run(self._entry, given, results, self._asked.settle)
            return results
        for number, source in self.aliases.items():
            # They have as many bytes: of another shape, or complex numbers where these are real.
            taken = results[number].reshape(-1).view(np.uint8)
            taken[...] = given[source].reshape(-1).view(np.uint8)
        addresses = [x.ctypes.data for x in given] + [x.ctypes.data for x in results]
        buffers = (ctypes.c_void_p * max(len(addresses), 1))(*addresses)
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

    def _laid_out(self, raws: Sequence[Any]) -> list[Any]:
        """The arguments as the code takes them."""
        given: list[Any] = []
        for raw, (shape, dtype) in zip(raws, self._takes, strict=True):
            array = host.np.ascontiguousarray(raw, dtype)
            given.append(array if array.flags.aligned else array.copy())
            assert array.shape == shape or not shape
        return given

    def note(self, seconds: float) -> None:
        """Says that the program was compiled in this time."""
        outcome = f"it is interpreted, {self.refusal}"
        if self.plan is not None and self._library is not None:
            steps, library = len(self.plan.steps), self._library
            ending = "" if steps == 1 else "s"
            outcome = f"{steps} step{ending}, {library.nbytes} bytes of code {library.origin}"
        compile_logging.note_compilation(self.closed.jaxpr.name, seconds, outcome)

    def explain(self) -> None:
        """Says that the code of the program was not in the cache, where that is so."""
        if self._library is not None and self._library.origin == jit_link.MADE:
            compile_logging.note_absence(self.closed.jaxpr.name, object_cache.place())


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


def _guard_of(source: Source) -> str | None:
    """What runs a program; None where it is so short that it is called at once."""
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


def _aligned(arena: Any) -> int:
    address: int = arena.ctypes.data
    return -(-address // 64) * 64


def of(closed: ClosedJaxpr) -> Executable:
    """The executable of a program, made when it is first asked for."""
    kind = "verified executable" if config.verify.value else "executable"
    found = closed.cache.get(kind)
    if found is None:
        begun = time.perf_counter()
        found = closed.cache[kind] = Executable(closed)
        if config.log_compiles.value:
            found.note(time.perf_counter() - begun)
        if config.explain_cache_misses.value:
            found.explain()
        if directory := config.dump_to.value:
            dumps.write(found, directory)
    return found

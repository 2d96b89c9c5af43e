"""Native programs: the linked entry of a program, with its constants, scratch memory, and the
object that calls Python.

An exception that a host call raises is kept for its thread, and raised when native code returns.
On the main thread that code is left at once (see `interruption`); on other threads it runs to its
end, without further host calls.
"""

from __future__ import annotations

import ctypes
import functools
import math
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from oakum.compile import elementary
from oakum.compile.loops.elements import shape_of
from oakum.compile.native import interruption, jit_link
from oakum.compile.plan.steps import HostStep, Plan
from oakum.compile.program.driver import ENTRY, Source
from oakum.runtime import evaluation
from oakum.tracing.ir import ClosedJaxpr, Literal
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

Watcher = Callable[[int, int], bool]
"""Takes the number of an event (see `driver.event_of`) and the address of a table of addresses;
returns whether the run is to be left.
"""


class NativeProgram:
    """A program of flat arrays in the memory of the host.

    `address` is the entry `void run(ptr buffers, ptr context, ptr arena)`, None where the program
    calls functions of the user's or is watched; `cost_ns` is the estimated time of a call. Results
    that the plan's `aliases` name are written over arguments that are given away: the entry finds
    these in the memory of the results.
    """

    run: None = None
    device: None = None

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
        self._watcher: Watcher | None = None
        self.observer: Observer | None = None
        """Runs the entry where the program is watched."""
        is_callable = not is_watched and self._asked.are_plain
        self.address: int | None = library[ENTRY] if is_callable else None
        given, results = avals
        self._takes = [_form(aval) for aval in given]
        self._gives = [_form(aval) for aval in results]
        self._is_large = any(evaluation.is_long(math.prod(shape)) for shape, _ in self._takes)

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

    def watch_by(self, watcher: Watcher) -> None:
        """Has a watched program call something when it begins and behind each step."""
        self._watcher = watcher
        addresses = [*self.addresses, id(watcher)]
        self._context = (ctypes.c_void_p * len(addresses))(*addresses)

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
                return "\n".join(elementary.text_of(each, source.target) for each in source.called)
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


Reader = Callable[[int], Any]
"""Returns the array at an address."""


class HostCalls:
    """The host steps of a program. Native code has `call` called with the number of a step and the
    address of a table of the addresses of its operands and results.
    """

    def __init__(self, steps: Sequence[HostStep]) -> None:
        self._errors: dict[int, BaseException] = {}
        self._calls = [_prepare(step) for step in steps]
        self.are_plain = all(is_plain(step) and not _is_long(step) for step in steps)
        """Whether no step runs code of the user, which could see that Python did not call, or runs
        in the background, where Python keeps the memory.
        """
        self.call = self._call
        """The object that native code calls. It is stored because each access to a method makes a
        new one.
        """

    def _call(self, number: int, table: int) -> bool:
        """Carries out a step; returns whether it raised."""
        if self._errors and threading.get_ident() in self._errors:
            return True
        try:
            with host.np.errstate(all="ignore"):
                self._calls[number](table)
        except BaseException as error:
            self._errors[threading.get_ident()] = error
            return True
        return False

    def settle(self, _unused: object = None) -> None:
        """Raises what host calls of this thread have raised."""
        if self._errors:
            error = self._errors.pop(threading.get_ident(), None)
            if error is not None:
                raise error


_CALLING_BACK: Final = ("pure_callback", "io_callback", "debug_callback")


def is_plain(step: HostStep) -> bool:
    """Returns whether an equation is computed by the host's library alone."""
    params = step.eqn.params.values()
    return (
        not step.eqn.effects
        and step.eqn.primitive.name not in _CALLING_BACK
        and not any(isinstance(each, ClosedJaxpr) for each in params)
    )


def _is_long(step: HostStep) -> bool:
    """Returns whether a step runs in the background, where its memory outlives a call that is given
    up.
    """
    avals = [*(atom.aval for atom in step.eqn.inputs), *step.out_avals]
    elements = sum(math.prod(shape_of(aval)) for aval in avals)
    return is_plain(step) and evaluation.is_long(elements, step.eqn.primitive.name)


def _prepare(step: HostStep) -> Callable[[int], None]:
    """Returns a function that evaluates a step's equation on a table of addresses."""
    given = [x for x in (*step.inputs, *step.outputs) if not isinstance(x, Literal)]
    table_type = ctypes.c_void_p * len(given)
    keeps, is_long = not is_plain(step), _is_long(step)
    operands = [
        x if isinstance(x, Literal) else _reader(atom.aval)
        for atom, x in zip(step.eqn.inputs, step.inputs, strict=True)
    ]
    readers = [_reader(aval) for aval in step.out_avals]
    primitive, params, np = step.eqn.primitive, step.eqn.params, host.np

    def call_aside(table: int) -> None:
        # Read now: the table is gone when what is done in the background has been given up.
        addresses = [each or 0 for each in table_type.from_address(table)]
        interruptible_work.run(lambda: carry_out(iter(addresses)))

    def call(table: int) -> None:
        carry_out(iter(table_type.from_address(table)))

    def carry_out(addresses: Iterator[int]) -> None:
        arguments: list[Any] = []
        for operand in operands:
            if isinstance(operand, Literal):
                arguments.append(operand.raw)
                continue
            argument = operand(next(addresses))
            # A copy: a callback may keep what it is given, and this memory serves other calls.
            arguments.append(argument.copy() if keeps else argument)
        results = primitive.evaluate(np, *arguments, **params)
        if not primitive.multiple_results:
            results = (results,)
        for result, reader in zip(results, readers, strict=True):
            reader(next(addresses))[...] = result

    return call_aside if is_long else call


def _reader(aval: ShapedArray) -> Reader:
    assert aval.dtype is not None
    shape, dtype, array = shape_of(aval), host.dtype(aval.dtype), host.np.ndarray
    size = dtype.itemsize * math.prod(shape)
    if not size:
        return lambda address: array(shape, dtype)
    memory = ctypes.c_char * size
    return lambda address: array(shape, dtype, memory.from_address(address))

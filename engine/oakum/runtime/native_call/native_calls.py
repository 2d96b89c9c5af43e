"""Native calls: compiled functions that are called without a line of Python.

An object that can be called so has, behind the fields that Python gives it, the address of native
code and a list of specifications. Python adds a specification after a call that native code could
have made; from then on such calls are made natively, and all else reaches Python as before.

Where this Python or NumPy is not what native code expects, or `OAKUM_NATIVE_CALLS=0` stands in the
environment, no specification is added, and everything is done in Python.

Invariants:
- Nothing is compiled, and neither ctypes nor llvmlite loaded, before a function is made that can be
  called natively; the compiler not before the first specification.
- What fails on the way is no error of the user's: calls stay in Python.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

from oakum import config
from oakum.runtime import result_checks
from oakum.runtime.arrays import ArrayImpl, default_sharding
from oakum.tracing import compile_logging
from oakum.values import host, lazy_modules, trace_context
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.pytrees.treedef import PyTreeDef
    from oakum.runtime.native_call.native_code import Runtime
    from oakum.tracing.ir import ClosedJaxpr

MOST: Final = 64
"""More specifications than this of one function are not kept."""

T = TypeVar("T")


def are_wanted() -> bool:
    """Returns whether the environment leaves native calls on."""
    return os.environ.get("OAKUM_NATIVE_CALLS", "1").lower() not in ("0", "false", "off")


@functools.cache
def type_of(base: type[T]) -> type[T]:
    """Returns the class whose objects are called natively, derived from a class that has
    `__call__`; the class itself where that cannot be.
    """
    if not are_wanted():
        return base
    try:
        from oakum.runtime.native_call import types

        return types.callable_type(base)
    except Exception as error:
        message = "calls of %s are made in Python: %s"
        compile_logging.logger("oakum.native").info(message, base.__name__, error)
        return base


_started: Final[list[Any]] = []
"""The native code, or None where it cannot be used; nothing before it was asked for."""

_starting: Final = threading.Lock()

changing: Final = threading.RLock()
"""Held where the native calls of a function are changed."""


# The child of a fork could never import what another thread was importing, as it started.
lazy_modules.hold_over_forks(_starting, 0)
lazy_modules.hold_over_forks(changing, 1)


def runtime() -> Runtime | None:
    """Returns the native code of calls; None where this Python is not what it expects."""
    if not _started:
        with _starting:
            if not _started:
                _started.append(_start())
    return _started[0]


def are_started() -> bool:
    """Returns whether native code of calls is there, or was found not to be usable."""
    return bool(_started)


def _start() -> Runtime | None:
    if not are_wanted():
        return None
    try:
        from oakum.runtime.native_call import native_code

        return native_code.start()
    except Exception as error:
        compile_logging.logger("oakum.native").info("calls are made in Python: %s", error)
        return None


def are_possible() -> bool:
    """Returns whether a call that is made here and now could be made natively."""
    return (
        trace_context.CURRENT.get().evaluates
        and config.compile_programs.value
        and not config.disable_jit.value
        and not config.debug_key_reuse.value
        and not result_checks.are_on()
        and config.transfer_guard_host_to_device.value in (None, "allow")
        and default_sharding() is None
    )


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a call: how its arguments are given, and the trees that they are."""

    positional: int
    """The number of positional arguments, static ones too."""
    names: tuple[str, ...]
    """The keywords in the order of the call, static ones too."""
    static: Mapping[int | str, Any]
    """The static arguments, by position or name."""
    treedef: PyTreeDef
    """The structure of the other arguments: `(args, kwargs)`."""
    out_tree: PyTreeDef
    donated: tuple[bool, ...] = ()
    """Which leaves are given away; none where this is empty."""


class Added:
    """The calls of one function that are made natively, or that were found not to be."""

    __slots__ = ("_generation", "known")

    def __init__(self) -> None:
        self._generation = -1
        self.known: dict[Any, bool | None] = {}
        """The programs, keywords and situations of calls, and whether they are made natively;
        None while that is not decided.
        """

    def add(
        self,
        function: object,
        closed: ClosedJaxpr,
        names: tuple[str, ...],
        form: Callable[[], Form],
        generation: int,
        *,
        is_repeated: bool = False,
    ) -> bool:
        """Has calls like the one that was made just now made natively; returns whether they are.

        `function` is an object of a class that `type_of` gave, `names` are the keywords in their
        order. The call was begun in `generation`; another thread may have begun a new one since.
        `is_repeated` says that such calls were made before.
        """
        with changing:
            if generation != trace_context.generation:
                return False
            if self._generation != generation:
                self._generation = generation
                self.known.clear()
                remove_all(function)
        situation = trace_context.CURRENT.get()
        key = (closed, names, situation)
        known = self.known.get(key)
        if known is not None:
            return known
        if not are_possible() or not hasattr(function, "native_first"):
            return False
        if len(self.known) >= 4 * MOST:
            self.known.clear()
        if not _started and not is_repeated and key not in self.known:
            self.known[key] = None  # Programs that call a function once need no native calls.
            return False
        from oakum.compile import executable
        from oakum.runtime.native_call import specs

        self.known[key] = False
        runnable = executable.of(closed)
        native = runtime() if runnable.address or runnable.device else None
        if native is None or len(closed.in_avals) > specs.MOST_LEAVES:
            return False
        made = form()
        trace_context.CURRENT.set(situation)  # A variable that is set in a context is found faster.
        specification = specs.Specification(made, runnable, situation, generation)
        native.link(function, specification, MOST)
        self.known[key] = True
        return True


def remove_all(function: object) -> None:
    """Has all calls of a function made in Python."""
    if getattr(function, "native_kept", None):
        _started[0].unlink_all(function)


def take_calls(kind: type) -> None:
    """Has objects of a class of public functions called natively, where they can be."""
    native = runtime()
    if native is not None:
        native.call_natively(kind)


def are_ready(tree: object) -> bool:
    """Returns whether a tree has plain containers and arrays with data only, as far as this is
    known.
    """
    native = _started[0] if _started else None
    return native is not None and native.all_ready(tree)


def settle(values: Iterable[Any]) -> None:
    """Has arrays lie as native code reads them: row by row, aligned, of the dtype itself."""
    for value in values:
        if type(value) is not ArrayImpl or value.is_native or value.is_cleared:
            continue
        if value.storage is not None:
            continue  # A device reads them, and it wrote them.
        assert value.aval.dtype is not None
        raw, dtype = value.raw, host.dtype(value.aval.dtype)
        lies = type(raw) is host.np.ndarray and raw.flags.c_contiguous and raw.flags.aligned
        if not lies or raw.dtype is not dtype:
            value.replace_raw(host.np.array(raw, dtype, order="C"))

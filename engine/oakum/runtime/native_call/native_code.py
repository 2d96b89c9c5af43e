"""The native code of calls, compiled and linked, and what Python does with it."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

from oakum.compile.native import jit_link, target
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.device_storage import DeviceStorage
from oakum.runtime.native_call import (
    arrays,
    blocks,
    device_memory,
    device_runs,
    dispatch,
    hot_functions,
    inputs,
    launch,
    layout,
    leaves,
    llvm_text,
    native_calls,
    orders,
    probe,
    results,
    slots,
    types,
    waiting,
)
from oakum.runtime.native_call.specs import Specification
from oakum.runtime.topology.shardings import on_first_device
from oakum.values import host, trace_context
from oakum.values.avals import ShapedArray

_EXPORTS: Final = (
    "oakum_all_ready",
    "oakum_array_dealloc",
    "oakum_block_buffer",
    "oakum_block_dealloc",
    "oakum_call",
    "oakum_call_public",
    "oakum_generation",
    "oakum_known",
    "oakum_link",
    "oakum_pool",
    "oakum_probe",
    "oakum_trim",
    "oakum_unlink",
    "oakum_wait",
)

_FIELDS: Final = {
    "entry": "__vectorcalloffset__",
    "first": "native_first",
    "slow": "native_slow",
    "kept": "native_kept",
}


_linked: Final[list[Any]] = []
"""Code that objects may run as long as the process lives, whatever becomes of its `Runtime`."""


def _wait(array: ArrayImpl) -> ArrayImpl:
    """What `block_until_ready` does with an array that was deleted, where it raises, or that a
    device has.
    """
    array.wait()
    return array


class Runtime:
    """The functions and variables of native code.

    Invariants:
    - What it is made of lives as long as the process.
    """

    def __init__(self, fields: dict[str, int]) -> None:
        names = layout.find()
        advises = sys.platform == "linux"
        names.update(
            arrays.names(ArrayImpl),
            **blocks.names(names["HEADER"]),
            **blocks.POOL.offsets(),
            **inputs.names(),
            **results.names(),
            **device_memory.names(),
            **device_runs.names(),
            **dispatch.names(fields),
        )
        parts = (
            llvm_text.DECLARATIONS,
            blocks.text(advises),
            orders.TEXT,
            inputs.TEXT,
            leaves.TEXT,
            arrays.text(ArrayImpl),
            results.TEXT,
            device_memory.TEXT,
            device_runs.TEXT,
            launch.TEXT,
            dispatch.TEXT,
            waiting.TEXT,
            probe.TEXT,
        )
        text = target.header() + llvm_text.expand("\n".join(parts), names)
        self.fields = fields
        self.names = names
        self.library = jit_link.link(text, _EXPORTS, _imports(advises))
        _linked.append(self.library)
        self._generation = self._word("oakum_generation")
        self._pool = (ctypes.c_int64 * 2).from_address(self.library["oakum_pool"])
        self._pool[1] = blocks.cap()
        self.block, _ = types.make(
            "oakum.runtime.Block",
            object,
            [(f"_{name}", types.NUMBER) for name in blocks.FIELDS],
            flags=types.NOT_MADE,
            slots={
                types.DEALLOC: self.library["oakum_block_dealloc"],
                types.GET_BUFFER: self.library["oakum_block_buffer"],
            },
        )
        self._known = self._fill_known()
        self.all_ready = waiting.function("all_ready", self.library["oakum_all_ready"])
        self.trim = ctypes.PYFUNCTYPE(None)(self.library["oakum_trim"])
        number = ctypes.c_size_t
        self._link = ctypes.PYFUNCTYPE(number, number, number, number)(self.library["oakum_link"])
        self._unlink = ctypes.PYFUNCTYPE(None, number)(self.library["oakum_unlink"])
        trace_context.follow(self._follow)

    def _word(self, name: str) -> Any:
        return ctypes.c_int64.from_address(self.library[name])

    def _fill_known(self) -> list[Any]:
        known: dict[str, Any] = {
            "array": ArrayImpl,
            "host_array": host.np.ndarray,
            "storage": DeviceStorage,
            "aval": ShapedArray,
            "none": None,
            "true": True,
            "false": False,
            "float": float,
            "int": int,
            "bool": bool,
            "complex": complex,
            "tuple": tuple,
            "list": list,
            "dict": dict,
            "wait": _wait,
            "block": self.block,
            "situation": trace_context.CURRENT,
            "first_device": on_first_device(),
            "counted": native_calls.type_of(hot_functions.Counted),
        }
        *names, last = llvm_text.KNOWN
        assert last == "python_call"
        objects = [known[name] for name in names]
        words = (ctypes.c_int64 * len(llvm_text.KNOWN)).from_address(self.library["oakum_known"])
        words[:] = [*map(id, objects), slots.python_call()]
        return objects

    def _note_first_device(self) -> None:
        """Has native code know the first device: there are new ones after `clear_backends`."""
        place, at = on_first_device(), llvm_text.KNOWN.index("first_device")
        if self._known[at] is not place:
            self._known[at] = place
            ctypes.c_int64.from_address(self.library["oakum_known"] + 8 * at).value = id(place)

    def _follow(self, generation: int) -> None:
        self._generation.value = generation

    @property
    def pool_bytes(self) -> int:
        """The bytes that the pool holds now."""
        return self._pool[0]

    def _field(self, function: object, name: str) -> Any:
        return ctypes.c_int64.from_address(id(function) + self.fields[name])

    def _first(self, function: object) -> int:
        return id(function) + self.fields["first"]

    def link(self, function: Any, made: Specification, most: int) -> None:
        """Adds a specification to those of a function; the one used least gives way."""
        kind: Any = function.__class__
        if any(kind.native_offsets[_FIELDS[name]] != at for name, at in self.fields.items()):
            return
        with native_calls.changing:
            self._note_first_device()
            kept: dict[int, Specification] = getattr(function, "native_kept", None) or {}
            kept[made.address] = made
            function.native_slow = kind.missed
            dropped = kept.get(self._link(self._first(function), made.address, most))
            # Again, in case that it was taken away by what the garbage collector ran just now.
            function.native_kept = kept
            self._field(function, "entry").value = self.library["oakum_call"]
            if dropped is not None:
                del kept[dropped.address]

    def call_natively(self, kind: type) -> None:
        """Has public functions of a class hand their calls on without Python."""
        slots.take_call(kind, self.library["oakum_call_public"])

    def unlink_all(self, function: Any) -> None:
        """Takes all specifications from a function."""
        with native_calls.changing:
            self._unlink(self._first(function))
            function.native_kept = None


def _imports(advises: bool) -> dict[str, int]:
    """Returns the addresses of Python's functions; some linkers do not find them by themselves."""
    found = {name: _address(getattr(ctypes.pythonapi, name)) for name in llvm_text.IMPORTS}
    if advises:
        found["madvise"] = _address(ctypes.CDLL(None).madvise)
    return found


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


def start() -> Runtime:
    """Compiles the native code and tries it; raises where something is not as expected."""
    made = probe.callable_type()
    offsets = {name: made.native_offsets[field] for name, field in _FIELDS.items()}
    found = Runtime(offsets)
    probe.check(found)
    slots.take_dealloc(ArrayImpl, found.library["oakum_array_dealloc"])
    probe.check(found)
    name = "block_until_ready"
    method: Any = waiting.method(ArrayImpl, name, found.library["oakum_wait"])
    setattr(ArrayImpl, name, method)
    return found

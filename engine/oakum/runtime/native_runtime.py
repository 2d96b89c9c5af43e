"""The native code of calls, compiled and linked, and what Python does with it."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Final

from oakum import host, situations
from oakum.avals import ShapedArray
from oakum.compile import native, target
from oakum.runtime import (
    native_arrays,
    native_blocks,
    native_calls,
    native_counting,
    native_inputs,
    native_launch,
    native_layout,
    native_leaves,
    native_orders,
    native_probe,
    native_results,
    native_slots,
    native_stub,
    native_text,
    native_types,
    native_waiting,
)
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.native_specs import Specification
from oakum.shardings import on_first_device

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
    """What `block_until_ready` does with an array that was deleted: it raises."""
    array.require_data()
    return array


class Runtime:
    """The functions and variables of native code.

    Invariants:
    - What it is made of lives as long as the process.
    """

    def __init__(self, fields: dict[str, int]) -> None:
        names = native_layout.find()
        advises = sys.platform == "linux"
        names.update(
            native_arrays.names(ArrayImpl),
            **native_blocks.names(names["HEADER"]),
            **native_blocks.POOL.offsets(),
            **native_inputs.names(),
            **native_results.names(),
            **native_stub.names(fields),
        )
        parts = (
            native_text.DECLARATIONS,
            native_blocks.text(advises),
            native_orders.TEXT,
            native_inputs.TEXT,
            native_leaves.TEXT,
            native_arrays.text(ArrayImpl),
            native_results.TEXT,
            native_launch.TEXT,
            native_stub.TEXT,
            native_waiting.TEXT,
            native_probe.TEXT,
        )
        text = target.host().header + native_text.expand("\n".join(parts), names)
        self.fields = fields
        self.names = names
        self.library = native.link(text, _EXPORTS, _imports(advises))
        _linked.append(self.library)
        self._generation = self._word("oakum_generation")
        self._pool = (ctypes.c_int64 * 2).from_address(self.library["oakum_pool"])
        self._pool[1] = native_blocks.cap()
        self.block, _ = native_types.make(
            "oakum.runtime.Block",
            object,
            [(f"_{name}", native_types.NUMBER) for name in native_blocks.FIELDS],
            flags=native_types.NOT_MADE,
            slots={
                native_types.DEALLOC: self.library["oakum_block_dealloc"],
                native_types.GET_BUFFER: self.library["oakum_block_buffer"],
            },
        )
        self._known = self._fill_known()
        self.all_ready = native_waiting.function("all_ready", self.library["oakum_all_ready"])
        self.trim = ctypes.PYFUNCTYPE(None)(self.library["oakum_trim"])
        number = ctypes.c_size_t
        self._link = ctypes.PYFUNCTYPE(number, number, number, number)(self.library["oakum_link"])
        self._unlink = ctypes.PYFUNCTYPE(None, number)(self.library["oakum_unlink"])
        situations.follow(self._follow)

    def _word(self, name: str) -> Any:
        return ctypes.c_int64.from_address(self.library[name])

    def _fill_known(self) -> list[Any]:
        known: dict[str, Any] = {
            "array": ArrayImpl,
            "host_array": host.np.ndarray,
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
            "situation": situations.CURRENT,
            "first_device": on_first_device(),
            "counted": native_calls.type_of(native_counting.Counted),
        }
        *names, last = native_text.KNOWN
        assert last == "python_call"
        objects = [known[name] for name in names]
        words = (ctypes.c_int64 * len(native_text.KNOWN)).from_address(self.library["oakum_known"])
        words[:] = [*map(id, objects), native_slots.python_call()]
        return objects

    def _note_first_device(self) -> None:
        """Has native code know the first device: there are new ones after `clear_backends`."""
        place, at = on_first_device(), native_text.KNOWN.index("first_device")
        if self._known[at] is not place:
            self._known[at] = place
            ctypes.c_int64.from_address(self.library["oakum_known"] + 8 * at).value = id(place)

    def _follow(self, generation: int) -> None:
        self._generation.value = generation

    @property
    def pool_bytes(self) -> int:
        """The bytes that the pool holds now."""
        return self._pool[0]

    def _field(self, function: Any, name: str) -> Any:
        return ctypes.c_int64.from_address(id(function) + self.fields[name])

    def _first(self, function: Any) -> int:
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

    def call_natively(self, kind: Any) -> None:
        """Has public functions of a class hand their calls on without Python."""
        native_slots.take_call(kind, self.library["oakum_call_public"])

    def unlink_all(self, function: Any) -> None:
        """Takes all specifications from a function."""
        with native_calls.changing:
            self._unlink(self._first(function))
            function.native_kept = None


def _imports(advises: bool) -> dict[str, int]:
    """The addresses of Python's functions; some linkers do not find them by themselves."""
    found = {name: _address(getattr(ctypes.pythonapi, name)) for name in native_text.IMPORTS}
    if advises:
        found["madvise"] = _address(ctypes.CDLL(None).madvise)
    return found


def _address(function: Any) -> int:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return address


def start() -> Runtime:
    """Compiles the native code and tries it; raises where something is not as expected."""
    made = native_probe.callable_type()
    offsets = {name: made.native_offsets[field] for name, field in _FIELDS.items()}
    found = Runtime(offsets)
    native_probe.check(found)
    native_slots.take_dealloc(ArrayImpl, found.library["oakum_array_dealloc"])
    native_probe.check(found)
    name = "block_until_ready"
    method: Any = native_waiting.method(ArrayImpl, name, found.library["oakum_wait"])
    setattr(ArrayImpl, name, method)
    return found

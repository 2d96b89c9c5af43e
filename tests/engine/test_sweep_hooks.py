"""The hooks of `SweepWriter`: a back end whose threads share the positions of a sweep says by them
who does what. Where one is not heeded, threads of a GPU do work twice, or store over each other.
"""

from __future__ import annotations

import ctypes
from contextlib import AbstractContextManager
from typing import Any

import numpy as np
import pytest

from oakum import dtypes
from oakum.compile.llvm.llvm_function import Function, Index, module
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops.interleaved_access import Interleaving
from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Load,
    Nest,
    Operation,
    Reduce,
    Slot,
    Store,
    Sweep,
)
from oakum.compile.loops.sweep_writer import Cursor, SweepWriter
from oakum.compile.native import jit_link, target

GIVEN, PARTIAL, TOTAL = (
    Buffer(n, dtypes.int32, size, "temporary") for n, size in enumerate((12, 12, 1))
)
SQUARES = Sweep(
    (0,),
    (Load(GIVEN, Affine.axis(0)), Operation("mul", (0, 0), dtypes.int32)),
    (Store(PARTIAL, Affine.axis(0), 1),),
    (Reduce(0, "add", 1),),
)
LAST = Sweep((), (Slot(0, dtypes.int32),), (Store(TOTAL, Affine(), 0),))
NEST = Nest((12,), (), (SQUARES, LAST))


class Kernel:
    """A function without outer axes, of the addresses of the buffers and the number of a thread."""

    nest = NEST
    vector_axis = None
    masks = False

    def __init__(self) -> None:
        pointers = [("ptr", f"m{buffer.number}") for buffer in NEST.buffers]
        self.function = Function("kernel", [*pointers, ("i64", "thread")], target.host())

    def rest_width(self, rest: int, width: int) -> int:
        raise AssertionError(f"{rest} of {width} lanes of scalars")

    def interleaving(self, sweep: Sweep) -> Interleaving:
        return Interleaving(NEST, sweep, None)

    def pointer(self, buffer: Buffer) -> str:
        return f"%m{buffer.number}"

    def offset(self, value: Affine, cursor: Cursor) -> Index:
        result: Index = value.constant
        for axis, coefficient in value.terms:
            result = self.function.add_index(
                result, self.function.mul_index(cursor.axes[axis], coefficient)
            )
        return result


THREAD = Value("%thread", dtypes.int64)


class Threads(SweepWriter):
    """Three threads go over every third element each; the last of them stores the total."""

    def span(self, axis: int, end: int, step: int) -> tuple[Index, Index, Index]:
        assert (axis, step) == (0, 1)
        return THREAD, end, 3

    def once(self) -> AbstractContextManager[None]:
        return self._f.when(self._f.compare("eq", THREAD, 2))


class Added(Threads):
    """The total of a thread is added to what those before it have left in memory."""

    def combine(self, reduce: Reduce, total: Value) -> Value:
        f, place = self._f, self._owner.pointer(TOTAL)
        assert reduce.monoid == "add"
        sum_ = f.add(total, f.load(place, 0, dtypes.int32))
        f.store(sum_, place, 0)
        return sum_


class Moved(Added):
    """Elements are loaded from another place, and the negatives are stored."""

    def place(self, load: Load, cursor: Cursor) -> tuple[str, Index]:
        base, offset = super().place(load, cursor)
        return base, self._f.add_index(offset, -1)

    def put(self, store: Store, value: Value, offset: Index, mask: Value | None) -> None:
        super().put(store, self._f.neg(value), offset, mask)


def run(kind: type[SweepWriter], given: Any, threads: int) -> tuple[Any, int]:
    """Writes the kernel and runs threads one after another."""
    kernel = Kernel()
    cursor = Cursor({})
    for sweep in NEST.sweeps:
        kind(kernel, sweep, cursor, 1).write()
    library = jit_link.link(module(target.host(), [kernel.function]), ["kernel"])
    call = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3, ctypes.c_int64)(library["kernel"])
    partial, total = np.zeros(12, "i4"), np.zeros(1, "i4")
    for thread in range(threads):
        call(given.ctypes.data, partial.ctypes.data, total.ctypes.data, thread)
    return partial, int(total[0])


@pytest.mark.parametrize("kind", [SweepWriter, Added, Moved])
def test_threads_share_a_sweep(kind: type[SweepWriter]) -> None:
    whole = np.arange(13, dtype="i4")
    given = whole[1:].copy() if kind is not Moved else whole.copy()[1:]
    partial, total = run(kind, given, 1 if kind is SweepWriter else 3)
    if kind is Moved:
        np.testing.assert_array_equal(partial, -(whole[:12] ** 2))
        assert total == -int((whole[:12] ** 2).sum())
    else:
        np.testing.assert_array_equal(partial, whole[1:] ** 2)
        assert total == int((whole[1:] ** 2).sum())


def test_only_one_thread_stores_what_is_stored_once() -> None:
    whole = np.arange(12, dtype="i4")
    assert run(Threads, whole, 2)[1] == 0
    assert run(Threads, whole, 3)[1] == int((whole[2::3] ** 2).sum())

"""The text of a kernel: threads, barriers, shuffles, shared memory and atomics beside what all
functions of LLVM's text have.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from oakum import dtypes
from oakum.compile.llvm.instructions import Arithmetic
from oakum.compile.llvm.llvm_function import Function, Index, module
from oakum.compile.llvm.llvm_value import Value, constant, is_float
from oakum.compile.loops import operations
from oakum.compile.native.target import Target
from oakum.dtypes import DType, Kind
from oakum.values.records import dataclass

WARP: Final = 32

NAME: Final = "kernel"
"""The name of the one kernel of a module."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A buffer that a kernel gets the address of."""

    alignment: int
    """The bytes that the address is a multiple of."""
    is_written: bool


class Kernel(Function):
    """Writes a kernel for blocks of so many threads, of which a multiprocessor has room for
    `resident` or more, or as many as the driver's compiler finds well; its parameters are `%m0`,
    `%m1` ...
    """

    def __init__(
        self, arguments: Sequence[Argument], target: Target, threads: int, resident: int = 0
    ) -> None:
        parameters: list[tuple[str, str]] = []
        for number, each in enumerate(arguments):
            # Memory that no thread writes is loaded through another cache.
            access = "" if each.is_written else " readonly"
            parameters.append((f"ptr noalias align {each.alignment}{access}", f"m{number}"))
        super().__init__(NAME, parameters, target)
        self.threads, self.resident = threads, resident
        self._reads_again = False
        self._shared: list[int] = []

    outlined = Arithmetic.outlined  # In line: a call of a GPU's saves and restores registers.

    @property
    def text(self) -> str:
        """The whole definition, with its shared memory."""
        given = ", ".join(f"{kind} %{name}" for kind, name in self.parameters)
        shared = [
            f"@shared{number} = internal addrspace(3) global [{size} x i8] undef, align 16"
            for number, size in enumerate(self._shared)
        ]
        last = [] if self._ended() else ["  ret void"]
        # A table of branches costs a load, and threads of a block mostly take the same one.
        most = f'"no-jump-tables"="true" "nvvm.maxntid"="{self.threads}"'
        if self.resident:
            most += f' "nvvm.minctasm"="{self.resident}"'
        head = f"define ptx_kernel void @{self.name}({given}) nounwind {most} {{"
        return "\n".join([*shared, head, "entry:", *self.lines, *last, "}", ""])

    def module(self) -> str:
        """Returns the text of a module of this kernel."""
        return module(self.target, [self])

    # Threads.

    def thread(self) -> Value:
        """Returns the number of the thread in its block."""
        return self._special("tid.x")

    def block_number(self) -> Value:
        """Returns the number of the block in its grid."""
        return self._special("ctaid.x")

    def number(self) -> Value:
        """Returns the number of the thread in its grid."""
        return self.add(self.mul(self.block_number(), self.threads), self.thread())

    def _special(self, name: str) -> Value:
        if self._reads_again:
            text = f'call i32 asm sideeffect "mov.u32 $0, %{name};", "=r"()'
        else:
            text = f"call i32 @llvm.nvvm.read.ptx.sreg.{name}()"
            self.declarations[f"declare i32 @llvm.nvvm.read.ptx.sreg.{name}()"] = None
        return self.cast("zext", self.assign(text, dtypes.int32, 1), dtypes.int64)

    def read_again(self) -> None:
        """Has the numbers of thread and block be read again from here on, so that nothing that
        depends on them is kept in registers meanwhile.
        """
        self._reads_again = True

    def barrier(self) -> None:
        """Waits for all threads of the block."""
        symbol = "llvm.nvvm.barrier.cta.sync.aligned.all"
        self.declarations[f"declare void @{symbol}(i32)"] = None
        self.write(f"call void @{symbol}(i32 0)")

    def below(self, x: Value, end: int) -> Value:
        """Returns whether a number that is not negative is less than another."""
        return self.assign(f"icmp ult i64 {x.text}, {end}", dtypes.bool_, 1)

    def divide(self, x: Value, by: int) -> tuple[Value, Value]:
        """Returns quotient and remainder of a number that is not negative."""
        if by == 1:
            return x, constant(0, dtypes.int64)
        quotient = self.assign(f"udiv i64 {x.text}, {by}", dtypes.int64, 1)
        return quotient, self.assign(f"urem i64 {x.text}, {by}", dtypes.int64, 1)

    # Memory.

    def shared_memory(self, nbytes: int) -> str:
        """Returns the address of memory that the threads of a block share."""
        self._shared.append(max(nbytes, 16))
        found = self.fresh("shared")
        name = f"@shared{len(self._shared) - 1}"
        self.lines.append(f"  {found} = addrspacecast ptr addrspace(3) {name} to ptr")
        return found

    def private_memory(self, nbytes: int) -> str:
        """Returns the address of memory that each thread has for itself."""
        found = self.fresh("private")
        self.lines.append(f"  {found} = alloca [{max(nbytes, 16)} x i8], align 16")
        return found

    def load(
        self,
        base: str,
        offset: Index,
        dtype: DType,
        width: int = 1,
        mask: Value | None = None,
        align: int | None = None,
    ) -> Value:
        """Loads elements; several are one access, aligned as a whole."""
        if width > 1 and align is None:
            align = width * dtype.itemsize
        return super().load(base, offset, dtype, width, mask, align)

    def store(
        self,
        value: Value,
        base: str,
        offset: Index,
        mask: Value | None = None,
        align: int | None = None,
    ) -> None:
        """Stores elements; several are one access, aligned as a whole."""
        if value.width > 1 and align is None:
            align = value.width * value.dtype.itemsize
        super().store(value, base, offset, mask, align)

    def change(self, monoid: str, value: Value, base: str, offset: Index) -> None:
        """Combines an element of memory with a value, whatever other threads do to it."""
        assert value.width == 1, "there are no atomics of vectors"
        at = self.pointer(base, offset, value.dtype)
        word = monoid
        if is_float(value.dtype):
            word = f"f{monoid}"
        elif monoid in ("max", "min") and value.dtype.kind is not Kind.INT:
            word = f"u{monoid}"
        self.write(f"{self.fresh()} = atomicrmw {word} ptr {at}, {value.typed} monotonic")

    def copy_to_shared(
        self,
        to: tuple[str, Index],
        source: tuple[str, Index],
        dtype: DType,
        condition: Value | None = None,
    ) -> None:
        """Begins to copy 16 bytes to shared memory, or zeros where a condition does not hold;
        `wait_for_copies` waits for them.
        """
        near, far = self.fresh("p"), self.fresh("p")
        target, place = self.pointer(*to, dtype), self.pointer(*source, dtype)
        self.write(f"{near} = addrspacecast ptr {target} to ptr addrspace(3)")
        self.write(f"{far} = addrspacecast ptr {place} to ptr addrspace(1)")
        symbol, kinds = (
            "llvm.nvvm.cp.async.cg.shared.global.16",
            "ptr addrspace(3), ptr addrspace(1)",
        )
        given = f"ptr addrspace(3) {near}, ptr addrspace(1) {far}"
        if condition is not None:
            sixteen = constant(16, dtypes.int32)
            nbytes = self.select(condition, sixteen, 0)
            symbol, kinds, given = f"{symbol}.s", f"{kinds}, i32", f"{given}, {nbytes.typed}"
        self.declarations[f"declare void @{symbol}({kinds})"] = None
        self.write(f"call void @{symbol}({given})")

    def wait_for_copies(self) -> None:
        """Waits until all copies that the thread has begun have arrived."""
        symbol = "llvm.nvvm.cp.async.wait.all"
        self.declarations[f"declare void @{symbol}()"] = None
        self.write(f"call void @{symbol}()")

    # Other lanes of the warp.

    def exchange(self, mode: str, x: Value, distance: int) -> Value:
        """Returns the value of another lane of the warp: `bfly`, `up`, `down` or `idx`."""
        bits = x.dtype.bits
        if x.dtype is dtypes.bool_:
            moved = self.exchange(mode, self.cast("zext", x, dtypes.int32), distance)
            return self.compare("ne", moved, 0)
        if bits < 32:
            kind = dtypes.uint8 if bits == 8 else dtypes.uint16
            wide = self.cast("zext", self.bitcast(x, kind), dtypes.int32)
            moved = self.cast("trunc", self.exchange(mode, wide, distance), kind)
            return self.bitcast(moved, x.dtype)
        if bits == 64:
            return self._exchange_long(mode, x, distance)
        symbol = f"llvm.nvvm.shfl.sync.{mode}.i32"
        self.declarations[f"declare i32 @{symbol}(i32, i32, i32, i32)"] = None
        word, clamp = self.bitcast(x, dtypes.int32), 0 if mode == "up" else WARP - 1
        call = f"call i32 @{symbol}(i32 -1, i32 {word.text}, i32 {distance}, i32 {clamp})"
        return self.bitcast(self.assign(call, dtypes.int32, 1), x.dtype)

    def _exchange_long(self, mode: str, x: Value, distance: int) -> Value:
        whole = self.bitcast(x, dtypes.int64)
        parts = (
            self.cast("trunc", whole, dtypes.int32),
            self.cast("trunc", self.shift_right_zeros(whole, 32), dtypes.int32),
        )
        low, high = [
            self.cast("zext", self.exchange(mode, part, distance), dtypes.int64) for part in parts
        ]
        return self.bitcast(self.bit_or(self.shift_left(high, 32), low), x.dtype)

    def combine_warp(self, monoid: str, x: Value, lanes: int = WARP) -> Value:
        """Returns what the lanes of a warp have, combined, in each of them: of groups of `lanes`
        side by side.
        """
        distance = lanes // 2
        while distance:
            x = operations.combine(self, monoid, x, self.exchange("bfly", x, distance))
            distance //= 2
        return x

    def combine_block(self, monoid: str, x: Value) -> Value:
        """Returns what the threads of a block have, combined, in each of them."""
        x = self.combine_warp(monoid, x)
        warps = self.threads // WARP
        if warps == 1:
            return x
        room = self.shared_memory(warps * x.dtype.itemsize)
        warp, lane = self.divide(self.thread(), WARP)
        with self.when(self.compare("eq", lane, 0)):
            self.store(x, room, warp)
        self.barrier()
        # Each lane takes the total of a warp; as many of them as there are warps differ.
        part = self.load(room, self.bit_and(lane, warps - 1), x.dtype)
        return self.combine_warp(monoid, part, warps)


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel, the number of its blocks, and the buffers of the step that it takes, by their
    numbers in `KernelStep.buffers`.
    """

    kernel: Kernel
    grid: int
    buffers: tuple[int, ...]


_ATOMICS: Final = ("add", "max", "min", "and", "or", "xor")

_FLOATS: Final = (dtypes.float32, dtypes.float64)
_INTEGERS: Final = (dtypes.int32, dtypes.uint32, dtypes.int64, dtypes.uint64)


def has_atomic(monoid: str, dtype: DType) -> bool:
    """Returns whether an element can be combined with a value in one instruction."""
    if dtype in _FLOATS:
        return monoid == "add"
    return dtype in _INTEGERS and monoid in _ATOMICS

# pyright: basic
# Arrays of NumPy's in many dtypes have no types for the strict mode.
"""The emulator computes what a GPU does, and reports what a GPU would not forgive.

Where one of these fails, a kernel that is wrong passes all tests of programs of GPUs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.runtime.emulator.fused import fused_multiply_add, multiply_high
from oakum.runtime.emulator.ptx_types import EmulationError, UnknownInstructionError
from oakum.runtime.emulator.thread_batch import Order

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry kernel(
\t.param .u64 kernel_param_0,
\t.param .u64 kernel_param_1
)
.maxntid 64
{
\t.reg .pred \t%p<4>;
\t.reg .b16 \t%h<4>;
\t.reg .b32 \t%r<16>;
\t.reg .b64 \t%rd<16>;
\t.shared .align 16 .b8 room[256];
\tld.param.b64 \t%rd1, [kernel_param_0];
\tld.param.b64 \t%rd2, [kernel_param_1];
\tmov.u32 \t%r1, %tid.x;
\tmov.u32 \t%r2, %ctaid.x;
\tmul.wide.u32 \t%rd3, %r1, 4;
\tadd.s64 \t%rd4, %rd1, %rd3;
\tadd.s64 \t%rd5, %rd2, %rd3;
\tmov.b64 \t%rd6, room;
\tadd.s64 \t%rd7, %rd6, %rd3;
"""


def run(
    body: str,
    *,
    grid: int = 1,
    threads: int = 64,
    given: Any = None,
    device: EmulatedDevice | None = None,
) -> Any:
    """Runs a kernel on 64 numbers and 64 results; `%rd4` and `%rd5` are those of the thread."""
    device = device or EmulatedDevice()
    source = np.arange(64, dtype=np.uint32) if given is None else given
    result = np.full(64, 7, np.uint32)
    addresses = [device.allocate(source.nbytes), device.allocate(result.nbytes)]
    for address, raw in zip(addresses, (source, result), strict=True):
        device.put(address, raw)
    lines = "".join(f"\t{line}\n" for line in body.strip().splitlines())
    kernel = device.load(f"{HEAD}{lines}\tret;\n}}\n")["kernel"]
    kernel.launch(grid, threads, addresses)
    return device.get(addresses[1], result.nbytes).view(np.uint32)


STORED = "ld.global.b32 %r3, [%rd4];\nst.global.b32 [%rd5], %r3;"


def test_threads_copy() -> None:
    """Nothing else of this file means anything."""
    np.testing.assert_array_equal(run(STORED), np.arange(64))


TURNED = """
st.shared.b32 [%rd7], %r1;
bar.sync 0;
xor.b32 %r4, %r1, 63;
mul.wide.u32 %rd8, %r4, 4;
add.s64 %rd9, %rd6, %rd8;
ld.shared.b32 %r5, [%rd9];
st.global.b32 [%rd5], %r5;
"""


def test_a_barrier_makes_shared_memory_safe() -> None:
    """Correct kernels are called wrong."""
    np.testing.assert_array_equal(run(TURNED), np.arange(64)[::-1])


def test_readers_before_a_barrier_are_forgotten() -> None:
    """A sort is called wrong: each thread reads a place that another one read before."""
    own = "bar.sync 0;\nld.shared.b32 %r6, [%rd7];\nst.shared.b32 [%rd7], %r5;"
    np.testing.assert_array_equal(run(TURNED + own), np.arange(64)[::-1])


PARTED = """
mov.b32 %r3, 0;
$L1:
shfl.sync.bfly.b32 %r4, %r1, 1, 31, -1;
add.s32 %r3, %r3, 1;
setp.ge.u32 %p2, %r3, 3;
@%p2 bra $L2;
setp.lt.u32 %p1, %r1, 8;
@%p1 bra $L1;
add.s32 %r5, %r4, 0;
bra.uni $L1;
$L2:
st.global.b32 [%rd5], %r4;
"""


@pytest.mark.parametrize("order", Order)
def test_shuffles_wait_for_the_warp(order: Order) -> None:
    """A correct loop is called wrong: some threads of a warp come back to a shuffle before."""
    found = run(PARTED, device=EmulatedDevice(order=order))
    np.testing.assert_array_equal(found, np.arange(64) ^ 1)


FAULTS = {
    "read beyond": ("ld.global.b32 %r3, [%rd4+252];", "out of bounds: a read"),
    "write beyond": ("st.global.b32 [%rd5+252], %r1;", "out of bounds: a write"),
    "write before": ("st.global.b32 [%rd5+-8], %r1;", "out of bounds: a write"),
    "null": ("mov.b64 %rd8, 0;\nld.global.b32 %r3, [%rd8];", "out of bounds: a read"),
    "misaligned": ("ld.global.v2.b32 {%r3, %r4}, [%rd4];", "misaligned access of 8 bytes"),
    "misaligned by 2": ("ld.global.b32 %r3, [%rd4+2];", "misaligned access of 4 bytes"),
    "beyond shared": ("st.shared.b32 [%rd7+256], %r1;", "out of bounds of shared memory"),
    "unwritten shared": ("ld.shared.b32 %r3, [%rd7];", "shared memory that nobody wrote"),
    "no barrier": (TURNED.replace("bar.sync 0;", ""), "race in shared memory"),
    "read, then overwritten": (
        TURNED + "st.shared.b32 [%rd7], %r5;",
        "race in shared memory: it is written where another thread read it",
    ),
    "one place of shared memory": ("st.shared.b32 [%rd6], %r1;", "several threads write"),
    "one place": ("st.global.b32 [%rd2], %r1;", "race in global memory: several threads write"),
    "neighbour's": (
        f"{STORED}\nxor.b32 %r4, %r1, 1;\nmul.wide.u32 %rd8, %r4, 4;\nadd.s64 %rd9, %rd2, %rd8;\n"
        "ld.global.b32 %r5, [%rd9];",
        "race in global memory: another thread wrote it",
    ),
    "overwrites what is read": (
        "ld.global.b32 %r3, [%rd2];\nst.global.b32 [%rd5], %r3;",
        "race in global memory: it is written where another thread read it",
    ),
    "half a word": (
        f"{STORED}\nxor.b32 %r4, %r1, 1;\nmul.wide.u32 %rd8, %r4, 4;\nadd.s64 %rd9, %rd2, %rd8;\n"
        "ld.global.b16 %h1, [%rd9+2];",
        "race in global memory: another thread wrote it",
    ),
    "plain beside atomic": (
        "atom.global.add.u32 %r3, [%rd2], 1;\nld.global.b32 %r4, [%rd2];",
        "race in global memory",
    ),
    "constant cache": (
        "ld.global.nc.b32 %r3, [%rd5];\nst.global.b32 [%rd5], %r3;",
        "ld.global.nc in the same launch",
    ),
    "constant cache, written before": (
        "st.global.b32 [%rd5], %r1;\nld.global.nc.b32 %r3, [%rd5];",
        "written in the same launch",
    ),
    "half a block at a barrier": (
        "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra $done;\nbar.sync 0;\n$done:",
        "a barrier that not all threads of a block reach",
    ),
    "two barriers": (
        "setp.lt.u32 %p1, %r1, 32;\n@%p1 bra $other;\nbar.sync 0;\nbra $done;\n$other:\n"
        "bar.sync 0;\n$done:",
        "wait at different barriers",
    ),
    "half a warp at a shuffle": (
        "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra $done;\n"
        "shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\n$done:",
        "a shuffle takes the value of a thread that has ended",
    ),
    "two shuffles": (
        "setp.lt.u32 %p1, %r1, 5;\n@%p1 bra $other;\n"
        "shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\nbra $done;\n$other:\n"
        "shfl.sync.bfly.b32 %r3, %r1, 1, 31, -1;\n$done:",
        "a shuffle that not all threads of a warp reach",
    ),
    "trap": ("trap;", "a trap"),
}


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_reported(name: str, order: Order) -> None:
    """A wrong kernel passes, in the order that its threads happen to go on."""
    body, message = FAULTS[name]
    with pytest.raises(EmulationError, match=message):
        run(body, device=EmulatedDevice(order=order))


def test_what_the_host_does_is_checked_too() -> None:
    """A program reads results that no kernel has computed, or memory that was given back."""
    device = EmulatedDevice()
    address = device.allocate(8)
    with pytest.raises(EmulationError, match="nobody wrote"):
        device.get(address, 8)
    with pytest.raises(EmulationError, match="beyond an allocation"):
        device.put(address, np.zeros(9, np.uint8))
    device.release(address)
    with pytest.raises(EmulationError, match="beyond an allocation"):
        device.put(address, np.zeros(8, np.uint8))
    with pytest.raises(EmulationError, match="no allocation"):
        device.release(address)


def test_memory_is_used_again_and_ends() -> None:
    """A long program is out of memory after some thousand calls, or never."""
    device = EmulatedDevice(most_bytes=1 << 21)
    for _ in range(100):
        device.release(device.allocate(1 << 20))
    with pytest.raises(MemoryError):
        device.allocate(1 << 22)


def test_unknown_instructions_are_named() -> None:
    """A kernel runs with an instruction left out."""
    with pytest.raises(UnknownInstructionError, match=r"fma\.rm\.f32"):
        run("fma.rm.f32 %r3, %r1, %r1, %r1;")
    with pytest.raises(UnknownInstructionError, match=r"wgmma"):
        run("wgmma.fence.sync.aligned;")


def test_registers_hold_junk_at_first() -> None:
    """A kernel that reads a register too early finds a zero there, and passes."""
    assert set(run("st.global.b32 [%rd5], %r9;")) == {0xA5A5A5A5}


def test_blocks_meet_at_no_barrier() -> None:
    """A kernel whose blocks wait for each other passes, and hangs or races on a GPU."""
    body = f"setp.ne.u32 %p1, %r2, 0;\n@%p1 bra $second;\n{STORED}\n$second:\nbar.sync 0;\n"
    body += "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra $done;\nld.global.b32 %r4, [%rd5];\n$done:"
    with pytest.raises(EmulationError, match="another thread wrote it"):
        run(body, grid=2)


def test_too_many_threads() -> None:
    """A kernel is launched with more threads than registers are there for."""
    with pytest.raises(EmulationError, match="96 threads"):
        run(STORED, threads=96)


# Code that another compiler has made.


def nvcc(device: EmulatedDevice, name: str, grid: int, *arrays: Any, more: int) -> Any:
    text = (Path(__file__).parent / "nvcc_kernels.ptx").read_text(encoding="utf-8")
    addresses: list[int] = []
    for raw in arrays:
        addresses.append(device.allocate(raw.nbytes))
        device.put(addresses[-1], raw)
    device.load(text)[name].launch(grid, 256, [*addresses, more])
    return device.get(addresses[-1], arrays[-1].nbytes).view(arrays[-1].dtype)


@pytest.mark.parametrize("seed", [None, 1])
@pytest.mark.parametrize("order", Order)
def test_kernels_of_another_compiler(order: Order, seed: int | None) -> None:
    """The emulator means by PTX what the engine means, and no GPU does."""
    device, chance = EmulatedDevice(order=order, seed=seed), np.random.default_rng(0)
    x = chance.normal(size=(4, 300)).astype("f4")
    squares = (x.astype("f8") - x.max(1, keepdims=True)) ** 2
    found = nvcc(device, "distances", 4, x, np.zeros_like(x), more=300).reshape(x.shape)
    np.testing.assert_allclose(found, squares / squares.sum(1, keepdims=True), rtol=1e-5)
    places = chance.integers(0, 64, 2000).astype("i4")
    found = nvcc(device, "histogram", 5, places, np.zeros(64, "i4"), more=2000)
    np.testing.assert_array_equal(found, np.bincount(places, minlength=64))


def _mixed(a: int, b: int) -> int:
    """What the kernel `integers` computes of two numbers."""
    whole, word = a * b, 0xFFFFFFFF
    first, second = (a ^ 1 << 31) - (1 << 31), (b ^ 1 << 31) - (1 << 31) | 1
    rest = abs(first) % abs(second) * (-1 if first < 0 else 1)
    given = a.to_bytes(4, "little") + b.to_bytes(4, "little")
    permuted = int.from_bytes(bytes(given[0x3715 >> 4 * n & 7] for n in range(4)), "little")
    turned = int(f"{a ^ b:032b}"[::-1], 2)
    found = a.bit_count() + (32 - b.bit_length()) * 3 + turned & word
    found ^= ((b << 32 | a) << 7 >> 32) + permuted & word
    found = found + (whole >> 32) + rest & word
    half = int(np.float32(np.float32(first) * np.float32(0.5)))
    return found ^ (whole >> 32) + a // (b | 1) + half & word


def test_integers_of_another_compiler() -> None:
    """Shifts, products, quotients or bytes are wrong for some numbers."""
    chance = np.random.default_rng(0)
    x, y = (chance.integers(0, 1 << 32, 500, dtype="u8").astype("u4") for _ in range(2))
    found = nvcc(EmulatedDevice(), "integers", 2, x, y, np.zeros_like(x), more=500)
    assert list(found) == [_mixed(int(a), int(b)) for a, b in zip(x, y, strict=True)]


# Arithmetic that NumPy lacks.


def _exact(a: float, b: float, c: float, kind: Any) -> Any:
    from fractions import Fraction

    return kind(float(Fraction(a) * Fraction(b) + Fraction(c)))


def test_fused_products_are_rounded_once() -> None:
    """Elementary functions differ from the CPU's in their last bits."""
    chance = np.random.default_rng(0)
    a, b = chance.normal(size=(2, 4000))
    c = -a * b * (1 + chance.integers(-3, 4, 4000) * 2.0**-52)
    found = fused_multiply_add(a, b, c)
    np.testing.assert_array_equal(
        found, [_exact(*x, np.float64) for x in zip(a, b, c, strict=True)]
    )
    assert (found != a * b + c).any()


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_fused_products_keep_the_sign_of_zero(dtype: str) -> None:
    """`erf_inv(-0.0)` was `0.0`."""
    values = np.array([0.0, -0.0, 1.0, -1.0], dtype)
    a, b, c = (each.ravel() for each in np.meshgrid(values, values, values))
    found, wanted = fused_multiply_add(a, b, c), a * b + c  # exact for these
    assert np.array_equal(found, wanted)
    assert np.array_equal(np.signbit(found), np.signbit(wanted))


def test_fused_products_of_float32_are_rounded_once() -> None:
    """As above, where the result of float64 lies half between two numbers."""
    one, half = np.float32(1), np.float32(2.0**-24)
    tie = fused_multiply_add(*(np.array([x], "f4") for x in (one, one, half)))
    assert tie[0] == 1  # To even.
    # A little above the tie, by less than float64 has: 2 ** -24 * (1 + 2 ** -23) ** 2 + 1.
    more = np.float32(1 + 2.0**-23)
    a, b = np.array([half * more]), np.array([more])
    assert fused_multiply_add(a, b, np.array([one]))[0] == np.nextafter(one, np.float32(2))
    # 2 ** -24 + 2 ** -80 is above the tie, and in float64 on it.
    parts = (np.array([x], "f4") for x in (2.0**-40, 2.0**-40, 1 + 0.0))
    assert fused_multiply_add(*parts)[0] == 1


def test_high_halves_of_products() -> None:
    """Divisions by constants, which are products, are wrong."""
    chance = np.random.default_rng(0)
    for kind, bits in (("i8", 64), ("u8", 64), ("i4", 32), ("u4", 32)):
        limits = np.iinfo(kind)
        a, b = (chance.integers(limits.min, limits.max, 200, dtype=kind) for _ in range(2))
        found = multiply_high(a, b)
        assert list(found) == [int(x) * int(y) >> bits for x, y in zip(a, b, strict=True)]

# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Programs on an emulated GPU: the CPU's results, whatever the order of threads and blocks.

Where one of these fails, the same program gives something else on a GPU than on the CPU, or races.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.engine.agreement_nests import Nest, shapes
from tests.engine.agreement_running import traced
from tests.engine.agreement_values import Chance
from tests.engine.gpu_running import (
    HOST_PROGRAMS,
    LONG,
    PROGRAMS,
    Altered,
    close,
    compiled,
    expected,
)

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.compile.nvptx import nvptx_target, plan_execution
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.compile.nvptx.nvptx_target import UnsupportedKernelError, emit_ptx
from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.runtime.emulator.ptx_types import EmulationError
from oakum.runtime.emulator.thread_batch import Order
from oakum.runtime.topology import cuda_driver
from oakum.tracing.ir import run_closed

pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.

ROOT = Path(__file__).parents[2]


ADDING_IN_ANY_ORDER = ("scatter-add",)


@pytest.mark.thinned(3)
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=pytest.mark.exhaustive) if n in LONG else n for n in PROGRAMS],
)
def test_programs_give_what_the_cpu_gives(name: str) -> None:
    """Kernels compute something else, or depend on which thread or block is first."""
    function, args = PROGRAMS[name]
    wanted = expected(function, args)
    runs: list[list[Any]] = []
    for order, seed in zip(Order, (None, 1, 2), strict=True):
        device = EmulatedDevice(order=order, seed=seed)
        program, raws = compiled(function, args, device)
        plan_execution.host_steps.clear()
        runs.append(program(raws))
        assert not plan_execution.host_steps
        assert device.counts.launches
        if seed is None:
            left = device.memory.live_bytes
            program(raws)
            assert device.memory.live_bytes == left, "memory is not given back"
    close(runs[0], wanted)
    for one, other in itertools.product(runs[:1], runs[1:]):
        if name in ADDING_IN_ANY_ORDER:
            close(one, other)
        else:
            assert [x.tobytes() for x in one] == [x.tobytes() for x in other]


class InOneArena(EmulatedDevice):
    """A device that has temporary buffers as a GPU of a machine has them."""

    keeps_buffers_apart = False


IN_ONE_ARENA = (
    "cond",
    "cumsum",
    "gradient",
    "products in squares",
    "recurrent",
    "small product",
    "softmax, odd",
    "while",
)


@pytest.mark.parametrize("name", IN_ONE_ARENA)
def test_temporary_buffers_in_one_arena(name: str) -> None:
    """On a GPU a program reads memory of another buffer, or launches with another's arguments."""
    function, args = PROGRAMS[name]
    device = InOneArena()
    program, raws = compiled(function, args, device)
    wanted = expected(function, args)
    for _ in range(2):
        close(program(raws), wanted)
    left = device.memory.live_bytes
    program(raws)
    assert device.memory.live_bytes == left, "memory is not given back"


@pytest.mark.parametrize("name", HOST_PROGRAMS)
def test_what_has_no_kernel_is_counted(name: str) -> None:
    """The host computes what a user believes a GPU to compute."""
    function, args = HOST_PROGRAMS[name]
    program, raws = compiled(function, args, EmulatedDevice())
    plan_execution.host_steps.clear()
    close(program(raws), expected(function, args))
    assert plan_execution.host_steps == {name: 1}


@pytest.mark.parametrize(
    "seeds", [range(20), pytest.param(range(20, 300), marks=pytest.mark.exhaustive)]
)
def test_random_programs_of_integers_agree_in_every_bit(seeds: range) -> None:
    """Kernels are wrong for combinations of operations that nobody has thought of."""
    device = EmulatedDevice(order=Order.ANY, seed=3)
    backend = GpuBackend(lambda: device)
    for seed in seeds:
        chance = Chance(seed)

        def function(chance: Chance = chance) -> list[Any]:
            nest = Nest(chance.getrandbits(32), shapes(chance), smooth=False)
            return nest.grown([], chance.randint(2, 9))[-chance.randint(1, 3) :]

        with oakum.enable_x64(True), np.errstate(all="ignore"):
            closed, raws = traced(chance, function)
            made = Executable(closed, backend)
            assert not made.refusal, made.refusal
            results, wanted = made(raws), run_closed(np, closed, raws)
        for x, y in zip(results, wanted, strict=True):
            assert x.tobytes() == np.asarray(y).tobytes(), f"seed {seed}: {closed}"


UNIT = "acos asin atanh erf_inv".split()
POSITIVE = "acosh digamma lgamma log log1p rsqrt sqrt".split()
EVERYWHERE = (
    "abs asinh atan bessel_i0e bessel_i1e cbrt ceil cos cosh erf erfc exp exp2 expm1 floor "
    "is_finite logistic neg round sign sin sinh square tan tanh"
).split()


@pytest.mark.parametrize("dtype", ["f4", pytest.param("f8", marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("name", [*UNIT, *POSITIVE, *EVERYWHERE])
def test_elementary_functions_have_the_bits_of_the_cpu(name: str, dtype: str) -> None:
    """A model gives other numbers on a GPU, before any sum is taken in another order."""
    chance = np.random.default_rng(0)
    x = chance.normal(size=2000) * 10.0 ** chance.uniform(-6, 4, 2000)
    x[:8] = 0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 1e30
    if name in UNIT:
        x = np.append(chance.uniform(-1, 1, 2000), [0, -0.0, 1, -1, 2, np.nan])
    if name in POSITIVE:
        x = np.abs(x) + (name == "acosh")
    with oakum.enable_x64(dtype == "f8"):
        x = x.astype(dtype)
        function = getattr(lax, name)
        program, raws = compiled(function, (x,), EmulatedDevice())
        (found,), (wanted,) = program(raws), expected(function, (x,))
    unlike = found.view("u1").reshape(len(x), -1) != wanted.view("u1").reshape(len(x), -1)
    is_nan = np.isnan(found) & np.isnan(wanted) if found.dtype.kind == "f" else False
    assert not (unlike.any(1) & ~is_nan).any(), x[unlike.any(1) & ~is_nan][:5]


# Bugs in kernels.


BARRIER = r"\tbar(?:rier)?\.(?:cta\.)?sync(?:\.aligned)? \t0;\n"
ALL_BARRIERS = {
    "lu": 4,
    "cholesky of several tiles": 3,
    "triangular systems": 7,
    "qr": 6,
    "pivoted qr of several tiles": 11,
}
"""The most barriers of a kernel: there is none that could be left out."""

BUGS = {
    "softmax: a barrier is left out": ("softmax", BARRIER, "", 0),
    "softmax: the second barrier is left out": ("softmax", BARRIER, "", 1),
    "layer norm: a barrier is left out": ("layer norm", BARRIER, "", 1),
    "columns: the barrier is left out": ("sum of columns", BARRIER, "", 0),
    "cumsum: the first barrier is left out": ("cumsum", BARRIER, "", 0),
    "cumsum: the last barrier is left out": ("cumsum", BARRIER, "", 1),
    **{
        f"{name}: barrier {n} is left out": (name, BARRIER, "", n)
        for name, count in ALL_BARRIERS.items()
        for n in range(count)
    },
    "gelu: the bound is one too many": (
        "gelu",
        r"(setp\.gt\.u64 \t%p\d+, %rd\d+), 2404;",
        r"\1, 2405;",
        0,
    ),
    "chain: an address is 4 bytes on": (
        "chain",
        r"(ld\.global\.nc\.v4\.b32 \t\{[^}]*\}), \[(%rd\d+)\]",
        r"\1, [\2+4]",
        0,
    ),
    "chain: a result is stored 16 bytes on": (
        "chain",
        r"st\.global\.v4\.b32 \t\[(%rd\d+)\]",
        r"st.global.v4.b32 \t[\1+16]",
        0,
    ),
    "transposed: the thread is one less": (
        "transposed",
        r"(mov\.u32 \t(%r\d+), %tid\.x;)",
        r"\1\n\tadd.s32 \2, \2, -1;",
        0,
    ),
    "layer norm: another lane": (
        "layer norm",
        r"(shfl\.sync\.bfly\.b32 \t%r\d+, %r\d+), 16,",
        r"\1, 8,",
        0,
    ),
    "cumsum: another lane of those before": (
        "cumsum",
        r"(shfl\.sync\.up\.b32 \t%r\d+, %r\d+), 4,",
        r"\1, 3,",
        0,
    ),
    "scatter-add: not atomic": (
        "scatter-add",
        r"(?:atom|red)\.[\w.]*add\.f32 \t(?:%r\d+, )?(\[[^\]]*\]), (%r\d+);",
        r"st.global.b32 \t\1, \2;",
        0,
    ),
    "scatter of integers: max for min": (
        "scatter of integers",
        r"((?:atom|red)\.[\w.]*)max",
        r"\1min",
        0,
    ),
    "layer: a factor is taken twice": (
        "layer",
        r"fma\.rn\.f32 \t(%r\d+), (%r\d+), %r\d+,",
        r"fma.rn.f32 \t\1, \2, \2,",
        0,
    ),
    "sum of rows: half of a row": (
        "sum of rows",
        r"(mul\.wide\.u32 \t%rd\d+, %r\d+), 16;",
        r"\1, 32;",
        0,
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_bugs_in_kernels_are_found(bug: str) -> None:
    """A mistake of the compiler passes the tests above."""
    name, pattern, by, number = BUGS[bug]
    function, args = PROGRAMS[name]
    device = Altered(pattern, by, number)
    program, raws = compiled(function, args, device)
    assert device.is_planted, program.text("assembly")
    with pytest.raises((EmulationError, AssertionError)):
        close(program(raws), expected(function, args))


@pytest.mark.parametrize("name", ALL_BARRIERS)
def test_each_barrier_is_left_out_once(name: str) -> None:
    """A barrier of a new kernel is one that no test takes away: it may be needless, or too late."""
    program, _ = compiled(*PROGRAMS[name], EmulatedDevice())
    kernels = program.text("assembly").split(".entry")
    assert max(len(re.findall(BARRIER, kernel)) for kernel in kernels) == ALL_BARRIERS[name]


# What kernels are assembled to.

PTXAS = shutil.which("ptxas")


REGISTERS = {
    "sort": 80,
    "fourier": 96,
    "triangular systems": 80,
    "cholesky of several tiles": 80,
    "complex systems": 128,
    "sum of few rows": 80,
    "layer norm of few rows": 80,
}
"""Registers of kernels that need more than 64, which is by design:

- one warp sorts a line, or transforms it, in its registers;
- a solver has a tile, and the places of what it loads next, in registers: with less, some of them
  are in memory;
- sums of few rows have too few threads to hide a load, so that each has several on their way.
"""

TILE_REGISTERS = 128
"""Those of products by tiles: two blocks of 256 threads share a multiprocessor, and with half of
them a tile would be half as large, and read its operands twice as often.
"""


@pytest.mark.exhaustive
@pytest.mark.thinned(9)
@pytest.mark.skipif(PTXAS is None, reason="needs ptxas, of the CUDA toolkit")
@pytest.mark.parametrize("sm", nvptx_target.FEATURES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_kernels_fit_in_registers(name: str, sm: str, tmp_path: Path) -> None:
    """A GPU keeps values in memory that there is no register for, and has few threads at a time."""
    assert PTXAS is not None
    function, args = PROGRAMS[name]
    program, _ = compiled(function, args, EmulatedDevice())
    for number, code in enumerate(program.kernels):
        text = code.text.replace(nvptx_target.target().header, nvptx_target.target(sm).header)
        source = tmp_path / f"{number}.ptx"
        source.write_text(emit_ptx(text, sm))
        command = [PTXAS, "-v", f"-arch={sm}", str(source), "-o", str(tmp_path / "code")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        report = done.stdout + done.stderr
        assert not done.returncode, report
        spilled = re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", report)
        assert spilled is not None
        stack, spills = (int(number) for number in spilled.groups())
        assert (stack, spills) == (0, 0), report
        used = re.search(r"Used (\d+) registers", report)
        assert used is not None
        most = TILE_REGISTERS if code.title.startswith("tiles") else 64
        assert int(used[1]) <= REGISTERS.get(name, most), report


def test_what_is_contiguous_is_loaded_16_bytes_at_a_time() -> None:
    """A GPU moves a quarter of the bytes that it could move in the same time."""
    for name, loads in (("chain", 2), ("softmax", 1), ("layer norm", 3), ("cumsum", 2)):
        program, _ = compiled(*PROGRAMS[name], EmulatedDevice())
        text = program.text("assembly")
        assert len(re.findall(r"ld\.global\.(?:nc\.)?v4\.b32", text)) >= loads, text
        assert "st.global.v4.b32" in text


def test_intrinsics_are_known_before_llvm_sees_them() -> None:
    """LLVM ends the process of the user."""
    with pytest.raises(UnsupportedKernelError, match=r"llvm\.masked"):
        emit_ptx("call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p)")


# The public functions.

SESSION = """
import oakum as jax, oakum.numpy as jnp
from oakum.compile.nvptx import plan_execution
assert jax.default_backend() == "gpu", jax.default_backend()
(device,) = jax.devices()
assert (repr(device), device.device_kind) == ("GpuDevice(id=0)", "PTX emulator")
assert jax.devices("cuda") == jax.devices("gpu") == [device]
x = jnp.arange(12.0).reshape(3, 4)
assert x.devices() == {device}

@jax.jit
def step(w, x, y):
    loss, slope = jax.value_and_grad(lambda w: jnp.mean((jnp.tanh(x @ w) - y) ** 2))(w)
    return loss, w - 0.1 * slope

w = jax.random.normal(jax.random.key(0), (4,))
for _ in range(12):
    loss, w = step(w, x, jnp.ones(3))
print(float(loss), jnp.sort(x[::-1], 0)[0].tolist(), jax.vmap(jnp.cumsum)(x).tolist())
jnp.linalg.eigvalsh(jnp.eye(3), symmetrize_input=False)
from oakum.compile import backend
print(backend.of("gpu").device.counts.launches > 30, dict(plan_execution.host_steps))
{more}
"""


def session(code: str, **environment: str) -> str:
    given = {**os.environ, "PYTHONPATH": str(ROOT / "engine"), **environment}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=given, check=False)
    assert not done.returncode, done.stderr
    return done.stdout


def test_a_session_on_the_emulated_device() -> None:
    """`OAKUM_PLATFORMS=emulated` runs on the CPU, or not at all."""
    first, second = session(SESSION.replace("{more}", ""), OAKUM_PLATFORMS="emulated").splitlines()
    w = oakum.random.normal(oakum.random.key(0), (4,))
    x = jnp.arange(12.0).reshape(3, 4)
    slope = oakum.value_and_grad(lambda w: jnp.mean((jnp.tanh(x @ w) - 1) ** 2))
    loss = jnp.array(0.0)
    for _ in range(12):
        loss, change = slope(w)
        w = w - 0.1 * change
    assert float(first.split()[0]) == pytest.approx(float(loss), rel=1e-4)
    assert first.endswith(f"{jnp.sort(x[::-1], 0)[0].tolist()} {jnp.cumsum(x, 1).tolist()}")
    assert second == "True {'eigh': 1}"


def test_what_prints_and_what_has_no_bytes() -> None:
    """Output is lost where an operation is a program of its own; a gradient of integers fails."""
    code = """
import oakum as jax
jax.debug.print("x: {}", 2)
jax.effects_barrier()
print(jax.jit(jax.grad(lambda x: 2.0 * x, allow_int=True))(3).dtype)
"""
    assert session(code, OAKUM_PLATFORMS="emulated").startswith("x: 2\n[('float0'")


def test_two_platforms() -> None:
    """What is put on one device is computed by the other."""
    more = """
cpu = jax.devices("cpu")[0]
before = backend.of("gpu").device.counts.launches
y = jax.device_put(x, cpu)
assert (y + 1).devices() == jax.jit(lambda y: y * 2)(y).devices() == {cpu}
with jax.default_device(cpu):
    assert jnp.ones(3).devices() == {cpu}
assert backend.of("gpu").device.counts.launches == before
assert jax.jit(lambda x: x * 2)(x).devices() == {device}
assert backend.of("gpu").device.counts.launches > before
"""
    session(SESSION.replace("{more}", more), OAKUM_PLATFORMS="emulated,cpu")


MEMORY = """
import gc, threading
import numpy as np, oakum as jax, oakum.numpy as jnp
from oakum.compile import backend

x = jax.device_put(np.arange(6, dtype="f4").reshape(2, 3), jax.devices("gpu")[0])
y = x * 2
memory = backend.of("gpu").device.memory

def change(act):
    gc.collect()
    before = memory.live_bytes
    kept = act()
    gc.collect()
    return memory.live_bytes - before

add = jax.jit(lambda a, b: a + b, donate_argnums=0)
z, q, known = y + 1, x + 5, x + 3
print(change(lambda: x + 3), change(lambda: add(z, x)), change(q.delete), z.is_deleted())
print(change(lambda: None), not hasattr(y, "_raw"), y.unsafe_buffer_pointer() == y.storage.address)
found = []
def work(number):
    for _ in range(3):
        found.append(float((x * number).sum()))
threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
for each in threads: each.start()
for each in threads: each.join()
print(sorted(found) == sorted(15.0 * number for number in range(4) for _ in range(3)))
big, sent = jnp.tile(y, (40, 1)), []
device = backend.of("gpu").device
put = device.put
device.put = lambda address, array: (sent.append(array.nbytes), put(address, array))
print((1.25 - big * 7.5)[1, 0], sent[:2])
device.put = put
y.copy_to_host_async()
print(np.asarray(y).tolist(), hasattr(y, "_raw"), y.is_ready())
"""


def test_memory_of_arrays() -> None:
    """Memory of arrays that are gone stays taken, or results are copied that nobody reads."""
    assert session(MEMORY, OAKUM_PLATFORMS="emulated").splitlines() == [
        "24 0 -24 True",
        "0 True True",
        "True",
        "-43.75 [4, 4]",
        "[[0.0, 2.0, 4.0], [6.0, 8.0, 10.0]] True True",
    ]


def test_a_driver_that_is_there_is_not_called_missing() -> None:
    """A user with a GPU installs the driver again."""

    def no_device() -> cuda_driver.Driver:
        raise cuda_driver.DriverError("cuInit", 100, "CUDA_ERROR_NO_DEVICE", "no device")

    absence = cuda_driver.explain_absence(no_device)
    assert absence is not None
    assert "is there" in absence
    assert "CUDA_ERROR_NO_DEVICE" in absence


def test_nothing_of_gpus_is_loaded_for_the_cpu() -> None:
    """Each program on the CPU starts later."""
    session(
        "import sys, oakum, oakum.numpy as jnp\n"
        "oakum.jit(lambda x: jnp.tanh(x))(1.0)\n"
        "loaded = [n for n in sys.modules if 'nvptx' in n or 'emulator' in n or 'cuda' in n]\n"
        "assert not loaded, loaded\n"
    )

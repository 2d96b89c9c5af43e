# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""What is asked of the driver of a GPU, on a driver that does nothing."""

from __future__ import annotations

import gc
import os
import sys
import textwrap
import warnings
from typing import Any

import numpy as np
import pytest
from tests.engine.empty_driver import EmptyLibrary, empty_device
from tests.engine.gpu_running import normal

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile import backend, executable
from oakum.compile.executable import Executable
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.runtime import arrays
from oakum.runtime.cuda import cuda_device
from oakum.runtime.cuda.cuda_device import CudaDevice
from oakum.runtime.native_call import native_calls
from oakum.runtime.topology import cuda_driver, devices
from oakum.runtime.topology.cuda_driver import NOT_READY, Driver
from oakum.tracing.ir import DONATED

pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.


@pytest.fixture
def device() -> tuple[CudaDevice, EmptyLibrary]:
    return empty_device()


def program(function: Any, args: Any, device: CudaDevice) -> Any:
    closed: Any = oakum.make_jaxpr(function)(*args)
    made = Executable(getattr(closed, "closed", closed), GpuBackend(lambda: device))
    assert not made.refusal, made.refusal
    return made


def held(*raws: Any) -> list[Any]:
    return [arrays.as_array(raw) for raw in raws]


def test_arguments_are_copied_once(device: tuple[CudaDevice, EmptyLibrary]) -> None:
    """A loop over the same data sends them to the GPU at each step."""
    gpu, library = device
    made = program(lambda x, y: x + y, (normal(3), normal(3)), gpu)
    given = held(normal(3), normal(3))
    for _ in range(5):
        made.run(given)
    assert library.calls["cuMemcpyHtoDAsync_v2"] == 2
    assert library.calls["cuMemcpyDtoHAsync_v2"] == 0
    assert library.calls["cuStreamSynchronize"] == 0


def test_a_loop_is_recorded(device: tuple[CudaDevice, EmptyLibrary]) -> None:
    """Each step of a training loop costs the host a call for each of its kernels."""
    gpu, library = device

    def step(w: Any, v: Any) -> Any:
        return w - 0.1 * lax.cumsum(v), v + w.sum()

    made = program(step, (normal(64), normal(64)), gpu)
    w, v = held(normal(64), normal(64))
    for _ in range(12):
        before = library.calls["cuLaunchKernel"]
        pair = made.run([w, v])
        w, v = (arrays.on_device(x, a.aval) for x, a in zip(pair, (w, v), strict=True))
    assert library.calls["cuGraphLaunch"] >= 6
    assert library.calls["cuLaunchKernel"] == before
    assert library.calls["cuStreamBeginCapture_v2"] == library.calls["cuStreamEndCapture"] <= 4


def test_memory_is_given_back(device: tuple[CudaDevice, EmptyLibrary]) -> None:
    """A loop fills the GPU."""
    gpu, library = device
    made = program(lambda x: jnp.cumsum(jnp.sin(x)) * 2, (normal(1000),), gpu)
    (x,) = held(normal(1000))
    made.run([x])
    live, asked = gpu.memory.live_bytes, library.calls["cuMemAlloc_v2"]
    for _ in range(20):
        made.run([x])
    assert gpu.memory.live_bytes <= live + 4096  # The scratch memory of what was recorded.
    assert library.calls["cuMemAlloc_v2"] == asked


def test_a_donated_argument_gives_its_memory(device: tuple[CudaDevice, EmptyLibrary]) -> None:
    """A step needs the memory of two states; or a result lies in memory that another array has."""
    gpu, _ = device
    closed: Any = oakum.make_jaxpr(lambda x: x * 2)(normal(9))
    closed = getattr(closed, "closed", closed)
    closed.cache[DONATED] = (True,)
    made = Executable(closed, GpuBackend(lambda: gpu))
    (x,) = held(normal(9))
    (first,) = made.run([x])
    assert first is x.storage
    (second,) = made.run([x.__copy__()])
    assert second is not first


def test_out_of_memory_says_who_has_it() -> None:
    """A user learns that there is not enough memory, and nothing else."""
    gpu, library = empty_device(most_bytes=64 << 20)
    made = program(lambda x: x + 1, (np.zeros(10 << 20, "f4"),), gpu)
    (x,) = held(np.zeros(1, "f4"))
    x = arrays.as_array(np.zeros(10 << 20, "f4"))
    with pytest.raises(oakum.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED") as caught:
        made.run([x])
    text = str(caught.value)
    for part in ("40.00 MiB on gpu:0", "24.00 MiB of 64.00 MiB are free", "donate_argnums"):
        assert part in text, text
    assert library.calls["cuMemAlloc_v2"] == 3  # Once more when what nobody uses is given back.


def test_out_of_memory_lists_the_largest_arrays() -> None:
    """A user searches a training program for what fills the GPU."""
    gpu, _ = empty_device(most_bytes=64 << 20)
    made = program(lambda x: x + 1, (np.zeros((5, 1 << 20), "f4"),), gpu)
    small, *large = held(np.zeros(9, "f4"), *[np.zeros((5, 1 << 20), "f4")] * 2)
    small.hold(made.program._new(36))
    kept = [arrays.on_device(made.run([large[0]])[0], large[0].aval) for _ in range(2)]
    with pytest.raises(oakum.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED") as caught:
        made.run([large[0]])
    text = str(caught.value)
    assert len(kept) == 2
    assert "the largest arrays are 3 of float32[5,1048576] (60.00 MiB, made at " in text, text
    assert "float32[9] (36.00 B)" in text, text


def test_out_of_memory_names_the_lines_that_made_the_largest_arrays(
    device: tuple[CudaDevice, EmptyLibrary],
) -> None:
    """A user has an error with shapes, and searches a program for where they come from."""
    gpu, library = device
    source = """
        def pair(x):
            wide = jnp.stack([x, x])
            return wide * 2, x - 1
    """
    names: dict[str, Any] = {"jnp": jnp}
    exec(compile(textwrap.dedent(source), "model.py", "exec"), names)
    made = program(names["pair"], (np.zeros(1 << 20, "f4"),), gpu)
    (x,) = held(np.zeros(1 << 20, "f4"))
    kept = [arrays.on_device(*each) for each in zip(made.run([x]), made.out_avals, strict=True)]
    library.free_bytes = 0
    with pytest.raises(oakum.errors.JaxRuntimeError, match="RESOURCE_EXHAUSTED") as caught:
        gpu.allocate(3 << 20)
    text = str(caught.value)
    assert "float32[2,1048576] (8.00 MiB, made at model.py:4)" in text, text
    assert "2 of float32[1048576] (8.00 MiB, made at " in text, text
    assert "model.py:4" in text.partition("2 of float32[1048576]")[2], text
    assert f"{__file__}:" in text, "where what the host had was first used"
    assert len(kept) == 2


@pytest.mark.parametrize("variable", ["OAKUM_MEM_FRACTION", "XLA_PYTHON_CLIENT_MEM_FRACTION"])
def test_a_fraction_of_the_memory_is_all_that_is_taken(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program takes the memory that was left for another process."""
    monkeypatch.setenv(variable, "0.5")
    gpu, library = empty_device(most_bytes=64 << 20)
    first = gpu.allocate(20 << 20)
    with pytest.raises(oakum.errors.JaxRuntimeError) as caught:
        gpu.allocate(16 << 20)
    text = str(caught.value)
    assert f"44.00 MiB of 64.00 MiB are free, {variable}=0.5 allows 32.00 MiB" in text, text
    assert gpu.memory_stats()["bytes_limit"] == 32 << 20
    gpu.release(first)
    assert gpu.allocate(32 << 20), "what nobody uses was given back"
    assert library.free_bytes == 32 << 20


@pytest.mark.parametrize("share", ["0", "1.5", "much"])
def test_a_fraction_that_is_none_is_refused(share: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program runs without the limit that the user wrote."""
    monkeypatch.setenv("OAKUM_MEM_FRACTION", share)
    with pytest.raises(ValueError, match=f"OAKUM_MEM_FRACTION: invalid share '{share}'"):
        empty_device()


@pytest.mark.parametrize("variable", ["OAKUM_PREALLOCATE", "XLA_PYTHON_CLIENT_PREALLOCATE"])
def test_memory_is_taken_in_advance_where_that_is_asked_for(
    variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process takes the memory that a long run needs later."""
    monkeypatch.setenv(variable, "true")
    gpu, library = empty_device(most_bytes=64 << 20)
    assert library.free_bytes == 16 << 20, "three quarters, as JAX"
    made = program(lambda x: x + 1, (normal(1 << 20),), gpu)
    (x,) = held(normal(1 << 20))
    for _ in range(20):
        made.run([x])
    del made, x
    gc.collect()
    apart = [gpu.allocate(12 << 20) for _ in range(3)]
    for each in (apart[0], apart[2], apart[1]):
        gpu.release(each)
    assert library.calls["cuMemAlloc_v2"] == 1
    assert gpu.allocate(40 << 20), "what was released is one piece again"
    with pytest.raises(oakum.errors.JaxRuntimeError) as caught:
        gpu.allocate(12 << 20)
    assert "48.00 MiB were taken in advance" in str(caught.value)
    stats = gpu.memory_stats()
    assert stats["bytes_limit"] == stats["bytes_reserved"] == 48 << 20


def test_how_much_is_taken_in_advance_is_the_fraction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes share a GPU, and the second one fails."""
    monkeypatch.setenv("XLA_PYTHON_CLIENT_PREALLOCATE", "true")
    monkeypatch.setenv("XLA_PYTHON_CLIENT_MEM_FRACTION", "0.5")
    gpu, found = empty_device(most_bytes=64 << 20)
    library: Any = found
    assert library.free_bytes == 32 << 20
    assert gpu.memory_stats()["bytes_limit"] == 32 << 20
    monkeypatch.setenv("OAKUM_MEM_FRACTION", "0.6")
    with pytest.raises(oakum.errors.JaxRuntimeError, match="taken in advance, 60% of its memory"):
        CudaDevice(found=Driver(library))
    monkeypatch.setenv("OAKUM_PREALLOCATE", "false")
    CudaDevice(found=Driver(library))


def test_memory_is_given_back_at_once_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Other processes get no memory, although XLA_PYTHON_CLIENT_ALLOCATOR=platform says so."""
    monkeypatch.setenv("XLA_PYTHON_CLIENT_ALLOCATOR", "platform")
    gpu, library = empty_device(most_bytes=64 << 20)
    made = program(lambda x: jnp.cumsum(x) * 2, (normal(1 << 18),), gpu)
    (x,) = held(normal(1 << 18))
    made.run([x])
    held_bytes = library.most_bytes - library.free_bytes
    assert held_bytes == gpu.memory_stats()["bytes_reserved"]
    for _ in range(5):
        made.run([x])
    assert library.most_bytes - library.free_bytes <= held_bytes + (1 << 21), "one recording"
    del made, x
    gc.collect()
    assert library.free_bytes == library.most_bytes
    assert not gpu.bucket(4096), "native code keeps no arrays"


@pytest.mark.parametrize(
    ("variable", "value", "is_said"),
    [
        ("XLA_PYTHON_CLIENT_PREALLOCATE", "false", False),
        ("XLA_PYTHON_CLIENT_ALLOCATOR", "default", False),
        ("XLA_PYTHON_CLIENT_ALLOCATOR", "platform", False),
        ("XLA_PYTHON_CLIENT_ALLOCATOR", "cuda_async", True),
    ],
)
def test_variables_without_effect_say_so(
    variable: str, value: str, is_said: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user believes that another allocator is at work."""
    monkeypatch.setenv(variable, value)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gpu, library = empty_device()
    found = [str(each.message) for each in caught]
    assert len(found) == is_said
    assert all(text.startswith(f"{variable}={value} has no effect: ") for text in found)
    assert gpu.allocate(1 << 20)
    assert library.sizes.popitem()[1] == 1 << 20, "no more than is needed"


def test_programs_run_on_the_gpu_that_the_options_name_now(
    device: tuple[CudaDevice, EmptyLibrary], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program goes on on the emulator, after another GPU was chosen and `clear_backends`."""
    closed: Any = oakum.make_jaxpr(lambda x: x + 1)(normal(3))
    closed = getattr(closed, "closed", closed)
    known = {"gpu": devices.Backend("gpu", 1, devices.EMULATOR)}
    monkeypatch.setattr(devices, "_backends", known)
    monkeypatch.setattr(backend, "_known", {})
    monkeypatch.setattr(cuda_device, "CudaDevice", lambda: device[0])
    emulated: Any = executable.of(closed, "gpu")
    assert executable.of(closed, "gpu") is emulated
    known["gpu"] = devices.Backend("gpu", 1, "another")
    made: Any = executable.of(closed, "gpu")
    assert made.backend.device is device[0] is not emulated.backend.device
    assert executable.of(closed, "gpu") is made


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_fork_is_explained(
    device: tuple[CudaDevice, EmptyLibrary], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child of a fork crashes in the driver."""
    gpu, _ = device
    monkeypatch.setattr(os, "getpid", lambda: -1)
    gpu._threads.is_entered = False
    with pytest.raises(RuntimeError, match="spawn"):
        gpu.allocate(4)


def test_a_missing_function_names_the_driver() -> None:
    """A driver that is too old ends with an `AttributeError`."""
    with pytest.raises(OSError, match=r"older than CUDA 12\.0"):
        Driver(object())  # type: ignore[arg-type]


def test_waiting_waits_for_the_device(device: tuple[CudaDevice, EmptyLibrary]) -> None:
    """Times are measured, or memory is used again, while the GPU is at work still."""
    gpu, library = device
    native_calls.runtime()  # Where it is there, arrays are waited for by native code.
    made = program(lambda x: x + 1, (normal(3),), gpu)
    given = held(normal(3))
    (storage,) = made.run(given)
    y: Any = arrays.on_device(storage, given[0].aval)
    library.statuses["cuStreamQuery"] = NOT_READY
    assert not y.is_ready()
    assert library.calls["cuStreamSynchronize"] == 0
    assert y.block_until_ready() is y
    assert library.calls["cuStreamSynchronize"] == 1
    oakum.block_until_ready({"y": (y, 1.0)})
    assert library.calls["cuStreamSynchronize"] == 2
    library.statuses.clear()
    assert y.is_ready()
    y.delete()
    for wait in (oakum.block_until_ready, lambda x: x.block_until_ready()):
        with pytest.raises(RuntimeError, match="deleted"):
            wait(y)


def test_a_copy_to_the_host_goes_on_meanwhile(device: tuple[CudaDevice, EmptyLibrary]) -> None:
    """A loop that logs its losses waits at each step, or copies them twice."""
    gpu, library = device
    made = program(lambda x: x + 1, (normal(300),), gpu)
    given = held(normal(300))

    def result() -> Any:
        return arrays.on_device(made.run(given)[0], given[0].aval)

    y = result()
    y.copy_to_host_async()
    y.copy_to_host_async()
    assert library.calls["cuMemcpyDtoHAsync_v2"] == 1
    assert library.calls["cuStreamSynchronize"] == 0
    assert np.asarray(y).shape == np.asarray(y).shape == (300,)
    assert library.calls["cuMemcpyDtoHAsync_v2"] == library.calls["cuStreamSynchronize"] == 1
    for _ in range(5):
        result().copy_to_host_async()  # Nobody reads it.
    assert library.calls["cuMemAllocHost_v2"] == 1


def test_what_fails_on_the_device_names_the_programs(
    device: tuple[CudaDevice, EmptyLibrary],
) -> None:
    """An error that is found later says the name of a function of the driver, and nothing else."""
    gpu, library = device

    def first(x: Any) -> Any:
        return x + 1

    def second(x: Any) -> Any:
        return x * 2

    given = held(normal(3))
    programs = [program(oakum.jit(each), (normal(3),), gpu) for each in (first, second)]
    for made in programs:
        made.closed.jaxpr.name = made.closed.jaxpr.eqns[0].params["name"]
    programs[0].run(given)
    gpu.wait()
    (storage,) = programs[1].run(given)
    library.statuses["cuStreamSynchronize"] = 700
    y: Any = arrays.on_device(storage, given[0].aval)
    for read in (lambda: y.block_until_ready(), lambda: np.asarray(y)):
        with pytest.raises(oakum.errors.JaxRuntimeError, match=r"\bsecond\b.*700") as caught:
            read()
        assert "first" not in str(caught.value)


def test_other_threads_read_while_launches_are_recorded(
    device: tuple[CudaDevice, EmptyLibrary],
) -> None:
    """A thread that logs results fails, or ends the recording of a training step."""
    gpu, library = device
    made = program(lambda x: lax.cumsum(jnp.sin(lax.cumsum(x))), (normal(64),), gpu)
    (x,) = held(normal(64))
    other: Any = arrays.on_device(made.run([x])[0], x.aval)
    read: list[Any] = []
    for _ in range(8):
        if not library.recorded and library.calls["cuStreamBeginCapture_v2"] == 0:
            library.on_launch = lambda: read.append(
                (library.recorded is gpu.stream, np.asarray(other.__copy__()))
            )
        made.run([x])
    assert any(is_recorded for is_recorded, _ in read), "libraries queue there, too"
    assert library.calls["cuGraphLaunch"] > 0


def test_numbers_are_copied_once(device: tuple[CudaDevice, EmptyLibrary]) -> None:
    """Each call with a learning rate, and each operation with a number, waits for a copy of it."""
    gpu, library = device
    made = program(lambda x, rate: x * rate, (normal(3), np.float32(1)), gpu)
    (x,) = held(normal(3))
    for rate in (0.5, -0.0, 0.5, 0.0, 0.5):
        made.run([x, *held(np.float32(rate))])
    assert library.calls["cuMemcpyHtoDAsync_v2"] == 1 + 3
    closed: Any = oakum.make_jaxpr(lambda n: n + 1)(np.int32(1))
    closed = getattr(closed, "closed", closed)
    closed.cache[DONATED] = (True,)
    counted = Executable(closed, GpuBackend(lambda: gpu))
    (one,), (same,) = held(np.int32(1)), held(np.int32(1))
    (two,) = counted.run([one])
    (again,) = counted.run([same])
    assert two is not again, "the next who has the number finds another one"


def test_memory_is_counted(
    device: tuple[CudaDevice, EmptyLibrary], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user cannot find out how much memory a program takes."""
    gpu, library = device
    monkeypatch.setattr(devices, "_memory", {})
    shown = devices.Device(devices.Backend("gpu", 1, "empty"), 0)
    assert shown.memory_stats() is None
    devices.count_memory("gpu", gpu.memory_stats)
    first, second = gpu.allocate(3 << 20), gpu.allocate(5 << 20)
    gpu.release(first)
    assert shown.memory_stats() == {
        "bytes_in_use": 5 << 20,
        "peak_bytes_in_use": 8 << 20,
        "bytes_reserved": 8 << 20,
        "bytes_limit": library.most_bytes,
    }
    gpu.release(second)


@pytest.mark.parametrize(
    ("version", "major", "words"),
    [
        (11080, 9, ("knows CUDA 11.8", "need 12.0", "Update the driver")),
        (13000, 7, ("empty has compute capability 7.7", "need 8.0")),
    ],
)
def test_what_is_too_old_is_named(version: int, major: int, words: tuple[str, ...]) -> None:
    """A program ends with a number of the driver's, in the middle of its first kernel."""
    library: Any = EmptyLibrary(version=version, major=major)
    text = cuda_driver.explain_absence(lambda: Driver(library))
    assert text is not None
    for word in (*words, "OAKUM_PLATFORMS=emulated"):
        assert word in text
    fit: Any = EmptyLibrary()
    assert cuda_driver.explain_absence(lambda: Driver(fit)) is None

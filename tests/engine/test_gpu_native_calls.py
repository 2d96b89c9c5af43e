# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Calls of programs of a GPU without a line of Python, on a driver that does nothing."""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.engine.empty_driver import NativeLibrary, empty_device
from tests.engine.gpu_running import normal

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.pytrees import pytree
from oakum.runtime import arrays
from oakum.runtime.cuda.cuda_device import CudaDevice
from oakum.runtime.emulator.emulated_device import EmulatedDevice
from oakum.runtime.native_call import native_calls, probe
from oakum.runtime.native_call.specs import Specification
from oakum.runtime.topology.cuda_driver import Driver
from oakum.tracing.ir import DONATED
from oakum.values import trace_context

pytestmark = [
    pytest.mark.unverified,  # Only the CPU's programs are watched while they run.
    pytest.mark.skipif(native_calls.runtime() is None, reason="calls stay in Python here"),
]


class Called:
    """A function of arrays whose calls are made natively, and the array that it was called with
    before.
    """

    def __init__(
        self,
        function: Any,
        *raws: Any,
        device: CudaDevice | None = None,
        is_recorded: bool = True,
        donated: tuple[bool, ...] = (),
    ) -> None:
        found, library = empty_device()
        self.device, self.library = device or found, library
        made: Any = oakum.make_jaxpr(function)(*raws)
        closed = getattr(made, "closed", made)
        closed.cache[DONATED] = donated
        self.made = Executable(closed, GpuBackend(lambda: self.device))
        assert not self.made.refusal, self.made.refusal
        self.given: list[Any] = [arrays.as_array(raw) for raw in raws]
        self.made.run(self.given)
        self.program: Any = self.made.program
        self.program._is_recorded &= is_recorded
        results = tuple(range(len(self.made.out_avals)))
        trees = pytree.structure((tuple(self.given), {})), pytree.structure(results)
        form = native_calls.Form(len(raws), (), {}, *trees, donated)
        self.call: Any = probe.callable_type()()
        now = trace_context.CURRENT.get(), trace_context.generation
        native: Any = native_calls.runtime()
        native.link(self.call, Specification(form, self.made, *now), 8)

    def __call__(self) -> Any:
        return self.call(*self.given)

    def launched(self) -> list[int]:
        """The addresses that the last kernel was launched with: two."""
        parameters = self.library.launched[-1][9]
        pointers = (ctypes.c_void_p * 2).from_address(
            parameters if isinstance(parameters, int) else ctypes.addressof(parameters)
        )
        return [ctypes.c_uint64.from_address(each or 0).value for each in pointers]


def test_a_kernel_is_launched_on_arguments_and_results() -> None:
    """A jitted call costs 20 us of the host, or computes on memory of other arrays."""
    called = Called(lambda x: x + 1, normal(33))
    seen: list[list[int]] = []
    called.library.on_launch = lambda: seen.append(called.launched())
    (y,) = called()
    assert called.library.calls["cuLaunchKernel"] == 2
    assert called.library.calls["cuCtxSetCurrent"] == 2, "it went through Python"
    assert seen == [[called.given[0].storage.address, y.storage.address]]
    assert (y.shape, y.dtype, y.committed) == ((33,), np.float32, False)


def test_temporary_buffers_and_constants_are_found() -> None:
    """A program of several kernels reads what other programs left."""
    table = jnp.asarray(normal(64))
    called = Called(lambda x: lax.sort(x[:4000] * table[:1]), normal(9000), is_recorded=False)
    before = called.library.calls["cuLaunchKernel"]
    by_python = called.launched()
    (result,) = called()
    assert called.library.calls["cuLaunchKernel"] == 2 * before > 2
    assert called.library.calls["cuCtxSetCurrent"] == 2, "it went through Python"
    assert result.shape == (4000,)
    assert len(by_python) == len(called.launched())


def test_what_was_recorded_is_replayed() -> None:
    """Each step of a training loop goes through Python, or replays what another step did."""
    called = Called(lambda x: lax.cumsum(jnp.sin(lax.cumsum(x))), normal(64))
    for _ in range(4):
        called()
    count = called.library.calls["cuGraphLaunch"]
    assert count, "the same addresses come again"
    called.program._run_at = None
    launches = called.library.calls["cuLaunchKernel"]
    called()
    assert called.library.calls["cuGraphLaunch"] == count + 1
    assert called.library.calls["cuLaunchKernel"] == launches
    kept = called()
    other = called()  # Its result lies elsewhere.
    assert kept[0].storage.address != other[0].storage.address


def test_memory_is_given_back() -> None:
    """A loop of jitted calls runs out of memory."""
    called = Called(lambda x: (x + 1, {"y": x.sum(0)}), normal(300, 5))
    called()
    gc.collect()
    left = called.device.memory_stats()["bytes_in_use"]
    counts = [sys.getrefcount(each.storage) for each in called.given]
    for _ in range(50):
        called()
    assert called.device.memory_stats()["bytes_in_use"] == left
    assert [sys.getrefcount(each.storage) for each in called.given] == counts


def test_what_the_driver_says_is_raised() -> None:
    """A call whose kernel could not be launched gives memory that nobody wrote."""
    called = Called(lambda x: x + 1, normal(3))
    left = called.device.memory_stats()["bytes_in_use"]
    for function in ("cuLaunchKernel", "cuCtxSetCurrent"):
        called.library.statuses[function] = 700
        with pytest.raises(oakum.errors.JaxRuntimeError, match="700"):
            called()
        called.library.statuses.clear()
    assert called.device.memory_stats()["bytes_in_use"] == left
    (y,) = called()
    assert y.shape == (3,)


def test_data_of_another_device_go_through_python() -> None:
    """Data of another device are read as if they were on this one."""
    called = Called(lambda x: x + 1, normal(3))
    other, _ = empty_device()
    elsewhere = Called(lambda x: x + 1, normal(3), device=other)
    (x,) = elsewhere.given
    assert called.call(x) == ((x,), {}), "the trial answers with what it was called with"


def test_data_of_the_host_are_copied_once() -> None:
    """Each step of a loop over batches goes through Python, or sends the same array again."""
    called = Called(lambda x: x + 1, normal(3))
    sent = called.library.calls["cuMemcpyHtoDAsync_v2"]
    batch: Any = arrays.as_array(normal(3, seed=1))
    called.call(normal(3, seed=2))
    called.call(batch)
    assert called.library.calls["cuMemcpyHtoDAsync_v2"] == sent + 2
    (y,) = called.call(batch)
    assert called.library.calls["cuMemcpyHtoDAsync_v2"] == sent + 2, "the array holds its copy"
    assert called.launched() == [batch.storage.address, y.storage.address]


def test_numbers_are_copied_where_they_change() -> None:
    """A learning rate is sent to the GPU at each step, or a step computes with the last one."""
    called = Called(lambda x, rate: x * rate, normal(3), 0.5)
    (x, _), library = called.given, called.library
    called.call(x, 0.5)
    sent = library.calls["cuMemcpyHtoDAsync_v2"]
    for _ in range(3):
        called.call(x, 0.5)
    assert library.calls["cuMemcpyHtoDAsync_v2"] == sent
    called.call(x, 0.25)
    assert library.calls["cuMemcpyHtoDAsync_v2"] == sent + 1
    called.call(x, 0.5)
    assert library.calls["cuMemcpyHtoDAsync_v2"] == sent + 1, "both are kept"


def test_values_of_the_host_reach_the_kernel() -> None:
    """A result is that of other numbers than the call's."""
    device: Any = EmulatedDevice()
    called = Called(lambda x, k, c: (x * k, x + c), normal(4), 2.0, 1j, device=device)
    for k in (3.0, 3.0, -1.5):
        x = normal(4, seed=int(k) + 2)
        for given in (x, arrays.as_array(x)):
            product, total = called.call(given, k, k * 2j)
            assert np.array_equal(np.asarray(product), x * np.float32(k))
            assert np.array_equal(np.asarray(total), x + np.complex64(k * 2j))


def test_donated_memory_is_that_of_the_result() -> None:
    """A training step needs memory for two states, or goes through Python."""
    called = Called(lambda x, y: x + y, normal(64), normal(64), donated=(True, False))
    x, y = called.given
    place = x.storage.address
    copied = called.library.calls["cuMemcpyDtoDAsync_v2"]
    (z,) = called()
    assert z.storage.address == place
    assert x.is_deleted()
    assert not y.is_deleted()
    (again,) = called.call(z, y)
    assert again.storage.address == place
    assert called.library.calls["cuMemcpyDtoDAsync_v2"] == copied


@pytest.mark.parametrize("how", ["both", "shared", "coming"])
def test_donated_memory_that_others_read_is_left_alone(how: str) -> None:
    """An array that the user has changes, because another one was donated."""
    device: Any = EmulatedDevice()
    donated = (True, False)
    called = Called(lambda x, y: x * y, normal(8), normal(8), device=device, donated=donated)
    x = arrays.as_array(normal(8, seed=1))
    other = arrays.as_array(normal(8, seed=1))
    called.call(other, x)  # The device has it now.
    raw = normal(8, seed=1)
    match how:
        case "both":
            (product,) = called.call(x, x)
        case "shared":
            shared = x.moved_to(None, False)
            (product,) = called.call(x, normal(8, seed=1))
            assert np.array_equal(np.asarray(shared), raw)
        case _:
            kept = called.call(arrays.as_array(raw), np.ones(8, "f4"))[0]
            kept.begin_fetch()
            (product,) = called.call(kept, normal(8, seed=1))
    assert np.array_equal(np.asarray(product), raw * raw)


def test_memory_that_was_kept_is_there_for_others() -> None:
    """A program runs out of memory that nobody uses."""
    device, _ = empty_device(most_bytes=4 << 20)
    called = Called(lambda x: x + 1, normal(1 << 18), device=device)
    first = called()[0].storage.address
    assert called()[0].storage.address == first, "what nobody holds is the next result"
    assert device.allocate(1 << 20) == first
    called()  # Its result is kept.
    assert device.allocate(2 << 20), "what is kept was given back to the driver"
    stats = device.memory_stats()
    assert stats["bytes_in_use"] == stats["bytes_reserved"] == 4 << 20


def test_results_of_other_sizes_say_their_size() -> None:
    """An array reads less than it has, or beyond its end."""
    called = Called(lambda x: x + 1, normal(33))
    other = Called(lambda x: x + 1, normal(35), device=called.device)
    called()
    (y,) = other()
    assert y.storage.nbytes == 35 * 4
    assert np.asarray(y).shape == (35,)


def test_memory_of_arrays_in_a_cycle_is_given_back_once() -> None:
    """Two arrays have the same memory, after objects that refer to each other were collected."""
    called = Called(lambda x: x + 1, normal(33))
    called()
    left = called.device.memory_stats()["bytes_in_use"]
    for _ in range(3):
        cycle: list[Any] = [*called(), *called()]
        cycle.append(cycle)
        del cycle
        gc.collect()
    assert called.device.memory_stats()["bytes_in_use"] == left
    kept = [called()[0] for _ in range(6)]
    assert len({each.storage.address for each in kept}) == 6


def test_results_know_the_line_that_made_them() -> None:
    """The error of a full GPU names the line of an array that lay in this memory before."""

    def first(x: Any) -> Any:
        return x + 1

    def second(x: Any) -> Any:
        return x * 2

    called = Called(first, normal(64))
    other = Called(second, normal(64), device=called.device)
    for _ in range(2):
        for each, function in ((called, first), (other, second)):
            (y,) = each()
            assert y.storage.origin.line == function.__code__.co_firstlineno + 1
            del y


def seconds(call: Callable[[], object], count: int = 2000) -> float:
    """The least CPU time of a call."""
    best = 1.0
    for _ in range(7):
        begun = time.process_time()
        for _ in range(count):
            call()
        best = min(best, (time.process_time() - begun) / count)
    return best


def in_a_chain(launches: int) -> Callable[[Any], Any]:
    """A function of so many kernels."""

    def function(x: Any) -> Any:
        for _ in range(launches):
            x = lax.cumsum(x)
        return x

    return function


def on_native(function: Callable[[Any], Any], *, is_recorded: bool) -> tuple[Called, Any]:
    """A function on a driver whose functions are native."""
    library: Any = NativeLibrary()
    device = CudaDevice(found=Driver(library))
    return Called(function, normal(64), device=device, is_recorded=is_recorded), library


def test_a_call_costs_the_host_no_more_than_two_microseconds() -> None:
    """Small programs are bound by the host: a GPU waits for the next kernel of a training step."""
    took: dict[int, float] = {}
    for launches in (1, 41):
        called, library = on_native(in_a_chain(launches), is_recorded=False)
        before = library.launches
        called()
        assert library.launches - before == launches
        took[launches] = seconds(called)
    assert took[1] < 2e-6, took
    assert (took[41] - took[1]) / 40 < 0.1e-6, took


def test_a_replayed_call_costs_the_host_no_more_than_two_microseconds() -> None:
    """A recording takes longer to find than its kernels to launch."""
    called, library = on_native(in_a_chain(41), is_recorded=True)
    for _ in range(4):
        called()
    before, replays = library.launches, library.replays
    called()
    assert (library.launches, library.replays) == (before, replays + 1)
    assert seconds(called) < 2e-6

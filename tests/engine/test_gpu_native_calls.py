# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Calls of programs of a GPU without a line of Python, on a driver that does nothing."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Any

import numpy as np
import pytest
from tests.engine.empty_driver import empty_device
from tests.engine.gpu_running import normal

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.compile.executable import Executable
from oakum.compile.nvptx.gpu_backend import GpuBackend
from oakum.pytrees import pytree
from oakum.runtime import arrays
from oakum.runtime.cuda.cuda_device import CudaDevice
from oakum.runtime.native_call import native_calls, probe
from oakum.runtime.native_call.specs import Specification
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
    ) -> None:
        found, library = empty_device()
        self.device, self.library = device or found, library
        closed: Any = oakum.make_jaxpr(function)(*raws)
        self.made = Executable(getattr(closed, "closed", closed), GpuBackend(lambda: self.device))
        assert not self.made.refusal, self.made.refusal
        self.given: list[Any] = [arrays.as_array(raw) for raw in raws]
        self.made.run(self.given)
        self.program: Any = self.made.program
        self.program._is_recorded &= is_recorded
        results = tuple(range(len(self.made.out_avals)))
        trees = pytree.structure((tuple(self.given), {})), pytree.structure(results)
        form = native_calls.Form(len(raws), (), {}, *trees)
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


def test_what_is_not_in_the_memory_of_the_device_goes_through_python() -> None:
    """Data of the host, or of another device, are read as if they were on this one."""
    called = Called(lambda x: x + 1, normal(3))
    other, _ = empty_device()
    for x in (normal(3), arrays.as_array(normal(3))):
        assert called.call(x) == ((x,), {}), "the trial answers with what it was called with"
    elsewhere = Called(lambda x: x + 1, normal(3), device=other)
    (x,) = elsewhere.given
    assert called.call(x) == ((x,), {})

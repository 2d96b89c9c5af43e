"""The back end of GPUs: the answers that planning asks for, and the way from plans to programs.

What has no kernel is evaluated by the host: eigenvalues, singular values, some special functions.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum.compile.loops.operations import NATIVE
from oakum.compile.nvptx import nvptx_target, product_tiling
from oakum.compile.nvptx.gpu_program import GpuProgram
from oakum.compile.nvptx.kernel_schedule import schedule
from oakum.compile.nvptx.plan_code import GpuDevice, Loader
from oakum.compile.nvptx.solvers import dispatch
from oakum.compile.plan.steps import NestStep, Plan, PlanStep
from oakum.compile.problems.contraction import Contraction, Convolution
from oakum.compile.problems.problem import (
    Accumulation,
    Epilogue,
    Policy,
    Problem,
    Product,
    Solved,
)
from oakum.runtime.topology import devices
from oakum.values.avals import ShapedArray

POLICY: Final = Policy(
    # Those of reductions and rows were measured on an H200, the rest follows from what a GPU has.
    # Longer groups take more than the 64 registers that leave room for 1,024 threads.
    longest_group=400.0,
    # A byte moved is worth 8.8 instructions, as a GPU of 3.35 TB/s has it (132 x 128 lanes).
    recomputed_ns=0.5,
    # So many instructions take less time than the launch of a kernel of their own: indices that are
    # counted from the end are put right where they are used.
    light_chain=4,
    # A row in shared memory: six blocks of a multiprocessor, which has 227 KiB.
    staged_bytes=32768,
    # Shorter rows are not shared among threads.
    shortest_staged_row=32,
    # Eight blocks for each of 132 multiprocessors, and the same bits on smaller ones.
    reduction_parts=1024,
    # A block of 1,024 threads sums 32 elements each.
    shortest_split=1 << 15,
    # Two blocks for each of 132 multiprocessors.
    few_positions=264,
    # A warp has 4 columns a lane.
    columns_together=128,
    # Loops over short axes cost a thread as much as straight code.
    unrolled_instructions=96,
    # Epilogues are kernels of their own.
    shortest_epilogue_row=8,
    longest_epilogue=400.0,
    narrow_epilogue_ns=0.8,
    # Half of the second cache.
    near_bytes=1 << 24,
    # As many comparisons for each element, by a thread of its own, as sorting takes steps in shared
    # memory; longer lines are selected in order.
    longest_counted_sort=32,
    sorts_by_selection=True,
    splits_complex=True,
    avoids_host=True,
    products_per_row=256,
)


class GpuLowering:
    """Answers for one program, and compiles it."""

    policy = POLICY

    def __init__(self, device: GpuDevice, loader: Loader) -> None:
        self._device, self._loader = device, loader

    def takes(self, problem: Problem) -> bool:
        """Returns whether there is a kernel for a problem."""
        match problem:
            case Contraction() | Convolution():
                return True
            case Accumulation():
                return problem.dtype in NATIVE
            case _:
                return dispatch.takes(problem)

    def stores_vectors(self, problem: Contraction) -> bool:
        """Returns whether results are stored many at a time: threads side by side do."""
        del problem
        return True

    def scratch_bytes(self, problem: Product | Solved, epilogue: Epilogue | None = None) -> int:
        """Returns the bytes of a product that is not finished yet, or of what solving takes."""
        if not isinstance(problem, (Contraction, Convolution)):
            return dispatch.scratch_bytes(problem)
        device = self._device
        return product_tiling.scratch_bytes(problem, epilogue, lambda: device.has_library_products)

    def compile(
        self,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
        *,
        is_watched: bool = False,
    ) -> GpuProgram:
        """Compiles a plan whose memory is laid out."""
        if is_watched:
            raise NotImplementedError("programs of a GPU cannot be verified while they run")
        return GpuProgram(self._loader, self._device, plan, avals, constants)

    def describe(self, step: PlanStep) -> str:
        """Returns how a nest is scheduled; nothing for other steps."""
        return str(schedule(step.nest)) if isinstance(step, NestStep) else ""


class GpuBackend:
    """The back end of one GPU, which is made when a first program is compiled."""

    platform = "gpu"

    def __init__(self, make: Callable[[], GpuDevice], kind: str | None = None) -> None:
        self._make, self._kind = make, kind

    @property
    def is_current(self) -> bool:
        """Whether the GPU of the options is of this kind still, or there is none any more."""
        found = devices.backends().get("gpu")
        return found is None or self._kind in (None, found.device_kind)

    @functools.cached_property
    def device(self) -> GpuDevice:
        """The device."""
        return self._make()

    @functools.cached_property
    def _loader(self) -> Loader:
        return Loader(self.device, nvptx_target.target())

    def lowering(self) -> GpuLowering:
        """Returns what answers for one program."""
        return GpuLowering(self.device, self._loader)


def first_gpu() -> GpuBackend:
    """Returns the back end of the GPU that the options chose: one of this machine, or an emulated
    one.
    """
    kind = devices.get_backend("gpu").device_kind
    if kind == devices.EMULATOR:
        from oakum.runtime.emulator.emulated_device import EmulatedDevice

        return GpuBackend(EmulatedDevice, kind)
    from oakum.runtime.cuda.cuda_device import CudaDevice

    def make() -> GpuDevice:
        found = CudaDevice()
        devices.count_memory("gpu", found.memory_stats)
        return found

    return GpuBackend(make, kind)

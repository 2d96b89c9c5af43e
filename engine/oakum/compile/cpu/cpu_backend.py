"""The back end of the CPU: native code, with vectors and threads, in the memory of the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum.compile import elementary
from oakum.compile.cpu.codegen.schedule import schedule
from oakum.compile.cpu.step_writer import CpuStepWriter, ProductCodes
from oakum.compile.loops.operations import NATIVE
from oakum.compile.native import target
from oakum.compile.native.jit_link import PARALLEL
from oakum.compile.plan.steps import NestStep, Plan, PlanStep
from oakum.compile.problems.contraction import Contraction, Convolution
from oakum.compile.problems.problem import Accumulation, Epilogue, Policy, Problem, Product, Solved
from oakum.compile.program.driver import DriverWriter
from oakum.compile.program.native_program import NativeProgram
from oakum.values.avals import ShapedArray

POLICY: Final = Policy(
    # Code generation takes more than its share of time for longer groups. By judgement.
    longest_group=2000.0,
    # Below a division and above four light operations. At half, layer norm is 5% slower; softmax,
    # whose `exp` is kept at either, is not. Doubled, nothing changes.
    recomputed_ns=0.5,
    light_chain=1,
    # The first data cache. Half and double change softmax of 24 and 48 KiB rows by less than 3%.
    staged_bytes=32768,
    # One vector of AVX2; shorter rows are vectorised across. Softmax of 6 and 12: within 1%.
    shortest_staged_row=8,
    # As many chunks as threads get at most. Half and double are within 1% on one thread.
    reduction_parts=64,
    # About 18 us of work: less is not shared. On one thread splitting costs less than 1%.
    shortest_split=1 << 19,
    few_positions=1,
    columns_together=1,
    # The longest body that was useful; 3 and 6 stacked arrays are within 1% at half and double.
    unrolled_instructions=96,
    # One vector of AVX2. Half is 5% faster for rows of 6.
    shortest_epilogue_row=8,
    # Longer ones would not stay in registers beside a tile. By judgement.
    longest_epilogue=400.0,
    # Bias and scaling are fused, functions are not. Half and double are within 1% for a vector.
    narrow_epilogue_ns=0.8,
    # Half of the second cache (512 KiB). A dense layer of 128 x 256 is 3% slower at half.
    near_bytes=1 << 18,
    # Comparisons of all with all lose to NumPy's sorting from a few elements on.
    longest_counted_sort=0,
    sorts_by_selection=False,
    splits_complex=False,
    avoids_host=False,
    # Dense layers of 1024 x k x 1024 are within 2% for k of 128 to 768 at half and at double: a
    # wrong guess costs little either way on one thread.
    products_per_row=256,
)
"""See `benchmarks/cost_constants.md` for the measurements at half and at double of each number."""


class CpuLowering:
    """Answers for one program, and compiles it."""

    policy = POLICY

    def __init__(self) -> None:
        self._target = target.host()
        self._products = ProductCodes(self._target)

    def takes(self, problem: Problem) -> bool:
        """Returns whether there is code for a problem."""
        match problem:
            case Contraction() | Convolution():
                return True
            case Accumulation():
                return problem.dtype in NATIVE
            case _:
                from oakum.compile.cpu.kernels import dispatch

                return dispatch.takes(problem)

    def stores_vectors(self, problem: Contraction) -> bool:
        """Returns whether results are stored as vectors: dot products give one at a time."""
        from oakum.compile.cpu.contraction import planning

        return planning.plan(problem, self._target).form is not planning.Form.DOTS

    def scratch_bytes(self, problem: Product | Solved, epilogue: Epilogue | None = None) -> int:
        """Returns the bytes of scratch memory of all threads that share a problem."""
        if isinstance(problem, (Contraction, Convolution)):
            from oakum.compile.cpu.contraction import sharing

            _, code, shares = self._products.of(problem, epilogue)
            return sharing.scratch_bytes(code, shares)
        from oakum.compile.cpu.kernels import dispatch

        stride = dispatch.scratch_stride(problem, self._target)
        return stride * dispatch.shares_of(problem, self._target)

    def compile(
        self,
        plan: Plan,
        avals: tuple[Sequence[ShapedArray], Sequence[ShapedArray]],
        constants: Sequence[Any],
        *,
        is_watched: bool = False,
    ) -> NativeProgram:
        """Compiles a plan whose memory is laid out."""
        steps = CpuStepWriter(self._target, self._products)
        watcher = 1 + len(constants) if is_watched else None
        source = DriverWriter(self._target, steps, watcher).write(plan)
        imports = elementary.addresses(source.called, self._target)
        if steps.is_parallel:
            from oakum.compile.native import threads

            imports[PARALLEL] = threads.address()
        return NativeProgram(plan, source, avals, constants, imports, is_watched=is_watched)

    def describe(self, step: PlanStep) -> str:
        """Returns how a nest is scheduled; nothing for other steps."""
        return str(schedule(step.nest, self._target)) if isinstance(step, NestStep) else ""


class CpuBackend:
    """The back end of the CPU."""

    platform = "cpu"
    is_current = True

    def lowering(self) -> CpuLowering:
        """Returns what answers for one program."""
        return CpuLowering()

"""The back end of the CPU: native code, with vectors and threads, in the memory of the host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from oakum.compile.cpu.codegen.schedule import schedule
from oakum.compile.cpu.contraction.planning import Form, plan
from oakum.compile.cpu.contraction.sharing import scratch_bytes
from oakum.compile.cpu.kernels import dispatch
from oakum.compile.cpu.product_codes import ProductCodes
from oakum.compile.cpu.step_writer import CpuStepWriter
from oakum.compile.elementary import math_calls
from oakum.compile.loops.operations import NATIVE
from oakum.compile.native import target, threads
from oakum.compile.native.jit_link import PARALLEL
from oakum.compile.plan.steps import NestStep, Plan, PlanStep
from oakum.compile.problems.accumulation import Accumulation
from oakum.compile.problems.contraction import Contraction
from oakum.compile.problems.convolution import Convolution
from oakum.compile.problems.epilogue import Epilogue
from oakum.compile.problems.policy import Policy
from oakum.compile.problems.problem import Problem, Product, Solved
from oakum.compile.program.driver import DriverWriter
from oakum.compile.program.native_program import NativeProgram
from oakum.values.avals import ShapedArray

POLICY: Final = Policy(
    longest_group=2000.0,
    recomputed_ns=0.5,
    staged_bytes=32768,
    shortest_staged_row=8,
    reduction_parts=64,
    shortest_split=1 << 19,
    unrolled_instructions=96,
    shortest_epilogue_row=8,
    longest_epilogue=400.0,
    narrow_epilogue_ns=0.8,
    near_bytes=1 << 18,
    products_per_row=256,
)


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
                return dispatch.takes(problem)

    def stores_vectors(self, problem: Contraction) -> bool:
        """Returns whether results are stored as vectors: dot products give one at a time."""
        return plan(problem, self._target).form is not Form.DOTS

    def scratch_bytes(self, problem: Product | Solved, epilogue: Epilogue | None = None) -> int:
        """Returns the bytes of scratch memory of all threads that share a problem."""
        if isinstance(problem, (Contraction, Convolution)):
            _, code, shares = self._products.of(problem, epilogue)
            return scratch_bytes(code, shares)
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
        imports = math_calls.addresses(source.called, self._target)
        if steps.is_parallel:
            imports[PARALLEL] = threads.address()
        return NativeProgram(plan, source, avals, constants, imports, is_watched=is_watched)

    def describe(self, step: PlanStep) -> str:
        """Returns how a nest is scheduled; nothing for other steps."""
        return str(schedule(step.nest, self._target)) if isinstance(step, NestStep) else ""


class CpuBackend:
    """The back end of the CPU."""

    platform = "cpu"

    def lowering(self) -> CpuLowering:
        """Returns what answers for one program."""
        return CpuLowering()

"""The kernels of a step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from oakum.compile.loops.loop_ir import Buffer, Nest, checked
from oakum.compile.native.target import Target
from oakum.compile.nvptx import (
    accumulation_kernels,
    contraction_nests,
    product_finish,
    side_by_side,
)
from oakum.compile.nvptx.codegen.gpu_kernel import Kernel
from oakum.compile.nvptx.kernel_schedule import ACCESS
from oakum.compile.nvptx.library_products import LibraryCall
from oakum.compile.nvptx.nest_kernels import NestKernel
from oakum.compile.nvptx.product_kernels import Operands, ProductKernel
from oakum.compile.nvptx.product_tiling import THREADS, tiling_of
from oakum.compile.nvptx.solvers import dispatch
from oakum.compile.plan.steps import AccumulationStep, ContractionStep, KernelStep, NestStep
from oakum.values.records import dataclass

Computed = NestStep | ContractionStep | AccumulationStep | KernelStep
"""Steps that are kernels of the device."""


@dataclass(frozen=True, slots=True)
class KernelCode:
    """A kernel, and how it is launched."""

    text: str
    """Its module as LLVM's text."""
    grid: int
    """The number of blocks."""
    threads: int
    """The threads of a block."""
    buffers: tuple[Buffer, ...]
    """The buffers whose addresses it takes, in order."""
    title: str


def kernels_of(
    step: Computed, target: Target, alignments: Mapping[Buffer, int]
) -> list[KernelCode]:
    """Returns the kernels that carry out a step, in order; `alignments` says of which multiple the
    addresses of buffers are, where that is less than an access takes.
    """
    match step:
        case NestStep(nest):
            return [_of_nest(nest, target, alignments)]
        case ContractionStep():
            return _of_product(step, target, alignments)
        case AccumulationStep(problem, source, result):
            if not problem.size:
                return []
            buffers = {"source": source, "result": result}
            alignment = min(alignments.get(b, ACCESS) for b in (source, result))
            return [
                _code("scan", (kernel, grid), tuple(buffers[name] for name in operands))
                for kernel, grid, operands in accumulation_kernels.write(problem, target, alignment)
            ]
        case KernelStep(problem):
            if not problem.size:
                return []
            return _of_problem(step, target)


def joined_code(
    steps: Sequence[NestStep], target: Target, alignments: Mapping[Buffer, int]
) -> KernelCode:
    """Returns the kernel of nests that are one launch together."""
    made = side_by_side.write([step.nest for step in steps], target, alignments)
    kernel = made.kernel
    return KernelCode(kernel.module(), made.grid, kernel.threads, made.buffers, made.title)


def _of_problem(step: KernelStep, target: Target) -> list[KernelCode]:
    kind = type(step.problem).__name__.lower()
    return [
        _code(kind, (each.kernel, each.grid), tuple(step.buffers[n] for n in each.buffers))
        for each in dispatch.launches(step.problem, target)
    ]


def _code(kind: str, made: tuple[Kernel, int], buffers: tuple[Buffer, ...]) -> KernelCode:
    kernel, grid = made
    title = f"{kind}: {grid} blocks of {kernel.threads} threads"
    return KernelCode(kernel.module(), grid, kernel.threads, buffers, title)


def _of_nest(nest: Nest, target: Target, alignments: Mapping[Buffer, int]) -> KernelCode:
    made = NestKernel(nest, target, alignments)
    text = made.write().module()
    return KernelCode(text, made.how.grid, made.how.threads, made.buffers, str(made.how))


def _of_product(
    step: ContractionStep, target: Target, alignments: Mapping[Buffer, int]
) -> list[KernelCode]:
    if not step.result.size:
        return []
    planned = contraction_nests.plan(step.problem, step.offsets)
    problem, tiling = planned.problem.simplified(), tiling_of(planned)
    following: Nest | None = None
    if tiling is None:
        result = step.result
        if step.epilogue is not None:
            result, following = product_finish.after(step, problem)
        nest = contraction_nests.nest_of(step, planned, result)
        found = [_of_nest(checked(nest), target, alignments)]
    else:
        copied, lhs, rhs = planned.copied, step.lhs, step.rhs
        if copied is not None:
            lhs, rhs = copied.operands(step.scratch)
        if tiling.parts == 1:
            finish = product_finish.whole(step, problem)
        else:
            first = 0 if copied is None else copied.nbytes
            finish, following = product_finish.parts(step, problem, tiling.parts, first)
        given = Operands(lhs, rhs, planned.offsets)
        made = ProductKernel(problem, tiling, given, finish, target, alignments)
        title = f"{tiling}: {tiling.blocks} blocks of {THREADS} threads"
        text = made.write().module()
        nests = [] if copied is None else copied.nests(step)
        found = [_of_nest(checked(nest), target, alignments) for nest in nests]
        found.append(KernelCode(text, tiling.blocks, THREADS, made.buffers, title))
    if following is not None:
        found.append(_of_nest(checked(following), target, alignments))
    return [_in_scratch(code, step) for code in found]


def library_code(step: ContractionStep, call: LibraryCall) -> KernelCode:
    """Returns the code of a product that a library computes, which has no text."""
    result = step.result if step.epilogue is None else step.scratch
    buffers = call.ordered(step.lhs, step.rhs, result)
    return KernelCode("", 1, 1, buffers, f"library: {call.product}")


def following_code(
    step: ContractionStep, target: Target, alignments: Mapping[Buffer, int]
) -> list[KernelCode]:
    """Returns the kernel that goes on with a product in scratch memory, if there is one."""
    if step.epilogue is None:
        return []
    problem = contraction_nests.plan(step.problem, step.offsets).problem.simplified()
    _, nest = product_finish.after(step, problem)
    return [_in_scratch(_of_nest(checked(nest), target, alignments), step)]


def _in_scratch(code: KernelCode, step: ContractionStep) -> KernelCode:
    """Returns the code with the scratch memory in the place of the unfinished product."""
    known: Sequence[Buffer] = (step.lhs, step.rhs, step.result, *step.reads, *step.others)
    buffers = tuple(b if b in known else step.scratch for b in code.buffers)
    return KernelCode(code.text, code.grid, code.threads, buffers, code.title)

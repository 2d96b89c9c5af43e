"""Steps as code of the CPU: calls of functions, long ones shared out among threads; and the
code of the products of one program, written once for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum import config, dtypes
from oakum.compile.cpu.codegen.emit_nest import NestWriter
from oakum.compile.cpu.codegen.schedule import Schedule, is_short, schedule
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops.loop_ir import Buffer, Nest
from oakum.compile.native.jit_link import PARALLEL
from oakum.compile.native.target import Target
from oakum.compile.plan.steps import (
    AccumulationStep,
    ContractionStep,
    KernelStep,
    NestStep,
    PlanStep,
)
from oakum.compile.problems.contraction import Convolution
from oakum.compile.problems.problem import Accumulation, Epilogue, Product, Solved
from oakum.compile.program.driver import DeviceStep, ProgramWriter
from oakum.values.records import replace

if TYPE_CHECKING:
    from oakum.compile.cpu.contraction import Code


class CpuStepWriter:
    """Writes the steps of one module."""

    def __init__(self, target: Target, products: ProductCodes) -> None:
        self._target = target
        self._products = products
        self._nests: dict[tuple[Nest, bool], tuple[str, Schedule]] = {}
        self._contractions: set[str] = set()
        self._accumulations: dict[Accumulation, str] = {}
        self._problems: dict[tuple[Solved, bool], str] = {}
        self.is_parallel = False
        """Whether the module has work shared out among threads."""

    def write(self, program: ProgramWriter, step: DeviceStep, iterations: float) -> float:
        """Writes a step, carried out so many times in a call; returns the estimated time of it."""
        match step:
            case NestStep(nest):
                return self._nest(program, nest, iterations)
            case ContractionStep():
                return self._contraction(program, step)
            case AccumulationStep():
                return self._accumulation(program, step)
            case KernelStep():
                return self._problem(program, step)

    def _nest(self, program: ProgramWriter, nest: Nest, iterations: float) -> float:
        buffers = [b for b in nest.buffers if b.role != "stage"]
        name, how = self._function_of_nest(program, nest, buffers, iterations)
        addresses = [program.address(b) for b in buffers]
        extent = nest.extents[how.order[0]] if how.order else 0
        if how.parallel is None:
            _call(program.function, name, addresses, extent)
        else:
            chunks = min(extent, max(int(how.cost_ns / _CHUNK_NS), 2), _MOST_CHUNKS)
            self._run_parallel(program, f"{name}_chunk", addresses, chunks)
        return how.cost_ns

    def _function_of_nest(
        self, program: ProgramWriter, nest: Nest, buffers: Sequence[Buffer], iterations: float
    ) -> tuple[str, Schedule]:
        """Returns the name of a nest's function; nests that differ in their buffers share it."""
        renamed = {b: replace(b, number=n, role="temporary") for n, b in enumerate(buffers)}
        alike, calls = nest.with_buffers(renamed), is_short(nest, iterations)
        found = self._nests.get((alike, calls))
        if found is None:
            name = f"k{len(self._nests)}"
            how = schedule(alike, self._target)
            if config.enable_checks.value:
                from oakum.compile.plan_verify import conflicts

                conflicts.verify_shares(alike, how)
            function = NestWriter(alike, how, self._target, name, calls=calls).write()
            _verify([function], buffers, NestStep(nest))
            functions = program.driver.functions
            functions.append(function)
            if how.parallel is not None:
                functions.append(self._chunk(name, alike, how, len(buffers)))
            found = self._nests[alike, calls] = (name, how)
        return found

    def _chunk(self, name: str, nest: Nest, how: Schedule, count: int) -> Function:
        """Returns the function of one chunk of a nest."""
        f = self._chunk_function(f"{name}_chunk")
        axis = how.order[0]
        extent = nest.extents[axis]
        unit = 1 if axis != how.axis else how.unit
        blocks = -(-extent // unit)
        chunk, chunks = Value("%chunk", dtypes.int64), Value("%chunks", dtypes.int64)

        def border(number: Value) -> Value:
            share = f.div(f.mul(number, blocks), chunks)
            return f.minimum(f.mul(share, unit), extent)

        begin, end = border(chunk), border(f.add(chunk, 1))
        addresses = [f.load_pointer("%buffers", number) for number in range(count)]
        arguments = [*[f"ptr {a}" for a in addresses], begin.typed, end.typed]
        f.write(f"call void @{name}({', '.join(arguments)})")
        return f

    def _contraction(self, program: ProgramWriter, step: ContractionStep) -> float:
        from oakum.compile.cpu.contraction import sharing

        f, functions = program.function, program.driver.functions
        name, code, shares = self._products.of(step.problem, step.epilogue)
        places = [
            f.pointer(program.address(step.lhs), step.offsets[0], step.lhs.dtype),
            f.pointer(program.address(step.rhs), step.offsets[1], step.rhs.dtype),
            program.address(step.result),
            program.address(step.scratch),
        ]
        extra = (*step.reads, *step.others)
        if name not in self._contractions:
            self._contractions.add(name)
            own = [step.lhs, step.rhs, step.result, step.scratch, None, None]
            _verify(code.functions, [*own, *extra], step)
            functions.extend(code.functions)
            if shares > 1:
                share = self._chunk_function(f"{name}_chunk")
                sharing.write_share(share, name, code, len(extra))
                functions.append(share)
            if code.preparation is not None:
                share = self._chunk_function(f"{name}_prepare_chunk")
                sharing.write_preparation(share, code.preparation, len(extra))
                functions.append(share)
        extras = [program.address(buffer) for buffer in extra]
        if code.preparation is not None:
            self._run_parallel(program, f"{name}_prepare_chunk", [*places, *extras], shares)
        if shares > 1:
            self._run_parallel(program, f"{name}_chunk", [*places, *extras], shares)
        else:
            _call(f, name, places, code.chunks, extras)
        return sharing.finished_cost_of(step.problem, step.epilogue, step.result.size)

    def _accumulation(self, program: ProgramWriter, step: AccumulationStep) -> float:
        from oakum.compile.cpu.codegen import cumulative

        problem = step.problem
        shares = cumulative.shares_of(problem)
        name = self._accumulations.get(problem)
        if name is None:
            name = self._accumulations[problem] = f"a{len(self._accumulations)}"
            function = cumulative.write(problem, self._target, name)
            _verify([function], [step.source, step.result], step)
            program.driver.functions.append(function)
            if shares > 1:
                share = self._chunk_function(f"{name}_chunk")
                cumulative.write_share(share, problem, name)
                program.driver.functions.append(share)
        places = [program.address(step.source), program.address(step.result)]
        if shares > 1:
            self._run_parallel(program, f"{name}_chunk", places, shares)
        else:
            _call(program.function, name, places, problem.before)
        return cumulative.cost_ns(problem)

    def _problem(self, program: ProgramWriter, step: KernelStep) -> float:
        problem = step.problem
        from oakum.compile.cpu.kernels import dispatch

        shares = dispatch.shares_of(problem, self._target)
        is_shared = shares > 1
        name = self._problems.get((problem, is_shared))
        if name is None:
            name = self._problems[problem, is_shared] = f"p{len(self._problems)}"
            function = dispatch.write(problem, self._target, name)
            _verify([function], step.buffers, step)
            program.driver.functions.append(function)
            if is_shared:
                share = self._chunk_function(f"{name}_chunk")
                dispatch.write_share(share, problem, name)
                program.driver.functions.append(share)
        places = [program.address(buffer) for buffer in step.buffers]
        if is_shared:
            self._run_parallel(program, f"{name}_chunk", places, shares)
        else:
            _call(program.function, name, places, dispatch.items_of(problem, self._target))
        return dispatch.cost_ns(problem)

    def _run_parallel(
        self, program: ProgramWriter, name: str, addresses: Sequence[str], chunks: int
    ) -> None:
        f = program.function
        self.is_parallel = True
        table = program.table(addresses)
        f.declarations[f"declare void @{PARALLEL}(ptr, ptr, i64)"] = None
        f.write(f"call void @{PARALLEL}(ptr @{name}, ptr {table}, i64 {chunks})")

    def _chunk_function(self, name: str) -> Function:
        parameters = [("ptr", "buffers"), ("i64", "chunk"), ("i64", "chunks")]
        return Function(name, parameters, self._target, internal=True)


def _call(
    f: Function, name: str, places: Sequence[str], end: int, extras: Sequence[str] = ()
) -> None:
    """Writes the call of a function for all of its units, from 0 up to `end`."""
    span = ["i64 0", f"i64 {end}"]
    arguments = [*[f"ptr {p}" for p in places], *span, *[f"ptr {e}" for e in extras]]
    f.write(f"call void @{name}({', '.join(arguments)})")


def _verify(
    functions: Sequence[Function], parameters: Sequence[Buffer | None], step: PlanStep
) -> None:
    """Verifies that code does what its step declares, where `jax_enable_checks` asks for it."""
    if config.enable_checks.value:
        from oakum.compile.plan_verify import native_accesses

        native_accesses.verify_code(functions, parameters, step)


_CHUNK_NS: Final = 30_000.0
"""The work of one chunk of a nest (in ns). By judgement: large beside taking the next chunk,
small enough to even out threads.
"""

_MOST_CHUNKS: Final = 64
"""The most chunks of a nest: four for each of 16 threads, which evens out what else they do."""


class ProductCodes:
    """Writes code when it is first asked for: its scratch memory is known before memory is laid
    out, and the code itself goes into the module after that.
    """

    def __init__(self, target: Target) -> None:
        self._target = target
        self._known: dict[tuple[Product, Epilogue | None], tuple[str, Code, int]] = {}

    def of(self, problem: Product, epilogue: Epilogue | None = None) -> tuple[str, Code, int]:
        """Returns the name and the code of a product, and how many threads share it."""
        found = self._known.get((problem, epilogue))
        if found is None:
            name = f"c{len(self._known)}"
            # Programs without products do without what writes them.
            from oakum.compile.cpu import contraction
            from oakum.compile.cpu.contraction import epilogue_code, sharing
            from oakum.compile.native import threads

            is_convolution = isinstance(problem, Convolution)
            write: Any = contraction.emit_convolution if is_convolution else contraction.emit
            given: dict[str, Any] = {"threads": min(threads.count(), sharing.worth_of(problem))}
            if epilogue is not None:
                given["epilogue"] = epilogue_code.writer_of(epilogue)
                given["fetch"] = epilogue_code.fetch_of(epilogue)
                given["extras"] = epilogue_code.names_of(epilogue)
            code = write(problem, self._target, name, **given)
            found = self._known[problem, epilogue] = (name, code, sharing.shares_of(problem, code))
        return found

"""Executables: compiled programs, ready to be called.

A program that cannot be compiled is interpreted, with one warning: its results are the same, only
slower.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from oakum import config
from oakum.compile import backend as backends
from oakum.compile.native import object_cache
from oakum.compile.plan import buffer_assignment
from oakum.compile.plan.planner import Planner, Shared
from oakum.compile.plan.steps import Plan
from oakum.compile.problems.problem import Kernels
from oakum.compile.rewrite.expand_primitives import expand, without_barriers
from oakum.compile.rewrite.rewriter import contains, is_complex, is_key
from oakum.compile.simplify.passes import simplify
from oakum.errors import CompilationWarning
from oakum.runtime.topology import devices
from oakum.tracing import compile_logging, profile_spans
from oakum.tracing.ir import DONATED, ClosedJaxpr, Var, run_apart
from oakum.values import codes, host
from oakum.values.avals import ShapedArray

if TYPE_CHECKING:
    from oakum.compile.program.driver import Source
    from oakum.runtime.arrays import ArrayImpl
    from oakum.runtime.device_storage import DeviceStorage
    from oakum.runtime.prepared_launch import DeviceCalls
    from oakum.values.user_frames import UserFrame


class Executable:
    """A program of flat arrays, compiled by a back end.

    `address` is the entry `void run(ptr buffers, ptr context, ptr arena)`, None where the program
    is interpreted or is to be called through Python; `arena_bytes` is the scratch memory that a
    call needs, `cost_ns` the estimated time of one. Results that `aliases` names are written over
    arguments that are given away: the entry finds these in the memory of the results.

    Where the option `oakum_verify` is set when it is made, each of its runs is compared with the
    evaluation, and it has no address: native calls would pass that by.
    """

    def __init__(self, closed: ClosedJaxpr, backend: backends.Backend | None = None) -> None:
        self.in_avals: tuple[ShapedArray, ...] = tuple(closed.in_avals)
        self.out_avals: tuple[ShapedArray, ...] = tuple(closed.out_avals)
        self.closed = closed
        self.refusal = ""
        """Why the program is interpreted; empty if it is not."""
        self.arena_bytes = 0
        self.aliases: Mapping[int, int] = {}
        self._origins: list[UserFrame | None] | None = None
        self.cost_ns = 0.0
        self.address: int | None = None
        self.guard = 0
        """The address of the function that runs a long entry; else zero."""
        self.plan: Plan | None = None
        self.program: backends.Program | None = None
        """The compiled program; None if it is interpreted."""
        self.backend = backends.of("cpu") if backend is None else backend
        try:
            self._compile()
        except Exception as error:
            self.refusal = f"{type(error).__name__}: {error}"
            warnings.warn(
                f"The program {closed.jaxpr.name} is interpreted{compile_logging.place()}, as "
                f"it could not be compiled: {self.refusal}. Its results are the same, but slower "
                f"({codes.UNCOMPILED_PROGRAM})",
                CompilationWarning,
                stacklevel=2,
            )

    def _compile(self) -> None:
        lowering = self.backend.lowering()
        is_verified, is_profiled = config.verify.value, _is_profiled(self.backend.platform)
        is_watched = is_verified or is_profiled
        shared = Shared(lowering, keeps_histories=is_watched)
        plan = Planner(prepare(self.closed, lowering), shared).plan()
        aliases = buffer_assignment.aliases_of(plan, self.closed.cache.get(DONATED, ()))
        if config.enable_checks.value:
            from oakum.compile import plan_verify

            plan_verify.finish_verified(plan, lowering, aliases)
        else:
            buffer_assignment.finish(plan, aliases)
        avals = self.in_avals, self.out_avals
        program = lowering.compile(plan, avals, shared.raws, is_watched=is_watched)
        if is_profiled:
            from oakum.compile import profiled_steps

            profiled_steps.watch(program)
        elif is_verified:
            name, source = self.closed.jaxpr.name, program.source
            assert source is not None, "only native programs can be watched"
            context, raws = program.addresses, shared.raws
            from oakum.compile.verification import running

            program.observer = running.Verification(name, source.watched, context, raws).run
        self.plan, self.program = plan, program
        self.arena_bytes, self.cost_ns = program.arena_bytes, program.cost_ns
        self.aliases = plan.aliases
        self.address, self.guard = program.address, program.guard

    @property
    def source(self) -> Source | None:
        """The module's text; None if the program is interpreted."""
        return None if self.program is None else self.program.source

    @property
    def code_bytes(self) -> int:
        """The size of the code of the program, with what links it."""
        return 0 if self.program is None else self.program.code_bytes

    @property
    def device(self) -> DeviceCalls | None:
        """How native calls run the program on a device; None where they run its entry."""
        return None if self.program is None else self.program.device

    @property
    def settle(self) -> Callable[[object], None] | None:
        """What raises, behind the entry and on its thread, what host calls have raised; None if
        there are no host calls.
        """
        return None if self.program is None else self.program.settle

    @property
    def context(self) -> int:
        """The address of the array of addresses that the entry takes: constants and their like."""
        assert self.program is not None
        return self.program.context

    def __call__(self, raws: Sequence[Any]) -> list[Any]:
        """Runs the program on the host's arrays."""
        begun = 0.0 if profile_spans.recording is None else time.perf_counter()
        try:
            if self.program is None:
                return run_apart(host.np, self.closed, raws)
            return self.program(raws)
        finally:
            if begun:
                profile_spans.note(self.closed.jaxpr.name, "program", begun)

    def run(self, arrays: Sequence[ArrayImpl]) -> Sequence[host.Array | DeviceStorage]:
        """Runs the program on arrays, and leaves the results where it makes them."""
        run = None if self.program is None else self.program.run
        if run is None:
            return self([array.raw for array in arrays])
        begun = 0.0 if profile_spans.recording is None else time.perf_counter()
        made = run(arrays, self.closed.jaxpr.name)
        if begun:
            profile_spans.note(self.closed.jaxpr.name, "program", begun)
        for storage, origin in zip(made, self.origins, strict=True):
            if origin is not None:
                storage.origin = origin
        return made

    @property
    def origins(self) -> Sequence[UserFrame | None]:
        """For each result the line that computes it; None where that is not known, as of operations
        alone.
        """
        if self._origins is None:
            eqns = [eqn for eqn in self.closed.jaxpr.eqns if eqn.source]
            lines = {var: eqn.source[0] for eqn in eqns for var in eqn.outputs}
            outvars = self.closed.jaxpr.outvars
            self._origins = [lines.get(x) if isinstance(x, Var) else None for x in outvars]
        return self._origins

    def note(self, begun: float) -> None:
        """Says that the program was compiled since a time: in the log, and in the profile."""
        name = self.closed.jaxpr.name
        if profile_spans.recording is not None:
            profile_spans.note(f"compile {name}", "compilation", begun, outcome=self._outcome)
        if config.log_compiles.value:
            seconds = time.perf_counter() - begun
            compile_logging.note_compilation(name, seconds, self._outcome)

    @property
    def _outcome(self) -> str:
        """What became of the program, in words."""
        if self.plan is None or self.program is None:
            return f"it is interpreted, {self.refusal}"
        steps, program = len(self.plan.steps), self.program
        ending = "" if steps == 1 else "s"
        return f"{steps} step{ending}, {program.code_bytes} bytes of code {program.origin}"

    def explain(self) -> None:
        """Logs that the program's code was not in the cache, if it was not."""
        if self.program is not None and self.program.is_new:
            compile_logging.note_absence(self.closed.jaxpr.name, object_cache.place())


def of(closed: ClosedJaxpr, platform: str | None = None) -> Executable:
    """Returns the executable of a program for a platform, compiled on the first request; without
    one for that of the first device.
    """
    platform = platform or devices.default_platform()
    kind = "verified executable" if config.verify.value else "executable"
    if _is_profiled(platform):
        kind = "profiled executable"
    if platform != "cpu":
        kind = f"{kind} for {platform}"
    found = closed.cache.get(kind)
    if found is None or not found.backend.is_current:
        begun = time.perf_counter()
        found = closed.cache[kind] = Executable(closed, backends.of(platform))
        found.note(begun)
        if config.explain_cache_misses.value:
            found.explain()
        if directory := config.dump_to.value:
            from oakum.compile import dumps

            dumps.write(found, directory)
    return found


def _is_profiled(platform: str) -> bool:
    """Returns whether the steps of programs are noted one by one: those that GPUs carry out beside
    the host are not seen.
    """
    is_verified: bool = config.verify.value
    return profile_spans.recording is not None and platform == "cpu" and not is_verified


def prepare(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program in operations that can be lowered, simplified before and after."""
    plain = _without_keys(expand(simplify(closed)))
    if kernels.policy.longest_counted_sort:
        from oakum.compile.rewrite.sort_by_counting import sort_by_counting

        plain = sort_by_counting(plain, kernels.policy.longest_counted_sort)
    if kernels.policy.sorts_by_selection:
        from oakum.compile.rewrite.sort_by_selection import sort_by_selection

        plain = sort_by_selection(plain)
    if kernels.policy.avoids_host:
        from oakum.compile.rewrite.without_host import without_host

        plain = expand(without_host(plain))
    if kernels.policy.splits_complex and contains(plain, is_complex):
        from oakum.compile.rewrite.complex.complex_matrices import double_complex_matrices
        from oakum.compile.rewrite.complex.fourier_in_parts import fourier_in_parts

        plain = fourier_in_parts(double_complex_matrices(plain, kernels), kernels)
    return without_barriers(simplify(expand(_without_complex_numbers(plain, kernels))))


def _without_keys(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program without random keys, except operands and results of the host."""
    if not contains(closed, is_key):
        return closed  # as of most programs: the pass is not loaded
    from oakum.compile.rewrite.keys_to_uint32 import keys_to_uint32

    return keys_to_uint32(closed)


def _without_complex_numbers(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program without complex numbers, except operands and results of the host and of
    problems that the back end has kernels for.
    """
    if not contains(closed, is_complex):
        return closed
    from oakum.compile.rewrite.complex.lower_complex import lower_complex_numbers

    return lower_complex_numbers(closed, kernels)

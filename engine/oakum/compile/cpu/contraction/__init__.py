"""Native code for contractions: products of matrices of any layout, and convolutions.

A contraction becomes a function

    void NAME(ptr lhs, ptr rhs, ptr result, ptr scratch, i64 begin, i64 end, ptr EXTRA...)

that does the units of work from `begin` up to `end`; units may be done at the same time, each call
with scratch memory of its own.
"""

from __future__ import annotations

from oakum.compile.cpu.contraction.convolution_code import emit_bands
from oakum.compile.cpu.contraction.direct import emit_direct
from oakum.compile.cpu.contraction.operands import Producer
from oakum.compile.cpu.contraction.packed import emit_packed
from oakum.compile.cpu.contraction.planning import Demands, Form, plan, signature
from oakum.compile.cpu.contraction.prepack import Preparation
from oakum.compile.cpu.contraction.result_store import Fetch, WriteEpilogue, Writer, probed
from oakum.compile.cpu.contraction.vectors import emit_vector
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.native.target import Target
from oakum.compile.problems.contraction import Contraction, Convolution
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """The code of a contraction."""

    functions: tuple[Function, ...]
    """The functions; the last is the entry, which calls those before it."""
    scratch_bytes: int
    """The scratch memory of one call, aligned to 64 bytes."""
    chunks: int
    """The units of work."""
    parts: int
    """The parts into which the units can be split without repeating work."""
    preparation: Preparation | None = None
    """What packs an operand beforehand; the function then takes the packed operand."""


def emit(
    contraction: Contraction,
    target: Target,
    name: str,
    epilogue: WriteEpilogue | None = None,
    load_lhs: Producer | None = None,
    load_rhs: Producer | None = None,
    extras: tuple[str, ...] = (),
    *,
    fetch: Fetch | None = None,
    in_place: bool = False,
    threads: int = 1,
) -> Code:
    """Writes the functions of a contraction.

    `extras` names further pointer parameters, for the epilogue and the producers, which find them
    by `%` and the name; `fetch` prefetches what the epilogue needs. `in_place` says that one of
    them may be the result, read by the epilogue at the place that it computes. `threads` is how
    many share the work.
    """
    stored, lines = probed(contraction, target, epilogue)
    demands = Demands(load_lhs is not None or load_rhs is not None, in_place, lines, threads)
    made = plan(contraction, target, demands)
    problem = made.contraction
    writer = Writer(problem, made.swapped, epilogue, stored, lines, fetch=fetch)
    producers = (load_rhs, load_lhs) if made.swapped else (load_lhs, load_rhs)
    f = Function(name, signature(extras, swapped=made.swapped), target)
    scratch, units = 0, made.units * problem.b
    match made.form:
        case Form.EMPTY:
            pass
        case Form.DIRECT:
            scratch = emit_direct(f, made, writer, extras)
        case Form.DOTS | Form.SWEEPS:
            scratch = emit_vector(f, made, writer)
        case Form.PACKED:
            found = emit_packed(f, made, writer, producers, extras, demands)
            given = units, found.parts, found.preparation
            return Code(found.functions, found.scratch_bytes, *given)
    return Code((f,), scratch, units, units)


def emit_convolution(
    convolution: Convolution,
    target: Target,
    name: str,
    epilogue: WriteEpilogue | None = None,
    load_lhs: Producer | None = None,
    load_rhs: Producer | None = None,
    extras: tuple[str, ...] = (),
    *,
    fetch: Fetch | None = None,
    in_place: bool = False,
    threads: int = 1,
) -> Code:
    """Writes the functions of a convolution, as `emit` does.

    There is one batch item; rows are numbered through images and places, columns are all filters.
    For a producer of the images, `Origin.free` is the distance of an element from the first one.
    """
    produced = load_lhs is not None or load_rhs is not None
    problem = convolution.contraction().simplified()
    if 0 in (problem.b, problem.m, problem.n, problem.k) or (
        convolution.is_inside
        and not convolution.start
        and load_lhs is None
        and len(problem.rows) < 2
        and len(problem.summed) < 2
    ):
        given = epilogue, load_lhs, load_rhs, extras
        return emit(problem, target, name, *given, fetch=fetch, in_place=in_place, threads=threads)
    functions, scratch, units, preparation = emit_bands(
        convolution,
        target,
        name,
        epilogue,
        (load_lhs, load_rhs),
        extras,
        Demands(produced, in_place, threads=threads),
    )
    return Code(tuple(functions), scratch, units, units, preparation)

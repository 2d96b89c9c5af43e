"""Steps that multiply and sum: products of matrices in any layout, and convolutions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oakum import dtypes
from oakum.compile.fusion.epilogue import Finish, epilogue_of, fetch_of, names_of
from oakum.compile.fusion.fuse import Separate
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.native import target, threads
from oakum.primitives.rules.lowering import Contracted, Convolved, remaining
from oakum.tracing.ir import Equation
from oakum.values.lazy_modules import Namespace
from oakum.values.records import dataclass

if TYPE_CHECKING:
    from oakum.compile.cpu import contraction
    from oakum.compile.cpu.contraction import Code, Contraction, Convolution, Preparation

    Problem = Contraction | Convolution
else:
    contraction = Namespace("oakum.compile.cpu.contraction")


@dataclass(frozen=True, slots=True)
class ContractionStep:
    """Multiplies and sums; the offsets say where in the operands to begin, in elements."""

    name: str
    code: Code
    title: str
    products: int
    """How many products there are."""
    lhs: Buffer
    rhs: Buffer
    offsets: tuple[int, int]
    result: Buffer
    scratch: Buffer
    shares: int
    """How many threads share the work; each has scratch memory of its own."""
    finish: Finish | None = None
    """What is made of the elements before they are stored."""
    reads: tuple[Buffer, ...] = ()
    """What that reads."""
    others: tuple[Buffer, ...] = ()
    """What that stores beside the result."""

    @property
    def cost_ns(self) -> float:
        """The estimated time on one thread."""
        more = 0.0 if self.finish is None else self.finish.cost_ns * self.result.size
        return cost_of(self.products) + more


class Codes:
    """The code of contractions, written once for each."""

    def __init__(self) -> None:
        self._known: dict[tuple[Problem, Finish | None], tuple[str, Code]] = {}

    def of(self, problem: Problem, finish: Finish | None = None) -> tuple[str, Code]:
        """The name and the code of a contraction."""
        found = self._known.get((problem, finish))
        if found is None:
            name = f"c{len(self._known)}"
            is_convolution = isinstance(problem, contraction.Convolution)
            write: Any = contraction.emit_convolution if is_convolution else contraction.emit
            given: dict[str, Any] = {"threads": min(threads.count(), worth_of(problem))}
            if finish is not None:
                given["epilogue"], given["fetch"] = epilogue_of(finish), fetch_of(finish)
                given["extras"] = names_of(finish)
            code = write(problem, target.host(), name, **given)
            found = self._known[problem, finish] = (name, code)
        return found


def problem_of(step: Separate) -> tuple[Problem, tuple[int, int]] | None:
    """What an equation multiplies, and where in the operands that begins; None where there is no
    native code for it.
    """
    match remaining(step.eqn.primitive.lower):
        case Contracted():
            return _product(step)
        case Convolved():
            found = _convolution(step.eqn)
            return None if found is None else (found, (0, 0))
        case _:
            return None


def _product(step: Separate) -> tuple[Contraction, tuple[int, int]] | None:
    lhs, rhs = (shape_of(atom.aval) for atom in step.eqn.inputs)
    strides: list[Sequence[int] | None] = []
    offsets: list[int] = []
    for view, shape in zip(step.views, (lhs, rhs), strict=True):
        if view is None:
            strides.append(None)
            offsets.append(0)
            continue
        strides.append(tuple(view.number.coefficient(a) for a in range(len(shape))))
        offsets.append(view.number.constant)
    numbers = step.eqn.params["dimension_numbers"]
    found = contraction.dot_general(lhs, rhs, numbers, _kinds(step.eqn), strides[0], strides[1])
    return None if found is None else (found, (offsets[0], offsets[1]))


_WINDOWS = (
    "window_strides",
    "padding",
    "lhs_dilation",
    "rhs_dilation",
    "dimension_numbers",
    "feature_group_count",
    "batch_group_count",
)


def _convolution(eqn: Equation) -> Convolution | None:
    lhs, rhs, out = (shape_of(atom.aval) for atom in (*eqn.inputs, *eqn.outputs))
    if 0 in (*lhs, *rhs, *out):
        return None
    params = {name: eqn.params[name] for name in _WINDOWS}
    numbers = params["dimension_numbers"]
    params["dimension_numbers"] = (numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec)
    return contraction.convolution(lhs, rhs, out, _kinds(eqn), **params)


def _kinds(eqn: Equation) -> Any:
    return tuple(atom.aval.dtype for atom in (*eqn.inputs, *eqn.outputs))


def products_of(problem: Problem) -> int:
    """How many products a contraction sums."""
    if isinstance(problem, contraction.Contraction):
        return problem.b * problem.m * problem.n * problem.k
    axes = (problem.groups, problem.parts, problem.items, problem.features, problem.columns)
    places = math.prod(window.places * window.taps for window in problem.windows)
    return math.prod(axis.extent for axis in axes) * places


def title_of(problem: Problem, finish: Finish | None = None) -> str:
    """What a contraction is, in a few words."""
    if finish is not None:
        return f"{title_of(problem)}, and {finish.operations} operations"
    if isinstance(problem, contraction.Contraction):
        sizes = f"{problem.b} x {problem.m} x {problem.k} x {problem.n}"
        return f"contraction {sizes} of {problem.lhs} and {problem.rhs}"
    places = "x".join(str(window.places) for window in problem.windows)
    taps = "x".join(str(window.taps) for window in problem.windows)
    return f"convolution to {places} by {taps} of {problem.lhs}"


def cost_of(products: int) -> float:
    """The estimated time of so many products on one thread, in nanoseconds."""
    return products * _PRODUCT_NS + 20.0


def worth_of(problem: Problem) -> int:
    """How many threads a contraction is worth."""
    return max(int(cost_of(products_of(problem)) / _SHARE_NS), 1)


def shares_of(problem: Problem, code: Code) -> int:
    """How many parts a contraction is cut into for threads. Several for each of them even out
    what else the machine does, where parts have nothing in common that each has to pack.
    """
    count = threads.count()
    if count > 1:
        held = _SCRATCH // (count * scratch_stride(code))
        count *= max(min(_PARTS, code.parts // count, held), 1)
    return max(min(worth_of(problem), code.chunks, count), 1)


def write_share(f: Function, step: ContractionStep) -> None:
    """Writes the part of a contraction that one thread does."""
    places, prepared = _places_of(f, step), 0
    if step.code.preparation is not None:
        places[step.code.preparation.operand] = places[3]
        prepared = step.code.preparation.size
    start = f.plus(prepared, f.times(_CHUNK, scratch_stride(step.code)))
    places[3] = f.pointer(places[3], start, dtypes.int8)
    pointers = [f"ptr {place}" for place in places]
    arguments = [*pointers[:4], *_borders(f, step.code.chunks), *pointers[4:]]
    f.write(f"call void @{step.name}({', '.join(arguments)})")


def write_preparation(f: Function, step: ContractionStep, preparation: Preparation) -> None:
    """Writes the part of what is done before a contraction that one thread does."""
    places = _places_of(f, step)
    pointers = [f"ptr {place}" for place in (places[preparation.operand], *places[3:])]
    arguments = [*pointers[:2], *_borders(f, preparation.units), *pointers[2:]]
    f.write(f"call void @{preparation.function.name}({', '.join(arguments)})")


def _places_of(f: Function, step: ContractionStep) -> list[str]:
    """What a part of a contraction is given: operands, result, scratch memory, and the rest."""
    count = 4 + len(step.reads) + len(step.others)
    return [f.load_pointer("%buffers", number) for number in range(count)]


def _borders(f: Function, units: int) -> list[str]:
    """The first of the units that a part does, and the one after the last."""
    chunks = Value("%chunks", dtypes.int64)
    return [f.div(f.mul(x, units), chunks).typed for x in (_CHUNK, f.add(_CHUNK, 1))]


_CHUNK = Value("%chunk", dtypes.int64)


def scratch_bytes(code: Code, shares: int) -> int:
    """The scratch memory of a contraction that is cut into so many parts."""
    prepared = 0 if code.preparation is None else code.preparation.size
    return prepared + shares * scratch_stride(code)


def scratch_stride(code: Code) -> int:
    """The bytes from the scratch memory of one thread to that of the next."""
    # The last vector of a tile may go beyond it.
    return -(-code.scratch_bytes // 64) * 64 + 64


_PRODUCT_NS = 0.02
"""The time of one multiplication and addition, in vectors."""

_SHARE_NS = 40_000.0
"""The least that is worth a thread."""

_PARTS = 4
"""The parts for each thread."""

_SCRATCH = 1 << 22
"""The bytes of scratch memory that several parts for each thread are worth."""

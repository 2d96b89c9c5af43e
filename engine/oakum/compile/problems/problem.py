"""The problem that an equation states, where it states one; the small problems themselves.

Which of these problems a back end solves, it says itself (`policy.Kernels.takes`).

Rewriting, fusion and planning know nothing else of a machine than the policy of its back end;
`compile.backend` says how that compiles the plan.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from oakum import dtypes
from oakum.compile.loops.elements import shape_of
from oakum.compile.loops.loop_ir import Affine, Instruction, Operation
from oakum.compile.loops.operations import weight
from oakum.compile.problems.contraction import Contraction, Convolution, convolution, dot_general
from oakum.compile.problems.elimination import (
    Cholesky,
    Elimination,
    Lu,
    Permutation,
    Qr,
    Reflections,
    Triangular,
    Tridiagonal,
)
from oakum.dtypes import DType
from oakum.lax.options import FftType
from oakum.primitives.rules.lowering import Accumulated, Contracted, Convolved, Kernel, remaining
from oakum.primitives.rules.precision import is_rough
from oakum.tracing.ir import Equation
from oakum.values.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class Accumulation:
    """The running reduction of an array along an axis.

    `before` and `after` are the sizes of what lies before and after the axis.
    """

    before: int
    length: int
    after: int
    dtype: DType
    monoid: str
    reverse: bool

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.before * self.length * self.after

    def __str__(self) -> str:
        shape = f"{self.before}x{self.length}x{self.after}"
        return f"running {self.monoid} along the second of {shape} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Epilogue:
    """The work on each result element. Slot 0 is the element; buffers are indices into what the
    step reads.
    """

    extents: tuple[int, ...]
    """The extents of the result's dimensions, or of parts of them."""
    roles: tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]
    """The dimensions that batch items, rows and columns are numbered through."""
    everywhere: Affine
    """The row-major number of the element."""
    instructions: tuple[Instruction, ...]
    registers: tuple[int, ...]
    """The registers stored: the first in place of the result, each other in a buffer of its own."""
    reads: int
    """The number of buffers that are read."""

    @property
    def cost_ns(self) -> float:
        """The estimated time for one element."""
        return sum(weight(x.name) if isinstance(x, Operation) else 0.1 for x in self.instructions)

    @property
    def operations(self) -> int:
        """The operations on one element."""
        return sum(isinstance(each, Operation) for each in self.instructions)


@dataclass(frozen=True, slots=True)
class Fourier:
    """Transforms along the last axis; `dtype` is that of the parts of complex numbers."""

    batch: int
    length: int
    dtype: DType
    type: FftType

    operands = 1
    results = 1

    @property
    def size(self) -> int:
        """The number of elements."""
        return self.batch * self.length

    @property
    def steps(self) -> float:
        """The number of multiplications."""
        return 2.0 * self.size * math.log2(self.length)

    @property
    def is_inverse(self) -> bool:
        """Whether the transform is an inverse one: conjugate roots, and divided by the length."""
        return self.type in (FftType.IFFT, FftType.IRFFT)

    def __str__(self) -> str:
        return f"{self.type.name} of {self.batch} x {self.length} of {self.dtype}"


@dataclass(frozen=True, slots=True)
class Selection:
    """Finds the `count` greatest elements along an axis, with their places.

    `before` and `after` are the sizes of what lies before and after the axis.
    """

    before: int
    length: int
    after: int
    count: int
    dtype: DType

    operands = 1
    results = 2

    @property
    def size(self) -> int:
        """The number of elements that are found."""
        return self.before * self.count * self.after

    @property
    def lines(self) -> int:
        """The number of lines along the axis."""
        return self.before * self.after

    @property
    def steps(self) -> float:
        """The number of comparisons."""
        return float(self.lines * self.length)

    def __str__(self) -> str:
        shape = f"{self.before}x{self.length}x{self.after}"
        return f"{self.count} greatest along the second of {shape} of {self.dtype}"


Product = Contraction | Convolution
Solved = Elimination | Selection | Fourier
"""Problems whose code needs nothing but operands, results and scratch memory."""

Problem = Product | Solved | Accumulation

Strides = Sequence[Sequence[int] | None]
"""For each operand the strides of its axes in elements; None where it is row-major."""


def product_of(eqn: Equation, strides: Strides = (None, None)) -> Product | None:
    """Returns what an equation multiplies and sums; None if no dtype suits its sums."""
    found = _product_of(eqn, strides)
    if found is None or not is_rough(eqn.params.get("precision")):
        return found
    return replace(found, is_rough=True)


def _product_of(eqn: Equation, strides: Strides) -> Product | None:
    match remaining(eqn.primitive.lower):
        case Contracted():
            lhs, rhs = (shape_of(atom.aval) for atom in eqn.inputs)
            numbers = eqn.params["dimension_numbers"]
            return dot_general(lhs, rhs, numbers, _kinds(eqn), *strides)
        case Convolved():
            return _convolution(eqn)
        case _:
            return None


_WINDOWS: Final = (
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
    return convolution(lhs, rhs, out, _kinds(eqn), **params)


def _kinds(eqn: Equation) -> Any:
    return tuple(atom.aval.dtype for atom in (*eqn.inputs, *eqn.outputs))


def products_of(problem: Product) -> int:
    """Counts the products that a contraction or a convolution sums."""
    if isinstance(problem, Contraction):
        return problem.b * problem.m * problem.n * problem.k
    axes = (problem.groups, problem.parts, problem.items, problem.features, problem.columns)
    places = math.prod(window.places * window.taps for window in problem.windows)
    return math.prod(axis.extent for axis in axes) * places


def title_of(problem: Product, epilogue: Epilogue | None = None) -> str:
    """Describes a contraction or a convolution in a few words."""
    if epilogue is not None:
        return f"{title_of(problem)}, and {epilogue.operations} operations"
    if isinstance(problem, Contraction):
        sizes = f"{problem.b} x {problem.m} x {problem.k} x {problem.n}"
        return f"contraction {sizes} of {problem.lhs} and {problem.rhs}"
    places = "x".join(str(window.places) for window in problem.windows)
    taps = "x".join(str(window.taps) for window in problem.windows)
    return f"convolution to {places} by {taps} of {problem.lhs}"


def accumulation_of(eqn: Equation) -> Accumulation | None:
    """Returns the running reduction that an equation is; None for other equations."""
    lower: Any = remaining(eqn.primitive.lower)
    dtype = eqn.inputs[0].aval.dtype if eqn.inputs else None
    if not isinstance(lower, Accumulated) or dtype is None:
        return None
    shape = shape_of(eqn.inputs[0].aval)
    axis: int = eqn.params["axis"]
    before, after = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    reverse: bool = eqn.params["reverse"]
    return Accumulation(before, shape[axis], after, dtype, lower.monoid, reverse)


def solved_of(eqn: Equation) -> Solved | None:
    """Returns the problem of an equation that has a kernel of its own; None for other equations."""
    lower = eqn.primitive.lower
    if not isinstance(lower, Kernel):
        return None
    match lower.name:
        case "top_k":
            return _selection(eqn)
        case "fft":
            return _fourier(eqn)
        case "lu_pivots_to_permutation":
            return _permutation(eqn)
        case name:
            return _elimination(eqn, name)


def _selection(eqn: Equation) -> Selection | None:
    dtype, shape = eqn.inputs[0].aval.dtype, shape_of(eqn.inputs[0].aval)
    assert dtype is not None
    axis: int = eqn.params["axis"]
    before, after = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    return Selection(before, shape[axis], after, eqn.params["k"], dtype)


def _fourier(eqn: Equation) -> Fourier | None:
    lengths: tuple[int, ...] = tuple(eqn.params["fft_lengths"])
    if len(lengths) != 1 or not lengths[0]:
        return None
    *batch, _ = shape_of(eqn.inputs[0].aval)
    kind = dtypes.to_real(eqn.inputs[0].aval.dtype)
    assert kind is not None
    return Fourier(math.prod(batch), lengths[0], kind, eqn.params["fft_type"])


def _permutation(eqn: Equation) -> Permutation | None:
    *batch, swaps = shape_of(eqn.inputs[0].aval)
    if not swaps:
        return None
    return Permutation(math.prod(batch), swaps, eqn.params["permutation_size"], dtypes.int32)


def _elimination(eqn: Equation, name: str) -> Elimination | None:
    last = eqn.inputs[-1].aval
    if last.dtype is None:
        return None
    *batch, m, n = shape_of(last)
    if 0 in (m, n):
        return None
    sizes, params = (math.prod(batch), m, n, last.dtype), eqn.params
    match name:
        case "lu":
            return Lu(*sizes)
        case "cholesky":
            return Cholesky(*sizes)
        case "qr":
            return Qr(*sizes, m if params["full_matrices"] else min(m, n), params["pivoting"])
        case "geqrf":
            return Reflections(*sizes)
        case "tridiagonal_solve":
            return None if params["perturb_singular"] else Tridiagonal(*sizes)
        case _:
            return Triangular(
                *sizes,
                params["left_side"],
                params["lower"],
                params["transpose_a"],
                params["unit_diagonal"],
            )


if TYPE_CHECKING:
    from oakum.compile.problems.contraction import Contraction

    pass


@dataclass(frozen=True, slots=True)
class Policy:
    """The numbers by which fusion and planning decide; none of them changes what a program means,
    and only those of reductions, from `reduction_parts` on, the order of its sums.
    """

    longest_group: float
    """The most instructions of one group of fused equations."""
    recomputed_ns: float
    """Values that cost less per element are recomputed rather than kept for a later sweep."""
    light_chain: int
    """The light operations behind each other, each with one reader, that are recomputed for each
    element of who moves the last result.
    """
    staged_bytes: int
    """The bytes of rows kept in fast memory between sweeps; longer rows go to memory."""
    shortest_staged_row: int
    """Rows of fewer elements are never staged."""
    reduction_parts: int
    """The number of parts into which a reduction of everything is split, to be done in parallel."""
    shortest_split: int
    """Reductions of fewer elements are not split."""
    few_positions: int
    """With fewer positions to share than this, several reductions are split, too; 1 for never."""
    columns_together: int
    """The positions side by side that are one to share, where a reduction is over columns."""
    unrolled_instructions: int
    """The most instructions of an unrolled short axis; 0 if the back end has no use for that."""
    shortest_epilogue_row: int
    """Contractions with shorter rows of results get no epilogue."""
    longest_epilogue: float
    """The most instructions of an epilogue, as groups count them."""
    narrow_epilogue_ns: float
    """The most that an epilogue may cost per element if few elements are stored at a time."""
    near_bytes: int
    """The bytes that stay in a cache from a contraction to the next group: with more, not fusing
    that group costs another pass over memory.
    """
    longest_counted_sort: int
    """Lines of at most so many elements are sorted by comparing all with all; 0 if the host sorts
    them.
    """
    sorts_by_selection: bool
    """Whether longer lines are sorted as selections of all their elements."""
    splits_complex: bool
    """Whether Fourier transforms without a kernel are done in parts that have one, and complex
    matrices as real ones.
    """
    avoids_host: bool
    """Whether some operations without a kernel are done by many that have one, since the host is
    far.
    """
    products_per_row: int
    """The products per element whose time hides going to the next row of one more array."""


class Kernels(Protocol):
    """What a back end has for the problems of one program.

    The planner asks before it makes a step: the host evaluates what is not taken, and scratch
    memory is known before memory is assigned.
    """

    @property
    def policy(self) -> Policy:
        """The numbers by which fusion and planning decide."""
        ...

    def takes(self, problem: Problem) -> bool:
        """Returns whether a step may have this problem.

        The answer depends on dtypes and extents, never on strides: fusion asks about a product
        before it knows which operands are read in place.
        """
        ...

    def stores_vectors(self, problem: Contraction) -> bool:
        """Returns whether results are stored many at a time, so that long epilogues pay."""
        ...

    def scratch_bytes(self, problem: Product | Solved, epilogue: Epilogue | None = None) -> int:
        """Returns the bytes of scratch memory that solving a problem takes."""
        ...

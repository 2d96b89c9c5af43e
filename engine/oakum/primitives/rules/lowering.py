"""Lowering: how the elements of an operation's result are computed from those of its operands.

The rules are data and functions over a builder that they receive; they import nothing of the
compiler. A position is a tuple of index expressions, one for each dimension, to which integers can
be added and which can be multiplied by integers. Operands are called with a position and give what
stands for the element there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from oakum import dtypes
from oakum.dtypes import DType
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

Position = tuple[Any, ...]


class Builder(Protocol):
    """Adds the instructions of an element; registers are known by their numbers."""

    def constant(self, number: complex, dtype: DType) -> int:
        """Returns the register of a number."""
        ...

    def operation(
        self, name: str, dtype: DType, *registers: int, params: tuple[int | float, ...] = ()
    ) -> int:
        """Returns the register of an operation's result, which is of this dtype."""
        ...

    def index(self, value: Any, dtype: DType) -> int:
        """Returns the register of a part of a position."""
        ...


class Element(Protocol):
    """An operand, which gives the register of its element at a position."""

    shape: tuple[int, ...]
    dtype: DType

    def __call__(self, position: Position) -> int: ...
    def read(self, position: Position, dynamic: Sequence[int | None]) -> int:
        """Returns the register of an element whose position is known at run time only."""
        ...


MACHINE: Final = frozenset(
    (
        dtypes.bool_,
        dtypes.int8,
        dtypes.int16,
        dtypes.int32,
        dtypes.int64,
        dtypes.uint8,
        dtypes.uint16,
        dtypes.uint32,
        dtypes.uint64,
        dtypes.float16,
        dtypes.bfloat16,
        dtypes.float32,
        dtypes.float64,
    )
)
"""The dtypes that code is written for; the host computes with others."""


def are_native(*avals: ShapedArray, **params: object) -> bool:
    """Whether code is written for all operands; a condition for decompositions."""
    return all(aval.dtype in MACHINE for aval in avals)


@dataclass(frozen=True, slots=True)
class Elementwise:
    """The element is an operation, known by its name, of the elements at the same place.

    `params` picks the parameters that the operation has to know as numbers.
    """

    name: str
    params: Callable[..., tuple[int | float, ...]] | None = None
    converts: str | None = None
    """The parameter with the dtype that the operands become first, if it is not None."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The element is one of the operand: `place(position, shape, **params)`, with the operand's
    shape, says which.
    """

    place: Callable[..., Position]


@dataclass(frozen=True, slots=True)
class Reshaped:
    """The elements are those of the operand, in the same order."""

    applies: Callable[..., bool]
    """Whether the parameters ask for nothing more."""


@dataclass(frozen=True, slots=True)
class Computed:
    """The element is what `rule(builder, position, result, *operands, **params)` builds.

    `whole` names the operands that have to be in memory, because the rule reads them where it
    finds out only then.
    """

    rule: Callable[..., Any]
    whole: tuple[int, ...] = ()
    free: bool = False
    """Whether it costs nothing to compute it again."""
    cost: float = 0.3
    """What an element costs, in nanoseconds, where many are computed at once."""
    is_light: bool = False
    """Whether it costs no more than reading memory."""


@dataclass(frozen=True, slots=True)
class Reduced:
    """The elements along the axes of the parameter `axes` are combined."""

    monoid: str


@dataclass(frozen=True, slots=True)
class Accumulated:
    """Combines each element with all before it along the parameter `axis`, or with all behind it
    if `reverse` is true.
    """

    monoid: str


Combine = Callable[..., Sequence[Any]]
"""`combine(builder, dtype, there, elements)` returns the registers that are stored."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a result: the elements of an operand go over `shape` to places of the result.

    `source` and `target` give, for a position in the shape, that in the operand and in the result;
    `starts(builder, position, *operands)` returns registers of int64 that are added to the latter,
    None for none.
    """

    operand: int
    shape: tuple[int, ...]
    source: Callable[[Position], Position]
    target: Callable[[Position], Position]
    starts: Callable[..., tuple[Any, ...]] | None = None
    over: bool = False
    """Whether it goes over elements that other parts have written before."""
    combine: Combine | None = None
    """What is stored, of what is there and the elements; None replaces what is there."""
    width: int = 1
    """How many elements are stored together: those at a place and behind it on the last axis."""
    valid: Callable[..., Any] | None = None
    """`valid(builder, position, *operands)`, a register that says whether the element counts; the
    place must exist all the same. None where all do.
    """
    ordered: bool = False
    """Whether several elements may go to one place: they are taken in the order of the shape."""


@dataclass(frozen=True, slots=True)
class Joined:
    """The result is put together of parts: `parts(result_shape, operand_shapes, **params)`."""

    parts: Callable[..., list[Part]]
    applies: Callable[..., bool] = lambda *avals, **params: True


@dataclass(frozen=True, slots=True)
class Decomposed:
    """The results are those of a function of the operands, `function(*operands, **params)`, which
    is traced.
    """

    function: Callable[..., Any]
    applies: Callable[..., bool] = lambda *avals, **params: True
    otherwise: Accumulated | Convolved | None = None
    """What is done where it does not apply."""


@dataclass(frozen=True, slots=True)
class Contracted:
    """Products of two operands are summed over the axes that `dimension_numbers` names."""


@dataclass(frozen=True, slots=True)
class Convolved:
    """Windows of images are multiplied by filters, as `conv_general_dilated` does."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The compiler has a kernel of its own: of lu, lu_pivots_to_permutation, cholesky,
    triangular_solve, tridiagonal_solve, geqrf, qr, top_k, or fft."""

    name: str


@dataclass(frozen=True, slots=True)
class Scanned:
    """A program in the parameter `jaxpr` is run `length` times, as `scan` does."""


@dataclass(frozen=True, slots=True)
class Looped:
    """The program `body_jaxpr` is run while `cond_jaxpr` says so, as `while` does."""


@dataclass(frozen=True, slots=True)
class Branched:
    """Runs one of the programs in `branches`, as `cond` does."""


Lowering = (
    Elementwise
    | Moved
    | Reshaped
    | Computed
    | Reduced
    | Accumulated
    | Joined
    | Decomposed
    | Contracted
    | Convolved
    | Kernel
    | Scanned
    | Looped
    | Branched
)


def remaining(lower: Lowering | None) -> Lowering | None:
    """Returns the lowering that remains once operations have been decomposed."""
    return lower.otherwise if isinstance(lower, Decomposed) else lower


def _same(position: Position, shape: Sequence[int], **params: object) -> Position:
    return position


SAME: Final = Moved(_same)
"""The lowering of an operation that returns its operand."""

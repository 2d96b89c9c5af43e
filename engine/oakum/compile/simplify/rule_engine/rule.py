"""Rewriting rules as data, and the parts of a program that a rule has matched."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from oakum import dtypes
from oakum.dtypes import DType
from oakum.tracing.ir import Atom
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field

if TYPE_CHECKING:
    from oakum.compile.simplify.rule_engine.draft import Draft


class Group(enum.Enum):
    """What a rule may change."""

    EXACT = "exact"
    """Nothing: each bit of the result stays, but for which NaN it is."""
    ROUNDING = "rounding"
    """Rounding: terms are summed in another order, or what was rounded twice is rounded once."""
    LIMITS = "limits"
    """Results where a step on the way overflows or loses digits: they become the right ones."""


EVERY_GROUP: Final = frozenset(Group)

FLOATS: Final = frozenset((dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64))
WIDE_FLOATS: Final = frozenset((dtypes.float32, dtypes.float64))
"""The floats in which the host computes each step; narrower ones are rounded at the end only."""
COMPLEX: Final = frozenset((dtypes.complex64, dtypes.complex128))
SIGNED: Final = frozenset((dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64))
UNSIGNED: Final = frozenset((dtypes.uint8, dtypes.uint16, dtypes.uint32, dtypes.uint64))
INTEGERS: Final = SIGNED | UNSIGNED
BOOL: Final = frozenset((dtypes.bool_,))
BITS: Final = INTEGERS | BOOL
REALS: Final = INTEGERS | FLOATS
NUMBERS: Final = REALS | COMPLEX


class Match:
    """What the letters and names of a pattern stand for."""

    __slots__ = ("atoms", "draft", "params", "primitives", "rest", "result")

    def __init__(self, draft: Draft, result: ShapedArray) -> None:
        self.draft = draft
        self.result = result
        """The aval of the value that the pattern stands for."""
        self.atoms: dict[str, Atom] = {}
        self.params: dict[str, Mapping[str, Any]] = {}
        self.primitives: dict[str, Primitive] = {}
        """The primitives that classes stand for."""
        self.rest: tuple[Atom, ...] = ()
        """The further operands."""

    def shape(self, name: str) -> tuple[int, ...]:
        """Returns the shape of a value."""
        return self.atoms[name].aval.shape  # pyright: ignore[reportReturnType]

    def dtype(self, name: str) -> DType:
        """Returns the dtype of a value."""
        return self.atoms[name].aval.dtype  # pyright: ignore[reportReturnType]

    def number(self, name: str) -> Any:
        """Returns the number that a constant is, as a scalar array of the host."""
        literal = self.draft.uniform(self.atoms[name])
        assert literal is not None
        return literal.raw

    def filled(self, name: str, raw: host.Array) -> Atom:
        """Returns a number of the host as a value of the shape of another."""
        return self.draft.filled(raw, self.atoms[name].aval)


Bindings = Mapping[str, "Atom | Mapping[str, Any]"]
"""What further letters and names of a replacement stand for."""

Condition = Callable[[Match], "Bindings | None"]
"""Gives what the replacement needs beside the match; None where the rule does not apply."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, and what replaces it.

    `dtypes` are those of the value that `x` stands for, None for any. `single_use` says that the
    inner applications must have no other use, since they are computed again otherwise. `ulp` bounds
    by how many units in the last place a rule of another group than `EXACT` changes an element;
    None where sums are reordered: by a unit for each term of the sum of absolute values.
    """

    name: str
    pattern: str
    replacement: str
    doc: str
    dtypes: frozenset[DType] | None = None
    where: Condition | None = None
    group: Group = Group.EXACT
    ulp: int | None = field(default=0)
    single_use: bool = False

    def __str__(self) -> str:
        return f"{self.pattern} -> {self.replacement}"

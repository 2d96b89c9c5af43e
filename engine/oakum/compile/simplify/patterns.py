"""The notation of rewriting rules: programs in small, written as calls.

    log(exp(x))                                any operand, by a small letter
    mul(x, 1)                                  a number: a scalar, or an array of nothing else
    div(x, C)                                  any such number, by a capital
    transpose[p](transpose[q](x))              parameters, by a name
    unary[u](broadcast_in_dim[b](x))           any primitive of a class, by the name of the class
    dynamic_slice[s](x, ...)                   any further operands

Grammar: `expression = number | letter | name ["[" word "]"] "(" {expression ","} ["..."] ")"`.

Invariants:
- An application without a name for its parameters stands for one whose parameters are all None.
- A number stands for itself in the dtype of its neighbours, to the bit: `0` is no `-0.0`. `~0` is
  the integer whose bits are all set, and true.
- A letter that occurs twice stands for the same value.
"""

from __future__ import annotations

import enum
import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum import dtypes
from oakum.dtypes import DType
from oakum.errors import InvalidValueError
from oakum.lax.elementary import FUNCTIONS
from oakum.tracing.ir import Atom
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field

CLASSES: Final[dict[str, frozenset[str]]] = {
    name: frozenset(words.split())
    for name, words in {
        "unary": """neg sign abs square integer_pow not population_count clz real imag conj erf
            erfc erf_inv lgamma digamma floor ceil round is_finite convert_element_type
            reduce_precision copy stop_gradient """
        + " ".join(FUNCTIONS),
        "binary": """add sub mul div rem pow max min atan2 nextafter and or xor shift_left
            shift_right_logical shift_right_arithmetic mulhi eq ne lt le gt ge complex""",
        "reduction": """reduce_sum reduce_prod reduce_max reduce_min reduce_and reduce_or
            reduce_xor""",
        "selecting_reduction": "reduce_max reduce_min reduce_and reduce_or",
        "additive_reduction": "reduce_sum reduce_max reduce_min",
        "identity": "copy stop_gradient name device_put",
        "rounding": "floor ceil round",
        "even": "cos cosh abs square",
    }.items()
}
"""The classes of primitives that a rule can speak of."""

COMMUTATIVE: Final = frozenset("add mul and or xor eq ne".split())
"""Operations whose operands may change places, in any dtype but for the bits of a NaN."""

ONES: Final = "~0"
"""The number whose bits are all set."""


@dataclass(frozen=True, slots=True)
class Operand:
    """Any value."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """A value that is the same known number everywhere."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A certain number everywhere."""

    value: float | str


@dataclass(frozen=True, slots=True)
class Application:
    """A primitive applied to operands; `rest` says that further operands may follow."""

    operation: str
    label: str | None
    arguments: tuple[Pattern, ...]
    rest: bool = False


Pattern = Operand | Constant | Number | Application

_TOKENS: Final = re.compile(r"\s*(~0|-?\d+(?:\.\d+)?|[A-Za-z_]\w*|\.\.\.|[(),\[\]])")


class PatternError(InvalidValueError):
    """A rule is not written in the notation."""


@functools.cache
def parse(text: str) -> Pattern:
    """Reads a pattern.

    >>> parse("neg(x)")
    Application(operation='neg', label=None, arguments=(Operand(name='x'),), rest=False)
    """
    tokens = _TOKENS.findall(text)
    if "".join(tokens) != "".join(text.split()):
        raise PatternError(f"the pattern {text!r} has signs that mean nothing")
    reader = _Reader(tokens, text)
    pattern = reader.pattern()
    reader.end()
    return pattern


def root_of(text: str) -> str:
    """Returns the operation of a pattern's root, without reading the rest.

    >>> root_of("transpose[p](neg(x))")
    'transpose'
    """
    return text.partition("(")[0].partition("[")[0]


class _Reader:
    """Reads the tokens of a pattern."""

    def __init__(self, tokens: Sequence[str], text: str) -> None:
        self._tokens = [*tokens, ""]
        self._text = text
        self._at = 0

    def _take(self, wanted: str = "") -> str:
        token = self._tokens[self._at]
        if not token or (wanted and token != wanted):
            raise PatternError(f"the pattern {self._text!r} lacks {wanted or 'its end'!r}")
        self._at += 1
        return token

    def _next_is(self, token: str) -> bool:
        found = self._tokens[self._at] == token
        self._at += found
        return found

    def end(self) -> None:
        """Raises an error where the pattern goes on."""
        if self._tokens[self._at]:
            raise PatternError(f"the pattern {self._text!r} goes on after its end")

    def pattern(self) -> Pattern:
        """Returns the next pattern."""
        word = self._take()
        if word == ONES:
            return Number(ONES)
        if word[0].isdigit() or word[0] == "-":
            return Number(float(word))
        if len(word) == 1:
            return Constant(word) if word.isupper() else Operand(word)
        label = None
        if self._next_is("["):
            label = self._take()
            self._take("]")
        self._take("(")
        arguments: list[Pattern] = []
        rest = False
        while not self._next_is(")"):
            if self._next_is("..."):
                rest = True
            else:
                arguments.append(self.pattern())
            if self._tokens[self._at] != ")":
                self._take(",")
        return Application(word, label, tuple(arguments), rest)


def variants(pattern: Pattern) -> Iterator[Pattern]:
    """Yields the pattern, with the operands of commutative operations in each order.

    >>> [each.arguments[0] for each in variants(parse("mul(x, 1)"))]
    [Operand(name='x'), Number(value=1.0)]
    """
    if not isinstance(pattern, Application):
        yield pattern
        return
    for arguments in itertools.product(*(tuple(variants(each)) for each in pattern.arguments)):
        yield Application(pattern.operation, pattern.label, arguments, pattern.rest)
        if pattern.operation in COMMUTATIVE and arguments[0] != arguments[1]:
            swapped = (arguments[1], arguments[0])
            yield Application(pattern.operation, pattern.label, swapped, pattern.rest)


def operations(pattern: Pattern) -> Iterator[str]:
    """Yields the names of the primitives and classes of primitives in a pattern, the root's
    first.
    """
    if isinstance(pattern, Application):
        yield pattern.operation
        for each in pattern.arguments:
            yield from operations(each)


if TYPE_CHECKING:
    from oakum.compile.simplify.draft import Draft


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

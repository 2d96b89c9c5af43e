"""`threefry2x32`: the hash of JAX's default generator, on pairs of words."""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType
from typing import Any, Final

from oakum import dtypes
from oakum.abstract import operands
from oakum.errors import DTypeError
from oakum.primitives.random import hashes
from oakum.primitives.rules import batching, lowering
from oakum.tracing.trace import AxisData, Primitive, aval_of
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray


def _abstract(*avals: ShapedArray) -> list[ShapedArray]:
    if any(aval.dtype is not dtypes.uint32 for aval in avals):
        raise DTypeError(
            f"threefry2x32 takes words of uint32, not {', '.join(map(str, avals))}",
            hint="Convert the words with astype(jnp.uint32).",
        )
    return [ShapedArray(operands.broadcast_shapes(avals), dtypes.uint32)] * 2


def _evaluate(xp: ModuleType, k0: object, k1: object, x0: object, x1: object) -> list[Any]:
    return hashes.threefry_2x32(xp, [k0, k1], [x0, x1])


def _lower(*words: ArrayLike) -> list[Any]:
    return [threefry2x32_word_p.bind(*words, which=which) for which in (0, 1)]


def _batch(
    axis: AxisData, words: Sequence[Any], dims: Sequence[int | None]
) -> tuple[list[Any], list[int]]:
    return threefry2x32_p.bind(*align(axis, words, dims)), [0, 0]


def align(axis: AxisData, values: Sequence[Any], dims: Sequence[int | None]) -> list[Any]:
    """Values that broadcast together as before, and along a mapped axis put first."""
    ranks = [
        len(aval_of(value).shape or ()) - (dim is not None)
        for value, dim in zip(values, dims, strict=True)
    ]
    aligned: list[Any] = []
    for value, dim, rank in zip(values, dims, ranks, strict=True):
        if dim is None:
            aligned.append(value)
            continue
        front = batching.move(value, dim, 0)
        missing = max(ranks) - rank
        aligned.append(_with_axes(front, missing) if missing else front)
    return aligned


def _with_axes(value: ArrayLike, count: int) -> Any:
    """Returns a value with axes of length one after its first."""
    from oakum import lax

    return lax.expand_dims(value, tuple(range(1, count + 1)))


threefry2x32_p: Final = Primitive(
    "threefry2x32",
    abstract=_abstract,
    evaluate=_evaluate,
    derivatives=(None,) * 4,
    batch=_batch,
    multiple_results=True,
    lower=lowering.Decomposed(_lower),
)


def _word_abstract(*avals: ShapedArray, which: int) -> ShapedArray:
    return _abstract(*avals)[which]


def _word(xp: ModuleType, k0: object, k1: object, x0: object, x1: object, *, which: int) -> Any:
    return hashes.threefry_2x32(xp, [k0, k1], [x0, x1])[which]


def _word_batch(
    axis: AxisData, words: Sequence[Any], dims: Sequence[int | None], *, which: int
) -> tuple[Any, int]:
    return threefry2x32_word_p.bind(*align(axis, words, dims), which=which), 0


def _at(operand: lowering.Element, position: lowering.Position) -> Any:
    """Returns the element of an operand that goes together with a position in the result."""
    own = position[len(position) - len(operand.shape) :]
    pairs = zip(own, operand.shape, strict=True)
    return operand(tuple(0 if size == 1 else place for place, size in pairs))


def _word_lower(
    builder: lowering.Builder,
    position: lowering.Position,
    result: ShapedArray,
    *operands: lowering.Element,
    which: int,
) -> Any:
    def combine(name: str, *registers: int) -> Any:
        return builder.operation(name, dtypes.uint32, *registers)

    def number(value: int) -> Any:
        return builder.constant(value, dtypes.uint32)

    def turn(word: int, count: int) -> Any:
        high = combine("shift_left", word, number(count))
        return combine("or", high, combine("shift_right_logical", word, number(32 - count)))

    k0, k1, x0, x1 = (_at(each, position) for each in operands)
    keys = (k0, k1, combine("xor", combine("xor", k0, k1), number(hashes.PARITY)))
    x0, x1 = combine("add", x0, k0), combine("add", x1, k1)
    for group in range(5):
        for count in hashes.ROTATIONS_2[group % 2]:
            x0 = combine("add", x0, x1)
            x1 = combine("xor", turn(x1, count), x0)
        x0 = combine("add", x0, keys[(group + 1) % 3])
        after = combine("add", keys[(group + 2) % 3], number(group + 1))
        x1 = combine("add", x1, after)
    return (x0, x1)[which]


threefry2x32_word_p: Final = Primitive(
    "threefry2x32_word",
    abstract=_word_abstract,
    evaluate=_word,
    derivatives=(None,) * 4,
    batch=_word_batch,
    lower=lowering.Computed(_word_lower, cost=2.0),
)
"""One word of a hash: the compiler has the rounds once where both words are computed."""

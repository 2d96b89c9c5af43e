# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Arrays that come out of movements of elements, and movements of what an operation gives.

What an operation reads and who reads its result is what its code depends on: the compiler computes
movements at the places where their results are read.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.engine.agreement_values import Chance, Shape, array

from oakum import dtypes, lax
from oakum.dtypes import DType, Kind
from oakum.primitives.conversion import copy_p


class Feed:
    """Makes the operands of the operations of one program, while it is traced."""

    def __init__(self, chance: Chance, usual: str = "any") -> None:
        self.chance = chance
        self._usual = usual
        """The numbers of operands that may be any."""
        self._kept: list[Any] = []

    def operand(self, shape: Shape, dtype: DType, what: str = "any", depth: int = -1) -> Any:
        """An array of a shape and dtype: an argument, or one that was moved about."""
        chance = self.chance
        if what == "any" and dtype.kind is Kind.COMPLEX:
            what = self._usual
        if depth < 0:
            depth = chance.choice((0, 0, 1, 1, 2, 3, 5))
        for old in self._kept:
            if (old.shape, old.dtype_, old.what) == (shape, dtype, what) and chance.often(0.25):
                return old.value
        value = self._made(shape, dtype, what, depth)
        assert tuple(value.shape) == shape
        self._kept.append(_Kept(shape, dtype, what, value))
        return value

    def _made(self, shape: Shape, dtype: DType, what: str, depth: int) -> Any:
        chance = self.chance
        if not depth:
            if shape == () and chance.often(0.7):
                # An array without axes is written into the program where it is a constant.
                return lax.reshape(array(chance, (1,), dtype, what), ())
            return array(chance, shape, dtype, what)

        def source(size: Shape) -> Any:
            return self.operand(size, dtype, what, depth - 1)

        for _ in range(20):
            made = chance.choice(SOURCES)(self, shape, dtype, source)
            if made is not None:
                return made
        return source(shape)

    def result(self, value: Any, depth: int = -1) -> Any:
        """What an operation gives, moved about."""
        chance = self.chance
        if depth < 0:
            depth = chance.choice((0, 0, 1, 1, 2, 3))
        for _ in range(depth):
            value = chance.choice(RESULTS)(self, value)
        return value

    def index(self, shape: Shape, low: int, high: int, *, wild: bool = True) -> Any:
        """Positions, of which some may lie out of bounds."""
        names = ["int32", "int64", "int8", "uint8", "int16", "uint32", "uint64"]
        dtype = dtypes.DTYPES[self.chance.choice(names[:2] if self.chance.often(0.6) else names)]
        if wild and self.chance.often(0.15):
            return self.operand(shape, dtype)
        slack = 2 if wild else 0
        return self.operand(shape, dtype, f"{low - slack}:{max(high, low) + slack}")


class _Kept:
    def __init__(self, shape: Shape, dtype: DType, what: str, value: Any) -> None:
        self.shape, self.dtype_, self.what, self.value = shape, dtype, what, value


Source = Callable[[Shape], Any]


def _some(chance: Chance, rank: int) -> tuple[int, ...]:
    return tuple(axis for axis in range(rank) if chance.often(0.5))


def _reversed(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    return lax.rev(source(shape), _some(feed.chance, len(shape)))


def _transposed(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    order = feed.chance.sample(range(len(shape)), len(shape))
    before = [0] * len(shape)
    for place, axis in enumerate(order):
        before[axis] = shape[place]
    return lax.transpose(source(tuple(before)), order)


def _sliced(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    chance, starts, limits, steps, sizes = feed.chance, [], [], [], []
    for size in shape:
        start, step, rest = chance.choice((0, 0, 1, 3)), chance.choice((1, 1, 2, 3)), 0
        limit = start + (max(size - 1, 0) * step + 1 if size else 0)
        rest = chance.choice((0, 0, 1, 4))
        starts.append(start)
        limits.append(limit)
        steps.append(step)
        sizes.append(limit + rest)
    if math.prod(sizes) > 20_000:
        return None
    return lax.slice(source(tuple(sizes)), starts, limits, steps)


def factors(chance: Chance, shape: Shape) -> Shape:
    """Another shape of as many elements."""
    size = math.prod(shape)
    if not size:
        return tuple(chance.sample(shape, len(shape)))
    match chance.randrange(4):
        case 0:
            return (size,)
        case 1:
            kept = [n for n in shape if n != 1]
            for _ in range(chance.randrange(3)):
                kept.insert(chance.randint(0, len(kept)), 1)
            return tuple(kept)
        case 2:
            place = chance.randrange(len(shape)) if shape else 0
            divisors = [d for d in (2, 3, 4, 5, 8, 11) if shape and shape[place] % d == 0]
            if not divisors:
                return (*shape, 1)
            divisor = chance.choice(divisors)
            return (*shape[:place], shape[place] // divisor, divisor, *shape[place + 1 :])
        case _:
            divisors = [d for d in range(1, min(size, 40) + 1) if size % d == 0]
            divisor = chance.choice(divisors)
            return (divisor, size // divisor)


def _reshaped(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    return lax.reshape(source(factors(feed.chance, shape)), shape)


def _squeezed(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    place = feed.chance.randint(0, len(shape))
    return lax.squeeze(source((*shape[:place], 1, *shape[place:])), [place])


def _broadcast(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    axes = _some(feed.chance, len(shape))
    sizes = tuple(1 if feed.chance.often(0.4) else shape[axis] for axis in axes)
    return lax.broadcast_in_dim(source(sizes), shape, axes)


def _padded(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    chance, config, sizes = feed.chance, [], []
    for size in shape:
        between, low = chance.choice((0, 0, 1, 2)), chance.choice((-2, -1, 0, 0, 1, 3))
        before = chance.choice((0, 1, 2, 3, max(size // (between + 1), 0)))
        grown = before + max(before - 1, 0) * between
        config.append((low, size - low - grown, between))
        sizes.append(before)
    return lax.pad(source(tuple(sizes)), source(()), config)


def _joined(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    if not shape:
        return None
    chance, axis = feed.chance, feed.chance.randrange(len(shape))
    cuts = sorted(chance.randint(0, shape[axis]) for _ in range(chance.randint(1, 3)))
    sizes = [b - a for a, b in zip([0, *cuts], [*cuts, shape[axis]], strict=True)]
    parts = [source((*shape[:axis], size, *shape[axis + 1 :])) for size in sizes]
    return lax.concatenate(parts, axis)


def _taken(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    if not shape:
        return None
    chance, axis = feed.chance, feed.chance.randrange(len(shape))
    size = chance.choice((1, 2, 5, max(shape[axis], 1)))
    before = (*shape[:axis], size, *shape[axis + 1 :])
    numbers = lax.GatherDimensionNumbers(
        tuple(a for a in range(len(shape)) if a != axis), (axis,), (axis,)
    )
    sizes = (*shape[:axis], 1, *shape[axis + 1 :])
    mode = chance.choice(("clip", "fill"))
    index = feed.index((shape[axis], 1), 0, size - 1)
    return lax.gather(source(before), index, numbers, sizes, mode=mode)


def _started(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    chance = feed.chance
    sizes = tuple(size + chance.choice((0, 0, 1, 3)) for size in shape)
    if math.prod(sizes) > 20_000:
        return None
    kind = dtypes.DTYPES[chance.choice(("int32", "int64", "uint8", "int8", "uint32"))]
    starts = [feed.operand((), kind, f"-2:{b - a + 2}") for a, b in zip(shape, sizes, strict=True)]
    return lax.dynamic_slice(source(sizes), starts, shape)


def _updated(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    chance = feed.chance
    sizes = tuple(chance.randint(0, size) for size in shape)
    starts = [
        feed.operand((), dtypes.int32, f"-2:{b - a + 2}") for a, b in zip(sizes, shape, strict=True)
    ]
    return lax.dynamic_update_slice(source(shape), source(sizes), starts)


def _chosen(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    which = feed.operand(shape if feed.chance.often(0.7) else (), dtypes.bool_)
    return lax.select_n(which, source(shape), source(shape))


def _tiled(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    repeats = [feed.chance.choice([d for d in (1, 2, 3) if size % d == 0]) for size in shape]
    return lax.tile(source(tuple(n // r for n, r in zip(shape, repeats, strict=True))), repeats)


def _split(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    if not shape:
        return None
    axis = feed.chance.randrange(len(shape))
    sizes = [feed.chance.randint(0, 3), shape[axis], feed.chance.randint(0, 2)]
    before = (*shape[:axis], sum(sizes), *shape[axis + 1 :])
    return lax.split(source(before), sizes, axis)[1]


def _kept(feed: Feed, shape: Shape, dtype: DType, source: Source) -> Any:
    match feed.chance.randrange(3):
        case 0:
            return copy_p.bind(source(shape))
        case 1:
            return lax.optimization_barrier(source(shape))
        case _:
            return lax.stop_gradient(source(shape))


SOURCES: tuple[Callable[[Feed, Shape, DType, Source], Any], ...] = (
    _reversed,
    _transposed,
    _sliced,
    _reshaped,
    _squeezed,
    _broadcast,
    _padded,
    _joined,
    _taken,
    _started,
    _updated,
    _chosen,
    _tiled,
    _split,
    _kept,
)
"""Ways to make an array of a shape of others."""


def _same_dtype(feed: Feed, value: Any) -> Source:
    dtype = dtype_of(value)
    return lambda shape: feed.operand(shape, dtype, "small", 0)


def dtype_of(value: Any) -> DType:
    """The dtype of an array."""
    dtype = value.aval.dtype
    assert dtype is not None
    return dtype


def _cut(feed: Feed, value: Any) -> Any:
    chance, starts, limits, steps = feed.chance, [], [], []
    for size in value.shape:
        start = chance.randint(0, min(size, 2))
        starts.append(start)
        limits.append(chance.randint(start, size) if chance.often(0.3) else size)
        steps.append(chance.choice((1, 1, 2, 3)))
    return lax.slice(value, starts, limits, steps)


def _grown(feed: Feed, value: Any) -> Any:
    config = []
    for size in value.shape:
        low, between = feed.chance.choice((-1, 0, 0, 1)), feed.chance.choice((0, 0, 1))
        grown = size + max(size - 1, 0) * between + low
        config.append((low, max(feed.chance.choice((-1, 0, 2)), -grown), between))
    if (
        math.prod(sum(c[:2]) + n * (c[2] + 1) for c, n in zip(config, value.shape, strict=True))
        > 30_000
    ):
        return value
    return lax.pad(value, _same_dtype(feed, value)(()), config)


def _put_beside(feed: Feed, value: Any) -> Any:
    if not value.ndim or value.size > 5000:
        return value
    axis = feed.chance.randrange(value.ndim)
    other = feed.chance.choice(
        (value, lax.rev(value, (axis,)), _same_dtype(feed, value)(value.shape))
    )
    return lax.concatenate([value, other], axis)


def _put_into(feed: Feed, value: Any) -> Any:
    sizes = tuple(size + feed.chance.randint(0, 3) for size in value.shape)
    starts = [feed.operand((), dtypes.int32, "-1:4") for _ in sizes]
    if math.prod(sizes) > 30_000:
        return value
    return lax.dynamic_update_slice(_same_dtype(feed, value)(sizes), value, starts)


def _spread(feed: Feed, value: Any) -> Any:
    if value.size > 1000:
        return value
    place, size = feed.chance.randint(0, value.ndim), feed.chance.choice((1, 2, 9))
    axes = [axis + (axis >= place) for axis in range(value.ndim)]
    shape = (*value.shape[:place], size, *value.shape[place:])
    return lax.broadcast_in_dim(value, shape, axes)


def _picked(feed: Feed, value: Any) -> Any:
    if not value.ndim:
        return value
    axis = feed.chance.randrange(value.ndim)
    if not value.shape[axis]:
        return value
    count = feed.chance.choice((1, 3, 9))
    numbers = lax.GatherDimensionNumbers(
        tuple(a for a in range(value.ndim) if a != axis), (axis,), (axis,)
    )
    sizes = (*value.shape[:axis], 1, *value.shape[axis + 1 :])
    if value.size // value.shape[axis] * count > 30_000:
        return value
    return lax.gather(
        value, feed.index((count, 1), 0, value.shape[axis] - 1), numbers, sizes, mode="clip"
    )


def _reduced(feed: Feed, value: Any) -> Any:
    """Integers only: others depend on the order."""
    kind = dtype_of(value).kind
    if kind not in (Kind.INT, Kind.UINT) or not value.ndim:
        return value
    axes = _some(feed.chance, value.ndim)
    name = feed.chance.choice(("sum", "max", "min", "xor"))
    if name in ("max", "min") and not value.size:
        return value
    return REDUCTIONS[name](value, axes)


def _reduce(name: str) -> Callable[..., Any]:
    from oakum.api import primitive_registry

    def apply(value: Any, axes: tuple[int, ...]) -> Any:
        more = {"out_sharding": None} if name == "sum" else {}
        return primitive_registry.by_name()[f"reduce_{name}"].bind(value, axes=axes, **more)

    return apply


REDUCTIONS = {name: _reduce(name) for name in ("sum", "prod", "max", "min", "and", "or", "xor")}


RESULTS: tuple[Callable[[Feed, Any], Any], ...] = (
    lambda feed, value: lax.rev(value, _some(feed.chance, value.ndim)),
    lambda feed, value: lax.transpose(value, feed.chance.sample(range(value.ndim), value.ndim)),
    lambda feed, value: lax.reshape(value, factors(feed.chance, value.shape)),
    _cut,
    _grown,
    _put_beside,
    _put_into,
    _spread,
    _picked,
    _reduced,
)
"""Ways to move what an operation gives."""

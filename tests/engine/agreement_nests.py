# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Random programs with loops and branches in one another, whose bodies are random programs."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tests.engine.agreement_moves import RESULTS, Feed
from tests.engine.agreement_values import Chance, Shape

import oakum
from oakum import dtypes, lax
from oakum import numpy as jnp

_DEEPEST = 2
_LARGEST = 2500


def shapes(chance: Chance) -> list[Shape]:
    """Shapes of few sizes, so that much of a program goes over the same elements."""
    a = chance.choice((1, 2, 3, 4, 5, 8, 9, 17, 33))
    b = chance.choice((1, 2, 3, 4, 7, 8, 16, 31))
    found: list[Shape] = [(), (a,), (b,), (a, b), (b, a), (a * b,), (2, a, b), (a, 1), (1, b)]
    return [*found, (0,), (a, 0)] if chance.often(0.1) else found


class Nest:
    """Grows a program of integers, or of floats with derivatives, while it is traced.

    The program is the same however often it is traced: its decisions are those of its seed.
    """

    def __init__(self, seed: int, family: Sequence[Shape], *, smooth: bool, depth: int = 0) -> None:
        self.chance, self.family, self.smooth, self.depth = Chance(seed), family, smooth, depth
        self._feed = Feed(self.chance)

    def shape(self) -> Shape:
        """One of the shapes of the program."""
        return self.chance.choice(self.family)

    def leaf(self) -> Any:
        """An argument, or one that was moved about."""
        depth = self.chance.choice((0, 0, 0, 1, 2))
        if self.smooth:
            return self._feed.operand(self.shape(), dtypes.float64, "-1.5:1.5", depth)
        return self._feed.operand(self.shape(), dtypes.int32, "any", depth)

    def grown(self, values: list[Any], count: int) -> list[Any]:
        """The values, and what so many operations give of them."""
        chance = self.chance
        values = [*values, *[self.leaf() for _ in range(chance.randrange(2) if values else 2)]]
        for _ in range(count):
            # Values made lately are taken more often: chains are what is fused.
            x = chance.choice(values[-3:] if chance.often(0.7) else values)
            (step,) = chance.choices(_STEPS, _WEIGHTS)
            for value in step(self, x, values):
                small = value if value.size <= _LARGEST else self.fitted(value, self.shape())
                flat = small if small.ndim <= 4 else small.reshape(-1)
                # What grows without bounds has errors without bounds.
                values.append(jnp.tanh(flat) if self.smooth and chance.often(0.4) else flat)
        return values

    def body(self, count: int, results: Sequence[Shape]) -> Callable[..., list[Any]]:
        """A random function that gives arrays of these shapes."""
        seed = self.chance.getrandbits(32)

        def function(*arguments: Any) -> list[Any]:
            inner = Nest(seed, self.family, smooth=self.smooth, depth=self.depth + 1)
            made = inner.grown([*arguments], count)
            return [inner.fitted(made[-1 - n % len(made)], each) for n, each in enumerate(results)]

        return function

    def fitted(self, x: Any, shape: Shape) -> Any:
        """The elements of an array in another shape, as far as they go, and again."""
        size, chance = math.prod(shape), self.chance
        if not x.size:
            return jnp.zeros(shape, x.dtype)
        tail = shape[len(shape) - x.ndim :] if x.ndim <= len(shape) else None
        if tail is not None and all(a in (1, b) for a, b in zip(x.shape, tail, strict=True)):
            return jnp.broadcast_to(x, shape)
        if x.shape == shape[:-1]:
            return jnp.broadcast_to(x[..., None], shape)
        flat = x.reshape(-1)
        if x.size < size:
            flat = jnp.tile(flat, -(-size // x.size))
        elif chance.often(0.3):
            flat = flat[::-1]
        return flat[:size].reshape(shape)

    def scalar(self, x: Any) -> Any:
        """An element, as an integer."""
        first = jnp.ravel(x)[0] if x.size else jnp.zeros((), x.dtype)
        return first if not self.smooth else jnp.floor(first * 8).astype(jnp.int32)

    def positions(self, x: Any, shape: Shape) -> Any:
        """Positions, some of which lie out of bounds."""
        whole = x if not self.smooth else jnp.floor(x * 8).astype(jnp.int32)
        return (self.fitted(whole, shape) & 15) - 2


Step = Callable[[Nest, Any, Sequence[Any]], Sequence[Any]]


def _narrowed(nest: Nest, x: Any, y: Any) -> Any:
    # Four bits are for the host to compute with.
    kind = nest.chance.choice("int4 int8 uint8 int16 uint16 uint32 int64 uint64".split())
    function = nest.chance.choice((lax.add, lax.mul, lax.rem, lax.div, lax.max))
    return function(x.astype(kind), y.astype(kind)).astype(jnp.int32)


def _as_floats(nest: Nest, x: Any, y: Any) -> Any:
    kind = nest.chance.choice("float16 bfloat16 float32 float64".split())
    return ((x & 3).astype(kind) * (y & 3).astype(kind) + 1).astype(jnp.int32)


_WHOLE_PAIRS: tuple[Callable[[Nest, Any, Any], Any], ...] = (
    lambda nest, x, y: x + y,
    lambda nest, x, y: x * y,
    lambda nest, x, y: x - y,
    lambda nest, x, y: lax.max(x, y),
    lambda nest, x, y: lax.min(x, y),
    lambda nest, x, y: x & y,
    lambda nest, x, y: x ^ y,
    lambda nest, x, y: lax.shift_right_arithmetic(x, y),
    lambda nest, x, y: lax.shift_left(x, y),
    lambda nest, x, y: lax.rem(x, y),
    lambda nest, x, y: lax.div(x, y),
    lambda nest, x, y: jnp.where(x > y, x, y * 2 + 1),
    lambda nest, x, y: (x < y).astype(jnp.int32) + x,
    _narrowed,
    _as_floats,
)

_SMOOTH_PAIRS: tuple[Callable[[Nest, Any, Any], Any], ...] = (
    lambda nest, x, y: x + y,
    lambda nest, x, y: x * y,
    lambda nest, x, y: x - y * 0.5,
    lambda nest, x, y: lax.max(x, y),
    lambda nest, x, y: jnp.where(x > y, x, jnp.tanh(y)),
    lambda nest, x, y: x / (1.5 + jnp.sin(y)),
    lambda nest, x, y: jnp.arctan2(x, 1.5 + jnp.cos(y)),
)

_WHOLE: tuple[Callable[[Any], Any], ...] = (
    lambda x: -x,
    lambda x: ~x,
    lax.abs,
    lax.sign,
    lambda x: x.astype(jnp.int8).astype(jnp.int32),
    lax.population_count,
    lambda x: lax.clamp(jnp.int32(-50), x, jnp.int32(1000)),
)

_SMOOTH: tuple[Callable[[Any], Any], ...] = (
    jnp.sin,
    jnp.tanh,
    lambda x: jnp.exp(jnp.tanh(x)),
    lambda x: jnp.log1p(x * x),
    lambda x: jnp.sqrt(1 + x * x),
    oakum.nn.relu,
    oakum.nn.gelu,
    abs,
)


def _single(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    return [nest.chance.choice(_SMOOTH if nest.smooth else _WHOLE)(x)]


def _paired(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    other = nest.fitted(nest.chance.choice(values), x.shape)
    return [nest.chance.choice(_SMOOTH_PAIRS if nest.smooth else _WHOLE_PAIRS)(nest, x, other)]


def _reduced(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    chance = nest.chance
    if not x.size or not x.ndim:
        return [x]
    axes = tuple(a for a in range(x.ndim) if chance.often(0.5)) or (x.ndim - 1,)
    keep = chance.often(0.5)
    if chance.often(0.4):
        result = chance.choice((jnp.max, jnp.min))(x, axis=axes, keepdims=keep)
    else:
        function = jnp.mean if nest.smooth else chance.choice((jnp.sum, jnp.prod))
        result = function(x, axis=axes, keepdims=keep).astype(x.dtype)
    # What goes over the rows again is done in the same nest.
    return _paired(nest, x, [result]) if keep and chance.often(0.7) else [result]


def _accumulated(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    if not x.ndim:
        return [x]
    functions = [lax.cumsum, lax.cummax, lax.cummin, lax.cumprod]
    function = nest.chance.choice(functions[: 2 if nest.smooth else 4])
    return [function(x, nest.chance.randrange(x.ndim), reverse=nest.chance.often(0.4))]


def _sorted(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    """What the host computes, wherever it stands."""
    return [jnp.sort(x, axis=nest.chance.randrange(x.ndim))] if x.ndim else [x]


def _moved(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    result = nest.chance.choice(RESULTS)(nest._feed, x)
    return [nest.fitted(result, nest.shape()) if nest.chance.often(0.5) else result]


def _multiplied(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    if not x.ndim or not x.size:
        return [x]
    rows = x.reshape(-1, x.shape[-1])[:40]
    size, columns = rows.shape[1], nest.chance.choice((1, 2, 5, 8, 17))
    other = nest.chance.choice(values)
    if nest.chance.often(0.6):
        columns_of = nest.fitted(other, (size, columns))
    else:
        columns_of = nest.fitted(other, (columns, size)).T
    product = lax.dot_general(rows, columns_of, (((1,), (0,)), ((), ())))
    return [product / size if nest.smooth else product]


def _indexed(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    chance, y = nest.chance, nest.chance.choice(values)
    if not x.ndim or not x.size:
        return [x]
    axis = chance.randrange(x.ndim)
    where = nest.positions(y, (chance.choice((1, 3, x.shape[axis])),))
    if chance.often(0.5):
        return [jnp.take(x, where, axis=axis, mode=chance.choice(("clip", "wrap")))]
    updates = nest.fitted(y, (*x.shape[:axis], where.shape[0], *x.shape[axis + 1 :]))
    places = x.at[(slice(None),) * axis + (where,)]
    if nest.smooth or chance.often(0.4):
        return [places.add(updates)]
    return [chance.choice((places.set, places.max))(updates)]


def _cut(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    chance, y = nest.chance, nest.chance.choice(values)
    if not x.ndim or not x.size:
        return [x]
    sizes = tuple(chance.randint(1, size) for size in x.shape)
    starts = [nest.positions(y, ()) for _ in sizes]
    if chance.often(0.5):
        return [lax.dynamic_slice(x, starts, sizes)]
    return [lax.dynamic_update_slice(x, nest.fitted(y, sizes), starts)]


def _scanned(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    chance, length = nest.chance, nest.chance.choice((0, 1, 2, 3, 5, 8))
    captured = [chance.choice(values) for _ in range(chance.randrange(3))]
    carry = [nest.fitted(x, nest.shape()) for _ in range(chance.choice((0, 1, 1, 2)))]
    rows = [
        nest.fitted(chance.choice(values), (length, *nest.shape()))
        for _ in range(chance.choice((0, 1, 1, 2)))
    ]
    stacked = [nest.shape() for _ in range(chance.choice((0, 1, 2)))]
    body = nest.body(chance.randint(1, 4), [*(each.shape for each in carry), *stacked])

    def step(state: Any, row: Any) -> Any:
        count, given = state
        turn = [] if nest.smooth else [count]
        made = body(*given, *row, *captured, *turn, *([] if given or row or captured else [x]))
        return (count + 1, made[: len(carry)]), made[len(carry) :]

    start = (jnp.int32(0), carry)
    (_, last), found = lax.scan(
        step, start, rows, length, chance.often(0.4), chance.choice((1, 1, 1, 2, 3))
    )
    return [*last, *found]


def _repeated(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    chance = nest.chance
    captured = [chance.choice(values) for _ in range(chance.randrange(3))]
    body = nest.body(chance.randint(1, 4), [x.shape])
    if nest.smooth or chance.often(0.4):
        turns = chance.randrange(4)
        return [lax.fori_loop(0, turns, lambda i, y: body(y, *captured)[0], x)]
    most, stops = nest.scalar(chance.choice(values)) & 3, chance.often(0.5)

    def goes_on(state: Any) -> Any:
        more = state[0] < most
        return more & (jnp.sum(state[1], dtype=jnp.int32) > 0) if stops else more

    def turn(state: Any) -> Any:
        return state[0] + 1, body(state[1], *captured)[0]

    return [lax.while_loop(goes_on, turn, (jnp.int32(0), x))[1]]


def _branched(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    chance, y = nest.chance, nest.chance.choice(values)
    index = nest.scalar(chance.choice(values))
    count = chance.choice((1, 2, 3))
    bodies = [nest.body(chance.choice((0, 3)), [x.shape, y.shape]) for _ in range(count)]
    if count == 2:
        return lax.cond(index > 0, bodies[0], bodies[1], x, y)
    return lax.switch(index, bodies, x, y)


def _mapped(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    chance = nest.chance
    captured = [chance.choice(values) for _ in range(chance.randrange(3))]
    if not x.ndim or not x.shape[0]:
        return [x]
    rows = nest.fitted(chance.choice(values), (x.shape[0], *nest.shape()))
    body = nest.body(chance.randint(1, 4), [nest.shape()])
    if chance.often(0.2):
        return [lax.map(lambda pair: body(*pair, *captured)[0], (x, rows))]
    return [oakum.vmap(lambda a, b: body(a, b, *captured)[0])(x, rows)]


def _called(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    body = nest.body(nest.chance.randint(1, 4), [x.shape])
    wrapper: Any = nest.chance.choice((oakum.jit, oakum.checkpoint))
    return [wrapper(lambda a: body(a)[0])(x)]


_CONTROL: tuple[Step, ...] = (_scanned, _scanned, _repeated, _branched, _mapped, _called)


def _controlled(nest: Nest, x: Any, values: Sequence[Any]) -> Sequence[Any]:
    if nest.depth >= _DEEPEST:
        return [x]
    return nest.chance.choice(_CONTROL)(nest, x, values)


_WEIGHTED: dict[Step, int] = {
    _paired: 28,
    _single: 10,
    _reduced: 14,
    _accumulated: 4,
    _moved: 12,
    _multiplied: 4,
    _indexed: 6,
    _cut: 5,
    _sorted: 2,
    _controlled: 17,
}
_STEPS, _WEIGHTS = [*_WEIGHTED], [*_WEIGHTED.values()]

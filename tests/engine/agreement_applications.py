# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Random applications of each primitive that code is written for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from tests.engine.agreement_moves import Feed
from tests.engine.agreement_values import Shape
from tests.engine.primitive_cases import PARAMETERS, elementwise

from oakum import dtypes, lax
from oakum.api import primitive_registry
from oakum.dtypes import DType, Kind
from oakum.lax import options
from oakum.primitives.conv_windows import Windows

Application = Callable[[Feed, DType], Any]
"""Applies a primitive to operands of a dtype; raises TypeError where it takes none such."""

INTEGERS = (Kind.INT, Kind.UINT)


def bind(name: str, *operands: Any, **params: Any) -> Any:
    """Binds a primitive by its name."""
    return primitive_registry.by_name()[name].bind(*operands, **params)


def _elementwise(name: str, count: int) -> Application:
    params = PARAMETERS.get(name, {})

    def apply(feed: Feed, dtype: DType) -> Any:
        shape = feed.chance.shape()
        return bind(name, *[feed.operand(shape, dtype) for _ in range(count)], **params)

    return apply


def _round(feed: Feed, dtype: DType) -> Any:
    x = feed.operand(feed.chance.shape(), dtype)
    return bind("round", x, rounding_method=feed.chance.choice(list(options.RoundingMethod)))


def _integer_pow(feed: Feed, dtype: DType) -> Any:
    least = 0 if dtype.kind in INTEGERS else -3
    x = feed.operand(feed.chance.shape(), dtype)
    return bind("integer_pow", x, y=feed.chance.randint(least, 9))


def _pow(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape()
    if feed.chance.often(0.5):
        kind = dtypes.DTYPES[feed.chance.choice(("int8", "int32", "uint8", "int64"))]
        return bind("pow", feed.operand(shape, dtype), feed.operand(shape, kind, "-4:9"))
    if dtype.kind is Kind.FLOAT:
        return bind("pow", feed.operand(shape, dtype), feed.operand(shape, dtype))
    return bind("pow", feed.operand(shape, dtype), feed.operand(shape, dtype, "0:9"))


def _polygamma(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape()
    order = lax.convert_element_type(feed.operand(shape, dtypes.int8, "-2:12"), dtype)
    return bind("polygamma", order, feed.operand(shape, dtype))


def _reduce_precision(feed: Feed, dtype: DType) -> Any:
    x = feed.operand(feed.chance.shape(), dtype)
    bits = feed.chance.choice(((5, 3), (8, 7), (5, 10), (2, 1), (8, 23), (11, 52), (4, 3), (6, 0)))
    return bind("reduce_precision", x, exponent_bits=bits[0], mantissa_bits=bits[1])


def _clamp(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape()
    bounds = [feed.operand(shape if feed.chance.often(0.5) else (), dtype) for _ in "lh"]
    return lax.clamp(bounds[0], feed.operand(shape, dtype), bounds[1])


def _select_n(feed: Feed, dtype: DType) -> Any:
    shape, count = feed.chance.shape(), feed.chance.choice((1, 2, 2, 3, 5))
    kind = dtypes.int32 if count > 2 or feed.chance.often(0.3) else dtypes.bool_
    which = feed.operand(
        shape if feed.chance.often(0.7) else (), kind, "any" if kind is dtypes.bool_ else "-2:7"
    )
    return lax.select_n(which, *[feed.operand(shape, dtype) for _ in range(count)])


def _convert(feed: Feed, dtype: DType) -> Any:
    new = feed.chance.choice([each for each in dtypes.NUMERIC if each.bits >= 4])
    x = feed.operand(feed.chance.shape(), dtype)
    return bind("convert_element_type", x, new_dtype=new, weak_type=False)


def _bitcast(feed: Feed, dtype: DType) -> Any:
    new = feed.chance.choice([each for each in dtypes.NUMERIC if each.bits in (4, 8, 16, 32, 64)])
    if dtype.bits == 6:
        raise TypeError
    shape = feed.chance.shape()
    if new.bits > dtype.bits:
        shape = (*shape[:3], new.bits // dtype.bits)
    x = feed.operand(shape, dtype)
    return bind("bitcast_convert_type", x, new_dtype=new)


def axes_of(feed: Feed, shape: Shape) -> tuple[int, ...]:
    """Some of the axes."""
    return tuple(axis for axis in range(len(shape)) if feed.chance.often(0.5))


def _reduction(name: str) -> Application:
    def apply(feed: Feed, dtype: DType) -> Any:
        shape = feed.chance.shape()
        axes = axes_of(feed, shape)
        if name in ("reduce_max", "reduce_min") and not math.prod(shape[a] for a in axes):
            return None
        exact = name in ("reduce_max", "reduce_min") or dtype.kind in (*INTEGERS, Kind.BOOL)
        more = {"out_sharding": None} if name == "reduce_sum" else {}
        what = "any" if exact else "small"
        return bind(name, feed.operand(shape, dtype, what), axes=axes, **more)

    return apply


def _position_of(name: str) -> Application:
    def apply(feed: Feed, dtype: DType) -> Any:
        shape = feed.chance.shape(feed.chance.randint(1, 3), least=1)
        index = dtypes.DTYPES[feed.chance.choice(("int32", "int64", "uint32", "int16", "uint8"))]
        axis = feed.chance.randrange(len(shape))
        if shape[axis] > 127:
            index = dtypes.int32
        what = feed.chance.choice(("any", "small"))
        return bind(name, feed.operand(shape, dtype, what), axes=(axis,), index_dtype=index)

    return apply


def _cumulative(name: str) -> Application:
    def apply(feed: Feed, dtype: DType) -> Any:
        shape = feed.chance.shape(feed.chance.randint(1, 3))
        axis = feed.chance.randrange(len(shape))
        exact = name in ("cummax", "cummin") or dtype.kind in INTEGERS
        x = feed.operand(shape, dtype, "any" if exact else "small")
        return bind(name, x, axis=axis, reverse=feed.chance.often(0.5))

    return apply


def _reduce(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape()
    what = "any" if dtype.kind in INTEGERS else "small"
    combine = feed.chance.choice((lax.add, lax.max, lambda a, b: lax.add(a, b)))
    x, first = feed.operand(shape, dtype, what), feed.operand((), dtype, what)
    return lax.reduce(x, first, combine, axes_of(feed, shape))


def window(feed: Feed, shape: Shape) -> dict[str, Any]:
    """Parameters of windows that go over an array."""
    chance, rank = feed.chance, len(shape)
    found: dict[str, Any] = {}
    found["window_dimensions"] = tuple(chance.choice((1, 2, 2, 3)) for _ in range(rank))
    found["window_strides"] = tuple(chance.choice((1, 1, 2, 3)) for _ in range(rank))
    found["base_dilation"] = tuple(chance.choice((1, 1, 1, 2)) for _ in range(rank))
    found["window_dilation"] = tuple(chance.choice((1, 1, 1, 2)) for _ in range(rank))
    found["padding"] = tuple(
        (chance.choice((0, 0, 1, 2)), chance.choice((0, 1))) for _ in range(rank)
    )
    return found


def _windowed(name: str) -> Application:
    def apply(feed: Feed, dtype: DType) -> Any:
        shape = feed.chance.shape(feed.chance.choice((1, 2, 2, 3)))
        exact = name != "reduce_window_sum" or dtype.kind in INTEGERS
        return bind(
            name, feed.operand(shape, dtype, "any" if exact else "small"), **window(feed, shape)
        )

    return apply


def _reduce_window(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape(feed.chance.choice((1, 2)))
    found = window(feed, shape)
    x, first = feed.operand(shape, dtype, "small"), feed.operand((), dtype, "small")
    combine = feed.chance.choice(
        (lax.add, lax.max, lambda a, b: lax.sub(lax.add(a, b), lax.mul(a, b)))
    )
    if feed.chance.often(0.4):
        combine = lambda a, b: lax.max(a, lax.min(b, a))  # noqa: E731
    return lax.reduce_window(x, first, combine, **found)


def _broadcast(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape()
    axes = list(axes_of(feed, shape))
    if feed.chance.often(0.3):
        feed.chance.shuffle(axes)
    x = feed.operand(tuple(1 if feed.chance.often(0.4) else shape[a] for a in axes), dtype)
    params = {"broadcast_dimensions": tuple(axes), "sharding": None}
    return bind("broadcast_in_dim", x, shape=shape, **params)


def _move(name: str) -> Application:
    """Made as an operand is: the operation is one of the movements."""

    def apply(feed: Feed, dtype: DType) -> Any:
        from tests.engine import agreement_moves

        made = getattr(agreement_moves, f"_{name}")
        shape = feed.chance.shape()
        return made(feed, shape, dtype, lambda size: feed.operand(size, dtype))

    return apply


def _iota(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape(feed.chance.randint(1, 3))
    axis = feed.chance.randrange(len(shape))
    return bind("iota", dtype=dtype, shape=shape, dimension=axis, sharding=None)


def _empty(feed: Feed, dtype: DType) -> Any:
    return bind("empty", shape=(*feed.chance.shape(1), 0), dtype=dtype, out_sharding=None)


def _device_put(feed: Feed, dtype: DType) -> Any:
    x = feed.operand(feed.chance.shape(), dtype)
    return bind("device_put", x, sharding=None, src=None, copy=feed.chance.often(0.5))


def _split(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape(feed.chance.randint(1, 3))
    axis = feed.chance.randrange(len(shape))
    cut = feed.chance.randint(0, shape[axis])
    return bind("split", feed.operand(shape, dtype), sizes=(cut, shape[axis] - cut), axis=axis)


def _gather(feed: Feed, dtype: DType) -> Any:
    shape, places, numbers, sizes = gathering(feed)
    mode = feed.chance.choice(list(options.GatherScatterMode)[:2])
    fill = feed.chance.choice((None, 0, 1))
    if dtype.kind is Kind.KEY:
        fill = None
    index = feed.index(places, 0, max(shape, default=1))
    return lax.gather(feed.operand(shape, dtype), index, numbers, sizes, mode=mode, fill_value=fill)


def gathering(feed: Feed) -> tuple[Shape, Shape, Any, Shape]:
    """Shapes of an operand and of positions, and the numbers of axes of a gather."""
    chance = feed.chance
    shape = tuple(chance.choice((1, 2, 3, 4, 9)) for _ in range(chance.randint(1, 4)))
    axes = list(range(len(shape)))
    batching = sorted(chance.sample(axes, chance.choice((0, 0, min(1, len(axes) - 1)))))
    rest = [axis for axis in axes if axis not in batching]
    mapped = tuple(chance.sample(rest, chance.randint(0, len(rest))))
    collapsed = tuple(sorted(chance.sample(rest, chance.randint(0, len(rest)))))
    sizes = tuple(
        1
        if axis in batching or axis in collapsed
        else chance.randint(0 if chance.often(0.05) else 1, size)
        for axis, size in enumerate(shape)
    )
    batch = [chance.choice((1, 2, 3, 8, 9)) for _ in range(len(batching) + chance.randint(0, 2))]
    places = chance.sample(range(len(batch)), len(batching))
    for axis, place in zip(batching, places, strict=True):
        batch[place] = shape[axis]
    kept = len(rest) - len(collapsed)
    numbers = lax.GatherDimensionNumbers(
        tuple(sorted(chance.sample(range(kept + len(batch)), kept))),
        collapsed,
        mapped,
        tuple(batching),
        tuple(places),
    )
    return shape, (*batch, len(mapped)), numbers, sizes


def _scatter(name: str) -> Application:
    def apply(feed: Feed, dtype: DType) -> Any:
        if dtype.kind is Kind.KEY and name != "scatter":
            raise TypeError
        shape, places, numbers, sizes = gathering(feed)
        batch = list(places[:-1])
        kept = [
            n
            for axis, n in enumerate(sizes)
            if axis not in (*numbers.collapsed_slice_dims, *numbers.operand_batching_dims)
        ]
        result, waiting = [], iter(batch)
        windows = iter(kept)
        for axis in range(len(batch) + len(kept)):
            result.append(next(windows) if axis in numbers.offset_dims else next(waiting))
        scattered = lax.ScatterDimensionNumbers(
            numbers.offset_dims,
            numbers.collapsed_slice_dims,
            numbers.start_index_map,
            numbers.operand_batching_dims,
            numbers.start_indices_batching_dims,
        )
        exact = name in ("scatter", "scatter_min", "scatter_max") or dtype.kind in INTEGERS
        what = "any" if exact else "small"
        mode = feed.chance.choice((None, "clip", "drop"))
        index = feed.index(places, 0, max(shape, default=1))
        x, y = feed.operand(shape, dtype, what), feed.operand(tuple(result), dtype, what)
        return getattr(lax, name)(x, index, y, scattered, mode=mode)

    return apply


def _dot_general(feed: Feed, dtype: DType) -> Any:
    chance = feed.chance
    sizes = [chance.choice((1, 2, 3, 4, 7, 8, 9, 17, 33)) for _ in range(6)]
    if chance.often(0.1):
        sizes[chance.randrange(6)] = 0
    batch = list(range(chance.choice((0, 0, 1, 1, 2))))
    summed = list(range(chance.choice((0, 1, 1, 1, 2))))
    left = [("b", n) for n in batch] + [("k", n) for n in summed]
    right = list(left)
    left += [("m", n) for n in range(chance.choice((0, 1, 1, 2)))]
    right += [("n", n) for n in range(chance.choice((0, 1, 1, 2)))]
    chance.shuffle(left)
    chance.shuffle(right)
    size_of = {("b", 0): 2, ("b", 1): 3, ("k", 0): sizes[0], ("k", 1): 3, ("m", 0): sizes[1]}
    size_of.update({("m", 1): 2, ("n", 0): sizes[2], ("n", 1): 3})
    numbers = tuple(
        (tuple(left.index((s, n)) for n in which), tuple(right.index((s, n)) for n in which))
        for s, which in (("k", summed), ("b", batch))
    )
    what = "any" if dtype.kind in INTEGERS else "small"
    preferred = None
    if chance.often(0.3):
        wide = (dtypes.int32, dtypes.float32, dtypes.float64, dtypes.int64)
        preferred = dtypes.complex128 if dtype.kind is Kind.COMPLEX else chance.choice(wide)
    lhs, rhs = (
        feed.operand(tuple(size_of[x] for x in axes), dtype, what) for axes in (left, right)
    )
    return lax.dot_general(lhs, rhs, numbers, preferred_element_type=preferred)


def _convolution(feed: Feed, dtype: DType) -> Any:
    chance = feed.chance
    rank = chance.choice((1, 1, 2, 2, 3))
    groups, batches = chance.choice(((1, 1), (1, 1), (2, 1), (3, 1), (1, 2)))
    channels, filters = chance.choice((1, 2, 5, 8)), chance.choice((1, 2, 3, 9)) * groups * batches
    space = [chance.choice((1, 2, 5, 6, 9)) for _ in range(rank)]
    kernel = [chance.choice((1, 2, 3)) for _ in range(rank)]
    lhs = (chance.choice((1, 2, 3)) * batches, channels * groups, *space)
    rhs = (filters, channels, *kernel)
    letters = "DHW"[3 - rank :]
    orders = []
    for word in ("NC", "OI", "NC"):
        names = list(word + letters)
        if chance.often(0.4):
            chance.shuffle(names)
        orders.append("".join(names))
    what = "any" if dtype.kind in INTEGERS else "small"

    def laid(shape: Shape, names: str, order: str) -> Any:
        return feed.operand(tuple(shape[names.index(c)] for c in order), dtype, what)

    return lax.conv_general_dilated(
        laid(lhs, "NC" + letters, orders[0]),
        laid(rhs, "OI" + letters, orders[1]),
        [chance.choice((1, 1, 2, 3)) for _ in range(rank)],
        [(chance.choice((0, 1, 2, -1)), chance.choice((0, 1))) for _ in range(rank)],
        [chance.choice((1, 1, 1, 2)) for _ in range(rank)],
        [chance.choice((1, 1, 1, 2)) for _ in range(rank)],
        tuple(orders),
        groups,
        batches,
    )


def _sort(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape(feed.chance.choice((1, 2)))
    more = [feed.operand(shape, dtypes.int32) for _ in range(feed.chance.randrange(2))]
    axis = feed.chance.randrange(len(shape))
    return bind(
        "sort", feed.operand(shape, dtype), *more, dimension=axis, is_stable=True, num_keys=1
    )


def _threefry(name: str) -> Application:
    def apply(feed: Feed, dtype: DType) -> Any:
        shape = feed.chance.shape()
        shapes = [shape if feed.chance.often(0.6) else () for _ in range(2)]
        operands = [feed.operand(each, dtypes.uint32) for each in (*shapes, shape, shape)]
        if name == "threefry2x32":
            return bind(name, *operands)
        return bind(name, *operands, which=feed.chance.randrange(2))

    return apply


def _rng_bits(feed: Feed, dtype: DType) -> Any:
    state = feed.operand((4,), dtypes.uint32)
    if dtype.kind is not Kind.UINT:
        raise TypeError
    return bind("rng_bit_generator", state, shape=feed.chance.shape(), dtype=dtype, algorithm=0)


def _matrix(feed: Feed, dtype: DType, size: int, batch: Shape) -> Any:
    """Matrices with large numbers along the diagonal: what is solved with them has small errors."""
    if dtype.kind not in (Kind.FLOAT, Kind.COMPLEX):
        raise TypeError
    whole = lax.broadcasted_iota(dtypes.int32, (*batch, size, size), len(batch))
    other = lax.broadcasted_iota(dtypes.int32, (*batch, size, size), len(batch) + 1)
    x = feed.operand((*batch, size, size), dtype, "-1:1")
    large = lax.full((*batch, size, size), size + 1, dtype)
    # How far NaN spreads when a matrix has no factors is nobody's promise.
    known = lax.select_n(lax.eq(x, x), lax.full(x.shape, 0, dtype), x)
    return lax.select_n(lax.eq(whole, other), known, large)


def _sizes(feed: Feed) -> tuple[int, Shape]:
    size = feed.chance.choice((0, 1, 2, 3, 5, 8, 9, 17))
    return size, feed.chance.choice(((), (), (1,), (3,), (2, 3), (0,)))


def _lu(feed: Feed, dtype: DType) -> Any:
    size, batch = _sizes(feed)
    x = _matrix(feed, dtype, size, batch)
    # Rows have to be exchanged, and it is clear which.
    return bind("lu", lax.rev(x, (len(batch),)) if feed.chance.often(0.7) else x)


def _cut(feed: Feed, dtype: DType) -> Any:
    size, batch = _sizes(feed)
    x, rows = _matrix(feed, dtype, size, batch), len(batch)
    return lax.slice_in_dim(
        x, 0, feed.chance.randint(0, size), axis=rows + feed.chance.randrange(2)
    )


def _qr(feed: Feed, dtype: DType) -> Any:
    cut, full = _cut(feed, dtype), feed.chance.often(0.5)
    return bind("qr", cut, pivoting=False, full_matrices=full, use_magma=None)


def _geqrf(feed: Feed, dtype: DType) -> Any:
    return bind("geqrf", _cut(feed, dtype))


def _cholesky(feed: Feed, dtype: DType) -> Any:
    size, batch = _sizes(feed)
    x = _matrix(feed, dtype, size, batch)
    order = (*range(len(batch)), len(batch) + 1, len(batch))
    turned = lax.transpose(x, order)
    whole = lax.add(x, lax.conj(turned) if dtype.kind is Kind.COMPLEX else turned)
    return lax.linalg.cholesky(whole, symmetrize_input=False)


def _triangular_solve(feed: Feed, dtype: DType) -> Any:
    size, batch = _sizes(feed)
    left = feed.chance.often(0.5)
    count = feed.chance.choice((0, 1, 2, 7, 8, 9))
    b = feed.operand((*batch, *((size, count) if left else (count, size))), dtype, "-2:2")
    names = ("lower", "transpose_a", "conjugate_a", "unit_diagonal")
    params = {name: feed.chance.often(0.5) for name in names}
    a = _matrix(feed, dtype, size, batch)
    if params["unit_diagonal"]:
        a = lax.mul(a, lax.full(a.shape, 0.125, dtype))
    return bind("triangular_solve", a, b, left_side=left, **params)


def _tridiagonal_solve(feed: Feed, dtype: DType) -> Any:
    if dtype.kind is not Kind.FLOAT:
        raise TypeError
    size, batch = _sizes(feed)
    count = feed.chance.choice((1, 2, 9))
    lower, upper = (feed.operand((*batch, size), dtype, "-1:1") for _ in "lu")
    middle = feed.operand((*batch, size), dtype, "3:4")
    b = feed.operand((*batch, size, count), dtype, "-2:2")
    return bind("tridiagonal_solve", lower, middle, upper, b, perturb_singular=False)


def _permutation(feed: Feed, dtype: DType) -> Any:
    if dtype is not dtypes.int32:
        raise TypeError
    size, batch = _sizes(feed)
    more = feed.chance.randint(0, 3)
    return bind(
        "lu_pivots_to_permutation",
        feed.operand((*batch, size), dtype, f"0:{max(size + more - 1, 0)}"),
        permutation_size=size + more,
    )


def _fft(feed: Feed, dtype: DType) -> Any:
    chance, kinds = feed.chance, options.FftType
    complex_valued = dtype.kind is Kind.COMPLEX
    kind = chance.choice((kinds.FFT, kinds.IFFT, kinds.IRFFT) if complex_valued else (kinds.RFFT,))
    lengths = tuple(
        chance.choice((1, 2, 3, 4, 7, 8, 12, 16)) for _ in range(chance.choice((1, 1, 2)))
    )
    shape = (*chance.choice(((), (1,), (3,), (2, 9))), *lengths)
    if kind is kinds.IRFFT:
        shape = (*shape[:-1], lengths[-1] // 2 + 1)
    return bind("fft", feed.operand(shape, dtype, "-2:2"), fft_type=kind, fft_lengths=lengths)


def _top_k(feed: Feed, dtype: DType) -> Any:
    shape = feed.chance.shape(feed.chance.choice((1, 2, 2, 3)))
    axis = feed.chance.randrange(len(shape))
    return bind(
        "top_k", feed.operand(shape, dtype), k=feed.chance.randint(0, shape[axis]), axis=axis
    )


def _selected_in_windows(name: str) -> Application:
    def apply(feed: Feed, dtype: DType) -> Any:
        shape = feed.chance.shape(feed.chance.choice((1, 2, 2, 3)))
        params = {"select": feed.chance.choice(("ge", "le")), **window(feed, shape)}
        operand = feed.operand(shape, dtype, feed.chance.choice(("small", "-9:9")))
        if name == "select_and_gather_add":
            return bind(name, feed.operand(shape, dtype, "small"), operand, **params)
        if feed.chance.often(0.7):
            params["base_dilation"] = params["window_dilation"] = (1,) * len(shape)
        windows = Windows(**{k: v for k, v in params.items() if k != "select"})
        source = feed.operand(windows.shape(shape), dtype, "small")
        return bind(name, source, operand, **params)

    return apply


APPLICATIONS: dict[str, Application] = {
    **{name: _elementwise(name, len(bounds)) for name, bounds in elementwise().items()},
    "round": _round,
    "integer_pow": _integer_pow,
    "pow": _pow,
    "polygamma": _polygamma,
    "reduce_precision": _reduce_precision,
    "clamp": _clamp,
    "select_n": _select_n,
    "convert_element_type": _convert,
    "bitcast_convert_type": _bitcast,
    **{
        f"reduce_{each}": _reduction(f"reduce_{each}")
        for each in "sum prod max min and or xor".split()
    },
    "argmax": _position_of("argmax"),
    "argmin": _position_of("argmin"),
    **{name: _cumulative(name) for name in "cumsum cumprod cummax cummin".split()},
    "reduce": _reduce,
    **{
        name: _windowed(name)
        for name in "reduce_window_sum reduce_window_max reduce_window_min".split()
    },
    "reduce_window": _reduce_window,
    "broadcast_in_dim": _broadcast,
    "concatenate": _move("joined"),
    "pad": _move("padded"),
    "rev": _move("reversed"),
    "transpose": _move("transposed"),
    "slice": _move("sliced"),
    "squeeze": _move("squeezed"),
    "reshape": _move("reshaped"),
    "tile": _move("tiled"),
    "dynamic_slice": _move("started"),
    "dynamic_update_slice": _move("updated"),
    "split": _split,
    "iota": _iota,
    "empty": _empty,
    "device_put": _device_put,
    "gather": _gather,
    "scatter": _scatter("scatter"),
    **{f"scatter-{each}": _scatter(f"scatter_{each}") for each in "add sub mul min max".split()},
    "dot_general": _dot_general,
    "conv_general_dilated": _convolution,
    "sort": _sort,
    "fft": _fft,
    "top_k": _top_k,
    "tridiagonal_solve": _tridiagonal_solve,
    "lu": _lu,
    "lu_pivots_to_permutation": _permutation,
    "geqrf": _geqrf,
    "qr": _qr,
    "cholesky": _cholesky,
    "triangular_solve": _triangular_solve,
    **{
        f"select_and_{each}_add": _selected_in_windows(f"select_and_{each}_add")
        for each in ("gather", "scatter")
    },
    "threefry2x32": _threefry("threefry2x32"),
    "threefry2x32_word": _threefry("threefry2x32_word"),
    "rng_bit_generator": _rng_bits,
}
"""By the names of the primitives."""

"""Operations that the compiler makes of simpler ones give what their evaluation gives.

Programs are compiled and run beside their interpretation: what fails here gives users of `jit`
other numbers than they get without it. Integers, keys, and all that adds in a fixed order agree bit
by bit.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.engine.compiled_programs import compare_compiled as compare

import oakum
import oakum.numpy as jnp
from oakum import dtypes, lax, random
from oakum.values import host

IMPLEMENTATIONS = ("threefry2x32", "threefry4x32", "philox2x32", "philox4x32", "rbg", "unsafe_rbg")
SHAPES = ((), (0,), (1,), (7,), (3, 5), (2, 0, 3), (2, 3, 5))
NUMBERS = ("int8", "uint16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
DTYPES = ("bool", *NUMBERS)


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


def scalar(value: float, dtype: str) -> Any:
    """A number as an array of the host."""
    return np.array(value, host.dtype(dtypes.DTYPES[dtype]))


def draw(shape: tuple[int, ...], dtype: str, *, special: bool = False) -> Any:
    """Numbers of a dtype, with equal ones among them; some that are none, if asked for."""
    source = np.random.default_rng(len(shape) + 17 * sum(shape))
    raw = source.integers(-5, 6, shape)
    if dtype == "bool":
        return raw > 0
    if dtype.startswith("u"):
        return np.abs(raw).astype(dtype)
    array = raw.astype(host.dtype(dtypes.DTYPES[dtype]))
    if special and raw.size > 6 and "float" in dtype:
        flat = array.reshape(-1)
        flat[[1, 3, 5]] = [np.nan, -0.0, np.inf]
        flat[-1] = np.nan
    return array


def bits(shape: tuple[int, ...], dtype: str, key: Any) -> Any:
    return random.bits(key, shape, dtype)


@pytest.mark.sweep(6)
@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
@pytest.mark.parametrize("shape", SHAPES)
def test_bits_are_those_of_the_generator(impl: str, shape: tuple[int, ...]) -> None:
    key = random.key(3, impl=impl)
    small = ("uint8", "uint16") if len(shape) > 1 else ()
    for dtype in ("uint32", "uint64", *small):
        compare(partial(bits, shape, dtype), key)


@pytest.mark.unverified
def test_a_large_draw_is_one_step() -> None:
    def large(key: Any) -> Any:
        return random.uniform(key, (300, 1001))

    program = compare(large, random.key(0))
    assert program.plan is not None
    assert len(program.plan.steps) == 1
    assert program.address is not None


def chain(key: Any) -> Any:
    key, other = random.split(key)
    first, second = random.split(random.fold_in(other, 7))
    return key, random.bits(first, (5,)), random.key_data(second), random.clone(second)


def movements(keys: Any, places: Any, mask: Any) -> list[Any]:
    return [
        keys.reshape(2, 3).T[::-1, 1:],
        jnp.concatenate([keys[4:], keys, keys[:1]]),
        jnp.broadcast_to(keys[:, None], (6, 2)),
        jnp.tile(keys[:2], 3),
        keys[places],
        keys.at[places].get(mode="fill"),
        lax.dynamic_slice(keys, (places[0],), (2,)),
        lax.dynamic_update_slice(keys, keys[:2], (places[2],)),
        jnp.where(mask, keys, keys[::-1]),
        lax.select(mask[0], keys[0], keys[1]),
        lax.optimization_barrier(keys),
        keys.at[places].set(keys[::-1][:4], mode="drop"),
        keys.at[1:3].set(keys[0]),
        lax.split(keys, (2, 0, 4)),
    ]


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_keys_are_split_folded_and_moved(impl: str) -> None:
    keys = random.split(random.key(3, impl=impl), 6)
    compare(chain, keys[0])
    compare(partial(random.split, num=(3, 2)), keys[1])
    mask = np.array([True, False, False, True, True, False])
    compare(movements, keys, np.array([4, -9, 1, 77]), mask)


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_keys_are_made_of_seeds_and_words(impl: str) -> None:
    keys = random.split(random.key(3, impl=impl), 6)
    compare(partial(random.wrap_key_data, impl=impl), random.key_data(keys))
    compare(random.key_data, keys)
    compare(random.clone, keys[:0])
    for seed in (np.int32(-5), np.int64(2**40 + 3), np.uint32(9), np.int8(-1)):
        compare(partial(random.key, impl=impl), seed)


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_keys_under_vmap(impl: str) -> None:
    keys = random.split(random.key(3, impl=impl), 3)
    compare(oakum.vmap(partial(bits, (2, 3), "uint32")), keys)
    compare(oakum.vmap(random.fold_in), keys, np.arange(3, dtype="uint32"))
    compare(oakum.vmap(random.split), keys)


def folded(key: Any) -> Any:
    def step(i: Any, key: Any) -> Any:
        return random.fold_in(key, i)

    return lax.fori_loop(0, 4, step, key)


def test_keys_in_loops_and_branches() -> None:
    def step(key: Any, x: Any) -> Any:
        key, other = random.split(key)
        return key, random.bits(other, (3,)) + x

    def steps(key: Any) -> Any:
        return lax.scan(step, key, jnp.arange(5, dtype="uint32"))

    def over(keys: Any) -> Any:
        def step(count: Any, key: Any) -> Any:
            return count, random.bits(key)

        return lax.scan(step, 0, keys)

    def branch(condition: Any, key: Any) -> Any:
        return lax.cond(condition, folded, random.clone, key)

    compare(steps, random.key(1))
    compare(over, random.split(random.key(1)))
    compare(folded, random.key(2))
    compare(branch, True, random.key(2))
    compare(branch, False, random.key(2))


def test_keys_where_the_host_takes_them() -> None:
    keys = random.split(random.key(3), 4)

    def same(key: Any) -> Any:
        return key

    def called(keys: Any) -> Any:
        key = random.split(keys[0])[1]
        return random.bits(oakum.pure_callback(same, key, key), (3,))

    compare(called, keys, host="pure_callback")


@pytest.mark.sweep(4)
@pytest.mark.parametrize("algorithm", lax.RandomAlgorithm)
@pytest.mark.parametrize("dtype", ["uint8", "uint32", "uint64"])
def test_bits_of_a_state(algorithm: Any, dtype: str) -> None:
    words = np.array([1, 2, 2**32 - 2, 2**32 - 1], "uint32")
    for state in (words, np.array([5, 2**64 - 3], "uint64")):
        for shape in ((), (0,), (7,), (4, 3), (3, 5, 7)):
            given: Any = {"shape": shape, "dtype": dtype, "algorithm": algorithm}
            compare(partial(lax.rng_bit_generator, **given), state)


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg"])
def test_bits_that_are_drawn_in_pairs(impl: str) -> None:
    with oakum.threefry_partitionable(False):
        key = random.key(5, impl=impl)
        for shape in SHAPES:
            compare(partial(bits, shape, "uint32"), key)
        compare(partial(random.split, num=3), key)
        compare(partial(bits, (5,), "uint64"), key)
        compare(partial(bits, (5,), "uint8"), key)


def test_the_hash_itself_with_shapes_that_broadcast() -> None:
    from oakum.primitives.random.threefry import threefry2x32_p

    one, many = np.array([7], "uint32"), np.arange(5, dtype="uint32")
    for words in (
        (one, one, many, many),
        (one[0], one[0], many, many[::-1].copy()),
        (many, one, many[:, None], one),
    ):
        compare(threefry2x32_p.bind, *words)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [jnp.argmax, jnp.argmin])
def test_the_place_of_an_extreme_is_the_first_one(function: Any, dtype: str) -> None:
    for shape in ((1,), (7,), (3, 5), (5, 0), (4, 3, 33), (5000,)):
        for axis in range(len(shape)):
            if not shape[axis]:
                continue
            compare(partial(function, axis=axis), draw(shape, dtype))
            compare(partial(function, axis=axis), draw(shape, dtype, special=True))


def test_a_place_that_its_dtype_does_not_hold() -> None:
    compare(partial(lax.argmax, axis=0, index_dtype=jnp.int8), np.arange(300.0))


@pytest.mark.sweep(6)
@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("function", [lax.cumsum, lax.cumprod, lax.cummax, lax.cummin])
def test_running_reductions_along_short_axes(function: Any, dtype: str) -> None:
    for shape in ((1,), (7,), (3, 5), (0, 2), (4, 16, 3)):
        for axis in range(len(shape)):
            operand = draw(shape, dtype, special=function in (lax.cummax, lax.cummin))
            compare(partial(function, axis=axis), operand)
            compare(partial(function, axis=axis, reverse=True), operand)


def _window(*dimensions: int, strides: Any, **options: Any) -> dict[str, Any]:
    padding = options.pop("padding", "VALID")
    return {
        "window_dimensions": dimensions,
        "window_strides": strides,
        "padding": padding,
        **options,
    }


WINDOWS = (
    ((9,), _window(3, strides=(1,))),
    ((9,), _window(3, strides=(2,), padding=[(2, 1)], window_dilation=(2,))),
    ((6, 7), _window(2, 3, strides=(2, 1), padding="SAME")),
    ((6, 7), _window(1, 3, strides=(1, 1), padding=[(0, 0), (1, -1)], base_dilation=(2, 3))),
    ((2, 2), _window(3, 3, strides=(1, 1))),
    ((0, 2), _window(1, 2, strides=(1, 1))),
    ((40,), _window(32, strides=(1,))),
)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("dtype", NUMBERS)
def test_windows(dtype: str) -> None:
    kind = host.dtype(dtypes.DTYPES[dtype])
    least, greatest = -math.inf, math.inf
    if "float" not in dtype:
        least, greatest = np.iinfo(kind).min, np.iinfo(kind).max
    for shape, window in WINDOWS:
        operand = draw(shape, dtype, special=True)
        for start, combine in ((0, lax.add), (least, lax.max), (greatest, lax.min)):
            given: Any = {"init_value": scalar(start, dtype), "computation": combine}
            compare(partial(lax.reduce_window, **given, **window), operand)


def _horner(x: Any, y: Any) -> Any:
    return x * 2 + y


@pytest.mark.parametrize("dtype", ["int32", "float32", "uint16"])
def test_windows_that_are_combined_by_a_program(dtype: str) -> None:
    for shape, window in WINDOWS:
        given: Any = {"init_value": scalar(1, dtype), "computation": _horner}
        compare(partial(lax.reduce_window, **given, **window), draw(shape, dtype), near=1e-6)


@pytest.mark.parametrize("dtype", ["int32", "float32", "uint16"])
def test_reductions_by_a_program(dtype: str) -> None:
    operand, start = draw((6, 5, 3), dtype), scalar(2, dtype)
    for combine in (lax.add, lax.mul, lax.max, lax.min, _horner):
        given: Any = {"init_values": start, "computation": combine, "dimensions": (0, 2)}
        compare(partial(lax.reduce, **given), operand, near=1e-6)


def test_reductions_of_bits_by_a_program() -> None:
    for combine in (lax.bitwise_and, lax.bitwise_or, lax.bitwise_xor, lax.max):
        given: Any = {"init_values": np.array(True), "computation": combine, "dimensions": (1,)}
        compare(partial(lax.reduce, **given), draw((6, 5), "bool"))


def test_reductions_of_several_arrays_at_once() -> None:
    def extreme(left: Any, right: Any) -> Any:
        later = right[0] > left[0]
        return jnp.where(later, right[0], left[0]), jnp.where(later, right[1], left[1])

    def reduced(values: Any, places: Any) -> Any:
        starts = np.float32(-100), np.int32(-1)
        return lax.reduce((values, places), starts, extreme, (0,))

    for shape in ((7, 2), (200, 3), (0, 3), (3, 0)):
        places = np.arange(math.prod(shape), dtype="int32").reshape(shape)
        compare(reduced, draw(shape, "float32"), places)


@pytest.mark.parametrize("dtype", DTYPES)
def test_blocks_are_put_where_they_fit(dtype: str) -> None:
    operand, update = draw((7, 5), dtype), draw((3, 5), dtype, special=True)

    def put(operand: Any, update: Any, at: Any) -> Any:
        return lax.dynamic_update_slice(operand, update, (at, at))

    for kind in ("int8", "uint32", "int64", "uint64"):
        info = np.iinfo(kind)
        for start in (info.min, 0, 2, 100, info.max):
            compare(put, operand, update, np.array(start, kind))
    compare(put, operand, update[:, :0], np.int32(1))
    compare(put, operand, operand, np.int32(1))
    compare(put, operand[:0], update[:0], np.int32(1))


def test_arrays_are_cut_apart() -> None:
    operand = draw((7, 4), "float32", special=True)
    compare(partial(lax.split, sizes=(3, 0, 4), axis=0), operand)
    compare(partial(jnp.split, indices_or_sections=2, axis=1), operand)


def _given(x: Any) -> Any:
    first, second = lax.optimization_barrier((x, x * 2))
    return first, second + 1, oakum.device_put(lax.stop_gradient(x)) * 2, jnp.tile(x, (2, 3))


def _recomputed(x: Any) -> Any:
    return oakum.checkpoint(jnp.sin)(x * 2).sum()


@pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 4)])
def test_what_gives_its_operands(shape: tuple[int, ...]) -> None:
    operand = draw(shape, "float32", special=True)
    compare(_given, operand)
    compare(oakum.grad(_recomputed), operand, near=1e-5)

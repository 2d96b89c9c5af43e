"""Operations that the compiler makes of simpler ones give what their evaluation gives.

Programs are compiled and run beside their interpretation: what fails here gives users of `jit` other
numbers than they get without it. Integers, keys, and all that adds in a fixed order agree bit by
bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import oakum
import oakum.numpy as jnp
from oakum import dtypes, host, lax, random
from oakum.compile.executable import Executable
from oakum.ir import run_closed

IMPLEMENTATIONS = ("threefry2x32", "threefry4x32", "philox2x32", "philox4x32", "rbg", "unsafe_rbg")
SHAPES = ((), (0,), (1,), (7,), (3, 5), (2, 0, 3), (2, 3, 5), (40000,))
DTYPES = ("bool", "int8", "uint16", "int32", "int64", "float16", "bfloat16", "float32", "float64")


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


def compare(function: Callable[..., Any], *arguments: Any, host: str = "", near: float = 0) -> None:
    """Compares a compiled program with its interpretation; `host` names what the host computes."""
    traced: Any = oakum.make_jaxpr(function)(*arguments)
    closed = getattr(traced, "closed", traced)
    leaves = oakum.tree_util.tree_leaves(arguments)
    raws = [np.asarray(x.raw if hasattr(x, "raw") else x) for x in leaves]
    program = Executable(closed)
    assert program.source is not None
    steps = {step.eqn.primitive.name for step in program.source.host_steps}
    assert steps == set(host.split()), f"the host computes {steps}"
    results = program(raws)
    for actual, wanted in zip(results, run_closed(np, closed, raws), strict=True):
        expected = np.asarray(wanted)
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        if near and actual.dtype.kind == "f":
            np.testing.assert_allclose(actual, expected, rtol=near)
        else:
            assert actual.tobytes() == expected.tobytes(), f"{actual} for {expected}"


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


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
@pytest.mark.parametrize("shape", SHAPES[:-1])
def test_bits_are_those_of_the_generator(impl: str, shape: tuple[int, ...]) -> None:
    key = random.key(3, impl=impl)
    for dtype in (jnp.uint8, jnp.uint16, jnp.uint32, jnp.uint64):
        compare(lambda key, dtype=dtype: random.bits(key, shape, dtype), key)


def test_a_large_draw_is_one_step() -> None:
    traced: Any = oakum.make_jaxpr(lambda key: random.uniform(key, (300, 1001)))(random.key(0))
    program = Executable(traced.closed if hasattr(traced, "closed") else traced)
    assert program.plan is not None
    assert len(program.plan.steps) == 1
    assert program.address is not None
    compare(lambda key: random.uniform(key, (300, 1001)), random.key(0))


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_keys_are_split_folded_moved_and_stored(impl: str) -> None:
    keys = random.split(random.key(3, impl=impl), 6)

    def chain(key: Any) -> Any:
        key, other = random.split(key)
        first, second = random.split(random.fold_in(other, 7))
        return key, random.bits(first, (5,)), random.key_data(second)

    compare(chain, keys[0])
    compare(lambda key: random.split(key, (3, 2)), keys[1])
    compare(lambda keys: keys.reshape(2, 3).T[::-1, 1:], keys)
    compare(lambda keys: jnp.concatenate([keys[4:], keys, keys[:1]]), keys)
    compare(lambda keys: jnp.broadcast_to(keys[:, None], (6, 2)), keys)
    compare(
        lambda keys, at: (keys[at], lax.dynamic_slice(keys, (at[0],), (2,))),
        keys,
        np.array([4, -9, 1]),
    )
    compare(
        lambda keys, c: (jnp.where(c, keys, keys[::-1]), lax.select(c[0], *keys[:2])),
        keys,
        keys_mask(),
    )
    compare(lambda keys, at: lax.dynamic_update_slice(keys, keys[:2], (at,)), keys, 3)
    compare(lambda words: random.wrap_key_data(words, impl=impl), random.key_data(keys))
    compare(lambda keys: (random.key_data(keys), random.clone(keys)), keys)
    for seed in (np.int32(-5), np.int64(2**40 + 3), np.uint32(9), np.int8(-1)):
        compare(lambda seed: random.key(seed, impl=impl), seed)


def keys_mask() -> Any:
    return np.array([True, False, False, True, True, False])


@pytest.mark.parametrize("impl", IMPLEMENTATIONS)
def test_keys_under_vmap(impl: str) -> None:
    keys = random.split(random.key(3, impl=impl), 3)
    compare(oakum.vmap(lambda key: random.bits(key, (2, 3))), keys)
    compare(oakum.vmap(lambda key, n: random.fold_in(key, n)), keys, np.arange(3, dtype="uint32"))
    compare(oakum.vmap(lambda key: random.split(key, 2)), keys)


def test_keys_in_loops_and_branches() -> None:
    def step(key: Any, x: Any) -> Any:
        key, other = random.split(key)
        return key, random.bits(other, (3,)) + x

    def loop(key: Any) -> Any:
        return lax.fori_loop(0, 4, lambda i, k: random.fold_in(k, i), key)

    compare(lambda key: lax.scan(step, key, jnp.arange(5, dtype="uint32")), random.key(1))
    compare(
        lambda keys: lax.scan(lambda c, k: (c, random.bits(k)), 0, keys),
        random.split(random.key(1)),
    )
    compare(loop, random.key(2))
    compare(lambda c, key: lax.cond(c, loop, lambda key: key, key), True, random.key(2))


def test_keys_where_the_host_takes_and_gives_them() -> None:
    keys = random.split(random.key(3), 4)

    def draw_gammas(keys: Any) -> Any:
        return random.gamma(random.split(keys[0])[1], 2.0, (3,))

    def replace(keys: Any) -> Any:
        return keys.at[1].set(keys[0])[::-1], random.bits(keys[3])

    compare(draw_gammas, keys, host="random_gamma")
    compare(replace, keys, host="scatter")
    compare(lambda keys: keys.at[1].set(keys[0]), keys, host="scatter")


@pytest.mark.parametrize("algorithm", lax.RandomAlgorithm)
@pytest.mark.parametrize("dtype", ["uint8", "uint32", "uint64"])
def test_bits_of_a_state(algorithm: Any, dtype: str) -> None:
    for state in (
        np.array([1, 2, 2**32 - 2, 2**32 - 1], "uint32"),
        np.array([5, 2**64 - 3], "uint64"),
    ):
        for shape in ((), (0,), (7,), (4, 3), (3, 5, 7)):
            compare(lambda s, n=shape: lax.rng_bit_generator(s, n, dtype, algorithm), state)


@pytest.mark.parametrize("impl", ["threefry2x32", "rbg"])
def test_bits_that_are_drawn_in_pairs(impl: str) -> None:
    with oakum.threefry_partitionable(False):
        key = random.key(5, impl=impl)
        for shape in SHAPES[:-1]:
            compare(lambda key, shape=shape: random.bits(key, shape), key)
        compare(lambda key: random.split(key, 3), key)
        compare(lambda key: random.bits(key, (5,), jnp.uint64), key)
        compare(lambda key: random.bits(key, (5,), jnp.uint8), key)


def test_the_hash_itself_with_shapes_that_broadcast() -> None:
    from oakum.primitives.threefry import threefry2x32_p

    words = [np.arange(n, dtype="uint32") for n in (1, 1, 5, 5)]
    compare(lambda *words: threefry2x32_p.bind(*words), *words)
    compare(lambda *words: threefry2x32_p.bind(*[w[0] for w in words[:2]], *words[2:]), *words)
    compare(lambda a, b: threefry2x32_p.bind(a, a, b[:, None], a), words[2], words[3])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function", [jnp.argmax, jnp.argmin])
def test_the_place_of_an_extreme_is_the_first_one(function: Any, dtype: str) -> None:
    for shape in ((1,), (7,), (3, 5), (5, 0), (4, 3, 33), (5000,)):
        for axis in range(len(shape)):
            if shape[axis]:
                for special in (False, True):
                    operand = draw(shape, dtype, special=special)
                    compare(lambda x, axis=axis: function(x, axis=axis), operand)


def test_the_place_of_an_extreme_in_a_small_integer() -> None:
    compare(lambda x: lax.argmax(x, 0, jnp.int8), np.arange(300.0))


@pytest.mark.parametrize("dtype", DTYPES)
def test_running_reductions_along_short_axes(dtype: str) -> None:
    for shape in ((1,), (7,), (3, 5), (0, 2), (4, 16, 3)):
        for axis in range(len(shape)):
            for function in (lax.cumsum, lax.cumprod, lax.cummax, lax.cummin):
                if dtype == "bool":
                    continue
                for reverse in (False, True):
                    operand = draw(shape, dtype, special=function in (lax.cummax, lax.cummin))
                    compare(lambda x, f=function, a=axis, r=reverse: f(x, a, r), operand)


def test_running_reductions_along_long_axes_are_the_hosts() -> None:
    compare(lambda x: lax.cumsum(x, 0), draw((17,), "float32"), host="cumsum")


@pytest.mark.parametrize("dtype", DTYPES)
def test_windows(dtype: str) -> None:
    if dtype == "bool":
        return
    for shape, window, strides, padding, base, dilation in (
        ((9,), (3,), (1,), "VALID", None, None),
        ((9,), (3,), (2,), [(2, 1)], None, (2,)),
        ((6, 7), (2, 3), (2, 1), "SAME", None, None),
        ((6, 7), (1, 3), (1, 1), [(0, 0), (1, -1)], (2, 3), (1, 2)),
        ((2, 2), (3, 3), (1, 1), "VALID", None, None),
        ((0, 2), (1, 2), (1, 1), "VALID", None, None),
    ):
        operand = draw(shape, dtype, special=True)
        kind = host.dtype(dtypes.DTYPES[dtype])
        info = jnp.finfo if "float" in dtype else jnp.iinfo
        low = -np.inf if "float" in dtype else info(dtype).min
        high = np.inf if "float" in dtype else info(dtype).max
        for start, combine in ((0, lax.add), (low, lax.max), (high, lax.min)):
            compare(
                lambda x, s=np.array(start, kind), c=combine: lax.reduce_window(
                    x, s, c, window, strides, padding, base, dilation
                ),
                operand,
            )
        compare(
            lambda x: lax.reduce_window(
                x, np.array(1, kind), lambda a, b: a * 2 + b, window, strides, padding
            ),
            draw(shape, dtype),
            near=1e-2 if dtype in ("bfloat16", "float16") else 1e-6,
        )


def test_general_reductions() -> None:
    for dtype in ("int32", "float32", "uint16"):
        operand = draw((6, 5, 3), dtype)
        for combine in (lax.add, lax.mul, lax.max, lax.min):
            start = np.array(2, dtype)
            compare(lambda x, s=start, c=combine: lax.reduce(x, s, c, (0, 2)), operand, near=1e-6)
        compare(
            lambda x, s=np.array(2, dtype): lax.reduce(x, s, lambda a, b: a * b - a, (1,)), operand
        )
    bits = draw((6, 5), "bool")
    for combine in (lax.bitwise_and, lax.bitwise_or, lax.bitwise_xor):
        compare(lambda x, c=combine: lax.reduce(x, np.array(True), c, (1,)), bits)

    def extreme(left: Any, right: Any) -> Any:
        later = right[0] > left[0]
        return jnp.where(later, right[0], left[0]), jnp.where(later, right[1], left[1])

    for shape in ((7, 2), (200, 3), (0, 3), (3, 0)):
        values = draw(shape, "float32"), np.arange(np.prod(shape), dtype="int32").reshape(shape)
        starts = np.float32(-100), np.int32(-1)
        compare(lambda *x, s=starts: lax.reduce(x, s, extreme, (0,)), *values)


@pytest.mark.parametrize("dtype", DTYPES)
def test_blocks_are_put_where_they_fit(dtype: str) -> None:
    operand, update = draw((7, 5), dtype), draw((3, 5), dtype, special=True)
    for kind in ("int8", "uint32", "int64", "uint64"):
        for start in (0, 2, 100, -3) if kind.startswith("i") else (0, 2, 2**31):
            at = np.array(np.clip(start, np.iinfo(kind).min, np.iinfo(kind).max), kind)
            compare(lambda x, u, i: lax.dynamic_update_slice(x, u, (i, i)), operand, update, at)
    compare(lambda x, u, i: lax.dynamic_update_slice(x, u[:, :0], (i, 0)), operand, update, 1)


def test_arrays_are_cut_apart() -> None:
    operand = draw((7, 4), "float32", special=True)
    compare(lambda x: lax.split(x, (3, 0, 4), 0), operand)
    compare(lambda x: jnp.split(x, 2, axis=1), operand)


@pytest.mark.parametrize("shape", [(), (0,), (5,), (3, 4)])
def test_what_gives_its_operands(shape: tuple[int, ...]) -> None:
    operand = draw(shape, "float32", special=True)
    compare(lambda x: lax.optimization_barrier((x, x * 2)), operand)
    compare(lambda x: oakum.device_put(lax.stop_gradient(x)) * 2, operand)
    compare(lambda x: jnp.tile(x, (2, 3)), operand)
    compare(oakum.grad(lambda x: oakum.checkpoint(jnp.sin)(x * 2).sum()), operand, near=1e-5)

"""Keys and bits are JAX's: a user who changes one import must get the same random numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same, assert_same_array, jax, np

import oakum
from oakum import random
from oakum.errors import DTypeError, ShapeError

IMPLS = ("threefry2x32", "threefry4x32", "rbg", "unsafe_rbg", "philox2x32", "philox4x32")
# By turns the one way and the other first: a plain run takes each generator once.
WAYS = [
    (impl, partitionable)
    for at, impl in enumerate(IMPLS)
    for partitionable in ((at % 2 == 0), (at % 2 == 1))
]


def _assert_same_unstaged(program: Callable[[Any], Any]) -> None:
    """Like `assert_same`, of a program that changes how it is compiled."""
    theirs, ours = jax.tree.leaves(program(jax)), oakum.tree.leaves(program(oakum))
    for left, right in zip(theirs, ours, strict=True):
        assert_same_array(left, right)


def _words(package: Any, keys: Any) -> Any:
    return package.random.key_data(keys)


@pytest.mark.sweep(2)
@pytest.mark.thinned(2)
@pytest.mark.parametrize(("impl", "partitionable"), WAYS)
def test_keys_of_a_generator(impl: str, partitionable: bool) -> None:
    """Seeds, splits and folds give other keys than JAX's."""

    def keys(package: Any) -> Any:
        key = package.random.key(1234567, impl=impl)
        with package.threefry_partitionable(partitionable):
            made = [
                key,
                package.random.split(key),
                package.random.split(key, (3, 2)),
                package.random.split(key, 1000),
                package.random.fold_in(key, 7),
                package.random.fold_in(key, np.uint32(2**32 - 1)),
            ]
        return [_words(package, each) for each in made]

    _assert_same_unstaged(keys)


@pytest.mark.sweep(5)
@pytest.mark.thinned(2)
@pytest.mark.parametrize(("impl", "partitionable"), WAYS)
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "uint32", "uint64"])
def test_bits_of_a_generator(impl: str, partitionable: bool, dtype: str) -> None:
    """Bits differ from JAX's, in a width, a shape or above the size of a block."""

    def bits(package: Any) -> Any:
        key = package.random.key(3, impl=impl)
        with package.threefry_partitionable(partitionable), package.enable_x64(dtype == "uint64"):
            return [package.random.bits(key, s, dtype) for s in ((), (3,), (2, 5), (40001,), (0,))]

    _assert_same_unstaged(bits)


@pytest.mark.parametrize("impl", IMPLS)
def test_mapped_keys(impl: str) -> None:
    """Keys that vmap maps over give other numbers than JAX's."""

    def mapped(package: Any) -> Any:
        keys = package.random.split(package.random.key(0, impl=impl), (2, 3))
        data = np.arange(6, dtype=np.uint32).reshape(2, 3)

        def twice(f: Callable[..., Any]) -> Any:
            return package.vmap(package.vmap(f))

        def split(key: Any) -> Any:
            return package.random.split(key, 4)

        def draw(key: Any) -> Any:
            return package.random.bits(key, (5,))

        new = twice(split)(keys)
        folded = twice(package.random.fold_in)(keys, data)
        both = package.vmap(package.random.fold_in, (0, None))(keys[0], 5)
        return [
            *(_words(package, each) for each in (new, folded, both)),
            twice(draw)(keys),
            package.vmap(package.vmap(draw), in_axes=1)(keys),
        ]

    _assert_same_unstaged(mapped)


SEEDS: list[Any] = [0, -1, 2**31, -(2**31) - 5, 2**63 - 1, np.int32(-2), np.uint32(7), np.int64(-3)]


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_seeds(seed: Any, x64: bool) -> None:
    """A seed that is large, negative or of some dtype gives another key than in JAX."""

    def key(package: Any) -> Any:
        with package.enable_x64(x64):
            return package.random.PRNGKey(seed)

    _assert_same_unstaged(key)


WRONG: list[Callable[[Any], Any]] = [
    lambda package: package.random.key(1.5),
    lambda package: package.random.key(2**63),
    lambda package: package.random.key(np.arange(3)),
    lambda package: package.random.key(package.random.key(0)),
    lambda package: package.random.key(0, impl="none"),
    lambda package: package.random.key(0, impl=object()),
    lambda package: package.random.key(0, impl="rbg", dtype="rbg"),
    lambda package: package.random.wrap_key_data(np.zeros(3, np.uint32)),
    lambda package: package.random.wrap_key_data(np.zeros(2, np.float32)),
    lambda package: package.random.uniform(np.zeros(2, np.float32)),
    lambda package: package.random.uniform("key"),
    lambda package: package.random.uniform(3),
    lambda package: package.random.uniform(package.random.split(package.random.key(0))),
    lambda package: package.random.split(package.random.split(package.random.key(0))),
    lambda package: package.random.fold_in(package.random.key(0), np.arange(2)),
    lambda package: package.random.fold_in(package.random.key(0), -1),
    lambda package: package.random.bits(package.random.key(0), (2,), np.int32),
    lambda package: package.random.normal(package.random.key(0), (2,), np.int32),
    lambda package: package.random.randint(package.random.key(0), (2,), 0, 1, np.float32),
    lambda package: package.random.normal(package.random.key(0), "ab"),
    lambda package: package.random.bernoulli(package.random.key(0), 1),
    lambda package: package.random.permutation(package.random.key(0), 10.0),
    lambda package: package.random.permutation(package.random.key(0), 10, axis=3),
    lambda package: package.random.choice(package.random.key(0), 3, (5,), replace=False),
    lambda package: package.random.choice(package.random.key(0), 3, 5),
    lambda package: package.random.beta(package.random.key(0), np.zeros(2), 1.0, (3,)),
    lambda package: package.random.poisson(package.random.key(0, impl="rbg"), 1.0),
    lambda package: package.random.dirichlet(package.random.key(0), 1.0),
    lambda package: package.random.gumbel(package.random.key(0), mode="lower"),
]


@pytest.mark.parametrize("program", WRONG)
def test_errors(program: Any) -> None:
    """A wrong key, shape or dtype is accepted, or raises another class than in JAX."""
    with pytest.raises((TypeError, ValueError, OverflowError, NotImplementedError)):
        program(jax)
    assert_same(program)


def test_batched_key_message() -> None:
    """The error of an array of keys does not say what to do."""
    with pytest.raises(ShapeError, match=r"(?s)accepts a single key.*Use jax.vmap"):
        random.uniform(random.split(random.key(0)))


@pytest.mark.filterwarnings("ignore")
def test_legacy_keys() -> None:
    """The options about raw keys do not do what they say."""
    raw = np.zeros(2, np.uint32)
    with oakum.legacy_prng_key("error"), pytest.raises(ValueError, match="Legacy uint32 key"):
        random.uniform(raw)
    with oakum.legacy_prng_key("error"), pytest.raises(DTypeError, match="invalid PRNG key data"):
        random.uniform(np.zeros(1, np.float32))
    with oakum.legacy_prng_key("warn"), pytest.warns(UserWarning, match="Legacy uint32 key"):
        random.uniform(raw)
    with oakum.enable_custom_prng(True), pytest.warns(FutureWarning):
        assert str(random.split(raw).dtype) == "key<fry>"


def test_generators_of_the_configuration() -> None:
    """The option that names the default generator, or the offset of seeds, has no effect."""

    def keys(package: Any) -> Any:
        with package.default_prng_impl("rbg"):
            return package.random.split(package.random.PRNGKey(5)), package.random.bits(
                package.random.PRNGKey(5), (3,)
            )

    _assert_same_unstaged(keys)
    with oakum.config.random_seed_offset(3):
        moved = random.key_data(random.key(0))
    assert_same_array(random.key_data(random.key(3)), moved)


@pytest.mark.sweep(4)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("algorithm", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["uint8", "uint32", "uint64"])
def test_bits_of_a_state(algorithm: int, dtype: str) -> None:
    """`lax.rng_bit_generator` gives other bits, or another state, than XLA."""
    state = np.array([1, 2, 2**32 - 1, 2**32 - 1], np.uint32)

    def bits(package: Any) -> Any:
        with package.enable_x64(dtype == "uint64"):

            def draw(state: Any) -> Any:
                return package.lax.rng_bit_generator(state, (7,), dtype, algorithm)

            flat = draw(state), package.vmap(draw)(np.stack([state, state + 1]))
            shapes = ((), (3, 5), (3, 4, 6), (5, 7, 3))
            return flat, [package.lax.rng_bit_generator(state, s, dtype, algorithm) for s in shapes]

    _assert_same_unstaged(bits)


def test_numbers_of_no_state() -> None:
    """`lax.rng_uniform` leaves its bounds."""
    numbers = np.asarray(oakum.lax.rng_uniform(np.float32(2), np.float32(3), (1000,)))
    assert numbers.dtype == np.float32
    assert ((numbers >= 2) & (numbers <= 3)).all()
    whole = np.asarray(oakum.lax.rng_uniform(np.int32(2), np.int32(5), (100,)))
    assert set(whole.tolist()) == {2, 3, 4}
    with pytest.raises(DTypeError):
        oakum.lax.rng_uniform(np.int32(2), np.float32(5), (100,))
    with pytest.raises(ShapeError):
        oakum.lax.rng_uniform(np.zeros(2, "f"), np.zeros(2, "f"), (100,))


def test_hash_primitive() -> None:
    """The primitive of the hash does not broadcast or map as its bits need."""
    from oakum.primitives.random.threefry import threefry2x32_p

    words = np.array([0x13198A2E, 0x03707344, 0x243F6A88, 0x85A308D3], np.uint32)
    result = threefry2x32_p.bind(*words)
    assert [hex(int(each)) for each in result] == ["0xc4923a9c", "0x483df7a0"]
    counts = np.arange(6, dtype=np.uint32).reshape(2, 3)
    keys = np.arange(2, dtype=np.uint32)

    def hashed(key: Any, count: Any) -> Any:
        return threefry2x32_p.bind(key, np.uint32(1), count, np.uint32(2))

    mapped = oakum.vmap(hashed)(keys, counts)
    for i in range(2):
        for mine, one in zip(mapped, hashed(keys[i], counts[i]), strict=True):
            np.testing.assert_array_equal(mine[i], one)
    with pytest.raises(DTypeError):
        threefry2x32_p.bind(1.0, 2.0, 3.0, 4.0)

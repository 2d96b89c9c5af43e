"""Arrays of keys are arrays as others are, but for arithmetic; keys that are used twice raise."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same, jax, np

import oakum
from oakum import lax, random
from oakum import numpy as jnp
from oakum.errors import KeyReuseError


def _keys(package: Any) -> Any:
    return package.random.split(package.random.key(0), (2, 3))


def _keep(carry: Any, key: Any) -> Any:
    return carry, key[0]


def _first(keys: Any) -> Any:
    return keys[0]


def _second(keys: Any) -> Any:
    return keys[1]


def _renewed(package: Any, _: Any, key: Any) -> Any:
    return package.random.split(key)[0]


SHAPES: dict[str, Callable[[Any, Any], Any]] = {
    "index": lambda p, k: k[1, 2],
    "slice": lambda p, k: k[:, 1:],
    "mask": lambda p, k: k[np.array([True, False])],
    "gather": lambda p, k: k[np.array([0, 1, 1])],
    "fill": lambda p, k: k.at[5].get(mode="fill"),
    "set": lambda p, k: k.at[0].set(k[1]),
    "reshape": lambda p, k: k.reshape(6),
    "transpose": lambda p, k: k.T,
    "ravel": lambda p, k: p.numpy.ravel(k),
    "stack": lambda p, k: p.numpy.stack([k[0], k[1]]),
    "concatenate": lambda p, k: p.numpy.concatenate([k, k]),
    "broadcast": lambda p, k: p.numpy.broadcast_to(k[0], (4, 3)),
    "where": lambda p, k: p.numpy.where(np.array([True, False, True]), k[0], k[1]),
    "zeros_like": lambda p, k: p.numpy.zeros_like(k),
    "full_like": lambda p, k: p.numpy.full_like(k, 7),
    "full": lambda p, k: p.numpy.full((2,), 100, k.dtype),
    "full_of_key": lambda p, k: p.numpy.full_like(k, k[0, 0]),
    "copy": lambda p, k: k.copy(),
    "clone": lambda p, k: p.random.clone(k),
    "scan": lambda p, k: p.lax.scan(_keep, 0, k)[1],
    "cond": lambda p, k: p.lax.cond(True, _first, _second, k),
    "vmap": lambda p, k: p.vmap(_second)(k),
    "carry": lambda p, k: p.lax.fori_loop(0, 3, functools.partial(_renewed, p), k[0, 0]),
}


@pytest.mark.sweep(4)
@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_operations_on_shapes(name: str, jitted: bool) -> None:
    """An operation that only moves elements refuses keys, or mixes their words."""

    def words(package: Any) -> Any:
        def program(keys: Any) -> Any:
            return SHAPES[name](package, keys)

        result = (package.jit(program) if jitted else program)(_keys(package))
        assert str(result.dtype) == "key<fry>"
        return package.random.key_data(result)

    assert_same(words)


@pytest.mark.parametrize("other", [0, 1])
def test_equality(other: int) -> None:
    """Keys that are equal compare as different, or the other way."""
    assert_same(lambda p: (_keys(p) == _keys(p)[0, other], _keys(p) != _keys(p)[0, other]))


ARITHMETIC: list[Callable[[Any, Any], Any]] = [
    lambda p, k: k + 1,
    lambda p, k: k + k,
    lambda p, k: -k,
    lambda p, k: k < k,
    lambda p, k: p.numpy.sin(k),
    lambda p, k: bool(k[0, 0]),
    lambda p, k: np.asarray(k),
    lambda p, k: p.lax.convert_element_type(k, int),
    lambda p, k: p.numpy.sum(k),
    lambda p, k: hash(k),
    lambda p, k: len(k[0, 0]),
    lambda p, k: list(k[0, 0]),
    lambda p, k: k[0, 0, 0],
]


@pytest.mark.parametrize("program", ARITHMETIC)
def test_arithmetic(program: Any) -> None:
    """Arithmetic on keys gives numbers that mean nothing, instead of an error."""
    with pytest.raises((TypeError, ValueError, IndexError)):
        program(oakum, _keys(oakum))
    assert_same(lambda p: program(p, _keys(p)))


def test_attributes() -> None:
    """What an array of keys says about itself is wrong."""
    keys, theirs = _keys(oakum), _keys(jax)
    assert (keys.shape, keys.size, keys.ndim) == ((2, 3), 6, 2)
    assert (keys.itemsize, keys.nbytes) == (theirs.itemsize, theirs.nbytes)
    assert repr(keys.dtype) == repr(theirs.dtype) == "key<fry>"
    assert keys.dtype == random.key_dtype("threefry2x32")
    assert random.key_impl(keys) == "threefry2x32"
    assert jnp.issubdtype(keys.dtype, oakum.dtypes.prng_key)
    assert not jnp.issubdtype(keys.dtype, np.integer)
    assert repr(keys) == repr(theirs)
    assert keys._base_array.shape == (2, 3, 2)
    assert keys._impl.key_shape == (2,)
    numbers: Any = jnp.zeros(2)
    with pytest.raises(AttributeError, match="_impl"):
        _ = numbers._impl
    keys.delete()
    assert keys._base_array.is_deleted()


def test_gradients_by_keys() -> None:
    """A function of a key cannot be differentiated by its other arguments."""

    def loss(package: Any) -> Any:
        def f(x: Any, key: Any) -> Any:
            return x * package.random.normal(key)

        value, back = package.vjp(f, np.float32(3), package.random.key(1))
        return value, back(np.float32(1))[0]

    assert_same(loss)


def _twice(key: Any) -> Any:
    return random.bits(key) + random.bits(key)


def _bits_of_carry(carry: Any, _: Any) -> Any:
    return carry, random.bits(carry)


def _bits_of_element(carry: Any, key: Any) -> Any:
    return carry, random.bits(key)


def _reused_in_scan(key: Any) -> Any:
    return lax.scan(_bits_of_carry, key, length=3)[1]


def _reused_constant(key: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        return carry, random.bits(key)

    return lax.scan(step, 0, length=3)[1]


def _reused_after_cond(key: Any) -> Any:
    return lax.cond(True, random.bits, _second_bits, key) + random.bits(key)


def _second_bits(key: Any) -> Any:
    return random.bits(random.split(key)[1])


def _is_small(state: Any) -> Any:
    return state[1] < 3


def _bits_of_state(state: Any) -> Any:
    return state[0], random.bits(state[0])


def _reused_in_while(key: Any) -> Any:
    return lax.while_loop(_is_small, _bits_of_state, (key, np.uint32(0)))[1]


def _reused_after_copy(key: Any) -> Any:
    return random.bits(key[None].reshape(())) + random.bits(key)


def _reused_element(key: Any) -> Any:
    keys = random.split(key, 3)
    return random.bits(keys[0]) + random.bits(keys[0])


def _reused_in_a_branch(key: Any) -> Any:
    pair: Any = (key, key)
    return lax.cond(jnp.ones(()) > 0, pair, _bits_of_both, pair, _bits_of_both)


def _bits_of_both(keys: Any) -> Any:
    return random.bits(keys[0]) + random.bits(keys[1])


def _reused_after_branches_that_keep_it(key: Any) -> Any:
    kept = lax.cond(jnp.ones(()) > 0, key, _same, key, _same)
    return random.bits(kept) + random.bits(key)


REUSED = (
    *(_twice, _reused_in_scan, _reused_constant, _reused_after_cond, _reused_in_while),
    *(_reused_after_copy, _reused_element, _reused_in_a_branch),
    _reused_after_branches_that_keep_it,
)


@pytest.mark.parametrize("program", REUSED)
def test_reuse_in_a_program(program: Any) -> None:
    """A program that uses a key twice is not found when it is compiled."""
    oakum.jit(program)(random.key(0))
    with oakum.debug_key_reuse(True), pytest.raises(KeyReuseError):
        oakum.jit(program)(random.key(0))


def _renewed_in_scan(key: Any) -> Any:
    def step(carry: Any, _: Any) -> Any:
        new, now = random.split(carry)
        return new, random.bits(now)

    return lax.scan(step, key, length=3)[1]


def _each_once(key: Any) -> Any:
    first, second, third = random.split(key, 3)
    scanned = lax.scan(_bits_of_element, 0, random.split(third, 4))[1]
    return random.uniform(first), random.normal(second), scanned


def _folded(key: Any) -> Any:
    return [random.bits(random.fold_in(key, i)) for i in range(3)]


def _cloned(key: Any) -> Any:
    return random.bits(random.clone(key)) + random.bits(key)


def _samples(key: Any) -> Any:
    keys = random.split(key, 4)
    return (
        random.poisson(keys[0], 3.0),
        random.binomial(keys[1], 3.0, 0.5),
        random.gamma(keys[2], 2.0),
        random.permutation(keys[3], 5),
    )


def _same(key: Any) -> Any:
    return key


def _renew(key: Any) -> Any:
    return random.split(key)[0]


def _renewed_or_kept(key: Any) -> Any:
    """Each branch has operands of its own, and both are one key."""
    kept = lax.cond(jnp.ones(()) > 0, key, _same, key, _same)
    return random.bits(lax.cond(jnp.ones(()) > 0, kept, _renew, kept, _same))


def _sampled_in_one_of_two(key: Any) -> Any:
    return lax.cond(jnp.ones(()) > 0, key, random.uniform, key, random.normal)


FRESH = (
    *(_renewed_in_scan, _each_once, _folded, _cloned, _samples),
    *(_renewed_or_kept, _sampled_in_one_of_two),
)


@pytest.mark.parametrize("jitted", [False, True])
@pytest.mark.parametrize("program", FRESH)
def test_no_reuse(program: Any, jitted: bool) -> None:
    """A program that uses each key once is refused."""
    with oakum.debug_key_reuse(True):
        (oakum.jit(program) if jitted else program)(random.key(0))


def test_reuse_between_calls() -> None:
    """A key that is used in two calls is not found."""
    with oakum.debug_key_reuse(True):
        key = random.key(0)
        random.bits(key)
        with pytest.raises(KeyReuseError, match="Previously-consumed key passed to random_bits"):
            random.bits(key)
        other = random.key(1)
        compiled = oakum.jit(random.bits)
        compiled(other)
        with pytest.raises(KeyReuseError, match="jit-compiled function at index 0"):
            compiled(other)
        closed = random.key(2)
        program = oakum.jit(lambda: random.bits(closed))
        program()
        with pytest.raises(KeyReuseError, match="jit-compiled function"):
            program()


def test_what_is_known_of_keys() -> None:
    """Whether a key was used up is not kept, or it is kept where the option is off."""
    key: Any = random.key(0)
    random.bits(key)
    assert not key._consumed
    with oakum.debug_key_reuse(True):
        random.split(key)
        assert key._consumed
        assert not random.clone(key)._consumed
        assert key[None]._consumed
        keys: Any = random.split(random.key(1))
        random.bits(keys[0])
        np.testing.assert_array_equal(keys._consumed, [True, False])

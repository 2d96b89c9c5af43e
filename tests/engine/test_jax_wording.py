"""Users search for, and programs match, the words that JAX uses for the same mistake."""

from collections.abc import Callable

import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import core, lax

KEY = jax.random.key(0)


def convolve_other_ranks() -> object:
    numbers = lax.ConvDimensionNumbers((0, 1, 2), (0, 1, 2), (0, 1, 2))
    images, filters = jnp.ones((1, 1, 1)), jnp.ones((1, 1, 1, 1))
    call = lax.conv_general_dilated
    return call(images, filters, (1,), "SAME", None, None, numbers)  # oakum: ignore[OAK501] meant


def draw_from_no_key() -> object:
    with jax.legacy_prng_key("error"):
        return jax.random.uniform(jnp.ones(1))  # oakum: ignore[OAK502] meant


def call_back_for_64_bits() -> object:
    result = core.ShapedArray((), np.float64)
    return jax.jit(lambda: jax.pure_callback(lambda: np.float64(1), result))()


CALLS: dict[str, tuple[Callable[[], object], str]] = {
    "array of None": (
        lambda: jnp.array([0.0, None]),
        "None is not a valid value for jnp.array",
    ),
    "one axis twice": (
        lambda: jnp.sum(jnp.arange(3), (0, 0)),
        r"duplicate value in 'axis': \(0, 0\)",
    ),
    "cumulative sum of a scalar": (
        lambda: jnp.cumulative_sum(jnp.float32(1)),
        "The input must be non-scalar to take a cumulative sum",
    ),
    "cumulative sum without an axis": (
        lambda: jnp.cumulative_sum(jnp.ones((2, 3))),
        "The input array has rank 2, however axis was not set",
    ),
    "convolution of other ranks": (
        convolve_other_ranks,
        "conv_general_dilated lhs and rhs must have the same number of dimensions, got 3 and 4",
    ),
    "key plus one": (lambda: KEY + 1, "add does not accept dtypes key<fry>, int32"),
    "key plus key": (lambda: jnp.add(KEY, KEY), "add does not accept dtype key<fry>"),
    "key compared with one": (lambda: KEY == 1, "equal does not accept dtypes key<fry>, int32"),
    "draw from what is no key": (draw_from_no_key, "JAX encountered invalid PRNG key data"),
    "callback of 64 bits": (call_back_for_64_bits, "result_shape_dtypes cannot specify 64-bit"),
}


@pytest.mark.parametrize("name", CALLS)
def test_message_has_the_words_of_jax(name: str) -> None:
    call, words = CALLS[name]
    with pytest.raises(Exception, match=words):
        call()


def test_note_of_removed_frames_begins_as_that_of_jax() -> None:
    """Tools recognise the note by its first words."""
    with pytest.raises(ValueError, match="mine") as caught:
        jax.jit(raise_mine)(1.0)
    assert any(note.startswith("For simplicity, ") for note in caught.value.__notes__)


def raise_mine(x: object) -> None:
    raise ValueError("mine")

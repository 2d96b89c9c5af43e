# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Compiled Fourier transforms give what the host's give, and are inverse to one another.

What fails here gives users of `jnp.fft` other coefficients in `jit` than without it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from tests.engine.compiled_programs import compare_compiled

import oakum
import oakum.numpy as jnp


@pytest.fixture(autouse=True)
def _wide() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


@pytest.mark.parametrize("n", [2, 4, 8, 16, 32, 1024])
def test_powers_of_two_are_transformed_natively(n: int) -> None:
    source = np.random.default_rng(n)
    for kind, near in (("float32", 3e-5), ("float64", 1e-12)):
        for batch in ((3,) if n < 32 else (),):
            real = source.normal(size=(*batch, n)).astype(kind)
            numbers = real + 1j * source.normal(size=(*batch, n)).astype(kind)
            half = numbers[..., : n // 2 + 1]
            for function, given in (
                (jnp.fft.fft, numbers),
                (jnp.fft.ifft, numbers),
                (jnp.fft.rfft, real),
                (jnp.fft.irfft, half),
            ):
                scale = float(n) ** 0.5
                compare_compiled(lambda x, f=function, s=scale: _parts(f(x) / s), given, near=near)


def _parts(x):
    return (jnp.real(x), jnp.imag(x)) if jnp.iscomplexobj(x) else x


def test_real_transforms_of_other_lengths_are_the_hosts() -> None:
    x = np.random.default_rng(0).normal(size=(4, 12))
    compare_compiled(lambda x: _parts(jnp.fft.rfft(x)), x, host="fft", near=1e-12)


def test_nothing_spreads_to_other_rows() -> None:
    x = np.ones((3, 16), "complex64")
    x[1, 3] = np.nan
    result = np.asarray(oakum.jit(jnp.fft.fft)(x))
    assert np.isnan(result[1]).all()
    np.testing.assert_array_equal(result[::2], np.fft.fft(x[::2]))


def test_derivatives_of_transforms() -> None:
    x = np.random.default_rng(0).normal(size=16)
    loss = lambda x: jnp.sum(jnp.abs(jnp.fft.rfft(x)) ** 2 * jnp.arange(9))  # noqa: E731
    slope = oakum.jit(oakum.grad(loss))(x)
    step = 1e-6 * np.eye(16)
    expected = [(loss(x + s) - loss(x - s)) / 2e-6 for s in step]
    np.testing.assert_allclose(slope, expected, rtol=1e-5)

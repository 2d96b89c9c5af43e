"""The special functions are accurate to nearly all digits of doubles, in all their ranges."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum
from oakum.primitives.host.special import bessel, beta, error, gamma, incomplete
from oakum.scipy import special

scipy: Any = pytest.importorskip("scipy.special")

RNG = np.random.default_rng(0)
WIDE = np.concatenate([RNG.uniform(-20, 20, 4000), 10.0 ** RNG.uniform(-200, 200, 1000)])
POSITIVE = 10.0 ** RNG.uniform(-3, 3, 3000)
NEAR = POSITIVE * 10.0 ** RNG.uniform(-0.7, 0.5, 3000)
UNIT = RNG.uniform(0, 1, 3000)
OPEN = np.concatenate([RNG.uniform(-1, 1, 3000), 1 - 10.0 ** RNG.uniform(-16, 0, 1000), [1, -1]])

CASES: list[tuple[Callable[..., Any], Any, tuple[Any, ...], float]] = [
    (error.erf, scipy.erf, (WIDE,), 2e-15),
    (error.erfc, scipy.erfc, (np.minimum(WIDE, 25.0),), 1e-14),
    (error.erf_inv, scipy.erfinv, (OPEN,), 2e-15),
    (gamma.lgamma, scipy.gammaln, (WIDE,), 1e-14),
    (gamma.digamma, scipy.digamma, (WIDE,), 1e-11),
    (gamma.zeta, scipy.zeta, (1 + NEAR, POSITIVE), 1e-13),
    (gamma.polygamma, scipy.polygamma, (RNG.integers(0, 9, 3000) * 1.0, POSITIVE), 1e-13),
    (bessel.i0e, scipy.i0e, (WIDE,), 3e-15),
    (bessel.i1e, scipy.i1e, (WIDE,), 3e-15),
    (incomplete.igamma, scipy.gammainc, (POSITIVE, NEAR), 1e-13),
    (incomplete.igammac, scipy.gammaincc, (POSITIVE, NEAR), 1e-13),
    (beta.betainc, scipy.betainc, (POSITIVE, NEAR, UNIT), 1e-13),
]


@pytest.mark.parametrize(("ours", "theirs", "arguments", "tolerance"), CASES)
def test_accuracy(
    ours: Callable[..., Any], theirs: Any, arguments: tuple[Any, ...], tolerance: float
) -> None:
    """A special function has wrong digits somewhere in its domain."""
    if ours is gamma.polygamma:
        expected = theirs(arguments[0].astype(int), arguments[1])
    else:
        expected = theirs(*arguments)
    with np.errstate(all="ignore"):
        result = ours(np, *arguments)
        scale = 1.0 + np.abs(expected) if ours is not bessel.i1e else np.abs(expected)
        off = np.where(result == expected, 0.0, np.abs(result - expected) / scale)
    assert np.nanmax(off) < tolerance
    np.testing.assert_array_equal(np.isnan(result), np.isnan(expected))


def test_slopes_of_the_incomplete_gamma_function() -> None:
    """Gradients of gamma samples are wrong where the method changes."""
    a, x = (each[(POSITIVE < 100) & (POSITIVE > 0.05)] for each in (POSITIVE, NEAR))
    step = a * 1e-5
    with np.errstate(all="ignore"):
        slope = incomplete.igamma_grad_a(np, a, x)
        up, down = incomplete.igamma(np, a + step, x), incomplete.igamma(np, a - step, x)
        expected = (up - down) / (2 * step)
        density = np.exp((a - 1) * np.log(x) - x - scipy.gammaln(a))
        drift = incomplete.random_gamma_grad(np, a, x)
    np.testing.assert_allclose(slope, expected, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(drift * density, -slope, rtol=1e-9, atol=1e-12)


def test_incomplete_gamma_functions_of_large_arguments() -> None:
    """Series and continued fractions need more steps than they may take from 1e7 on: half of the
    results were zero.
    """
    a = 10.0 ** np.linspace(3.9, 16, 200)
    x = a + np.tile((-4.0, -1.0, 0.0, 1.0, 4.0), 40) * np.sqrt(a)
    np.testing.assert_allclose(incomplete.igamma(np, a, x), scipy.gammainc(a, x), rtol=1e-11)
    np.testing.assert_allclose(incomplete.igammac(np, a, x), scipy.gammaincc(a, x), rtol=1e-11)


def test_upper_incomplete_gamma_function_of_small_arguments() -> None:
    """What the lower function lacks of one was cancelled digits: 2e-16 where 6e-21 is right."""
    a = np.concatenate([10.0 ** RNG.uniform(-20, 0.1, 2000), [1e-20, 1e-20, 1e-300]])
    x = np.concatenate([10.0 ** RNG.uniform(-10, 0, 2000), [0.5, 1.0, 1e-300]])
    np.testing.assert_allclose(incomplete.igammac(np, a, x), scipy.gammaincc(a, x), rtol=1e-13)


@pytest.mark.parametrize(
    ("a", "x", "slope", "drift"),
    [
        (70858.3486819093, 69527.76190389175, -4.845155436527174e-09, 0.9905539406890025),
        (197466963.4640242, 197459140.3975558, -2.4314752125483735e-05, 0.9999801920374033),
        (95404045033.5655, 95402748413.88904, -1.9252973430952242e-10, 0.999993204558482),
        (269499937207118.94, 269500015314002.47, -2.9515986076169963e-13, 1.0000001449107505),
    ],
)
def test_slopes_of_the_incomplete_gamma_function_at_large_arguments(
    a: float, x: float, slope: float, drift: float
) -> None:
    """Sums whose difference a slope is cancel. The values are mpmath's, of 40 digits."""
    points = np.array([a]), np.array([x])
    np.testing.assert_allclose(incomplete.igamma_grad_a(np, *points), slope, rtol=1e-13)
    np.testing.assert_allclose(incomplete.random_gamma_grad(np, *points), drift, rtol=1e-13)


@pytest.mark.parametrize("name", "gammainc gammaincc exp1 expi sici spence dawsn erfcx".split())
def test_kernels_of_doubles_are_compiled_without_double_precision(name: str) -> None:
    """They compute in doubles, also where programs have none: operations that ask which dtypes the
    user has cannot be part of them. A program that is interpreted warns.
    """
    function, x = getattr(special, name), np.array([0.5, 3.0, 1e5], np.float32)
    operands = (x, x) if name.startswith("gamma") else (x,)
    with oakum.enable_x64(False), warnings.catch_warnings():
        warnings.simplefilter("error")
        oakum.jit(lambda *given: function(*given))(*operands)

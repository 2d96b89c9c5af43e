"""The special functions of SciPy are JAX's, with their derivatives, and SciPy's in accuracy."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import Function, assert_same, assert_same_derivatives, assert_same_mapped, jax, np

from oakum.primitives.host.special import faddeeva, hypergeometric, integrals

scipy: Any = pytest.importorskip("scipy.special")
importlib.import_module("jax.scipy.special")

RNG = np.random.default_rng(0)
X: Any = np.concatenate([np.linspace(-6, 6, 49), [0, -0.0, 1, -1, 30, -30, np.inf, np.nan]]).astype(
    "f"
)
A: Any = RNG.uniform(0.2, 5, 30).astype("f")
B: Any = RNG.uniform(0.2, 5, 30).astype("f")
U: Any = RNG.uniform(0.01, 0.99, 30).astype("f")
Y: Any = RNG.uniform(-4, 4, 30).astype("f")
M: Any = RNG.normal(size=(6, 10)).astype("f")
Z: Any = (Y + 1j * A).astype("complex64")

UNARY = (
    "dawsn digamma entr erf erfc erfinv expit factorial fresnel gamma gammaln gammasgn i0 i0e i1 "
    "i1e log_ndtr loggamma ndtr sici spence"
).split()

FUNCTIONS: dict[str, tuple[Function, tuple[Any, ...]]] = {
    "beta": (lambda s, a, b: s.beta(a, b), (A, B)),
    "betainc": (lambda s, x: s.betainc(A, B, x), (U,)),
    "betaln": (lambda s, a, b: s.betaln(a * 10, b * 10), (A, B)),
    "betaln_far": (lambda s, a, b: s.betaln(a, b * 1e3), (A, B)),
    "boxcox": (lambda s, x, m: s.boxcox(x, m), (A, Y)),
    "boxcox_zero": (lambda s, x: s.boxcox(x, 0.0), (A,)),
    "boxcox1p": (lambda s, x, m: s.boxcox1p(x, m), (A, Y)),
    "comb": (lambda s, n: s.comb(n + 5, 2.0), (A,)),
    "comb_none": (lambda s, n: s.comb(n, np.float32([7])), (A,)),
    "comb_repeated": (lambda s, n: s.comb(n, 2.0, repetition=True), (A,)),
    "erfcx": (lambda s, x: s.erfcx(x), (Y,)),
    "exp1": (lambda s, x: s.exp1(x), (A,)),
    "expi": (lambda s, x: s.expi(x), (Y,)),
    "expn": (lambda s, x: s.expn(3, x), (A,)),
    "gammainc": (lambda s, x: s.gammainc(A, x), (B,)),
    "gammaincc": (lambda s, x: s.gammaincc(A, x), (B,)),
    "hyp1f1": (lambda s, x: s.hyp1f1(A, B, x), (A,)),
    "hyp1f1_parameters": (lambda s, a, b: s.hyp1f1(a, b, U), (A, B)),
    "hyp2f1": (lambda s, x: s.hyp2f1(A, B, A + B + 0.3, x), (U * 0.9,)),
    "hyp2f1_parameters": (lambda s, a, b, c: s.hyp2f1(a, b, c, U - 0.9), (A, B, A + B)),
    "kl_div": (lambda s, p, q: s.kl_div(p, q), (A, B)),
    "rel_entr": (lambda s, p, q: s.rel_entr(p, q), (A, B)),
    "rel_entr_edges": (
        lambda s: s.rel_entr(np.float32([0, 0, 1, -1]), np.float32([0, 1, 0, 1])),
        (),
    ),
    "logit": (lambda s, p: s.logit(p), (U,)),
    "logsumexp": (lambda s, x: s.logsumexp(x, axis=1), (M,)),
    "softmax": (lambda s, x: s.softmax(x, axis=1), (M,)),
    "log_softmax": (lambda s, x: s.log_softmax(x, axis=1), (M,)),
    "multigammaln": (lambda s, x: s.multigammaln(x + 5, 3), (A,)),
    "ndtri": (lambda s, p: s.ndtri(p), (U,)),
    "owens_t": (lambda s, h: s.owens_t(h, A - 2), (Y,)),
    "poch": (lambda s, z, m: s.poch(z, m), (A, B)),
    "polygamma": (lambda s, x: s.polygamma(2, x), (A,)),
    "xlogy": (lambda s, x, y: s.xlogy(x, y), (A, B)),
    "xlogy_edges": (
        lambda s: s.xlogy(np.float32([0, 0, 1, 2]), np.float32([0, np.nan, 0, 3])),
        (),
    ),
    "xlog1py": (lambda s, x, y: s.xlog1py(x, y), (A, B)),
    "zeta": (lambda s, x: s.zeta(x + 1.5, B), (A,)),
    "bessel_jn": (lambda s, z: s.bessel_jn(z, v=3), (A,)),
    "bernoulli": (lambda s: s.bernoulli(10), ()),
    "sph_harm_y": (
        lambda s, theta: abs(
            s.sph_harm_y(np.arange(3), np.array([0, -1, 2]), theta, U[:3], n_max=3)
        ),
        (A[:3],),
    ),
    "complex_gamma": (lambda s: s.gamma(Z), ()),
    "complex_loggamma": (lambda s: s.loggamma(Z), ()),
    "wofz": (lambda s: s.wofz(Z), ()),
    "wofz_below": (lambda s: s.wofz(Z.conj()), ()),
    "complex_erfcx": (lambda s: s.erfcx(Z), ()),
}


def _special(package: Any) -> Any:
    return importlib.import_module(f"{package.__name__}.scipy.special")


def _has(name: str) -> bool:
    return hasattr(_special(jax), name)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name: str) -> None:
    """A special function gives other values or dtypes than in JAX."""
    given = X if name != "spence" else X[np.isfinite(X)]
    assert_same(lambda p: getattr(_special(p), name)(given))
    if name not in ("ndtr", "log_ndtr", "spence"):
        assert_same(lambda p: getattr(_special(p), name)(np.arange(1, 4)))


SMOOTH = [name for name in UNARY if name not in ("gammasgn", "factorial", "spence")]


@pytest.mark.sweep(4)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", SMOOTH)
def test_derivatives(name: str) -> None:
    """A special function has another derivative than in JAX."""
    given = {"erfinv": U, "entr": A, "spence": A, "loggamma": A, "gamma": A}.get(name, Y)
    assert_same_derivatives(lambda p, x: getattr(_special(p), name)(x), given, tolerance=2e-4)


@pytest.mark.sweep(12)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name != "owens_t"])
def test_other_functions(name: str) -> None:
    """A special function of several operands gives other values or derivatives than in JAX."""
    function: Any
    function, operands = FUNCTIONS[name]
    if name.split("_")[0] == "expi" and not _has("expi"):
        return

    def call(package: Any, *given: Any) -> Any:
        return function(_special(package), *given)

    assert_same(call, *operands, tolerance=1e-4)
    if operands and name not in ("comb_none", "sph_harm_y", "zeta", "bessel_jn"):
        assert_same_derivatives(call, *operands, tolerance=5e-3)
        if name in ("expn", "kl_div", "xlogy", "multigammaln"):
            assert_same_mapped(call, *operands)


WRONG: list[Callable[[Any], Any]] = [
    lambda s: s.ndtr(np.arange(3)),
    lambda s: s.ndtri(np.float16([0.5])),
    lambda s: s.log_ndtr(X, series_order=1.0),
    lambda s: s.log_ndtr(X, series_order=31),
    lambda s: s.log_ndtr(X, series_order=-1),
    lambda s: s.spence(np.arange(3)),
    lambda s: s.zeta(A),
    lambda s: s.polygamma(1.5, A),
    lambda s: s.factorial(A, exact=True),
    lambda s: s.bernoulli(-1),
    lambda s: s.beta(Z, Z),
    lambda s: s.sph_harm_y(np.arange(2), np.arange(2), A[:2], A[:2], diff_n=1),
    lambda s: s.erf("a"),
]


@pytest.mark.parametrize("program", WRONG)
def test_errors(program: Any) -> None:
    """An operand that a function does not take is accepted."""
    assert_same(lambda p: program(_special(p)))


WIDE = np.concatenate([RNG.uniform(-60, 60, 3000), 10.0 ** RNG.uniform(-8, 8, 500)])
POSITIVE = np.abs(WIDE)
C = RNG.uniform(0.1, 5, (3, 2000))
PLANE = RNG.normal(size=2000) * 5 + 1j * RNG.normal(size=2000) * 3


def _order(n: int) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def ours(xp: Any, x: Any) -> Any:
        return integrals.expn(xp, np.full(x.shape, float(n)), x)

    return ours, functools.partial(scipy.expn, n)


def _part(
    ours: Callable[..., Any], theirs: Callable[..., Any], position: int
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    def mine(xp: Any, x: Any) -> Any:
        return ours(xp, x)[position]

    def other(x: Any) -> Any:
        return theirs(x)[position]

    return mine, other


ACCURACY: dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...], float]] = {
    "expi": (integrals.expi, scipy.expi, (np.minimum(WIDE, 600),), 1e-13),
    **{
        f"expn {n}": (*_order(n), (np.minimum(POSITIVE, 600),), 1e-13) for n in (0, 1, 2, 3, 10, 50)
    },
    "si": (*_part(integrals.sici, scipy.sici, 0), (WIDE,), 1e-13),
    "ci": (*_part(integrals.sici, scipy.sici, 1), (np.minimum(POSITIVE, 1e4),), 2e-11),
    "spence": (integrals.spence, scipy.spence, (POSITIVE,), 1e-13),
    "dawsn": (faddeeva.dawsn, scipy.dawsn, (WIDE,), 1e-13),
    "erfcx": (faddeeva.erfcx, scipy.erfcx, (np.maximum(WIDE, -26),), 1e-13),
    "wofz": (faddeeva.wofz, scipy.wofz, (PLANE,), 1e-12),
    "fresnel s": (*_part(faddeeva.fresnel, scipy.fresnel, 0), (np.minimum(WIDE, 1e3),), 1e-13),
    "fresnel c": (*_part(faddeeva.fresnel, scipy.fresnel, 1), (np.minimum(WIDE, 1e3),), 1e-13),
    "hyp1f1": (hypergeometric.hyp1f1, scipy.hyp1f1, (C[0], C[1], WIDE[:2000]), 1e-10),
    "hyp1f1 large": (hypergeometric.hyp1f1, scipy.hyp1f1, (C[0], C[1], 100 + C[2] * 30), 1e-9),
    "hyp2f1": (hypergeometric.hyp2f1, scipy.hyp2f1, (*C, RNG.uniform(-3, 1, 2000)), 1e-9),
    "hyp2f1 of integers": (
        hypergeometric.hyp2f1,
        scipy.hyp2f1,
        (*np.ceil(C), RNG.uniform(-3, 0.99, 2000)),
        1e-10,
    ),
    "hyp2f1 polynomials": (
        hypergeometric.hyp2f1,
        scipy.hyp2f1,
        (-np.ceil(C[0]), C[1], C[2], RNG.uniform(-3, 3, 2000)),
        1e-8,
    ),
}


@pytest.mark.parametrize("name", ACCURACY)
def test_accuracy(name: str) -> None:
    """A special function has wrong digits somewhere in its domain."""
    ours, theirs, operands, tolerance = ACCURACY[name]
    with np.errstate(all="ignore"):
        expected, result = theirs(*operands), ours(np, *operands)
        off = np.where(result == expected, 0, np.abs(result - expected) / np.abs(expected))
    assert np.nanmax(off) < tolerance
    np.testing.assert_array_equal(np.isnan(result), np.isnan(expected))


def test_derivatives_of_exponential_integrals() -> None:
    """The second derivative of exp1 is NaN: it needs the first one of order 0."""
    import oakum

    special = importlib.import_module("oakum.scipy.special")
    x = np.array([0.2, 0.9, 1.5, 7], "f")
    second = oakum.vmap(oakum.grad(oakum.grad(special.exp1)))(x)
    third = oakum.vmap(oakum.grad(oakum.grad(oakum.grad(special.exp1))))(x)
    np.testing.assert_allclose(second, np.exp(-x) * (1 + x) / x**2, rtol=1e-5)
    np.testing.assert_allclose(third, -np.exp(-x) * (x * x + 2 * x + 2) / x**3, rtol=1e-5)


def test_integrals_at_the_ends_of_their_domains() -> None:
    """Ci of huge numbers is zero, or orders that are no numbers take thousands of steps."""
    huge = np.array([1e17, 3e40, -1e200, np.inf])
    si, ci = integrals.sici(np, huge)
    np.testing.assert_array_equal(si, np.sign(huge) * np.pi / 2)
    np.testing.assert_allclose(ci[:3], np.sin(huge[:3]) / huge[:3], rtol=1e-15)
    assert ci[3] == 0
    order, x = np.array([np.nan, np.inf, np.inf, 2]), np.array([0.5, 0.5, 2, np.nan])
    np.testing.assert_array_equal(integrals.expn(np, order, x), [np.nan, 0, 0, np.nan])


def test_derivative_of_spence() -> None:
    """Spence's function has a wrong derivative; JAX's is NaN at some places."""
    import oakum

    special = importlib.import_module("oakum.scipy.special")
    x = np.array([0.2, 0.9, 1, 1.2, 3], "f")
    slopes = oakum.vmap(oakum.grad(special.spence))(x)
    expected = (scipy.spence(x + 1e-3) - scipy.spence(x - 1e-3)) / 2e-3
    np.testing.assert_allclose(slopes, expected, rtol=1e-3)


def test_owens_t() -> None:
    """Owen's T function differs from SciPy's."""
    special = importlib.import_module("oakum.scipy.special")
    h, a = (np.array([-3, -0.5, 0, 0.1, 2, 5], "f"), np.array([0.3, -1, 2, 5, -0.2, np.inf], "f"))
    np.testing.assert_allclose(special.owens_t(h, a), scipy.owens_t(h, a), rtol=1e-4, atol=1e-7)


def test_rising_factorials_of_numbers_whose_gammas_overflow() -> None:
    """A quotient of two infinite numbers is NaN, though that of the gamma functions is small."""
    import oakum

    special = importlib.import_module("oakum.scipy.special")
    cases = {(170.0, 3.0): 5000040.0, (200.0, 0.5): 14.133299559727925, (300.0, 2.0): 90300.0}
    cases |= {(1e5, 1.5): 31622895.186923113, (171.2, -0.4): 0.12802949649040782}
    with oakum.enable_x64(True):
        for (z, m), wanted in cases.items():
            np.testing.assert_allclose(special.poch(z, m), wanted, rtol=1e-12)


def test_digits_of_derivatives_do_not_cancel() -> None:
    """Beside mpmath, in float32: `poch` where both gammas are large, `zeta` beside its pole."""
    import oakum

    special = importlib.import_module("oakum.scipy.special")
    for z, m, wanted in ((1e6, 0.5, 5.000000624999883e-4), (1e8, 3.0, 3.00000006e16)):
        found = oakum.grad(special.poch)(z, m)
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
    for first, second in ((0, 1), (1, 0)):
        found = oakum.grad(oakum.grad(special.zeta, first), second)(1.0001, 1.0)
        np.testing.assert_allclose(found, -0.70739723, rtol=1e-5)


def test_derivatives_of_the_hurwitz_zeta_function() -> None:
    """JAX differentiates it by both arguments."""
    import oakum

    special = importlib.import_module("oakum.scipy.special")
    # By mpmath: x, q, and the derivatives by each of them.
    cases = (
        (3.5, 2.0, -0.11311916960810248, -0.19147628766508992),
        (1.1, 0.3, -95.50731492058073, -14.929762517135728),
        (12.0, 25.0, -1.5529868842724064e-16, -2.1150779699615246e-17),
    )
    with oakum.enable_x64(True):
        for x, q, by_x, by_q in cases:
            found = oakum.grad(special.zeta, (0, 1))(x, q)
            np.testing.assert_allclose(found, (by_x, by_q), rtol=1e-12)
    x = np.array([1.5, 2, 4], "f")
    assert_same_derivatives(lambda p, x: _special(p).zeta(x, np.float32(0.7)), x)

"""Samples are JAX's for the same key: a user's experiment must come out the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same, assert_same_array, assert_same_derivatives, jax, np

import oakum

LOGITS: Any = np.random.default_rng(0).normal(size=(4, 5)).astype("f")
COVARIANCE: Any = np.array([[2, 0.5], [0.5, 1]], "f")
TABLE: Any = np.arange(12, dtype="f").reshape(4, 3)
CHANCES: Any = np.array([0.1, 0.2, 0.3, 0.4], "f")

CASES: dict[str, tuple[str, tuple[Any, ...], dict[str, Any]]] = {}


def _case(label: str, name: str, *args: Any, **kwargs: Any) -> None:
    CASES[f"{name} {label}".strip()] = (name, args, kwargs)


for _dtype in ("float16", "bfloat16", "float32"):
    for _name in ("uniform", "normal", "exponential", "laplace", "logistic", "gumbel", "cauchy"):
        _case(_dtype, _name, (3, 5), _dtype)
    _case(_dtype, "rademacher", (9,), _dtype)
for _name in ("uniform", "normal", "exponential", "gumbel", "maxwell"):
    _case("scalar", _name)
    _case("many", _name, (2000,))
for _name in ("float8_e4m3fn", "float8_e5m2"):
    _case(_name, "uniform", (9,), _name)
_case("complex", "normal", (5,), "complex64")
_case("bounds", "uniform", (5, 3), "float32", np.full(3, -2, "f"), np.ones((5, 1), "f"))
_case("", "truncated_normal", -1.0, 2.0, (100,))
_case("arrays", "truncated_normal", np.array([-1, 0], "f"), 2.0)
for _low, _high, _dtype in (
    (0, 10, None),
    (-100, 100, "int8"),
    (0, 256, "uint8"),
    (0, 2**31 - 1, None),
    (5, 5, None),
    (7, 5, None),
    (0, np.uint32(2**32 - 1), "uint32"),
    (-5, 0, "int16"),
):
    _case(f"{_low} {_high} {_dtype}", "randint", (50,), _low, _high, _dtype)
_case("arrays", "randint", (7, 3), np.arange(3), 10)
_case("", "bernoulli", 0.3, (20,))
_case("high", "bernoulli", 0.3, (20,), mode="high")
_case("array", "bernoulli", np.array([0.1, 0.5, 0.9], "f"))
_case("", "categorical", LOGITS)
_case("shape", "categorical", LOGITS, shape=(3, 4))
_case("axis", "categorical", LOGITS, axis=0)
_case("once", "categorical", LOGITS, shape=(3, 4), replace=False)
_case("", "choice", 10, (5,))
_case("once", "choice", 10, (5,), replace=False)
_case("rows", "choice", TABLE, (2,))
_case("columns", "choice", TABLE, (2, 2), axis=1)
_case("weighted", "choice", 4, (5,), p=CHANCES)
_case("weighted once", "choice", 4, (3,), p=CHANCES, replace=False)
_case("none", "choice", 4, (0,))
_case("", "permutation", 10)
_case("rows", "permutation", TABLE)
_case("independent", "permutation", TABLE, axis=1, independent=True)
_case("many", "permutation", 5000)
for _a in (0.0, 0.3, 1.0, 2.5, np.array([0.1, 1, 10, np.nan], "f")):
    _shape = (200,) if np.ndim(_a) == 0 else None
    _case(f"{_a}", "gamma", _a, _shape)
    _case(f"{_a}", "loggamma", _a, _shape)
_case("bfloat16", "gamma", 0.7, (5,), "float16")
_case("", "beta", 0.5, 0.7, (50,))
_case("", "dirichlet", np.array([0.5, 0.6, 0.7], "f"), (4,))
_case("", "chisquare", 3.0, (20,))
_case("", "f", 3.0, 4.0, (20,))
_case("", "t", 3.0, (20,))
_case("", "pareto", 3.0, (20,))
_case("small", "poisson", 3.0, (50,))
_case("array", "poisson", np.array([0, 0.5, 3, 30, 300], "f"))
_case("large", "poisson", np.float32(40), (300,))
_case("", "geometric", 0.3, (20,))
_case("small", "binomial", 10, 0.3, (20,))
_case("large", "binomial", 100, 0.4, (20,))
_case("arrays", "binomial", np.array([5, 50, -1, np.inf], "f"), np.array([0.9, 0.8, 0.5, 0.5], "f"))
_case("", "multinomial", 10.0, np.array([0.2, 0.3, 0.5], "f"))
_case("", "triangular", 0.0, 0.3, 1.0, (20,))
_case("", "lognormal", 1.0, (20,))
_case("", "rayleigh", np.float32(2.0), (20,))
_case("", "wald", np.float32(2.0), (20,))
_case("", "weibull_min", 1.0, 2.0, (20,))
_case("", "double_sided_maxwell", 1.0, 2.0, (20,))
_case("", "generalized_normal", 1.5, (20,))
_case("", "ball", 3, 2, (20,))
_case("", "orthogonal", 3)
_case("wide", "orthogonal", 3, (2,), m=4)
for _method in ("cholesky", "eigh", "svd"):
    _case(_method, "multivariate_normal", np.zeros(2, "f"), COVARIANCE, (4,), method=_method)
_case("high", "gumbel", (20,), mode="high")
_case("highest", "gumbel", (2000,), mode="highest")

SIGNS_OF_VECTORS = ("multivariate_normal eigh", "multivariate_normal svd")


def _draw(package: Any, name: str, args: Any, kwargs: Any, key: Any = None) -> Any:
    key = package.random.key(42) if key is None else key
    return getattr(package.random, name)(key, *args, **kwargs)


@pytest.mark.sweep(12)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("case", [case for case in CASES if case not in SIGNS_OF_VECTORS])
def test_samples(case: str) -> None:
    """A distribution gives other numbers, another dtype or another shape than in JAX."""
    name, args, kwargs = CASES[case]
    assert_same(lambda package: _draw(package, name, args, kwargs), tolerance=_tolerance(case))


def _tolerance(case: str) -> float | None:
    if "float8" in case:
        return 0.5
    # One step of the last place in the logarithm of a number near one.
    return 4e-2 if "float16" in case else None


@pytest.mark.parametrize("case", SIGNS_OF_VECTORS)
def test_factors_of_covariances(case: str) -> None:
    """Samples from a factor whose signs are free have another covariance than asked for."""
    name, (mean, cov, _), kwargs = CASES[case]
    samples = np.asarray(_draw(oakum, name, (mean, cov, (20000,)), kwargs))
    np.testing.assert_allclose(np.cov(samples.T), cov, atol=0.05)


COMPILED = (
    "uniform scalar",
    "normal complex",
    "randint 0 10 None",
    "categorical",
    "choice weighted",
    "permutation",
    "gamma 0.3",
    "poisson array",
    "binomial arrays",
    "multinomial",
    "gumbel highest",
)


@pytest.mark.sweep(11)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("impl", ["threefry2x32", "rbg"])
@pytest.mark.parametrize("case", COMPILED)
def test_compiled_and_mapped(case: str, impl: str) -> None:
    """A sampler gives other numbers under jit or vmap than JAX does."""
    name, args, kwargs = CASES[case]
    if impl == "rbg" and name in (
        "poisson",
        "gamma",
        "multinomial",
    ):  # JAX does not end, or refuses
        return

    def both(package: Any) -> Any:
        def draw(key: Any) -> Any:
            return _draw(package, name, args, kwargs, key)

        keys = package.random.split(package.random.key(7, impl=impl), 3)
        return package.jit(draw)(keys[0]), package.vmap(draw)(keys)

    assert_same(both, tolerance=1e-4)


@pytest.mark.parametrize("name", ["gamma", "loggamma"])
@pytest.mark.parametrize("impl", ["rbg", "unsafe_rbg"])
def test_gamma_of_generators(name: str, impl: str) -> None:
    """Gamma samples of another generator differ from JAX's."""
    assert_same(
        lambda p: getattr(p.random, name)(p.random.key(0, impl=impl), np.array([0.5, 2, 7], "f"))
    )


def test_legacy_keys_and_x64() -> None:
    """Raw keys, or 64-bit samples, give other numbers than in JAX."""

    def draw(package: Any) -> Any:
        with package.enable_x64(True):
            key = package.random.PRNGKey(3)
            return (
                package.random.normal(key, (4,)),
                package.random.randint(key, (4,), 0, 2**40),
                package.random.gamma(key, 0.5, (4,)),
            )

    for mine, other in zip(draw(oakum), draw(jax), strict=True):
        assert_same_array(other, mine)


DERIVATIVES: dict[str, Callable[[Any, Any], Any]] = {
    "loggamma": lambda p, a: p.random.loggamma(p.random.key(0), a),
    "gamma": lambda p, a: p.random.gamma(p.random.key(0), a),
    "beta": lambda p, a: p.random.beta(p.random.key(0), a, 2 * a),
    "student": lambda p, a: p.random.t(p.random.key(0), a),
    "uniform": lambda p, a: p.random.uniform(p.random.key(0), (3,), minval=-a, maxval=a),
    "mean": lambda p, a: p.random.multivariate_normal(p.random.key(0), 2 * a, np.eye(3, dtype="f")),
    "dirichlet": lambda p, a: p.random.dirichlet(p.random.key(0), a),
}


@pytest.mark.sweep(2)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", DERIVATIVES)
def test_derivatives(name: str) -> None:
    """Samples have other derivatives by their parameters than in JAX."""
    assert_same_derivatives(DERIVATIVES[name], np.array([0.4, 1.5, 3], "f"), tolerance=1e-4)

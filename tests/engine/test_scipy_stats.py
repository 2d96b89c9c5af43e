"""The distributions and statistics of SciPy are JAX's, with their gradients."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same, assert_same_derivatives, np

_THEIRS = importlib.import_module("jax.scipy.stats")

RNG = np.random.default_rng(0)
A: Any = RNG.uniform(0.2, 5, 30).astype("f")
B: Any = RNG.uniform(0.2, 5, 30).astype("f")
U: Any = RNG.uniform(-0.1, 1.1, 30).astype("f")
P: Any = RNG.uniform(0.05, 0.95, 30).astype("f")
Y: Any = RNG.uniform(-4, 4, 30).astype("f")
K: Any = RNG.integers(-1, 8, 30)
S: Any = RNG.integers(0, 4, (5, 6))
N: Any = RNG.normal(size=(6, 10)).astype("f")
ROOT: Any = RNG.normal(size=(3, 3)).astype("f")
COV: Any = (ROOT @ ROOT.T + np.eye(3)).astype("f")

CUMULATIVE = ("pdf", "logpdf", "cdf", "logcdf", "sf", "logsf")
CASES: list[tuple[str, str, tuple[Any, ...]]] = []


def _add(distribution: str, functions: Any, *operands: Any) -> None:
    for name in functions:
        if hasattr(getattr(_THEIRS, distribution), name):
            CASES.append((distribution, name, operands))


for _name in ("cauchy", "norm", "logistic", "laplace", "gumbel_l", "gumbel_r", "expon", "uniform"):
    _add(_name, CUMULATIVE, Y, 0.3, 1.7)
    _add(_name, ("ppf", "isf"), P, 0.3, 1.7)
for _name in ("cauchy", "expon", "uniform", "gumbel_l", "gumbel_r"):
    _add(_name, ("ppf",), U)
_add("gumbel_l", CUMULATIVE, Y, 0.3, -1.7)
_add("gumbel_r", CUMULATIVE, Y, 0.3, -1.7)
_add("beta", CUMULATIVE, U, A, B)
_add("beta", ("logpdf",), U, -A, B)
_add("chi2", CUMULATIVE, Y + 2, A)
_add("gamma", CUMULATIVE, Y + 2, A, 0.1, 2.0)
_add("pareto", CUMULATIVE, A + B, B)
_add("pareto", CUMULATIVE, A, B, 0.1, 2.0)
_add("pareto", ("ppf",), U, B)
_add("truncnorm", CUMULATIVE, Y, -A, B)
_add("truncnorm", CUMULATIVE, Y + 3, A / 3, B + 2)
_add("truncnorm", ("logpdf", "logcdf"), Y, A, -B)
_add("t", CUMULATIVE, Y, A)
_add("gennorm", CUMULATIVE, Y, A)
_add("vonmises", CUMULATIVE, Y, Y)
_add("wrapcauchy", CUMULATIVE, Y + 2, U)
_add("bernoulli", ("pmf", "logpmf", "cdf"), RNG.integers(-1, 3, 30), U)
_add("bernoulli", ("ppf",), U, P)
_add("poisson", ("pmf", "logpmf", "cdf"), K, A)
_add("poisson", ("pmf",), Y, A)
_add("poisson", ("entropy",), np.append(A * 40, 0).astype("f"))
_add("binom", ("pmf", "logpmf"), K, 6, P)
_add("betabinom", ("pmf", "logpmf"), K, 6, A, B)
_add("nbinom", ("pmf", "logpmf"), K, A, P)
_add("geom", ("pmf", "logpmf"), K, P)
_add("multinomial", ("pmf", "logpmf"), np.array([1, 2, 3]), 6, np.array([0.2, 0.3, 0.5], "f"))
_add("multinomial", ("pmf",), np.array([1, 2, 3]), 7, np.array([0.2, 0.3, 0.5], "f"))
_add("multinomial", ("pmf",), np.ones(3, "f"), 3.0, np.array([0.2, 0.3, 0.5], "f"))
for _x in (np.array([0.2, 0.3, 0.5], "f"), np.array([0.2, 0.3, 0.6], "f")):
    _add("dirichlet", ("pdf", "logpdf"), _x, np.array([1, 2, 3], "f"))
_add("dirichlet", ("pdf",), np.array([[0.2, 0.1], [0.3, 0.3]], "f"), np.array([1, 2, 3], "f"))
_add("dirichlet", ("pdf",), np.array([0.2, 0.3], "f"), np.ones((3, 1), "f"))
_add("multivariate_normal", ("pdf", "logpdf"), N[:5, :3], np.zeros(3, "f"), COV)
_add("multivariate_normal", ("logpdf",), N[:2, :3], N[:2, :3] / 2, np.stack([COV, 2 * COV]))
_add("multivariate_normal", ("logpdf",), N[:5, :3], np.zeros(3, "f"), 2.0)
_add("multivariate_normal", ("logpdf",), Y, 0.5, 2.0)
_add("multivariate_normal", ("logpdf",), N[:5, :3], np.zeros(3, "f"), COV[:2])


def _call(package: Any, distribution: str, name: str, *operands: Any) -> Any:
    module = importlib.import_module(f"{package.__name__}.scipy.stats")
    return getattr(getattr(module, distribution), name)(*operands)


@pytest.mark.sweep(12)
@pytest.mark.parametrize(("distribution", "name", "operands"), CASES)
def test_distributions(distribution: str, name: str, operands: Any) -> None:
    """A distribution gives other densities, chances or quantiles than in JAX."""
    assert_same(lambda p: _call(p, distribution, name, *operands), tolerance=1e-4)


GRADIENTS: list[tuple[str, str, tuple[Any, ...]]] = [
    ("norm", "logpdf", (Y, 0.3, 1.7)),
    ("norm", "logcdf", (Y * 5, 0.3, 1.7)),
    ("cauchy", "logpdf", (Y, 0.3, 1.7)),
    ("beta", "logpdf", (P, A, B)),
    ("gamma", "logpdf", (A, B)),
    ("t", "logpdf", (Y, A)),
    ("poisson", "logpmf", (np.abs(K).astype("f"), A)),
    ("gumbel_r", "logsf", (Y, 0.3, 1.7)),
    ("truncnorm", "logpdf", (P, -A, B)),
    ("multivariate_normal", "logpdf", (N[:5, :3], np.zeros(3, "f"), COV)),
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("distribution", "name", "operands"), GRADIENTS)
def test_gradients(distribution: str, name: str, operands: Any) -> None:
    """The gradient of a log density differs from JAX's."""
    floats = [np.asarray(each, "f") for each in operands]

    def call(package: Any, *given: Any) -> Any:
        return _call(package, distribution, name, *given)

    assert_same_derivatives(call, *floats, tolerance=2e-3)


def _ranked(method: str) -> Callable[[Any], Any]:
    return lambda s: s.rankdata(S, method=method)


STATISTICS: list[Callable[[Any], Any]] = [
    lambda s: s.mode(S),
    lambda s: s.mode(S, axis=None),
    lambda s: s.mode(S, axis=1, keepdims=True),
    lambda s: s.mode(S, axis=None, keepdims=True),
    lambda s: s.mode(np.float32([np.nan, 1, np.nan])),
    lambda s: s.mode(S[:0]),
    lambda s: s.mode(S, nan_policy="omit"),
    lambda s: s.mode(S, nan_policy="wrong"),
    *(_ranked(method) for method in ("average", "min", "max", "dense", "ordinal", "none")),
    lambda s: s.rankdata(S, axis=1),
    lambda s: s.rankdata(np.float32([2, np.nan, 1])),
    lambda s: s.rankdata(S, nan_policy="raise"),
    lambda s: s.sem(N),
    lambda s: s.sem(N, axis=None, ddof=0),
    lambda s: s.sem(np.where(N > 1, np.nan, N), axis=1, nan_policy="omit", keepdims=True),
    lambda s: s.sem(N, nan_policy="raise"),
]


@pytest.mark.parametrize("program", STATISTICS)
def test_statistics(program: Any) -> None:
    """A statistic of samples differs from JAX's."""
    assert_same(lambda p: program(importlib.import_module(f"{p.__name__}.scipy.stats")))


def _estimate(package: Any, *arguments: Any) -> Any:
    return importlib.import_module(f"{package.__name__}.scipy.stats").gaussian_kde(*arguments)


def _narrow(estimate: Any) -> Any:
    return estimate.neff**-0.3


ESTIMATES: list[tuple[Any, ...]] = [
    (N[:3],),
    (N[:3], "silverman", A[:10]),
    (N[:1], 0.4),
    (N[0], _narrow, A[:10]),
]


def _log_density(k: Any, x: Any) -> Any:
    return k.logpdf(x)


DENSITIES: dict[str, Callable[[Any, Any], Any]] = {
    "evaluate": lambda p, k: [k(N[: k.d, 3:7]), k.pdf(N[: k.d, 2]), k.logpdf(N[: k.d])],
    "sizes": lambda p, k: p.numpy.zeros((k.n, k.d)),
    "moments": lambda p, k: [k.neff, k.dataset, k.weights, k.covariance, k.inv_cov],
    "integrals": lambda p, k: [
        k.integrate_kde(k),
        k.integrate_gaussian(np.zeros(k.d, "f"), np.eye(k.d, dtype="f")),
    ],
    "box": lambda p, k: k.integrate_box_1d(-1.0, 0.5),
    "samples": lambda p, k: [k.resample(p.random.key(1), (4,)), k.resample(p.random.key(2))],
    "jitted": lambda p, k: p.jit(_log_density)(k, N[: k.d, 3:7]),
    "wrong points": lambda p, k: k(N[:4]),
    "wrong mean": lambda p, k: k.integrate_gaussian(np.zeros(5, "f"), np.eye(5, dtype="f")),
    "many dimensions": lambda p, k: k.integrate_box(-1.0, 0.5),
    "other bandwidth": lambda p, k: k.set_bandwidth("scott"),
}


@pytest.mark.parametrize("arguments", ESTIMATES)
@pytest.mark.parametrize("use", DENSITIES)
def test_kernel_density_estimates(use: str, arguments: Any) -> None:
    """An estimate has another density, or draws other points, than in JAX."""
    assert_same(lambda p: DENSITIES[use](p, _estimate(p, *arguments)), tolerance=1e-3)


@pytest.mark.parametrize(
    "arguments", [(N[:1, :1],), (N[:3], "wide"), (N[:3], None, A[:9]), (N[:3] * 1j,), ([1.0, 2.0],)]
)
def test_what_has_no_density(arguments: Any) -> None:
    """What JAX refuses is estimated."""
    assert_same(lambda p: _estimate(p, *arguments))


def test_gradient_of_a_density() -> None:
    """Points cannot be moved to where a density is greater."""

    def total(package: Any, points: Any) -> Any:
        return _estimate(package, points).logpdf(N[:2, 3:7])

    assert_same_derivatives(total, N[:2], tolerance=2e-3, modes=("reverse",))


def test_derived_functions_have_their_own_names() -> None:
    """The error for a missing argument, or the help, of `pdf` is that of `logpdf`."""
    norm = importlib.import_module("oakum.scipy.stats.norm")
    with pytest.raises(TypeError, match=r"^pdf\(\) missing 1 required positional argument: 'x'"):
        norm.pdf()
    assert norm.pdf.__doc__.startswith("Computes the density of the normal distribution.")
    beta = importlib.import_module("oakum.scipy.stats.beta")
    assert beta.logcdf.facts.name == "scipy.stats.beta.logcdf"
    assert list(beta.logcdf.facts.signature.parameters) == ["x", "a", "b", "loc", "scale"]

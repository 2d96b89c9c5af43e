"""Signals, cosine transforms, images and minimization are as in JAX's `jax.scipy`."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same, assert_same_derivatives, np

import oakum
from oakum.scipy import optimize
from oakum.scipy.signal import window_functions

for _name in ("signal", "fft", "ndimage"):
    importlib.import_module(f"jax.scipy.{_name}")

SCIPY: Any = importlib.import_module("scipy.signal")

RNG = np.random.default_rng(0)
X: Any = RNG.normal(size=(5, 8)).astype("f")
CUBE: Any = RNG.normal(size=(3, 4, 5)).astype("f")
LONG: Any = RNG.normal(size=20).astype("f")
SHORT: Any = RNG.normal(size=5).astype("f")
IMAGE: Any = RNG.normal(size=(7, 6)).astype("f")
KERNEL: Any = RNG.normal(size=(3, 2)).astype("f")
TIMES: Any = RNG.normal(size=(3, 200)).astype("f")
POINTS: Any = [RNG.uniform(-3, 7, 10).astype("f"), RNG.uniform(-3, 9, 10).astype("f")]


def _module(package: Any, name: str) -> Any:
    return importlib.import_module(f"{package.__name__}.scipy.{name}")


def _method(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    return lambda module: getattr(module, name)(*args, **kwargs)


COSINES: list[Callable[[Any], Any]] = [
    *(
        _method(name, X, **kwargs)
        for name in ("dct", "idct")
        for kwargs in ({}, {"norm": "ortho"}, {"axis": 0}, {"n": 6}, {"n": 9, "norm": "ortho"})
    ),
    *(
        _method(name, CUBE, **kwargs)
        for name in ("dctn", "idctn")
        for kwargs in ({}, {"norm": "ortho"}, {"axes": (0, 2)}, {"axes": (1,)}, {"s": (4, 6)})
    ),
    lambda s: s.dct((X + 1j * X[::-1]).astype("complex64")),
    lambda s: s.dct(X, type=3),
    lambda s: s.dct(X, norm="forward"),
    lambda s: s.dctn(X, s=(1, 2, 3)),
]


@pytest.mark.sweep(4)
@pytest.mark.parametrize("program", COSINES)
def test_cosine_transforms(program: Any) -> None:
    """A cosine transform gives other coefficients than in JAX."""
    assert_same(lambda p: program(_module(p, "fft")), tolerance=1e-4)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("mode", ["constant", "nearest", "wrap", "mirror", "reflect"])
@pytest.mark.parametrize("order", [0, 1])
def test_interpolation(mode: str, order: int) -> None:
    """An image is interpolated in another way than in JAX, beyond its edges for instance."""

    def interpolate(package: Any, image: Any) -> Any:
        return _module(package, "ndimage").map_coordinates(image, POINTS, order, mode, 1.5)

    assert_same(interpolate, X)
    assert_same(interpolate, np.arange(40).reshape(5, 8))
    if order:
        assert_same_derivatives(interpolate, X)


def test_interpolation_errors() -> None:
    """A wrong order, mode or number of coordinates is accepted."""
    for args in ((X, POINTS, 2), (X, POINTS, 1, "grid"), (X, POINTS[:1], 1)):
        program = _method("map_coordinates", *args)
        with pytest.raises((NotImplementedError, ValueError)):
            program(_module(oakum, "ndimage"))


CONVOLUTIONS: list[Callable[[Any], Any]] = [
    *(
        _method(name, *pair, mode, method)
        for name in ("convolve", "correlate")
        for mode in ("full", "same", "valid", "none")
        for method in ("direct", "fft")
        for pair in ((LONG, SHORT), (SHORT, LONG))
    ),
    *(
        _method(name, *pair, mode)
        for name in ("convolve2d", "correlate2d", "fftconvolve")
        for mode in ("full", "same", "valid")
        for pair in ((IMAGE, KERNEL), (KERNEL, IMAGE), (IMAGE, IMAGE))
    ),
    lambda s: s.fftconvolve(IMAGE, IMAGE[:3], axes=[0]),
    lambda s: s.fftconvolve(IMAGE, IMAGE[:3], axes=[1]),
    lambda s: s.fftconvolve(IMAGE[:, :1], IMAGE[:1], "full"),
    lambda s: s.fftconvolve((LONG + 1j).astype("complex64"), SHORT),
    lambda s: s.fftconvolve(IMAGE, SHORT),
    lambda s: s.convolve(LONG, KERNEL),
    lambda s: s.convolve(LONG, LONG[:0]),
    lambda s: s.convolve(IMAGE, IMAGE.T),
    lambda s: s.convolve(LONG, SHORT, method="none"),
    lambda s: s.convolve2d(LONG, SHORT),
    lambda s: s.convolve2d(IMAGE, KERNEL, boundary="wrap"),
    lambda s: s.convolve(np.arange(5), np.arange(3)),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("program", CONVOLUTIONS)
def test_convolutions(program: Any) -> None:
    """A convolution gives another signal, or another error, than in JAX."""
    assert_same(lambda p: program(_module(p, "signal")), tolerance=1e-4)


SPECTRA: list[dict[str, Any]] = [
    {},
    {"nperseg": 64},
    {"nperseg": 50, "noverlap": 20, "nfft": 64},
    {"scaling": "spectrum", "nperseg": 64},
    {"average": "median", "nperseg": 32},
    {"return_onesided": False, "nperseg": 32},
    {"detrend": "linear", "nperseg": 32},
    {"detrend": False, "nperseg": 32},
    {"window": np.hamming(40).astype("f")},
    {"window": "hamming", "nperseg": 32},
    {"window": ("kaiser", 4.0), "nperseg": 32},
    {"window": "triang", "nperseg": 31},
    {"nperseg": 200, "fs": 10.0},
    {"nperseg": 0},
    {"nperseg": 8, "nfft": 4},
    {"nperseg": 8, "noverlap": 8},
    {"scaling": "none"},
    {"average": "none", "nperseg": 32},
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize("options", SPECTRA)
def test_densities(options: dict[str, Any]) -> None:
    """A spectral density differs from JAX's."""
    assert_same(lambda p: _module(p, "signal").welch(TIMES, **options), tolerance=1e-4)
    assert_same(
        lambda p: _module(p, "signal").csd(TIMES, TIMES[::-1, :150], **options), tolerance=1e-4
    )


TRANSFORMS: list[dict[str, Any]] = [
    {"nperseg": 64},
    {"nperseg": 64, "boundary": "even"},
    {"nperseg": 64, "boundary": None},
    {"nperseg": 64, "boundary": "odd", "padded": False},
    {"nperseg": 64, "boundary": "constant", "detrend": "constant"},
    {"nperseg": 64, "boundary": "none"},
    {"nperseg": 3, "axis": 0, "noverlap": 1},
]


@pytest.mark.parametrize("options", TRANSFORMS)
def test_short_time_transforms(options: dict[str, Any]) -> None:
    """A short-time transform differs from JAX's, or its inverse does."""
    assert_same(lambda p: _module(p, "signal").stft(TIMES, **options), tolerance=1e-4)


@pytest.mark.parametrize(
    "options",
    [{}, {"nperseg": 64, "noverlap": 32}, {"boundary": False}, {"nperseg": 0}, {"nfft": 8}],
)
def test_inverse_transforms(options: dict[str, Any]) -> None:
    """A signal is not what its short-time transform is of."""
    theirs = importlib.import_module("jax.scipy.signal")
    waves = np.asarray(theirs.stft(TIMES, nperseg=64)[2])
    assert_same(lambda p: _module(p, "signal").istft(waves, **options), tolerance=1e-4)


@pytest.mark.parametrize(
    "options",
    [{}, {"type": "constant"}, {"bp": [50, 120]}, {"axis": 0}, {"type": "none"}, {"bp": 300}],
)
def test_trends(options: dict[str, Any]) -> None:
    """A trend is not removed as in JAX."""
    assert_same(lambda p: _module(p, "signal").detrend(TIMES, **options), tolerance=1e-4)


def _rosenbrock(x: Any) -> Any:
    return 100 * (x[1] - x[0] ** 2) ** 2 + (1 - x[0]) ** 2


def _bowl(x: Any, centre: Any) -> Any:
    return (((x - centre) ** 2) * np.arange(1, 5, dtype="f")).sum()


@pytest.mark.parametrize("method", ["BFGS", "l-bfgs-experimental-do-not-rely-on-this"])
def test_minimization(method: str) -> None:
    """A minimum is not found, or it is not said that it was."""
    result = optimize.minimize(_rosenbrock, oakum.numpy.array([-1.2, 1.0]), method=method)
    np.testing.assert_allclose(result.x, [1, 1], atol=1e-3)
    assert result.success
    assert int(result.status) == 0
    assert int(result.nfev) >= int(result.nit) > 5

    def find(centre: Any) -> Any:
        start = oakum.numpy.zeros(4)
        return optimize.minimize(_bowl, start, (centre,), method=method, tol=1e-4).x

    np.testing.assert_allclose(oakum.jit(find)(np.float32(3)), np.full(4, 3), atol=1e-3)
    few = optimize.minimize(
        _rosenbrock, oakum.numpy.array([-1.2, 1.0]), method=method, options={"maxiter": 2}
    )
    assert not few.success
    assert int(few.status) == 1


def test_minimization_errors() -> None:
    """A wrong method, or arguments that are no tuple, are accepted."""
    start = oakum.numpy.zeros(4)
    with pytest.raises(ValueError, match="not recognized"):
        optimize.minimize(_rosenbrock, start, method="newton")
    with pytest.raises(TypeError, match="must be a tuple"):
        optimize.minimize(_bowl, start, 3.0, method="BFGS")


WINDOWS: list[Any] = [
    *(
        "boxcar triang blackman hamming hann bartlett flattop parzen bohman blackmanharris nuttall "
        "barthann cosine lanczos tukey exponential"
    ).split(),
    ("tukey", 0.3),
    ("exponential", None, 3.0),
    ("kaiser", 4.0),
    5.0,
    ("gaussian", 2.0),
    ("general_gaussian", 1.5, 2.0),
    ("general_hamming", 0.6),
    ("general_cosine", [0.5, 0.4, 0.1]),
]


@pytest.mark.parametrize("spec", WINDOWS, ids=str)
def test_windows_are_those_of_scipy(spec: Any) -> None:
    for length in (1, 2, 7, 8, 33):
        with oakum.enable_x64(True):
            weights = window_functions.window(spec, length, "float64")
        np.testing.assert_allclose(weights, SCIPY.get_window(spec, length), atol=1e-12)


def test_spectra_need_no_promotion_of_ranks() -> None:
    with oakum.numpy_rank_promotion("raise"):
        *_, waves = oakum.scipy.signal.stft(TIMES, nperseg=32)
        *_, back = oakum.scipy.signal.istft(waves, nperseg=32)
    np.testing.assert_allclose(back[:, :200], TIMES, atol=1e-5)

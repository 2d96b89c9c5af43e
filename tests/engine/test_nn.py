"""Activations, softmaxes, attention and initializers are JAX's, with their derivatives.

A user for whom one goes wrong trains another network than before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from against_jax import assert_same, assert_same_derivatives, assert_same_staged, np

import oakum

X: Any = np.concatenate(
    [np.linspace(-8, 8, 41), [0.0, -0.0, 1, -1, 3, -3, 6, np.inf, -np.inf, np.nan]]
).astype("f")
SMOOTH: Any = np.linspace(-4.05, 7.1, 23).astype("f")
M: Any = np.random.default_rng(0).normal(size=(6, 10)).astype("f")
MASK: Any = np.random.default_rng(1).random((6, 10)) > 0.3

ACTIVATIONS = (
    "celu elu gelu hard_sigmoid hard_silu hard_swish hard_tanh identity leaky_relu log_sigmoid "
    "mish relu relu6 selu sigmoid silu soft_sign softplus sparse_plus sparse_sigmoid squareplus "
    "swish"
).split()


def _activated(name: str, given: Any, package: Any) -> Any:
    return getattr(package.nn, name)(given)


@pytest.mark.sweep(4)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(name: str) -> None:
    """An activation gives other values, dtypes or errors than in JAX."""
    numbers: list[Any] = [1.5, 2, True]
    arrays: list[Any] = [X, X.astype("float16"), np.arange(-3, 9)]
    if name != "gelu":
        arrays.append(M.astype("complex64"))
    for given in (*numbers, *arrays):
        assert_same(functools.partial(_activated, name, given), tolerance=1e-3)


@pytest.mark.sweep(6)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", [name for name in ACTIVATIONS if name != "identity"])
def test_derivatives_of_activations(name: str) -> None:
    """An activation has another derivative than in JAX, at a corner for instance."""
    corners = np.array([0, 1, -1, 3, -3, 6, 1e30, -1e30], "f")
    for given in (SMOOTH, corners):
        assert_same_derivatives(lambda p, x: getattr(p.nn, name)(x), given)
    assert_same(lambda p: p.grad(p.grad(getattr(p.nn, name)))(np.float32(0.3)), tolerance=1e-4)


OTHERS: dict[str, Callable[[Any, Any], Any]] = {
    "gelu": lambda p, x: p.nn.gelu(x, approximate=False),
    "elu": lambda p, x: p.nn.elu(x, 0.5),
    "celu": lambda p, x: p.nn.celu(x, 2.0),
    "squareplus": lambda p, x: p.nn.squareplus(x, 2.0),
    "leaky_relu": lambda p, x: p.nn.leaky_relu(x, 0.2),
    "glu": lambda p, x: p.nn.glu(x),
    "glu_rows": lambda p, x: p.nn.glu(x, axis=0),
    "log1mexp": lambda p, x: p.nn.log1mexp(abs(x) + 0.01),
    "softmax": lambda p, x: p.nn.softmax(x),
    "softmax_rows": lambda p, x: p.nn.softmax(x, axis=0),
    "softmax_all": lambda p, x: p.nn.softmax(x, axis=(0, 1)),
    "softmax_where": lambda p, x: p.nn.softmax(x, where=MASK),
    "log_softmax": lambda p, x: p.nn.log_softmax(x),
    "log_softmax_where": lambda p, x: p.nn.log_softmax(x, where=MASK)[MASK],
    "logsumexp": lambda p, x: p.nn.logsumexp(x),
    "logsumexp_axis": lambda p, x: p.nn.logsumexp(x, axis=1, keepdims=True),
    "logsumexp_factors": lambda p, x: p.nn.logsumexp(x, axis=1, b=abs(M)),
    "logsumexp_sign": lambda p, x: p.nn.logsumexp(x, axis=1, b=M, return_sign=True)[0],
    "logsumexp_where": lambda p, x: p.nn.logsumexp(x, axis=0, where=MASK),
    "logmeanexp": lambda p, x: p.nn.logmeanexp(x, axis=1),
    "logmeanexp_where": lambda p, x: p.nn.logmeanexp(x, axis=0, where=MASK),
    "standardize": lambda p, x: p.nn.standardize(x),
    "standardize_stable": lambda p, x: p.nn.standardize(x, axis=0, algorithm="stable"),
    "standardize_where": lambda p, x: p.nn.standardize(x, where=MASK),
    "standardize_given": lambda p, x: p.nn.standardize(x, mean=0.5, variance=2.0),
}


@pytest.mark.sweep(8)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", OTHERS)
def test_other_functions(name: str) -> None:
    """A normalization gives other values or derivatives than in JAX."""
    assert_same(OTHERS[name], M)
    assert_same_staged(OTHERS[name], M)
    assert_same_derivatives(OTHERS[name], M, tolerance=1e-4)


@pytest.mark.parametrize("where", [None, MASK])
def test_softmax_with_its_own_rule(where: Any) -> None:
    """The option for the other derivative of the softmax changes its values."""

    def both(package: Any) -> Any:
        with package.softmax_custom_jvp(True):

            def total(x: Any) -> Any:
                return (package.nn.softmax(x, where=where) ** 2).sum()

            return package.nn.softmax(M, where=where), package.grad(total)(M)

    assert_same(both)


def _along_axis(package: Any, index: Any) -> Any:
    return package.nn.one_hot(index, 3, axis="i")


EDGES: list[Callable[[Any], Any]] = [
    lambda p: p.nn.softmax(p.numpy.zeros((0,))),
    lambda p: p.nn.softmax(p.numpy.zeros((2, 0))),
    lambda p: p.nn.softmax(M[0], where=np.zeros(10, bool)),
    lambda p: p.nn.logsumexp(np.array([-np.inf, -np.inf], "f")),
    lambda p: p.nn.logsumexp(np.array([np.inf, 1], "f")),
    lambda p: p.nn.logsumexp(np.array([1, 2], "f"), b=np.array([1, -1], "f")),
    lambda p: p.nn.logsumexp(p.numpy.zeros((0,))),
    lambda p: p.nn.logsumexp((M + 1j * M).astype("complex64"), axis=0),
    lambda p: p.nn.logsumexp(np.arange(3)),
    lambda p: p.nn.glu(M[:, :3]),
    lambda p: p.nn.relu([1.0]),
    lambda p: p.nn.standardize(M, algorithm="slow"),
    lambda p: p.nn.one_hot(np.array([0, 2, 5, -1]), 4),
    lambda p: p.nn.one_hot(np.array([[0, 2]]), 3, axis=0, dtype="int8"),
    lambda p: p.nn.one_hot(1, 3),
    lambda p: p.nn.one_hot(np.array([0, 2]), 3, axis=5),
    lambda p: p.jit(p.nn.one_hot)(np.array([0]), 3),
    lambda p: p.vmap(functools.partial(_along_axis, p), axis_name="i")(np.array([0, 2, 1])),
]


@pytest.mark.parametrize("program", EDGES)
def test_edges(program: Any) -> None:
    """An empty, masked or wrong operand is treated in another way than in JAX."""

    def run(package: Any) -> Any:
        try:
            return program(package)
        except AssertionError as error:
            raise ValueError from error

    assert_same(run)


def test_one_hot_of_floats() -> None:
    """One-hot vectors of floats are made without the warning."""
    with pytest.warns(DeprecationWarning, match="should be integer-typed"):
        oakum.nn.one_hot(np.array([0.0, 1.0]), 2)


_RNG = np.random.default_rng(2)
Q, K, V = (_RNG.normal(size=(2, n, h, 8)).astype("f") for n, h in ((5, 4), (6, 2), (6, 2)))

ATTENTION: dict[str, dict[str, Any]] = {
    "plain": {},
    "causal": {"is_causal": True},
    "window": {"local_window_size": (2, 1)},
    "window_of_one_size": {"local_window_size": 1},
    "scale": {"scale": 0.3},
    "bias": {"bias": _RNG.normal(size=(1, 4, 5, 6)).astype("f")},
    "mask": {"mask": _RNG.random((2, 1, 5, 6)) > 0.3},
    "mask_of_heads": {"mask": _RNG.random((2, 4, 5, 6)) > 0.3, "implementation": "xla"},
    "lengths": {
        "query_seq_lengths": np.array([3, 4], "i4"),
        "key_value_seq_lengths": np.array([5, 2], "i4"),
    },
    "residual": {"return_residual": True, "is_causal": True},
    "wrong_mask": {"mask": np.ones((2, 1, 5, 6), "f")},
    "wrong_lengths": {"query_seq_lengths": np.array([3, 4, 5], "i4")},
    "wrong_implementation": {"implementation": "none"},
}


@pytest.mark.sweep(6)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", ATTENTION)
def test_attention(name: str) -> None:
    """Attention gives other values, gradients or errors than in JAX."""

    def attend(package: Any, q: Any, k: Any, v: Any) -> Any:
        return package.nn.dot_product_attention(q, k, v, **ATTENTION[name])

    assert_same(attend, Q, K, V)
    if "wrong" not in name:
        assert_same_derivatives(attend, Q, K, V, tolerance=1e-4)
        assert_same(
            attend, *(x.astype(oakum.numpy.bfloat16.dtype) for x in (Q, K, V)), tolerance=3e-2
        )
        if not {"bias", "mask", "query_seq_lengths"} & set(ATTENTION[name]):
            assert_same(attend, Q[0], K[0], V[0])


def _named(name: str) -> Callable[[Any], Any]:
    return lambda package: getattr(package.nn.initializers, name)()


def _scaling(mode: str, distribution: str) -> Callable[[Any], Any]:
    return lambda package: package.nn.initializers.variance_scaling(1.5, mode, distribution)


INITIALIZERS: dict[str, Callable[[Any], Any]] = {
    **{
        name: _named(name)
        for name in (
            "delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal "
            "kaiming_uniform lecun_normal lecun_uniform normal orthogonal truncated_normal uniform "
            "xavier_normal xavier_uniform"
        ).split()
    },
    "zeros": lambda p: p.nn.initializers.zeros,
    "ones": lambda p: p.nn.initializers.ones,
    "constant": lambda p: p.nn.initializers.constant(2.5),
    "bounds": lambda p: p.nn.initializers.truncated_normal(0.1, lower=-1.0, upper=3.0),
    "dtype": lambda p: p.nn.initializers.normal(dtype="float16"),
    "columns": lambda p: p.nn.initializers.orthogonal(2.0, column_axis=0),
    **{
        f"scaling {mode} {distribution}": _scaling(mode, distribution)
        for mode in ("fan_in", "fan_out", "fan_avg", "fan_geo_avg", "none")
        for distribution in ("normal", "uniform", "truncated_normal", "none")
    },
    "axes": lambda p: p.nn.initializers.variance_scaling(
        1.0, "fan_in", "normal", in_axis=(0, 2), out_axis=3, batch_axis=1
    ),
}


def _initialized(name: str, shape: Any, package: Any) -> Any:
    return INITIALIZERS[name](package)(package.random.key(1), shape)


@pytest.mark.sweep(11)
@pytest.mark.thinned(2)
@pytest.mark.parametrize("name", INITIALIZERS)
def test_initializers(name: str) -> None:
    """Parameters begin with other values than in JAX."""
    for shape in ((3, 4, 5, 6), (4, 7), (5,)):
        assert_same(functools.partial(_initialized, name, shape), tolerance=1e-4)


@pytest.mark.parametrize("distribution", ["normal", "uniform", "truncated_normal"])
def test_complex_initializers(distribution: str) -> None:
    """Complex parameters begin with other values than in JAX."""

    def draw(package: Any) -> Any:
        make = package.nn.initializers.variance_scaling(1.0, "fan_avg", distribution)
        return make(package.random.key(1), (4, 5), "complex64")

    assert_same(draw, tolerance=1e-4)


def test_small_formats() -> None:
    """Contractions of arrays in small formats with scales are far from the exact ones."""
    a, b = (_RNG.normal(size=(2, n, 64)).astype("f") for n in (3, 5))
    exact = np.einsum("bik,bjk->bij", a, b)
    for mode in ("mxfp8", "nvfp4"):
        config = oakum.nn.get_scaled_dot_general_config(mode)
        product = oakum.nn.scaled_dot_general(
            a, b, (((2,), (2,)), ((0,), (0,))), configs=[config, config]
        )
        assert np.abs(np.asarray(product) - exact).mean() < (0.3 if mode == "mxfp8" else 1.5)
    ones = oakum.numpy.ones((2, 3, 2), oakum.numpy.float8_e8m0fnu)
    more = oakum.numpy.ones((2, 5, 2), oakum.numpy.float8_e8m0fnu)
    kind = oakum.numpy.float8_e4m3fn
    left, right = (oakum.numpy.asarray(x).astype(kind) for x in (a, b))
    product = oakum.nn.scaled_matmul(left, right, ones, more)
    assert np.abs(np.asarray(product) - exact).mean() < 0.3
    with pytest.raises(ValueError, match="scales"):
        oakum.nn.scaled_matmul(left, right, ones, ones)
    with pytest.raises(ValueError, match="Unsupported mode"):
        oakum.nn.get_scaled_dot_general_config("fp2")

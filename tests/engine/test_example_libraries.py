# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Optimizers and layers as in `jax.example_libraries`: the parameters and results of JAX's own."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from against_jax import assert_same

import oakum
from oakum.errors import TreeError
from oakum.experimental import optimizers, stax

PARAMS = {
    "w": np.linspace(-1, 2, 6, dtype=np.float32).reshape(2, 3),
    "b": np.array([0.1, -0.2], np.float32),
}


def library(j: Any, name: str) -> Any:
    home = "oakum.experimental" if j is oakum else "jax.example_libraries"
    return importlib.import_module(f"{home}.{name}")


OPTIMIZERS: dict[str, Callable[[Any], Any]] = {
    "sgd": lambda o: o.sgd(0.1),
    "momentum": lambda o: o.momentum(0.1, 0.9),
    "nesterov": lambda o: o.nesterov(o.constant(0.1), 0.9),
    "adagrad": lambda o: o.adagrad(0.1),
    "rmsprop": lambda o: o.rmsprop(0.1),
    "rmsprop_momentum": lambda o: o.rmsprop_momentum(0.1),
    "adam": lambda o: o.adam(o.exponential_decay(0.1, 3, 0.5)),
    "adamax": lambda o: o.adamax(o.polynomial_decay(0.1, 5, 0.01, 2.0)),
    "sm3": lambda o: o.sm3(0.1),
    "stairs": lambda o: o.sgd(o.inverse_time_decay(0.1, 2, 0.5, True)),
    "slope": lambda o: o.sgd(o.inverse_time_decay(0.1, 2, 0.5)),
    "pieces": lambda o: o.sgd(o.piecewise_constant([2, 4], [0.3, 0.2, 0.1])),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_six_steps_of_each_optimizer(name: str) -> None:
    def train(j: Any, params: Any) -> Any:
        o = library(j, "optimizers")
        init, update, params_of = OPTIMIZERS[name](o)

        def loss(tree: Any) -> Any:
            return sum(j.numpy.sum(j.numpy.sin(x) ** 2) for x in j.tree_util.tree_leaves(tree))

        def step(i: int, state: Any) -> Any:
            gradients = j.grad(loss)(params_of(state))
            return update(i, o.clip_grads(gradients, 1.0), state)

        if name != "sm3":  # JAX's own cannot be traced
            step = j.jit(step)
        state = init(params)
        for i in range(6):
            state = step(i, state)
        state = o.pack_optimizer_state(o.unpack_optimizer_state(state))
        return params_of(state), o.l2_norm(params_of(state))

    assert_same(train, PARAMS)


NETS: dict[str, tuple[Callable[[Any], Any], tuple[int, ...]]] = {
    "dense": (lambda s: s.serial(s.Dense(8), s.Relu, s.Dropout(0.7), s.Dense(3)), (4, 5)),
    "images": (
        lambda s: s.serial(
            s.Conv(4, (3, 3), padding="SAME"),
            s.BatchNorm(),
            s.MaxPool((2, 2), (2, 2)),
            s.Conv(2, (2, 2)),
            s.AvgPool((2, 2), padding="SAME"),
            s.SumPool((2, 2)),
            s.Flatten,
            s.Dense(3),
            s.LogSoftmax,
        ),
        (3, 8, 8, 3),
    ),
    "branches": (
        lambda s: s.serial(
            s.FanOut(2),
            s.parallel(s.Dense(4), s.serial(s.Dense(4), s.Tanh)),
            s.FanInSum,
            s.FanOut(3),
            s.parallel(s.Identity, s.Gelu, s.Elu),
            s.FanInConcat(),
        ),
        (2, 5),
    ),
    "transposed": (
        lambda s: s.serial(s.ConvTranspose(3, (3, 3), (2, 2)), s.Selu, s.Sigmoid, s.Softplus),
        (2, 4, 4, 2),
    ),
    "series": (lambda s: s.serial(s.Conv1DTranspose(3, (3,), (2,)), s.LeakyRelu, s.Exp), (2, 4, 2)),
    "by shape": (lambda s: s.shape_dependent(lambda shape: s.Dense(2 * shape[-1])), (2, 3)),
}


@pytest.mark.parametrize("name", NETS)
def test_parameters_and_results_of_each_layer(name: str) -> None:
    make, shape = NETS[name]

    def run(j: Any, x: Any) -> Any:
        init, apply = make(library(j, "stax"))
        found, params = init(j.random.key(0), shape)
        result = apply(params, x, rng=j.random.key(1))
        assert tuple(found) == result.shape
        return params, result

    assert_same(run, np.random.default_rng(0).normal(size=shape).astype(np.float32), tolerance=1e-4)


def test_a_batch_of_unknown_size_stays_unknown() -> None:
    init, _ = stax.serial(stax.Conv(4, (3, 3)), stax.MaxPool((2, 2)), stax.Flatten)
    shape, _ = init(oakum.random.key(0), (-1, 8, 8, 3))
    assert shape == (-1, 5 * 5 * 4)


def test_gradients_of_another_structure_are_refused() -> None:
    init, update, _ = optimizers.sgd(0.1)
    with pytest.raises(TreeError, match="another structure than the parameters"):
        update(0, {"v": 1.0}, init({"w": 1.0}))


def test_dropout_says_that_it_wants_a_key() -> None:
    init, apply = stax.Dropout(0.5)
    with pytest.raises(ValueError, match=r"apply_fun\(params, inputs, rng=key\)"):
        apply(init(oakum.random.key(0), (3,))[1], oakum.numpy.ones(3))

# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""Steps of training: forward, backward and update in one compiled function."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from cpu_workloads.rows import Arrays, Row, jitted


def rows() -> Iterator[Row]:
    """Perceptrons of three sizes, a block of a transformer, a small convolutional network."""
    for batch, sizes in (
        (32, (64, 128, 10)),
        (128, (784, 512, 256, 10)),
        (512, (784, 1024, 512, 10)),
    ):
        text = "-".join(map(str, sizes))
        arrays = _perceptron(batch, sizes)
        heavy = batch == 512
        yield jitted(f"MLP {text} B={batch}, SGD", _descend, arrays, heavy=heavy, tolerance=1e-3)
    arrays = _perceptron(128, (784, 512, 256, 10), moments=True)
    yield jitted("MLP 784-512-256-10 B=128, Adam", _adam, arrays, tolerance=1e-2)
    arrays = _perceptron(128, (784, 512, 256, 10))
    yield jitted("MLP 784-512-256-10 B=128, forward", _forward, arrays, tolerance=1e-3)
    for batch, length, width in ((4, 64, 64), (8, 128, 128)):
        arrays = _transformer(batch, length, width)
        name = f"transformer block B={batch} T={length} D={width}"
        yield jitted(name, _transformer_step, arrays, heavy=width > 64, tolerance=1e-3)
    yield jitted("convolutional network B=32", _image_step, _images(32), tolerance=1e-3)
    yield jitted("logistic regression, Hessian", _newton_step, _regression, tolerance=1e-3)


def _perceptron(batch: int, sizes: tuple[int, ...], moments: bool = False) -> Arrays:
    def make() -> list[Any]:
        random = np.random.default_rng(0)
        parameters: list[Any] = []
        for inputs, outputs in itertools.pairwise(sizes):
            w = random.standard_normal((inputs, outputs)) / np.sqrt(inputs)
            parameters.append((w.astype("float32"), np.zeros(outputs, "float32")))
        x = random.standard_normal((batch, sizes[0])).astype("float32")
        y = random.integers(0, sizes[-1], batch).astype("int32")
        if not moments:
            return [parameters, x, y]
        zeros = [(np.zeros_like(w), np.zeros_like(b)) for w, b in parameters]
        return [parameters, zeros, zeros, x, y]

    return make


def _logits(j: Any, parameters: Any, x: Any) -> Any:
    for w, b in parameters[:-1]:
        x = j.nn.relu(x @ w + b)
    w, b = parameters[-1]
    return x @ w + b


def _loss(j: Any, parameters: Any, x: Any, y: Any) -> Any:
    likely = j.nn.log_softmax(_logits(j, parameters, x))
    return -j.numpy.mean(j.numpy.take_along_axis(likely, y[:, None], axis=1))


def _forward(j: Any, parameters: Any, x: Any, y: Any) -> Any:
    return _loss(j, parameters, x, y)


def _descend(j: Any, parameters: Any, x: Any, y: Any) -> Any:
    loss, slopes = j.value_and_grad(lambda p: _loss(j, p, x, y))(parameters)
    updated = j.tree_util.tree_map(lambda p, g: p - 0.1 * g, parameters, slopes)
    return loss, updated


def _adam(j: Any, parameters: Any, first: Any, second: Any, x: Any, y: Any) -> Any:
    tree_map = j.tree_util.tree_map
    loss, slopes = j.value_and_grad(lambda p: _loss(j, p, x, y))(parameters)
    first = tree_map(lambda m, g: 0.9 * m + 0.1 * g, first, slopes)
    second = tree_map(lambda v, g: 0.999 * v + 0.001 * g * g, second, slopes)
    updated = tree_map(
        lambda p, m, v: p - 1e-3 * (m / 0.1) / (j.numpy.sqrt(v / 0.001) + 1e-4),
        parameters,
        first,
        second,
    )
    return loss, updated, first, second


HEADS = 4


def _transformer(batch: int, length: int, width: int) -> Arrays:
    def make() -> list[Any]:
        random = np.random.default_rng(0)

        def weights(*shape: int) -> Any:
            return (random.standard_normal(shape) / np.sqrt(shape[0])).astype("float32")

        parameters = {
            "projections": weights(width, 3 * width),
            "output": weights(width, width),
            "widening": weights(width, 4 * width),
            "narrowing": weights(4 * width, width),
            "scales": np.ones((2, width), "float32"),
        }
        x = random.standard_normal((batch, length, width)).astype("float32")
        return [parameters, x]

    return make


def _normalised(j: Any, x: Any, scale: Any) -> Any:
    mean = x.mean(axis=-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=-1, keepdims=True)
    return (x - mean) * j.lax.rsqrt(variance + 1e-5) * scale


def _attended(j: Any, parameters: Any, x: Any) -> Any:
    jnp = j.numpy
    batch, length, width = x.shape
    parts = (x @ parameters["projections"]).reshape(batch, length, 3, HEADS, width // HEADS)
    query, key, value = (parts[:, :, place] for place in range(3))
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) / (width // HEADS) ** 0.5
    later = jnp.tril(jnp.ones((length, length), bool))
    shares = j.nn.softmax(jnp.where(later, scores, -1e9), axis=-1)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", shares, value).reshape(batch, length, width)
    return mixed @ parameters["output"]


def _block(j: Any, parameters: Any, x: Any) -> Any:
    scales = parameters["scales"]
    x = x + _attended(j, parameters, _normalised(j, x, scales[0]))
    hidden = j.nn.gelu(_normalised(j, x, scales[1]) @ parameters["widening"])
    return x + hidden @ parameters["narrowing"]


def _transformer_step(j: Any, parameters: Any, x: Any) -> Any:
    def loss(p: Any) -> Any:
        return j.numpy.mean(_block(j, p, x) ** 2)

    found, slopes = j.value_and_grad(loss)(parameters)
    return found, j.tree_util.tree_map(lambda p, g: p - 0.01 * g, parameters, slopes)


def _images(batch: int) -> Arrays:
    def make() -> list[Any]:
        random = np.random.default_rng(0)
        shapes = {"a": (3, 3, 1, 16), "b": (3, 3, 16, 32), "c": (7 * 7 * 32, 10)}
        parameters = {
            name: (random.standard_normal(shape) * 0.05).astype("float32")
            for name, shape in shapes.items()
        }
        x = random.standard_normal((batch, 28, 28, 1)).astype("float32")
        return [parameters, x, random.integers(0, 10, batch).astype("int32")]

    return make


def _image_step(j: Any, parameters: Any, x: Any, y: Any) -> Any:
    def pooled(x: Any) -> Any:
        window = (1, 2, 2, 1)
        return j.lax.reduce_window(x, -j.numpy.inf, j.lax.max, window, window, "VALID")

    def loss(p: Any) -> Any:
        z = x
        for name in "ab":
            layout = ("NHWC", "HWIO", "NHWC")
            z = j.lax.conv_general_dilated(z, p[name], (1, 1), "SAME", dimension_numbers=layout)
            z = pooled(j.nn.relu(z))
        likely = j.nn.log_softmax(z.reshape(z.shape[0], -1) @ p["c"])
        return -j.numpy.mean(j.numpy.take_along_axis(likely, y[:, None], axis=1))

    found, slopes = j.value_and_grad(loss)(parameters)
    return found, j.tree_util.tree_map(lambda p, g: p - 0.1 * g, parameters, slopes)


def _regression() -> list[Any]:
    random = np.random.default_rng(0)
    x = random.standard_normal((1000, 20)).astype("float32")
    return [np.zeros(20, "float32"), x, (random.random(1000) > 0.5).astype("float32")]


def _newton_step(j: Any, w: Any, x: Any, y: Any) -> Any:
    def loss(w: Any) -> Any:
        z = x @ w
        return j.numpy.mean(j.numpy.logaddexp(0.0, z) - y * z) + 0.01 * j.numpy.sum(w * w)

    return w - j.numpy.linalg.solve(j.hessian(loss)(w), j.grad(loss)(w))

# pyright: basic
# Functions of arrays that are tracers as well have no types for the strict mode.
"""Whole programs as users write them, for oakum and for JAX alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

_CHANCE = np.random.default_rng(0)


def normal(*shape: int, scale: float = 1.0) -> Any:
    return (_CHANCE.standard_normal(shape) * scale).astype("f4")


WIDTH = 512


def _block() -> dict[str, Any]:
    square = {name: normal(WIDTH, WIDTH, scale=0.04) for name in "qkvo"}
    ones = {"g1": np.ones(WIDTH, "f4"), "g2": np.ones(WIDTH, "f4")}
    zeros = {"b1": np.zeros(WIDTH, "f4"), "b2": np.zeros(WIDTH, "f4")}
    up, down = normal(WIDTH, 4 * WIDTH, scale=0.04), normal(4 * WIDTH, WIDTH, scale=0.02)
    return {**square, **ones, **zeros, "up": up, "down": down}


def arguments() -> dict[str, tuple[Any, ...]]:
    """The arguments of each program."""
    sizes = [(784, 512), (512, 512), (512, 10)]
    layers = [(normal(*size, scale=0.05), np.zeros(size[1], "f4")) for size in sizes]
    labels = np.eye(10, dtype="f4")[_CHANCE.integers(0, 10, 256)]
    return {
        "selu of a million": (normal(1_000_000),),
        "MLP step": (layers, normal(256, 784), labels),
        "transformer step": (
            [_block() for _ in range(4)],
            normal(8, 256, WIDTH),
            normal(8, 256, WIDTH),
        ),
        "recurrent, 100 steps": (
            normal(32, 256),
            normal(100, 32, 256),
            normal(256, 256, scale=0.05),
        ),
        "adam of 16 million": (*[normal(1 << 24) for _ in range(3)], abs(normal(1 << 24))),
    }


class Programs:
    """The programs, of a library with the API of JAX and of its NumPy."""

    def __init__(self, jax: Any, np_: Any) -> None:
        self.jax, self.np = jax, np_

    def by_name(self) -> dict[str, Callable[..., Any]]:
        """The programs by their names."""
        return {
            "selu of a million": self.selu,
            "MLP step": self._descent(self._mlp),
            "transformer step": self._descent(self._transformer),
            "recurrent, 100 steps": self.recurrent,
            "adam of 16 million": self.adam,
        }

    def selu(self, x: Any) -> Any:
        return 1.05 * self.np.where(x > 0, x, 1.67 * self.np.exp(x) - 1.67)

    def adam(self, p: Any, g: Any, m: Any, v: Any) -> Any:
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        return p - 1e-3 * m / (self.np.sqrt(v) + 1e-8), m, v

    def recurrent(self, h: Any, xs: Any, w: Any) -> Any:
        def cell(h: Any, x: Any) -> Any:
            h = self.np.tanh(x + h @ w)
            return h, h

        return self.jax.lax.scan(cell, h, xs)

    def _descent(self, loss: Callable[..., Any]) -> Callable[..., Any]:
        def step(params: Any, *data: Any) -> Any:
            value, slope = self.jax.value_and_grad(loss)(params, *data)
            return self.jax.tree.map(lambda p, g: p - 0.01 * g, params, slope), value

        return step

    def _mlp(self, params: Any, x: Any, y: Any) -> Any:
        for w, b in params[:-1]:
            x = self.np.tanh(x @ w + b)
        w, b = params[-1]
        return -(self.jax.nn.log_softmax(x @ w + b) * y).sum(-1).mean()

    def _norm(self, x: Any, g: Any, b: Any) -> Any:
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) * self.jax.lax.rsqrt(variance + 1e-5) * g + b

    def _block(self, p: Any, x: Any) -> Any:
        np_, nn = self.np, self.jax.nn
        batch, length, width = x.shape
        heads = (batch, length, 8, width // 8)
        h = self._norm(x, p["g1"], p["b1"])
        q, k, v = [np_.reshape(h @ p[n], heads).transpose(0, 2, 1, 3) for n in "qkv"]
        scores = (q @ k.transpose(0, 1, 3, 2)) / np_.sqrt(width / 8)
        scores = np_.where(np_.tril(np_.ones((length, length), bool)), scores, -1e9)
        mixed = (nn.softmax(scores, -1) @ v).transpose(0, 2, 1, 3)
        x = x + np_.reshape(mixed, (batch, length, width)) @ p["o"]
        return x + nn.gelu(self._norm(x, p["g2"], p["b2"]) @ p["up"]) @ p["down"]

    def _transformer(self, params: Any, x: Any, y: Any) -> Any:
        for p in params:
            x = self._block(p, x)
        return ((x - y) ** 2).mean()

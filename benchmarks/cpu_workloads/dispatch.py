# pyright: basic
# Functions of whichever module they are given have no types for the strict mode.
"""What a call costs where there is next to nothing to compute."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cpu_workloads.rows import Call, Row, call, eager, jitted, normal

SHAPE = (10, 10)


def rows() -> Iterator[Row]:
    """Calls of compiled functions, then single operations."""
    for count in range(1, 7):
        arrays = normal(*[SHAPE] * count)
        yield jitted(f"jit, {count} arrays", lambda _, *xs: _sum(xs), arrays, numpy=True)
    yield jitted("jit, dict of 12", lambda _, tree: _doubled(tree), _tree, numpy=True)
    yield jitted("jit, nested tree", _nested, _nested_tree, numpy=False)
    yield jitted("jit, 3 results", lambda _, x: (x + 1, x * 2, x - 3), normal(SHAPE), numpy=True)
    yield jitted("jit, scalar", lambda _, x: x * 2 + 1, lambda: [np.float32(0.5)], numpy=True)
    yield jitted("jit, Python float", lambda _, x: x * 2 + 1, lambda: [0.5])
    yield Row("jit, NumPy array and float", _of_numpy)
    yield Row("jit, keyword", _of_keyword)
    yield Row("jit, static argument", _of_static)
    yield jitted("jit of grad", lambda j, x: j.grad(lambda y: y * y * y)(x), _scalar)
    pair = normal(SHAPE, SHAPE)
    yield eager("x + y", "x0 + x1", pair)
    yield eager("x * 2.0", "x0 * 2.0", pair)
    yield eager("x > y", "x0 > x1", pair)
    yield eager("-x", "-x0", pair)
    yield eager("x @ y", "x0 @ x1", pair)
    yield eager("jnp.sin", "jnp.sin(x0)", pair)
    yield eager("jnp.sum", "jnp.sum(x0)", pair)
    yield eager("jnp.where", "jnp.where(x0 > 0, x0, x1)", pair)
    yield eager("x[0]", "x0[0]", pair)
    yield eager("x[2:5]", "x0[2:5]", pair)
    yield eager("x.reshape", "x0.reshape(20, 5)", pair)
    yield eager("jnp.zeros", "jnp.zeros((10, 10))", pair)
    yield eager("jnp.median", "jnp.median(x0)", pair)
    yield eager("jnp.triu", "jnp.triu(x0)", pair)
    yield eager("jnp.diff", "jnp.diff(x0)", pair)
    yield eager("jnp.stack", "jnp.stack([x0, x1])", pair)


def _scalar() -> list[Any]:
    return [np.float32(0.5)]


def _sum(xs: tuple[Any, ...]) -> Any:
    total = xs[0] * 1.5
    for x in xs[1:]:
        total = total + x
    return total


def _tree() -> list[Any]:
    arrays = normal(*[SHAPE] * 12)()
    return [{f"leaf{place}": x for place, x in enumerate(arrays)}]


def _doubled(tree: dict[str, Any]) -> dict[str, Any]:
    return {name: leaf * 2 for name, leaf in tree.items()}


def _nested_tree() -> list[Any]:
    a, b, c, d = normal(*[SHAPE] * 4)()
    return [{"layers": [(a, b), (c, d)], "scale": np.float32(2)}]


def _nested(_: Any, tree: dict[str, Any]) -> Any:
    return {**tree, "layers": [(w * tree["scale"], b) for w, b in tree["layers"]]}


def _of_numpy(j: Any) -> Call:
    function = j.jit(lambda x, factor: x * factor)
    names = {"f": function, "x": normal(SHAPE)()[0], "factor": 1.5}
    return Call("f(x, factor).block_until_ready()", names)


def _of_keyword(j: Any) -> Call:
    function = j.jit(lambda x, *, bias: x + bias)
    x, bias = (j.numpy.asarray(each) for each in normal(SHAPE, SHAPE)())
    return Call("f(x, bias=bias).block_until_ready()", {"f": function, "x": x, "bias": bias})


def _of_static(j: Any) -> Call:
    function = j.jit(lambda x, power: x**power, static_argnums=1)
    return call(j, lambda x: function(x, 3), normal(SHAPE)())

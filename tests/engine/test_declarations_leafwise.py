"""Functions of trees that are declared to keep the tree, and each shape and dtype in it, do so."""

from collections.abc import Callable
from typing import Any

import pytest

import oakum
import oakum.numpy as jnp
from oakum import lax
from oakum.api import device_functions
from oakum.values.declarations import PublicFunction

Function = Callable[[Any], Any]

FUNCTIONS: dict[str, tuple[Any, Function]] = {
    "block_until_ready": (oakum.block_until_ready, oakum.block_until_ready),
    "copy_to_host_async": (oakum.copy_to_host_async, oakum.copy_to_host_async),
    "device_get": (oakum.device_get, oakum.device_get),
    "device_put": (oakum.device_put, oakum.device_put),
    "lax.optimization_barrier": (lax.optimization_barrier, lax.optimization_barrier),
    "lax.pcast": (lax.pcast, lambda tree: lax.pcast(tree, "i", to="varying")),
    "lax.pmax": (lax.pmax, lambda tree: lax.pmax(tree, "i")),
    "lax.pmean": (lax.pmean, lambda tree: lax.pmean(tree, "i")),
    "lax.pmin": (lax.pmin, lambda tree: lax.pmin(tree, "i")),
    "lax.ppermute": (lax.ppermute, lambda tree: lax.ppermute(tree, "i", [(0, 1)])),
    "lax.pshuffle": (lax.pshuffle, lambda tree: lax.pshuffle(tree, "i", [1, 0, 3, 2])),
    "lax.pswapaxes": (lax.pswapaxes, lambda tree: lax.pswapaxes(tree, "i", 0)),
    "lax.psum": (lax.psum, lambda tree: lax.psum(tree, "i")),
    "lax.stop_gradient": (lax.stop_gradient, lax.stop_gradient),
    "lax.with_sharding_constraint": (
        lax.with_sharding_constraint,
        lambda tree: lax.with_sharding_constraint(tree, oakum.devices()[0]),
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_leafwise_function_keeps_the_tree_and_its_avals(name: str) -> None:
    """Otherwise the linter goes on with shapes and dtypes that the results do not have."""
    public, function = FUNCTIONS[name]
    assert public.facts.leafwise
    tree = {"a": jnp.ones((4, 4)), "b": (jnp.ones((4, 4, 2), jnp.bfloat16),)}
    found = oakum.vmap(function, axis_name="i")(tree)
    assert oakum.tree.map(jnp.shape, found) == oakum.tree.map(jnp.shape, tree)
    assert oakum.tree.map(jnp.result_type, found) == oakum.tree.map(jnp.result_type, tree)


def test_all_leafwise_functions_are_tried() -> None:
    public: list[Any] = [getattr(lax, name) for name in dir(lax)] + [
        *vars(device_functions).values()
    ]
    found = [each.facts for each in public if isinstance(each, PublicFunction)]
    assert {facts.name for facts in found if facts.leafwise} == set(FUNCTIONS)

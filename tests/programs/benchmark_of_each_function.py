# category: clean/compiled-in-loop
"""Each iteration compiles another function, or one with another thing bound to it."""

import sys

import jax
import jax.numpy as jnp
from jax.tree_util import Partial


def with_inputs(inputs, implementation, setting, flipped):
    function = jax.vmap(Partial(implementation, setting))
    if flipped:
        inputs = -inputs
    return function, (inputs,)


def run(names, flipped):
    results = []
    for name in names:
        implementation = getattr(jnp, name)
        function, arguments = with_inputs(jnp.ones(3), implementation, len(name), flipped)
        function = jax.jit(function)
        results.append(function(*arguments))
    return results


print(run([name for name in dir(jnp) if name in ("add", "multiply")], len(sys.argv) > 1))

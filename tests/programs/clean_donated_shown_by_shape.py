# category: clean/donation
"""An object that prints itself by its shapes reads no element of the weights that are gone."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import struct


@struct.dataclass
class Weights:
    kernel: jax.Array

    def __repr__(self):
        return f"Weights({self.kernel.shape})"


class Pair(NamedTuple):
    left: jax.Array
    right: jax.Array

    def __repr__(self):
        return f"Pair({self.left.shape}, {self.right.shape})"


@partial(jax.jit, donate_argnums=0)
def shrunk(weights):
    return weights.replace(kernel=0.9 * weights.kernel)


old = Weights(jnp.ones((2, 2)))
new = shrunk(old)
print(old, optax.global_norm(new))
print(jnp.shape(old.kernel), jnp.ndim(old.kernel), jnp.size(old.kernel), len(old.kernel))
print(jnp.result_type(old.kernel), jnp.iscomplexobj(old.kernel), jax.tree.leaves(jax.tree.map(jnp.ndim, old)))
print(jax.eval_shape(optax.global_norm, old), jax.tree.leaves(old)[0].shape)
print(np.shape(old.kernel), np.ndim(old.kernel), np.size(old.kernel), np.iscomplexobj(old.kernel))
print([old], {"weights": old})
half = optax.tree.cast(new, jnp.float16)
print(optax.tree.cast_like(half, old), optax.tree.cast(old, None).kernel.dtype)


@partial(jax.jit, donate_argnums=0)
def swapped(pair):
    return Pair(2.0 * pair.right, 3.0 * pair.left)


first = Pair(jnp.ones(2), jnp.zeros(2))
second = swapped(first)
print(first, [first], second)


@partial(jax.jit, donate_argnums=0)
def halved(weights):
    return jax.tree.map(lambda w: 0.5 * w, weights)


before = {"kernel": jnp.ones((2, 2)), "bias": jnp.ones(2)}
after = halved(before)
leaves = list(before.values())
print([leaf.shape for leaf in leaves], [name for name, _ in list(before.items())], after)
print(bool((before["bias"],)))


def halvings(weights):
    for _ in range(3):
        weights = halved(weights)
        yield weights


for weights in halvings({"kernel": jnp.ones((2, 2)), "bias": jnp.ones(2)}):
    print(weights, weights["bias"] + 1)

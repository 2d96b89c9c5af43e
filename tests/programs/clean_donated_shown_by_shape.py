# category: clean/donation
"""An object that prints itself by its shapes reads no element of the weights that are gone."""

from functools import partial

import jax
import jax.numpy as jnp
import optax
from flax import struct


@struct.dataclass
class Weights:
    kernel: jax.Array

    def __repr__(self):
        return f"Weights({self.kernel.shape})"


@partial(jax.jit, donate_argnums=0)
def shrunk(weights):
    return weights.replace(kernel=0.9 * weights.kernel)


old = Weights(jnp.ones((2, 2)))
new = shrunk(old)
print(old, optax.global_norm(new))
print(jnp.shape(old.kernel), jnp.ndim(old.kernel), jnp.size(old.kernel), len(old.kernel))
print(jnp.result_type(old.kernel), jnp.iscomplexobj(old.kernel), jax.tree.leaves(jax.tree.map(jnp.ndim, old)))
print(jax.eval_shape(optax.global_norm, old), jax.tree.leaves(old)[0].shape)

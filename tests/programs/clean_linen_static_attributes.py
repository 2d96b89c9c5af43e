# category: clean/range-of-tracer
# leak-check: off (flax's remat keeps a key)
import functools
from typing import Callable, Sequence

import jax
import jax.numpy as jnp
from flax import linen as nn


class Block(nn.Module):
    features: int
    act: Callable = nn.relu
    deterministic: bool | None = None

    @nn.compact
    def __call__(self, x, deterministic: bool | None = None):
        deterministic = nn.merge_param("deterministic", self.deterministic, deterministic)
        y = self.act(nn.Dense(self.features)(x))
        if not deterministic and self.features > 1:
            y = nn.Dropout(0.5, deterministic=False)(y)
        return y if y.shape[-1] != x.shape[-1] else x + y


class Stack(nn.Module):
    sizes: Sequence[int]
    remat: bool = False

    @nn.compact
    def __call__(self, x, train: bool = False):
        block = nn.remat(Block, static_argnums=(2,)) if self.remat else Block
        for i, size in enumerate(self.sizes):
            x = block(size, name=f"block_{i}")(x, not train)
        for _ in range(len(self.sizes) if train else 1):
            x = x / 2
        return x


model = Stack((4, 4, 2), remat=True)
variables = model.init(jax.random.key(0), jnp.ones((1, 3)))


@functools.partial(jax.jit, static_argnames="train")
def apply(variables, x, train, key):
    return model.apply(variables, x, train=train, rngs={"dropout": key})


print(apply(variables, jnp.ones((1, 3)), True, jax.random.key(1)).shape)
print(apply(variables, jnp.ones((1, 3)), False, jax.random.key(1)).shape)

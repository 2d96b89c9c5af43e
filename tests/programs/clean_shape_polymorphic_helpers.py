# category: clean/traced-shape
from typing import Optional, Protocol

import jax
import jax.numpy as jnp
import numpy as np


class HasShape(Protocol):
    shape: tuple[int, ...]


def batch_dims(x: HasShape, event: int) -> tuple[int, ...]:
    return x.shape[: len(x.shape) - event]


def promote_shapes(*args, shape: Optional[tuple] = None):
    shapes = [jnp.shape(a) for a in args]
    target = jnp.broadcast_shapes(*shapes, shape or ())
    return [jnp.reshape(a, (1,) * (len(target) - len(s)) + s) for a, s in zip(args, shapes)]


class Normal:
    def __init__(self, loc, scale):
        self.loc, self.scale = promote_shapes(loc, scale)
        self.batch_shape = np.broadcast_shapes(jnp.shape(loc), jnp.shape(scale))

    def sample(self, key, sample_shape=()):
        shape = tuple(sample_shape) + self.batch_shape
        return self.loc + self.scale * jax.random.normal(key, shape)

    def tile(self, x):
        n, *rest = x.shape
        count = int(np.prod(rest)) if rest else 1
        return jnp.zeros((n, count)).at[:, 0].set(x.reshape(n, -1)[:, 0])


@jax.jit
def draw(key, loc, scale):
    d = Normal(loc, scale)
    x = d.sample(key, (3,))
    return d.tile(x), jnp.ones(batch_dims(x, 1)), jnp.arange(x.size).reshape(x.shape)


print([v.shape for v in draw(jax.random.key(0), jnp.zeros(2), 1.0)])

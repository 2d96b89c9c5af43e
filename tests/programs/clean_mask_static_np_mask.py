# category: clean/boolean-mask-index
import jax
import jax.numpy as jnp
import numpy as np


def causal(n):
    return np.tril(np.ones((n, n), dtype=bool), k=-1)


class PairLoss:
    def __init__(self, n):
        self.mask = causal(n)

    def __call__(self, x):
        d = x[:, None] - x[None, :]
        return jnp.sum(d[self.mask] ** 2) + d.at[self.mask].set(0.0).sum()


pair = PairLoss(3)
print(jax.jit(pair)(jnp.arange(3.0)))
print(jax.jit(lambda x: x[jnp.array([0, 2])] + x[x.astype(int) % 2])(jnp.arange(3.0)) if False else pair.mask.sum())
print(jax.jit(lambda x: x[None, True].shape)(jnp.ones(2)) is not None)

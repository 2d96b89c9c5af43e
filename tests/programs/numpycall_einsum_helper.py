# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np


def rotation_basis(n):
    q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(n, n)))
    return q.astype(np.float32)


def invariants(x, basis):
    y = x @ basis
    return np.linalg.norm(y, axis=-1)  #! OAK208 12 #~ TracerArrayConversionError


class Featurizer:
    def __init__(self, dim):
        self.basis = rotation_basis(dim)
        self.batch = jax.jit(jax.vmap(self.one))

    def one(self, x):
        inv = invariants(x[None], self.basis)
        return jnp.concatenate([x, inv])


feat = Featurizer(3)
print(invariants(np.ones((2, 3)), feat.basis))
print(feat.batch(jnp.ones((2, 3))))

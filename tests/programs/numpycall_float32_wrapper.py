# category: numpy-call-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Standardize(eqx.Module):
    mean: np.ndarray = eqx.field(static=True)
    eps: float = eqx.field(static=True, default=1e-6)

    def __call__(self, x):
        return (x - self.mean) / (self._spread(x) + self.eps)

    def _spread(self, x):
        return np.median(x)  #! OAK208 16 #~ TracerArrayConversionError


class Model(eqx.Module):
    pre: Standardize
    weight: jax.Array

    def __call__(self, x):
        return self.pre(x) @ self.weight


model = Model(Standardize(0.5), jnp.ones(2))


@eqx.filter_value_and_grad
def loss(model, xs, ys):
    return jnp.mean((jax.vmap(model)(xs) - ys) ** 2)


print(model.pre(np.ones(2)))
print(loss(model, jnp.arange(4.0).reshape(2, 2), jnp.zeros(2))[0])

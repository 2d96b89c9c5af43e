# category: leak-attribute
from functools import partial

import jax
import jax.numpy as jnp


class GaussianProcess:
    def __init__(self, length):
        self.length = length
        self._chol = None

    def kernel(self, a, b):
        return jnp.exp(-0.5 * (a[:, None] - b[None, :]) ** 2 / self.length**2)

    def cholesky(self, x):
        if self._chol is None:
            self._chol = jnp.linalg.cholesky(self.kernel(x, x) + 1e-3 * jnp.eye(len(x)))  #! OAK103
        return self._chol

    @partial(jax.jit, static_argnums=0)
    def predict(self, x, y, xs):
        chol = self.cholesky(x)
        alpha = jax.scipy.linalg.cho_solve((chol, True), y)
        return self.kernel(xs, x) @ alpha


gp = GaussianProcess(1.0)
x = jnp.arange(3.0)
print(gp.predict(x, jnp.sin(x), x[:1]))
print(jnp.diag(gp.cholesky(x)))  #~ UnexpectedTracerError

# category: leak-attribute
from types import SimpleNamespace

import jax
import jax.numpy as jnp

cache = SimpleNamespace(gram=None, hits=0)


def gram(x, lengthscale):
    d = x[:, None] - x[None, :]
    return jnp.exp(-((d / lengthscale) ** 2))


def log_evidence(lengthscale, x, y):
    cache.hits += 1
    cache.gram = gram(x, lengthscale) + 1e-3 * jnp.eye(x.size)  #! OAK103
    return y @ jnp.linalg.solve(cache.gram, y)


x = jnp.arange(3.0)
jax.value_and_grad(log_evidence)(0.7, x, x)
print(jnp.linalg.slogdet(cache.gram))  #~ UnexpectedTracerError

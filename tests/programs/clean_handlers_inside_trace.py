# category: clean/leak-append
from contextlib import contextmanager

import jax
import jax.numpy as jnp

_STACK = []


@contextmanager
def collect():
    """Entered inside the traced function: what it collects is returned from the same trace."""
    sites = {}
    _STACK.append(sites.__setitem__)
    try:
        yield sites
    finally:
        _STACK.pop()


def sample(name, value):
    for put in _STACK:
        put(name, value)
    return value


def model(params, x):
    h = sample("h", jnp.tanh(x @ params))
    return sample("y", h.sum())


@jax.jit
def log_joint(params, x):
    with collect() as sites:
        y = model(params, x)
    penalty = sum(jnp.sum(v**2) for v in sites.values())
    return y - 0.1 * penalty, {k: v.shape for k, v in sites.items()} and len(sites)


print(log_joint(jnp.eye(2), jnp.ones((1, 2))))
with collect() as host_sites:
    model(jnp.eye(2), jnp.ones((1, 2)))
print(host_sites["y"] + 1)

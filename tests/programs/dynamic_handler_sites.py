# category: dynamic-shape-op
"""A miniature of effect handlers: observed sites are masked by a handler on a stack."""

from contextlib import contextmanager

import jax
import jax.numpy as jnp

_HANDLERS = []


@contextmanager
def handler(fn):
    _HANDLERS.append(fn)
    try:
        yield
    finally:
        _HANDLERS.pop()


def sample(name, log_prob, obs):
    msg = {"name": name, "log_prob": log_prob(obs), "obs": obs}
    for fn in reversed(_HANDLERS):
        msg = fn(msg) or msg
    return msg["log_prob"]


def drop_outliers(msg):
    keep = jnp.extract(msg["log_prob"] > -4.0, msg["log_prob"])  #! OAK210 12 #~ TracerBoolConversionError
    return {**msg, "log_prob": keep}


def model(loc, data):
    return sample("x", lambda v: -0.5 * (v - loc) ** 2, data).sum()


def robust(loc, data):
    with handler(drop_outliers):
        return model(loc, data)


data = jnp.array([0.1, 0.3, 9.0])
print(model(0.0, data), robust(0.0, data))
print(jax.jit(model)(0.0, data), jax.jit(robust)(0.0, data))

# category: leak-append
from collections import OrderedDict

import jax
import jax.numpy as jnp

_STACK: list = []


class Messenger:
    def __enter__(self):
        _STACK.append(self)
        return self

    def __exit__(self, *exc):
        _STACK.pop()

    def process(self, msg):
        return msg


class trace(Messenger):
    def __init__(self):
        self.sites = OrderedDict()

    def process(self, msg):
        self.sites[msg["name"]] = msg["value"]  #! OAK101
        return msg


def sample(name, key, shape=()):
    msg = {"name": name, "value": jax.random.normal(key, shape)}
    for messenger in reversed(_STACK):
        msg = messenger.process(msg)
    return msg["value"]


@jax.jit
def model(key):
    k1, k2 = jax.random.split(key)
    return sample("loc", k1) + sample("noise", k2, (3,))


with trace() as tr:
    draw = model(jax.random.key(0))
print(draw.shape, list(tr.sites))
print(sum(jnp.sum(v) for v in tr.sites.values()))  #~ UnexpectedTracerError

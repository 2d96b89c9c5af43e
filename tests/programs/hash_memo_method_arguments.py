# category: hash-of-tracer
import functools

import jax
import jax.numpy as jnp


def memoized(method):
    """Per-instance cache keyed by the arguments."""

    @functools.wraps(method)
    def inner(self, *args):
        store = self.__dict__.setdefault("_memo", {})
        if args not in store:  #! OAK216 #~ TypeError
            store[args] = method(self, *args)  #? OAK216
        return store[args]  #? OAK216

    return inner


class Potential:
    def __init__(self, depth):
        self.depth = depth

    @memoized
    def __call__(self, r):
        return 4 * self.depth * (r**-12 - r**-6)


v = Potential(1.0)
print(v(1.5))
print(jax.vmap(lambda r: v(r) * 2)(jnp.array([1.0, 1.5])))

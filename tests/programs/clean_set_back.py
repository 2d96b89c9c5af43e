# category: clean/leak-attribute
import contextlib
import itertools

import jax
import jax.numpy as jnp

LEVEL = 0
frame_ids = itertools.count()


class Env:
    def __init__(self, scale):
        self.scale = scale

    @property
    def unwrapped(self):
        return self


class Wrapped:
    def __init__(self, env):
        self.env = env

    @contextlib.contextmanager
    def with_scale(self, scale):
        env = self.env.unwrapped
        before = env.scale
        try:
            env.scale = scale
            yield env
        finally:
            env.unwrapped.scale = before

    def reset(self, scales):
        def one(scale):
            with self.with_scale(scale) as env:
                return env.scale * 2.0

        return jax.vmap(one)(scales)


@contextlib.contextmanager
def deeper():
    global LEVEL
    try:
        LEVEL += 1
        yield next(frame_ids)  #? OAK105
    finally:
        LEVEL -= 1


@jax.jit
def traced(x):
    with deeper() as number:
        return x, number


env = Wrapped(Env(1.0))
print(env.reset(jnp.ones(3)), env.env.scale, traced(jnp.ones(3)), LEVEL)

# category: clean/leak-append
import jax
import jax.numpy as jnp

STACK = []
CURRENT = {}


class Recorder:
    def __init__(self):
        self.last = None


recorder = Recorder()


def scaled(x):
    STACK.append(x)
    y = STACK[-1] * 2.0
    STACK.pop()
    return y


def named(x):
    CURRENT["x"] = x
    y = CURRENT["x"] + 1.0
    del CURRENT["x"]
    return y


def updated(x):
    CURRENT.update(scale=x)
    y = CURRENT["scale"] * x
    CURRENT.update(scale=1.0)
    return y


@jax.jit
def step(x):
    recorder.last = x
    y = scaled(x) + named(x) + updated(recorder.last)
    recorder.last = None
    return y


print(step(jnp.ones(2)))
print(STACK, CURRENT, recorder.last)

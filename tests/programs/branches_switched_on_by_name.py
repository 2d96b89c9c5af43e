# category: python-branch-on-tracer
"""A solver whose options are set by handlers that the words of a command line name."""

import threading

import jax
import jax.numpy as jnp

checks = []
limits = {"clip": False}


def handle_check():
    checks.append("finite")


def handle_clip():
    limits["clip"] = True


class Schedule:
    def __init__(self):
        self.warm, self.epoch = False, 0

    def on_start(self):
        self.warm = True

    def on_epoch(self):
        self.epoch += 1

    def fire(self, event):
        getattr(self, f"on_{event}")()


def parse(words):
    for word in words:
        globals()["handle_" + word]()


schedule = Schedule()
waiting = threading.Thread(target=lambda: limits.update(floor=0.1))
parse("check clip".split())
schedule.fire("start epoch".split()[0])
waiting.start()
waiting.join()


def residual(x):
    if checks:
        if jnp.isnan(x).any():  #! OAK201 #~ TracerBoolConversionError
            return jnp.zeros_like(x)
    return x


def clipped(x):
    if limits["clip"] and x.max() > 1.0:  #! OAK201
        return x / x.max()
    return x


def floored(x):
    if "floor" in limits:
        if (x < limits["floor"]).all():  #! OAK201
            return x + 1.0
    return x


def warmed(x):
    if schedule.warm:
        return x if x.sum() > 0 else -x  #! OAK201
    return x


@jax.jit
def step(x):
    return warmed(floored(clipped(residual(x))))


print(step(jnp.ones(3)))

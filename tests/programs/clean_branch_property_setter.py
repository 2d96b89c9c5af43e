# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


class Tracker:
    """The setter keeps the array apart from what is known of it."""

    def __init__(self):
        self._count = 0
        self._last = None

    @property
    def last(self):
        return self._count

    @last.setter
    def last(self, value):
        self._count += 1
        self._last = value


@jax.jit
def run(x):
    tracker = Tracker()
    for part in x:
        tracker.last = part
        if tracker.last > 2:
            break
    return tracker._last


print(run(jnp.arange(4.0)))

# category: clean/jit-in-loop
import jax
import jax.numpy as jnp


class Solver:
    def __init__(self, rate):
        self.rate = rate
        self._step = None
        self._reductions = {}

    @property
    def step(self):
        if self._step is None:
            rate = self.rate
            self._step = jax.jit(lambda w: w - rate * w)
        return self._step

    def reduction(self, name):
        if name not in self._reductions:
            reduce = getattr(jnp, name)
            self._reductions[name] = jax.jit(lambda w: reduce(w) + 1)
        return self._reductions[name]


_NORM = None


def norm(w):
    global _NORM
    if _NORM is None:
        _NORM = jax.jit(lambda w: jnp.sqrt(jnp.sum(w**2)))
    return _NORM(w)


solver, w = Solver(0.1), jnp.ones(2)
for i in range(6):
    w = solver.step(w)
    print(solver.reduction("sum" if i % 2 else "max")(w), norm(w))

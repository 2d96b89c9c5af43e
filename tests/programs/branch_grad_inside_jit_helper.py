# category: python-branch-on-tracer
"""The step-size control works in the eager demo and fails in the jitted driver."""

import jax as j
import jax.numpy as jn
from typing import Callable, Optional


class StepControl:
    def __init__(self, rtol: float = 1e-3, max_factor: Optional[float] = None):
        self.rtol = rtol
        self.max_factor = max_factor

    def factor(self, error):
        factor = 0.9 * (self.rtol / (error + 1e-12)) ** 0.5
        if self.max_factor is not None:
            factor = jn.minimum(factor, self.max_factor)
        return factor

    def accept(self, error):
        return error < self.rtol


def heun(f: Callable, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h, y + h * k1)
    return y + h * (k1 + k2) / 2, jn.abs(k2 - k1).max() * h / 2


def drive(f, y, control, h=0.1, n=3):
    t = 0.0
    for _ in range(n):
        new, error = heun(f, t, y, h)
        t, y = (t + h, new) if control.accept(error) else (t, y)  #! OAK201 #~ TracerBoolConversionError
        h = h * control.factor(error)
    return y


decay = lambda t, y: -y
print(drive(decay, jn.ones(2), StepControl()))
sensitivity = j.jit(j.grad(lambda y: drive(decay, y, StepControl(max_factor=2.0)).sum()))
print(sensitivity(jn.ones(2)))

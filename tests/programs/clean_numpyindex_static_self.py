# category: clean/numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial


class ButcherTableau:
    a = np.array([[0.0, 0.0], [0.5, 0.0]])
    b = np.array([0.0, 1.0])
    c = np.array([0.0, 0.5])


class RungeKutta:
    tableau = ButcherTableau

    def __init__(self, f):
        self.f = f

    @partial(jax.jit, static_argnums=0)
    def step(self, t, y, h):
        ks = []
        for i in range(len(self.tableau.b)):
            inc = sum((self.tableau.a[i, k] * ks[k] for k in range(i)), jnp.zeros_like(y))
            ks.append(self.f(t + self.tableau.c[i] * h, y + h * inc))
        return y + h * sum(bi * k for bi, k in zip(self.tableau.b, ks))


solver = RungeKutta(lambda t, y: -y * t)
y = jnp.ones(2)
for n in range(3):
    y = solver.step(n * 0.1, y, 0.1)
print(y, jnp.array(ButcherTableau.c)[jnp.argmax(y)])

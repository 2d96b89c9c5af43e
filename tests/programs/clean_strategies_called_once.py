# category: clean/jit-in-loop
"""Each of several strategies is called once, and compiles what it alone needs."""

import jax
import jax.numpy as jnp


class Descent:
    def __init__(self, log_density, rate):
        self.log_density = log_density
        self.rate = rate

    def __call__(self, x):
        def loss(x):
            return -self.log_density(x)

        return self.optimize(loss, x)

    def optimize(self, objective, x):
        slope = jax.jit(jax.grad(objective))
        return x - self.rate * slope(x)


class Sampler:
    def __init__(self, strategies, order):
        self.strategies = strategies
        self.order = order

    def sample(self, x):
        for name in self.order:
            x = self.strategies[name](x)
        return x


def parabola(x):
    return -x * x


def quartic(x):
    return -(x**4)


names = ["warm"]
for k in range(2):
    names.append("step" + str(k))
strategies = {
    "warm": Descent(parabola, 0.1),
    "step0": Descent(quartic, 0.2),
    "step1": Descent(parabola, 0.3),
}
print(Sampler(strategies, names).sample(jnp.ones(())))

# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp


class LineSearch:
    def __init__(self, f, shrink=0.5):
        self.value = jax.jit(f)
        self.slope = jax.jit(jax.grad(f))
        self.shrink = shrink

    def __call__(self, x, rate=1.0):
        g = self.slope(x)
        value = self.value(x)
        while self.value(x - rate * g) > value - 1e-4 * rate * (g @ g):
            rate *= self.shrink
        return x - rate * g


print(LineSearch(lambda x: jnp.sum(x**4))(jnp.array([1.0, -2.0])))

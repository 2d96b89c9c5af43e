# category: leak-attribute
import jax
import jax.numpy as jnp


class HistoryMixin:
    history = None

    def remember(self, value):
        object.__setattr__(self, "previous", value)  #! OAK103
        return value


class Solver:
    def run(self, x, steps):
        return jax.lax.fori_loop(0, steps, lambda i, v: self.step(v), x)


class Jacobi(HistoryMixin, Solver):
    def __init__(self, a, b):
        self.a, self.b = a, b

    def step(self, x):
        d = jnp.diag(self.a)
        return self.remember((self.b - (self.a - jnp.diag(d)) @ x) / d)


solver = Jacobi(jnp.array([[4.0, 1.0], [1.0, 3.0]]), jnp.ones(2))
x = solver.run(jnp.zeros(2), 4)
print(x)
print(jnp.linalg.norm(x - solver.previous))  #~ UnexpectedTracerError

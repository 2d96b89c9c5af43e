# category: clean/range-of-tracer
import jax
import jax.numpy as jnp


def newton(f, x, steps):
    df = jax.grad(f)
    for _ in range(steps):
        x = x - f(x) / df(x)
    return x


class Solver:
    def __init__(self, f, steps=4):
        self.f = f
        self.steps = steps
        self.run = jax.jit(newton, static_argnums=(0, 2))

    def __call__(self, x):
        return self.run(self.f, x, self.steps)


def cube_root_of_two(x):
    return x**3 - 2.0


print(Solver(cube_root_of_two)(1.0))
print(jax.grad(lambda x, n: newton(cube_root_of_two, x, n))(1.5, 2))
print(jax.vmap(newton, in_axes=(None, 0, None))(cube_root_of_two, jnp.array([1.0, 2.0]), 3))

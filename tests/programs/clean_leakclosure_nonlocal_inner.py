# category: clean/leak-closure
import jax
import jax.numpy as jnp


@jax.jit
def solve(a, b):
    """`nonlocal` between two functions of the same trace."""
    residual = b
    calls = 0

    def matvec(v):
        nonlocal calls
        calls += 1
        return a @ v

    def improve(x):
        nonlocal residual
        residual = b - matvec(x)
        return x + 0.1 * residual

    x = jnp.zeros_like(b)
    for _ in range(3):
        x = improve(x)
    return x, jnp.linalg.norm(residual), calls


count = 0


def tick(fn):
    def inner(*args):
        global count
        count += 1
        return fn(*args)

    return inner


print(tick(solve)(jnp.eye(2), jnp.ones(2)), count)

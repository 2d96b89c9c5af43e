# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def tree_reduce(x):
    """Pairwise sum: the loop runs over the (static) length."""
    while x.shape[0] > 1:
        half = x.shape[0] // 2
        x = x[:half] + x[half : 2 * half]
    stack, out = [x], 0.0
    while stack:
        out = out + stack.pop().sum()
    depth = 0
    while True:
        depth += 1
        if depth > x.ndim + 2:
            break
    return out * depth


def collatz(n):
    def cond(state):
        return state[0] != 1

    def body(state):
        n, c = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), c + 1

    return lax.while_loop(cond, body, (n, 0))[1]


print(tree_reduce(jnp.arange(8.0)), jax.jit(collatz)(6))

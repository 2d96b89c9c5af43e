# category: leak-append
import jax
import jax.numpy as jnp

STACK = []


def scaled(x, keep):
    STACK.append(x)  #! OAK101
    y = STACK[-1] * 2.0
    if not keep:
        STACK.pop()
    return y


def entry(x):
    return scaled(x, keep=False) + scaled(x * 3.0, keep=True)


print(jax.jit(entry)(jnp.ones(2)))
print(STACK[0] + 1.0)  #~ UnexpectedTracerError

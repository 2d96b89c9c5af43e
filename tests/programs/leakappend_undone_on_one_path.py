# category: leak-append
import jax
import jax.numpy as jnp

STACK = []


def push(x):
    STACK.append(x)  #! OAK101


def balanced(x):
    push(x)
    y = STACK[-1] * 2.0
    STACK.pop()
    return y


def unbalanced(x):
    push(x)
    return STACK[-1] * 3.0


print(jax.jit(balanced)(jnp.ones(2)))
print(jax.jit(unbalanced)(jnp.ones(2)))
print(STACK[0] + 1.0)  #~ UnexpectedTracerError

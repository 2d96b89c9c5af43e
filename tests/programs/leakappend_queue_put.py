# category: leak-append
import jax
import jax.numpy as jnp

_stack = [[]]


def push(value):
    frame = _stack[-1]
    frame.insert(0, value)  #! OAK101


def pop_all():
    values, _stack[-1] = _stack[-1], []
    return values


@jax.checkpoint
def block(w, x):
    y = jnp.sin(x @ w)
    push(y)
    return y


def loss(w, x):
    return jnp.sum(block(w, x))


print(jax.jit(jax.grad(loss))(jnp.eye(2), jnp.ones((1, 2))))
print(jnp.concatenate(pop_all()) * 2)  #~ UnexpectedTracerError

# category: leak-global
import jax
import jax.numpy as jnp

import runtime


def attention(q, k):
    weights = jax.nn.softmax(q @ k.T)
    return runtime.record(weights)


@jax.jit
def forward(x):
    return attention(x, x) @ x


print(forward(jnp.eye(2)).shape, runtime.CALLS)
print(runtime.summary())

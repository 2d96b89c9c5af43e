# category: clean/leak-global
import jax
import jax.numpy as jnp

TRACES = 0
LAST = None
SHAPES = []


@jax.jit
def forward(x):
    global TRACES
    TRACES += 1  #? OAK112
    SHAPES.append(x.shape)
    return jnp.tanh(x)


def evaluate(x):
    """Not traced: keeps a concrete array."""
    global LAST
    LAST = forward(x)
    return LAST.sum()


print(evaluate(jnp.ones(2)), evaluate(jnp.ones(3)), TRACES, SHAPES, LAST + 1)

# category: leak-global
import jax
import jax.numpy as jnp

_TABLES = {}


def angles(length, width):
    if (length, width) not in _TABLES:
        steps = jnp.arange(length)[:, None]
        _TABLES[length, width] = jnp.sin(steps / 10.0 ** jnp.arange(width))  #! OAK101
    return _TABLES[length, width]


@jax.jit
def encode(x):
    return x + angles(*x.shape)


print(encode(jnp.ones((3, 2))))
print(angles(3, 2) + 1)  #~ UnexpectedTracerError

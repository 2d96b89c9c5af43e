# category: clean/shape-mismatch
import jax
import jax.numpy as jnp


def first(values):
    # Traced with a vector: the transpose is called with what is shaped like the result.
    return values[0] * 2


(back,) = jax.linear_transpose(first, jnp.ones(3))(jnp.float32(1.0))
assert back.shape == (3,)


@jax.jit
def scaled(matrix):
    (rows,) = jax.linear_transpose(lambda a: a @ jnp.ones(3), matrix)(jnp.ones(2))
    return rows * matrix


print(scaled(jnp.ones((2, 3))))

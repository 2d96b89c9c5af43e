# category: clean/range-of-tracer
import jax
import jax.numpy as jnp


def butterfly(x):
    n = x.shape[-1]
    stride = 1
    for level in range(n.bit_length() - 1):
        blocks = x.reshape(-1, 2, stride)
        x = jnp.concatenate([blocks.sum(1), blocks[:, 0] - blocks[:, 1]], -1).reshape(n)
        stride *= 2
    return x / jnp.sqrt(n)


hadamard = jax.jit(jax.vmap(butterfly))
print(hadamard(jnp.ones((2, 8))))

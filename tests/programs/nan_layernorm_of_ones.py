# category: silent/nan-where-grad
import jax
import jax.numpy as jnp


class LayerNorm:
    def __init__(self, epsilon=1e-5):
        self.epsilon = epsilon

    def __call__(self, x):
        centered = x - jnp.mean(x, axis=-1, keepdims=True)
        return centered / (jnp.std(x, axis=-1, keepdims=True) + self.epsilon)  #! OAK602


layer = LayerNorm()
gradient = jax.jit(jax.grad(lambda x: layer(x).sum()))
print(gradient(jnp.ones((2, 4))))

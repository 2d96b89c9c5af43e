# category: leak-attribute
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, w):
        self.w = w
        self.out = None

    def __call__(self, x):
        self.out = jnp.tanh(x @ self.w)  #! OAK103
        return self.out


class Net:
    def __init__(self, sizes):
        self.layers = [Layer(jnp.ones((n, m)) / n) for n, m in zip(sizes, sizes[1:])]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


net = Net((2, 3, 1))
print(jax.vmap(net)(jnp.ones((4, 2))).shape)
print([layer.out + 0.0 for layer in net.layers])  #~ UnexpectedTracerError

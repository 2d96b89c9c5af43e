# category: list-index-by-tracer
import jax
import jax.numpy as jnp


class Stack:
    def __init__(self, key, depth, width):
        keys = jax.random.split(key, depth)
        self.weights = [jax.random.normal(k, (width, width)) / width for k in keys]
        self.depth = depth

    def layer(self, i, x):
        return jnp.tanh(x @ self.weights[i])  #! OAK206 42 #~ TracerIntegerConversionError

    def unrolled(self, x):
        for i in range(self.depth):
            x = self.layer(i, x)
        return x

    def rolled(self, x):
        return jax.lax.fori_loop(0, self.depth, self.layer, x)


net = Stack(jax.random.key(1), 3, 4)
print(net.unrolled(jnp.ones(4)).shape)
print(net.rolled(jnp.ones(4)).shape)

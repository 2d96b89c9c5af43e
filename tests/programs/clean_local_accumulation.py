# category: clean/leak-append
import jax
import jax.numpy as jnp


class Network:
    def __init__(self, layers):
        self.layers = layers
        self.names = []

    def intermediates(self, x):
        outputs, by_name = [x], {}
        for index, layer in enumerate(self.layers):
            x = layer(x)
            outputs.append(x)
            by_name[f"h{index}"] = x
        return jnp.stack(outputs), by_name


net = Network([jnp.tanh, lambda x: x**2])
stacked, named = jax.jit(net.intermediates)(jnp.ones(2))
net.names.extend(named)
history = []
history.append(stacked.mean())
print(net.names, history[0] + 1)

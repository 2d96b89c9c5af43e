# category: clean/leak-attribute
import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    widths: tuple[int, ...] = (4, 2)

    def setup(self):
        self.layers = [nn.Dense(w) for w in self.widths]
        self.norm = nn.BatchNorm(use_running_average=False)
        self.count = self.variable("stats", "count", lambda: jnp.zeros(()))

    def __call__(self, x):
        for layer in self.layers:
            x = nn.relu(layer(x))
        self.sow("intermediates", "hidden", x)
        self.count.value = self.count.value + x.shape[0]
        return self.norm(x)


encoder = Encoder()
variables = encoder.init(jax.random.key(0), jnp.ones((2, 3)))
apply = jax.jit(lambda v, x: encoder.apply(v, x, mutable=["batch_stats", "stats", "intermediates"]))
print(jax.tree.map(jnp.shape, apply(variables, jnp.ones((2, 3)))))

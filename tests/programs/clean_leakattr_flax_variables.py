# category: clean/leak-attribute
import jax
import jax.numpy as jnp
from flax import linen as nn


class RunningNorm(nn.Module):
    decay: float = 0.9

    @nn.compact
    def __call__(self, x):
        mean = self.variable("stats", "mean", lambda: jnp.zeros(x.shape[-1]))
        if not self.is_initializing():
            mean.value = self.decay * mean.value + (1 - self.decay) * x.mean(0)
        return x - mean.value


class Net(nn.Module):
    width: int = 3

    def setup(self):
        self.norm = RunningNorm()
        self.layers = [nn.Dense(self.width) for _ in range(2)]
        self.scale = self.param("scale", nn.initializers.ones, (self.width,))

    def __call__(self, x):
        x = self.norm(x)
        for layer in self.layers:
            x = nn.relu(layer(x))
        self.sow("intermediates", "out", x)
        return x * self.scale


model = Net()
variables = model.init(jax.random.key(0), jnp.ones((2, 3)))
step = jax.jit(lambda v, x: model.apply(v, x, mutable=["stats", "intermediates"]))
out, updates = step(variables, jnp.ones((2, 3)))
print(out.shape, updates["stats"]["norm"]["mean"])

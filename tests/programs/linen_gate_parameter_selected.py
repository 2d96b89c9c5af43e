# category: clean/python-branch-on-tracer
import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np


class Gate(nn.Module):
    width: int

    def setup(self):
        self.gain = self.param("gain", nn.initializers.ones, (self.width,))
        self.inner = nn.Dense(self.width)

    def __call__(self, x):
        scaled = jnp.where(self.gain.sum() > 0, x * self.gain, x)
        return self.inner(scaled)


class Eager(nn.Module):
    @nn.compact
    def __call__(self, x):
        gain = self.param("gain", nn.initializers.ones, (3,))
        if gain.sum() > 0:
            x = x * gain
        return x.sum()


class Closed(nn.Module):
    @nn.compact
    def __call__(self, x):
        gain = self.param("gain", nn.initializers.ones, (3,))
        return x * 2.0 if np.asarray(gain)[0] > 0 else x


gate = Gate(3)
ones = jnp.ones(3)
variables = gate.init(jax.random.key(0), ones)
print(jax.jit(gate.apply)(variables, ones))
eager = Eager()
weights = eager.init(jax.random.key(1), ones)
print(jax.grad(eager.apply)(weights, ones))
closed = Closed()
kept = closed.init(jax.random.key(2), ones)
print(jax.jit(lambda x: closed.apply(kept, x))(ones))

# category: python-branch-on-tracer
import flax.linen as nn
import jax
import jax.numpy as jnp


class Gate(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        gain = self.param("gain", nn.initializers.ones, (self.width,))
        if gain.sum() > 0:  #! OAK201  #~ TracerBoolConversionError
            x = x * gain
        return nn.Dense(self.width)(x)


gate = Gate(3)
variables = gate.init(jax.random.key(0), jnp.ones(3))
print(jax.jit(gate.apply)(variables, jnp.ones(3)))

# category: python-branch-on-tracer
import flax.linen as nn
import jax
import jax.numpy as jnp


class Centred(nn.Module):
    decay: float = 0.9

    def setup(self):
        self.mean = self.variable("stats", "mean", jnp.zeros, (4,))
        self.count = self.variable("stats", "count", lambda: jnp.zeros((), jnp.int32))

    def __call__(self, x):
        if self.count.value > 100:  #! OAK201  #~ TracerBoolConversionError
            return x - self.mean.value
        return x - x.mean(axis=0)


@jax.jit
def evaluate(variables, batch):
    return Centred().apply(variables, batch)


batch = jnp.ones((8, 4))
state = Centred().init(jax.random.key(0), batch)
print(evaluate(state, batch))

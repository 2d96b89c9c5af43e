# category: irreversible-loop
import flax.linen as nn
import jax
import jax.numpy as jnp
from jax import lax


class Implicit(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        mix = self.param("mix", nn.initializers.normal(0.1), (self.features, self.features))

        def unsettled(carry):
            step, before, now = carry
            return (step < 50) & (jnp.abs(now - before).max() > 1e-4)

        def settle(carry):
            step, _, now = carry
            return step + 1, now, jnp.tanh(now @ mix + x)

        return lax.while_loop(unsettled, settle, (0, x - 1, x))[2]  #! OAK604


model = Implicit(3)
x = jnp.ones(3)
params = model.init(jax.random.key(0), x)


def loss(params, x, y):
    return jnp.mean((model.apply(params, x) - y) ** 2)


print(jax.jit(jax.value_and_grad(loss))(params, x, jnp.zeros(3)))  #~ ValueError

# category: clean/irreversible-loop
import flax.linen as nn
import jax
import jax.numpy as jnp
from jax import lax


class Implicit(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        mix = self.param("mix", nn.initializers.normal(0.1), (self.features, self.features))
        hidden = nn.Dense(self.features)(x)

        def settle(now, _):
            return jnp.tanh(now @ mix + hidden), None

        return lax.scan(settle, hidden, None, length=50)[0]

    def settled_for(self, x, limit):
        """How many steps it takes: nothing is differentiated by it."""
        mix = self.get_variable("params", "mix")
        return lax.while_loop(
            lambda c: (c[0] < limit) & (jnp.abs(c[1]).max() > 1e-4),
            lambda c: (c[0] + 1, c[1] @ mix),
            (0, x),
        )[0]


model = Implicit(3)
x = jnp.ones(3)
params = model.init(jax.random.key(0), x)


def loss(params, x, y):
    return jnp.mean((model.apply(params, x) - y) ** 2)


print(jax.jit(jax.value_and_grad(loss))(params, x, jnp.zeros(3)))
print(model.apply(params, x, 20, method="settled_for"))

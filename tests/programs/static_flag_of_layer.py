# category: traced-static-argument
import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, deterministic):
        x = nn.relu(nn.Dense(self.width)(x))
        return nn.Dropout(0.5)(x, deterministic=deterministic)  #! OAK212 #~ TracerBoolConversionError


model = Encoder(8)
x = jnp.ones((2, 4))
variables = model.init(jax.random.key(0), x, True)


@jax.jit
def predict(variables, x, deterministic):
    rngs = {"dropout": jax.random.key(1)}
    return model.apply(variables, x, deterministic, rngs=rngs)


print(predict(variables, x, True))

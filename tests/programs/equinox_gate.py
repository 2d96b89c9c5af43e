# category: python-branch-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class GatedBlock(eqx.Module):
    linear: eqx.nn.Linear
    threshold: jax.Array
    activation: str = eqx.field(static=True)

    def __init__(self, width, key, activation="relu"):
        self.linear = eqx.nn.Linear(width, width, key=key)
        self.threshold = jnp.array(0.1)
        self.activation = activation

    def __call__(self, x):
        y = self.linear(x)
        if self.activation == "relu":
            y = jax.nn.relu(y)
        if y.mean() < self.threshold:  #! OAK201  #~ TracerBoolConversionError
            return x
        return y


@eqx.filter_jit
def predict(model, batch):
    return jax.vmap(model)(batch)


model = GatedBlock(4, jax.random.key(0))
print(predict(model, jnp.ones((3, 4))))

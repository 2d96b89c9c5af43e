# category: clean/python-branch-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class Dropout(eqx.Module):
    rate: float = eqx.field(static=True)
    inference: bool = False

    def __call__(self, x, *, key=None):
        if self.inference or self.rate == 0.0:
            return x
        if key is None:
            raise RuntimeError("Dropout requires a key")
        keep = jax.random.bernoulli(key, 1 - self.rate, x.shape)
        return jnp.where(keep, x / (1 - self.rate), 0)


class Block(eqx.Module):
    linear: eqx.nn.Linear
    dropout: Dropout
    use_residual: bool = eqx.field(static=True, default=True)

    def __call__(self, x, key=None):
        y = self.dropout(jax.nn.relu(self.linear(x)), key=key)
        return x + y if self.use_residual and x.shape == y.shape else y


@eqx.filter_jit
def forward(block, x, key):
    return jax.vmap(block, in_axes=(0, None))(x, key)


block = Block(eqx.nn.Linear(2, 2, key=jax.random.key(0)), Dropout(0.5))
print(forward(block, jnp.ones((3, 2)), jax.random.key(1)).shape)
print(forward(eqx.nn.inference_mode(block), jnp.ones((3, 2)), None).shape)

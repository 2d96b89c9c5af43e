# category: clean/shape-mismatch
import equinox as eqx
import jax
import jax.numpy as jnp


class Blocks(eqx.Module):
    blocks: tuple

    def __init__(self, *blocks):
        self.blocks = blocks

    @jax.jit
    def __matmul__(self, other):
        parts, start = [], 0
        for block in self.blocks:
            size = block.shape[-1]
            parts.append(block @ other[start : start + size])
            start += size
        return jnp.concatenate(parts)


class Config(eqx.Module):
    scale: float = eqx.field(static=True)
    activation: object = jnp.tanh


def predict(x, config):
    return config.scale * config.activation(x)


config = Config(2.0)
axes = jax.tree.map(lambda leaf: None, config)
print((Blocks(jnp.eye(2), jnp.ones((1, 1))) @ jnp.ones(3)).shape)
print(jax.vmap(predict, in_axes=(0, axes))(jnp.ones((3, 2)), config).shape)

# category: boolean-mask-index
import flax.linen as nn
import jax
import jax.numpy as jnp


class MaskedPool(nn.Module):
    features: int

    def setup(self):
        self.project = nn.Dense(self.features)

    def __call__(self, tokens, lengths):
        hidden = self.project(tokens)
        positions = jnp.arange(tokens.shape[1])
        mask = positions[None, :] < lengths[:, None]
        kept = hidden[mask]  #! OAK213  #~ NonConcreteBooleanIndexError
        return kept.mean(axis=0)


pool = MaskedPool(3)
inputs = jnp.ones((2, 4, 5)), jnp.array([1, 3])
variables = jax.jit(pool.init)(jax.random.key(0), *inputs)
print(variables)

# category: dynamic-shape-op
import flax.linen as nn
import jax
import jax.numpy as jnp


class BagOfTokens(nn.Module):
    width: int

    @nn.compact
    def __call__(self, tokens):
        table = self.param("table", nn.initializers.normal(), (16, self.width))
        distinct, counts = jnp.unique(tokens, return_counts=True)  #! OAK210  #~ ConcretizationTypeError
        return (table[distinct] * counts[:, None]).sum(axis=0)


model = BagOfTokens(4)
tokens = jnp.array([1, 3, 3, 5])
params = model.init(jax.random.key(0), tokens)
apply = jax.jit(model.apply)
print(apply(params, tokens))

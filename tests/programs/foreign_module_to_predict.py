# category: non-jax-type-argument
import flax.linen as nn
import jax
import jax.numpy as jnp


class Tagger(nn.Module):
    tags: int

    @nn.compact
    def __call__(self, tokens):
        hidden = nn.Embed(16, 4)(tokens)
        return nn.Dense(self.tags)(nn.relu(hidden))


@jax.jit
def tag(model, variables, tokens):
    return jnp.argmax(model.apply(variables, tokens), axis=-1)


tagger = Tagger(3)
tokens = jnp.arange(5)
variables = tagger.init(jax.random.key(0), tokens)
print(jax.tree.map(jnp.shape, variables))
print(tag(tagger, variables, tokens))  #! OAK305 #~ TypeError

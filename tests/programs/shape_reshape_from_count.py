# category: traced-shape
import jax
import jax.numpy as jnp


def count_heads(mask):
    return mask.sum()


def split_heads(x, mask):
    heads = count_heads(mask)
    return x.reshape(heads, -1)  #! OAK211 #~ TypeError


class Attention:
    def __init__(self, dim):
        self.wq = jnp.eye(dim)

    def scores(self, x, mask):
        q = split_heads(x @ self.wq, mask)
        return q @ q.T


attn = Attention(4)
x, mask = jnp.arange(4.0), jnp.array([True, True])
forward = jax.jit(attn.scores)
print(forward(x, mask))

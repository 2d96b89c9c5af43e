# category: traced-static-argument
import jax
import jax.numpy as jnp
from jax import lax


def top_scores(logits, beam):
    values, indices = lax.top_k(logits, beam)  #! OAK212 #~ TracerBoolConversionError
    return values - jax.nn.logsumexp(logits, axis=-1, keepdims=True), indices


class Decoder:
    def __init__(self, vocab):
        self.embedding = jnp.eye(vocab)
        self.search = jax.jit(self._search)

    def _search(self, token, beam):
        logits = self.embedding[token]
        return top_scores(logits, beam)


decoder = Decoder(5)
print(decoder.search(jnp.array([1, 2]), 2))

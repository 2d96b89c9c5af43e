# category: traced-slice-bound
from flax import struct
import jax
import jax.numpy as jnp


@struct.dataclass
class Beam:
    tokens: jax.Array
    scores: jax.Array
    cursor: jax.Array

    @property
    def prefix(self):
        return self.tokens[:, : self.cursor]  #! OAK214 #~ IndexError

    def extend(self, token, score):
        return self.replace(
            tokens=self.tokens.at[:, self.cursor].set(token),
            scores=self.scores + score,
            cursor=self.cursor + 1,
        )


def repetition_penalty(prefix, logits):
    counts = jax.nn.one_hot(prefix, logits.shape[-1]).sum(1)
    return logits - counts


def decode_step(beam, logits):
    logits = repetition_penalty(beam.prefix, logits)
    return beam.extend(logits.argmax(-1), logits.max(-1))


beam = Beam(jnp.zeros((2, 4), int), jnp.zeros(2), jnp.int32(1))
print(decode_step(beam, jnp.ones((2, 3))).scores)
print(jax.lax.fori_loop(0, 2, lambda i, b: decode_step(b, jnp.ones((2, 3))), beam).scores)

# category: clean/leak-attribute
# A module or a dict that `vmap` gets with `in_axes=None` is made again inside: what it keeps is
# lost.
import jax
import jax.numpy as jnp
from flax import nnx


class Encoder(nnx.Module):
    def __init__(self):
        self.seen = nnx.data(None)

    def __call__(self, x):
        self.seen = nnx.data({"x": x})
        return x + 1


class Net(nnx.Module):
    def __init__(self, encoder):
        self.encoder = encoder

    def forward(self, batch):
        def core(encoder, x):
            return encoder(x)

        return jax.vmap(core, in_axes=[None, 0])(self.encoder, batch)


def note(notes, x):
    notes["x"] = x
    return x * 2


net, notes = Net(Encoder()), {}
print(net.forward(jnp.ones(3)), net.encoder.seen)
print(jax.vmap(note, in_axes=(None, 0))(notes, jnp.ones(3)), notes)

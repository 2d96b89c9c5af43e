# category: traced-static-argument
import flax.linen as nn
import jax
import jax.numpy as jnp


class Decoder(nn.Module):
    channels: tuple[int, ...] = (8, 4)

    @nn.compact
    def __call__(self, z):
        sizes = jnp.array([4, 2])  #| OAK218
        for i in range(len(self.channels)):
            z = nn.relu(nn.Dense(self.channels[i] * sizes[i])(z))  #! OAK212 #~ TypeError
        return z


print(jax.jit(Decoder().init)(jax.random.key(0), jnp.ones((2, 4))))

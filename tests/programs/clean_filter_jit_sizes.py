# category: clean/traced-shape
import equinox as eqx
import jax
import jax.numpy as jnp


class Upsample(eqx.Module):
    factor: int
    kernel: jax.Array

    def __call__(self, x, repeats=1):
        for _ in range(repeats):
            x = jnp.repeat(x, self.factor)
            x = x * self.kernel
        return x.reshape(self.factor, -1)


@eqx.filter_jit
def render(module, x, width):
    return module(x) + jnp.zeros((1, width))


print(render(Upsample(2, jnp.array(0.5)), jnp.ones(3), 3).shape)

# category: clean/leak-attribute
import flax.linen as nn
import jax
import jax.numpy as jnp


class Codebook(nn.Module):
    size: int

    def setup(self):
        self.counts = self.variable("codes", "counts", jnp.zeros, (self.size,))
        self.embedding = self.param("embedding", nn.initializers.normal(1.0), (self.size, 2))

    def __call__(self, x, *, train=False):
        distance = jnp.sum((x[:, None] - self.embedding[None]) ** 2, axis=-1)
        chosen = jnp.argmin(distance, axis=-1)
        if train:
            self.counts.value = self.counts.value + jnp.bincount(chosen, length=self.size)
        return self.embedding[chosen]


@jax.jit
def step(variables, x):
    def loss(params):
        out, state = Codebook(4).apply(
            {"params": params, "codes": variables["codes"]}, x, train=True, mutable=["codes"]
        )
        return ((out - x) ** 2).mean(), state

    (value, state), grads = jax.value_and_grad(loss, has_aux=True)(variables["params"])
    params = jax.tree.map(lambda p, g: p - 0.1 * g, variables["params"], grads)
    return value, {"params": params, **state}


x = jnp.arange(6.0).reshape(3, 2)
variables = Codebook(4).init(jax.random.key(0), x)
print(step(variables, x))

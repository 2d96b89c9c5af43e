# category: leak-attribute
import jax
import jax.numpy as jnp


class RunningMean:
    def __init__(self, size):
        self.mean = jnp.zeros(size)
        self.count = 0

    def observe(self, batch):
        new = batch.mean(axis=0)
        self.mean = 0.9 * self.mean + 0.1 * new  #! OAK103
        return (batch - self.mean) / 2.0


def make_step(normalizer):
    def loss(w, batch):
        return jnp.sum((normalizer.observe(batch) @ w) ** 2)

    return jax.jit(jax.grad(loss))


normalizer = RunningMean(3)
step = make_step(normalizer)
w = jnp.ones(3)
w = w - step(w, jnp.ones((4, 3)))
print(w)
print(normalizer.mean * 2.0)  #~ UnexpectedTracerError

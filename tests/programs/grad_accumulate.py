# category: range-of-tracer
import jax
import jax.numpy as jnp


def microbatches(batch, count):
    size = batch.shape[0] // 2
    for index in range(count):  #! OAK205  #~ TracerIntegerConversionError
        yield batch[index * size : (index + 1) * size]


def total_loss(w, batch, count):
    return sum(jnp.mean((part @ w) ** 2) for part in microbatches(batch, count))


step = jax.jit(jax.value_and_grad(total_loss))
print(step(jnp.ones(2), jnp.ones((4, 2)), 2))

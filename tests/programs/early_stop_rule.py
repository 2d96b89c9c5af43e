# category: bool-op-on-tracer
import jax
import jax.numpy as jnp


def converged(losses, patience=2):
    return all(b >= a for a, b in zip(losses[-patience - 1:], losses[-patience:]))  #! OAK203  #~ TracerBoolConversionError


def descend(x, rate):
    f = lambda z: jnp.sum((z - 3.0) ** 2)
    losses = []
    for _ in range(4):
        value, slope = jax.value_and_grad(f)(x)
        losses.append(value)
        x = x - rate * slope
    return x, converged(losses)


print(jax.jit(descend)(jnp.zeros(2), 0.1))

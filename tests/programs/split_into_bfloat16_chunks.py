# category: clean/shape-mismatch
import jax
import jax.numpy as jnp


def chunks(weights, exponent=8):
    high = jax.lax.reduce_precision(weights, exponent, 7)
    rest = weights - high
    middle = jax.lax.reduce_precision(rest, exponent_bits=exponent, mantissa_bits=7)
    return [part.astype(jnp.bfloat16) for part in (high, middle, rest - middle)]


@jax.jit
def product(weights, table):
    return sum(part @ table.astype(jnp.bfloat16) for part in chunks(weights["dense"]))


print(product({"dense": jnp.eye(3) / 3.0}, jnp.ones((3, 2))))

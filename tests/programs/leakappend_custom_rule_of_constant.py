# category: leak-append
import jax
import jax.numpy as jnp

PARTS = []


@jax.custom_vjp
def clipped(value, limit):
    return value * limit


def forward(value, limit):
    return clipped(value, limit), None


def backward(kept, given):
    return given, 0.0 * given


clipped.defvjp(forward, backward)


@jax.jit
def total(x):
    # The call is staged as a whole, also of plain numbers.
    PARTS.append(clipped(2.0, 1.5))  #! OAK101
    return x * 2.0


print(total(1.0))
print(PARTS[0] * 2.0)  #~ UnexpectedTracerError

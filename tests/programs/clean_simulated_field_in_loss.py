# category: clean/operation-without-rule
import jax
import jax.numpy as jnp
import numpy as np


def host_field(positions):
    """A table of measurements that lives on the host."""
    table = np.linspace(0.0, 1.0, 11)
    return np.interp(np.asarray(positions), np.arange(11), table).astype(np.float32)


@jax.custom_vjp
def field(positions):
    like = jax.ShapeDtypeStruct(positions.shape, positions.dtype)
    return jax.pure_callback(host_field, like, positions)


def field_forward(positions):
    value = field(positions)
    return value, (field(positions + 0.01) - value) / 0.01


def field_backward(slope, cotangent):
    return (slope * cotangent,)


field.defvjp(field_forward, field_backward)


def misfit(shift, positions, measured):
    return jnp.mean((field(positions + shift) - measured) ** 2)


@jax.jit
def update(shift, positions, measured):
    loss, slope = jax.value_and_grad(misfit)(shift, positions, measured)
    return shift - 0.1 * slope, loss


positions = jnp.linspace(1.0, 5.0, 9)
shift, loss = update(0.0, positions, field(positions + 0.5))
print(float(shift), float(loss))

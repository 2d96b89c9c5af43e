# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


@jax.custom_vjp
def scaled(x):
    return jnp.sin(x)


def scaled_forward(x):
    return jnp.sin(x), float(x)  #! OAK204  #~ ConcretizationTypeError


def scaled_backward(slope, cotangent):
    return (slope * cotangent,)


scaled.defvjp(scaled_forward, scaled_backward)
print(jax.grad(scaled)(1.0))
print(jax.jit(jax.grad(scaled))(1.0))

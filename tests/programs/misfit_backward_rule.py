# category: shape-mismatch
import jax
import jax.numpy as jnp


@jax.custom_vjp
def bounded(x):
    return x


def bounded_forward(x):
    return x, None


def bounded_backward(_, slope):
    return jnp.clip(slope, -1.0, 1.0)


bounded.defvjp(bounded_forward, bounded_backward)


def unroll(weights, inputs):
    def cell(h, x):
        h = jnp.tanh(bounded(weights @ h) + x)
        return h, h

    return jax.lax.scan(cell, jnp.zeros(3), inputs)[1]


def mistake(weights, inputs):
    return jnp.sum(unroll(weights, inputs) ** 2)


print(mistake(jnp.eye(3), jnp.ones((5, 3))))
print(jax.grad(mistake)(jnp.eye(3), jnp.ones((5, 3))))  #! OAK501 #~ TypeError

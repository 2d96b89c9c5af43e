# category: leak-global
import jax
import jax.numpy as jnp

momentum = None


def reset():
    global momentum
    momentum = jnp.zeros(2)


def heavy_ball(params, grads, beta=0.9):
    """Momentum kept in a module variable."""
    global momentum
    momentum = beta * momentum + grads  #! OAK102
    return params - 0.1 * momentum


@jax.jit
def train_step(params, x):
    grads = jax.grad(lambda p: jnp.sum((x * p) ** 2))(params)
    return heavy_ball(params, grads)


reset()
params = heavy_ball(jnp.ones(2), jnp.ones(2))
for x in (jnp.ones(2), jnp.ones((3, 2))):
    params = train_step(params, x)  #~ UnexpectedTracerError
print(params)

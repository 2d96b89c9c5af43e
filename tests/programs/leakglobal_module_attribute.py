# category: leak-global
import jax
import jax.numpy as jnp

best_params, best_loss = None, jnp.inf


def remember(params, loss):
    global best_params, best_loss
    best_params, best_loss = params, loss  #! OAK102


@jax.jit
def evaluate(params, x):
    loss = jnp.mean((x @ params - 1.0) ** 2)
    remember(params, loss)
    return loss


for scale in (0.1, 0.2):
    value = evaluate(jnp.full(2, scale), jnp.ones((3, 2)))
    print(value)
restored = best_params * 1.0  #~ UnexpectedTracerError

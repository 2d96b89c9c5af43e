# category: format-of-tracer
import jax
import jax.numpy as jnp
import optax

LINES = []


def emit(template, *args):
    LINES.append(template % args)  #! OAK217 #~ ConcretizationTypeError


def make_step(tx, verbose):
    def step(params, state, batch):
        loss, grads = jax.value_and_grad(lambda p: jnp.mean((batch - p) ** 2))(params)
        if verbose:
            emit("loss %8.4f over %d rows", loss, batch.shape[0])
        updates, state = tx.update(grads, state)
        return optax.apply_updates(params, updates), state

    return jax.jit(step)


tx = optax.adam(0.1)
params = jnp.zeros(2)
for verbose in (False, True):
    params, state = make_step(tx, verbose)(params, tx.init(params), jnp.ones((3, 2)))
    print(params, LINES)

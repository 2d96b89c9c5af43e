# category: clean/scalar-cast-of-tracer
import jax
import jax.numpy as jnp
import optax


def halving(count):
    """The rate by the count of updates, which is an array wherever optax calls this."""
    return 0.1 * 0.5 ** (count // 10)


def no_decay(params):
    return jax.tree.map(lambda p: p.ndim > 1, params)


optimizer = optax.adamw(halving, mask=no_decay)
plain = optax.sgd(lambda count: 0.1 if count < 3 else 0.01)


@jax.jit
def step(params, state):
    grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.ones(2)}
print(step(params, optimizer.init(params)))
print(plain.update(params, plain.init(params))[0])

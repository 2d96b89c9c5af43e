# category: non-jax-type-argument
import jax
import jax.numpy as jnp
import optax


def loss(params, x):
    return jnp.mean((x @ params["w"] - 1.0) ** 2)


@jax.jit
def train_step(params, state, optimizer, x):
    grads = jax.grad(loss)(params, x)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.zeros(3)}
optimizer = optax.adam(optax.cosine_decay_schedule(1e-2, 100))
print(optax.global_norm(params), loss(params, jnp.ones((4, 3))))
print(train_step(params, optimizer.init(params), optimizer, jnp.ones((4, 3))))  #! OAK305 #~ TypeError

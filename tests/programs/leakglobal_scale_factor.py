# category: leak-global
import jax
import jax.numpy as jnp

loss_scale = jnp.float32(2.0**10)
good_steps = 0


def adjust_scale(grads):
    global loss_scale, good_steps
    finite = jnp.isfinite(grads).all()
    loss_scale = jnp.where(finite, loss_scale, loss_scale / 2)  #! OAK102
    good_steps += 1  #? OAK112


def scaled_loss(w, x):
    return jnp.sum(jnp.tanh(x @ w)) * loss_scale  #~ UnexpectedTracerError


def update(w, x):
    grads = jax.grad(scaled_loss)(w, x) / loss_scale
    adjust_scale(grads)
    return w - 0.1 * grads


fast_update = jax.jit(update)
w = fast_update(jnp.ones(2), jnp.ones((3, 2)))
print(good_steps)
print(scaled_loss(w, jnp.ones((3, 2))))

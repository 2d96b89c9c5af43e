# category: numpy-call-on-tracer
import jax
import jax.numpy as jnp
import numpy as np
import optax


def soft_targets(labels, classes, amount):
    hot = np.eye(classes)[np.asarray(labels)]  #! OAK208  #~ TracerArrayConversionError
    return hot * (1 - amount) + amount / classes


def make_step(optimizer):
    def loss(params, x, labels):
        logits = x @ params
        return optax.softmax_cross_entropy(logits, soft_targets(labels, 3, 0.1)).mean()

    @jax.jit
    def step(params, state, batch):
        grads = jax.grad(loss)(params, *batch)
        updates, state = optimizer.update(grads, state)
        return optax.apply_updates(params, updates), state

    return step


opt = optax.sgd(0.1)
weights = jnp.zeros((2, 3))
print(make_step(opt)(weights, opt.init(weights), (jnp.ones((4, 2)), jnp.array([0, 1, 2, 0]))))

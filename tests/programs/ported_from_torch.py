# category: missing-attribute
"""A training script that was moved from PyTorch: some calls are still of its tensors."""

import jax
import jax.numpy as jnp


class Sampler:
    def __init__(self, seed):
        self.key = jax.random.PRNGKey(seed)

    def draw_wrong(self, shape):
        self.key, subkey = self.key.split(2)  #! OAK223 #~ AttributeError
        return jax.random.normal(subkey, shape)

    def draw(self, shape):
        self.key, subkey = jax.random.split(self.key, 2)
        return jax.random.normal(subkey, shape)


@jax.jit
def attend_wrong(queries, keys):
    scores = queries @ keys.T
    return jnp.softmax(scores, axis=-1)  #! OAK223


@jax.jit
def attend(queries, keys):
    scores = queries @ keys.T
    return jax.nn.softmax(scores, axis=-1)


def evaluate_wrong(losses):
    mean = jax.stack(losses).mean()  #! OAK223
    return mean


def evaluate(losses):
    return jnp.stack(losses).mean()


def log_wrong(loss):
    return loss.detach().numpy()  #! OAK223


def log(loss):
    if hasattr(loss, "detach"):
        loss = loss.detach()
    try:
        loss = loss.numpy()
    except AttributeError:
        loss = jax.device_get(loss)
    return loss


sampler = Sampler(0)
x = sampler.draw((3, 4))
weights = attend(x, x)
loss = evaluate([weights.sum(), weights.max()])
print(log(loss))
sampler.draw_wrong((3, 4))
attend_wrong(x, x)
evaluate_wrong([loss, loss])
log_wrong(loss)

# category: silent/discarded-result
"""Values that are to be cut out of a gradient, or kept in bounds, and are not."""

import jax
import jax.numpy as jnp


class Critic:
    def __init__(self, size):
        self.weights = jnp.ones(size)

    def bounded(self):
        self.weights.clip(0.0, 0.5)  #! OAK222
        return self.weights

    def update(self, step):
        self.weights = (self.weights + step).clip(0.0, 1.5)
        return self.weights


def advantage(returns, baseline):
    jax.lax.stop_gradient(baseline)  #! OAK222
    return returns - baseline


def detached(returns, baseline):
    baseline = jax.lax.stop_gradient(baseline)
    return returns - baseline


def body(total, x):
    jnp.minimum(total, 2.0)  #! OAK222
    jax.debug.print("{}", x)
    return total + x, x


@jax.grad
def slope(w):
    return jnp.sum(advantage(w, 2 * w))


@jax.grad
def right(w):
    return jnp.sum(detached(w, 2 * w))


critic = Critic(2)
critic.update(2.0)
assert critic.bounded().sum() == 3
assert slope(jnp.ones(2)).sum() == -2
assert right(jnp.ones(2)).sum() == 2
assert jax.lax.scan(body, 0.0, jnp.ones(4))[0] == 4

# category: use-after-donate
import functools

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(x)


model = Net()
optimizer = optax.sgd(0.1)


def loss(params, x, y):
    return jnp.mean((model.apply(params, x) - y) ** 2)  #! OAK701


@functools.partial(jax.jit, donate_argnames=("params", "opt_state"))
def update(params, opt_state, x, y):
    value, slope = jax.value_and_grad(loss)(params, x, y)
    updates, opt_state = optimizer.update(slope, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


def averaged(x, y):
    params = model.init(jax.random.key(0), x)
    state = optimizer.init(params)
    average = params
    for _ in range(5):
        params, state, _ = update(params, state, x, y)
        average = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, average, params)  #! OAK701
    return average


def gained(x, y):
    params = model.init(jax.random.key(0), x)
    after, _, value = update(params, optimizer.init(params), x, y)
    return value - loss(params, x, y), after


class Agent:
    def __init__(self, x):
        self.params = model.init(jax.random.key(0), x)
        self.target = self.params
        self.state = optimizer.init(self.params)

    def step(self, x, y):
        self.params, self.state, _ = update(self.params, self.state, x, y)
        return jax.jit(model.apply)(self.target, x)  #! OAK701  #~ RuntimeError


x, y = jnp.ones((3, 2)), jnp.ones((3, 1))
print(Agent(x).step(x, y))
print(gained(x, y))
print(averaged(x, y))

# category: use-after-donate
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Regressor(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.relu(nn.Dense(8)(x)))


def created(key):
    model = Regressor()
    params = model.init(key, jnp.ones((1, 3)))["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3))


@partial(jax.jit, donate_argnums=0)
def train_step(state, batch):
    def loss(params):
        prediction = state.apply_fn({"params": params}, batch["x"])
        return jnp.mean((prediction - batch["y"]) ** 2)

    value, slope = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=slope), value


@jax.jit
def error(params, batch):
    prediction = Regressor().apply({"params": params}, batch["x"])
    return jnp.mean(jnp.abs(prediction - batch["y"]))


class Trainer:
    def __init__(self, key, batch):
        self.state, self.batch = created(key), batch

    def trained(self, epochs):
        first = self.state
        for _ in range(epochs):
            self.state, value = train_step(self.state, self.batch)
            print(value)
        return first

    def compared(self):
        after, _ = train_step(self.state, self.batch)
        gained = error(self.state.params, self.batch)  #! OAK701  #~ RuntimeError
        return gained - error(after.params, self.batch)


def averaged(key, batch):
    state = created(key)
    average = state.params
    state, _ = train_step(state, batch)
    return jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, average, state.params)  #! OAK701


batch = {"x": jnp.ones((4, 3)), "y": jnp.zeros((4, 1))}
print(Trainer(jax.random.key(0), batch).compared())
first = Trainer(jax.random.key(0), batch).trained(3)
print(first.apply_fn({"params": first.params}, batch["x"]))  #! OAK701
print(averaged(jax.random.key(0), batch))

# category: clean/python-branch-on-tracer
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax import struct
from flax.training import train_state


class TrainState(train_state.TrainState):
    ema: dict
    name: str = struct.field(pytree_node=False, default="run")


class Gated(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        h = nn.Dense(self.width)(x)
        if h.shape[-1] > 1:
            h = jnp.where(h > 0, h, 0.0)
        return h


def train_step(state, batch, log_every):
    def loss_fn(params):
        return jnp.mean((state.apply_fn({"params": params}, batch["x"]) - batch["y"]) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    state = state.apply_gradients(grads=grads)
    ema = jax.tree.map(
        lambda e, p: jnp.where(state.step % log_every == 0, 0.9 * e + 0.1 * p, e),
        state.ema,
        state.params,
    )
    return state.replace(ema=ema), loss


def create_state(key, x):
    model = Gated(4)
    params = model.init(key, x)["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3), ema=params)


batch = {"x": jnp.ones((8, 3)), "y": jnp.zeros((8, 4))}
state = create_state(jax.random.key(0), batch["x"])
if state.step == 0 and state.tx.update is not None and state.apply_fn:
    step = jax.jit(partial(train_step, log_every=100))
for _ in range(3):
    if jax.tree.leaves(state):
        state, loss = step(state.replace(step=int(state.step)), batch)
    if state.step % 2 == 0:
        print(float(loss))

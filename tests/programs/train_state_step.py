# category: python-branch-on-tracer
from functools import partial

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class TrainState(train_state.TrainState):
    ema: dict


class Gated(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.width)(x)
        return x


@partial(jax.jit, static_argnames="log_every")
def train_step(state, batch, log_every):
    def loss_fn(params):
        return jnp.mean((state.apply_fn({"params": params}, batch["x"]) - batch["y"]) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    state = state.apply_gradients(grads=grads)
    if state.step % log_every == 0:  #! OAK201 #~ TracerBoolConversionError
        ema = jax.tree.map(lambda e, p: 0.9 * e + 0.1 * p, state.ema, state.params)
        state = state.replace(ema=ema)
    return state, loss


def create_state(key, x):
    model = Gated(4)
    params = model.init(key, x)["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3), ema=params)


batch = {"x": jnp.ones((8, 3)), "y": jnp.zeros((8, 4))}
state = create_state(jax.random.key(0), batch["x"])
for _ in range(3):
    state, loss = train_step(state, batch, 100)
    if state.step % 2 == 0:
        print(float(loss))

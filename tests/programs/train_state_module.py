# category: python-branch-on-tracer
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Normalized(nn.Module):
    @nn.compact
    def __call__(self, x):
        h = nn.Dense(4)(x)
        norm = jnp.linalg.norm(h)
        if norm > 1.0:  #! OAK201 #~ TracerBoolConversionError
            h = h / norm
        return h


def predict(state, x):
    return state.apply_fn({"params": state.params}, x)


model, x = Normalized(), jnp.ones((8, 3))
params = model.init(jax.random.key(0), x)["params"]
state = TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))
print(jax.jit(predict)(state, x))

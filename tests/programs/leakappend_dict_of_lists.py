# category: leak-append
from collections import defaultdict

import jax
import jax.numpy as jnp

LOGS = defaultdict(list)


def log(tag, **values):
    for name, value in values.items():
        LOGS[f"{tag}/{name}"].append(value)  #! OAK101


def loss_fn(w, batch):
    pred = batch["x"] @ w
    loss = jnp.mean((pred - batch["y"]) ** 2)
    log("train", loss=loss)
    return loss


@jax.jit
def train_step(w, batch):
    g = jax.grad(loss_fn)(w, batch)
    return w - 0.1 * g


w = jnp.zeros(2)
batch = {"x": jnp.ones((3, 2)), "y": jnp.ones(3)}
for step in range(3):
    w = train_step(w, batch)
print(w, len(LOGS))
print({k: float(jnp.stack(v).mean()) for k, v in LOGS.items()})  #~ UnexpectedTracerError

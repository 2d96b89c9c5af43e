# category: guarded-transfer
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def step(params, batch):
    return {"w": params["w"] - 0.1 * batch.mean(axis=0)}


def batches(count):
    generator = np.random.default_rng(0)
    return [generator.normal(size=(8, 3)).astype(np.float32) for _ in range(count)]


params = step({"w": jnp.ones(3)}, batches(1)[0])
with jax.transfer_guard("disallow"):
    for batch in batches(3):
        params = step(params, batch)  #! OAK703 #~ JaxRuntimeError
print(params)

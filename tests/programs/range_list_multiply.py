# category: range-of-tracer
import jax
import jax.numpy as jnp


def broadcast_layers(block, depth):
    """Stacks the same block `depth` times."""
    return [block] * depth  #! OAK205 #~ TypeError


def deep(params, x):
    for w in broadcast_layers(params["block"], params["depth"]):
        x = jax.nn.relu(x @ w)
    return x.mean()


params = {"block": jnp.eye(2), "depth": 3}
print(deep(params, jnp.ones((1, 2))))
print(jax.jit(deep)(params, jnp.ones((1, 2))))

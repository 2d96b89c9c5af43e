# category: clean/range-of-tracer
import jax
import jax.numpy as jnp


def simulate(params, noise):
    x = params["start"]
    for k in range(params["steps"]):
        x = x + params["drift"] + noise[k]
    return x


axes = ({"start": 0, "drift": 0, "steps": None}, 0)
run = jax.vmap(simulate, in_axes=axes)
print(run({"start": jnp.zeros(2), "drift": jnp.ones(2), "steps": 3}, jnp.ones((2, 3))))

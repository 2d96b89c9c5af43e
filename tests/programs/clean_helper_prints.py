# category: clean/impure-print
import jax
import jax.numpy as jnp


def stacked(parts):
    width = max(part.shape[-1] for part in parts.values())
    # Outside the loop it prints too.
    print("width", width)
    return jnp.stack(list(parts.values()))


def step(total, x):
    return total + stacked({"a": x, "b": 2 * x}).sum(), None


print(stacked({"a": jnp.ones(3)}), jax.lax.scan(step, 0.0, jnp.ones((3, 2))))

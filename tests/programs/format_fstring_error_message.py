# category: format-of-tracer
import jax
import jax.numpy as jnp
from typing import Optional


def bounded(x: jax.Array, upper: float, label: Optional[str] = None) -> jax.Array:
    """Clips, and documents the clip in the returned name."""
    label = label or f"clip at {upper:g}"  #! OAK217 #~ TypeError
    return jax.named_call(lambda v: jnp.minimum(v, upper), name=label)(x)


def model(theta, x):
    h = bounded(x * theta["scale"], theta["upper"], label=None)
    return bounded(h, 1.0, label="final").sum()


theta = {"scale": 2.0, "upper": 1.5}
print(model(theta, jnp.ones(2)))
print(jax.jit(model)(theta, jnp.ones(2)))

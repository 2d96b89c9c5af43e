# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Body:
    q: jax.Array
    v: jax.Array
    damping: float = struct.field(pytree_node=False, default=0.0)


@jax.jit
def integrate(body, dt):
    v = body.v
    if body.damping > 0:
        v = v * jnp.exp(-body.damping * dt)
    if body.q.ndim == 1 and body.q.shape == body.v.shape:
        return body.replace(q=body.q + dt * v, v=v)
    raise ValueError("positions and velocities differ")


print(integrate(Body(jnp.zeros(2), jnp.ones(2), damping=0.1), 0.5))

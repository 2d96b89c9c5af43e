# category: bool-op-on-tracer
import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Ball:
    position: jax.Array
    velocity: jax.Array
    radius: float = struct.field(pytree_node=False, default=0.1)


def touches_wall(ball):
    x, y = ball.position
    return (x < ball.radius) or (x > 1 - ball.radius) or (y < ball.radius)  #! OAK203  #~ TracerBoolConversionError


@jax.jit
def advance(ball, dt):
    moved = ball.replace(position=ball.position + dt * ball.velocity)
    hit = touches_wall(moved)
    return moved.replace(velocity=jnp.where(hit, -moved.velocity, moved.velocity))


print(advance(Ball(jnp.array([0.5, 0.5]), jnp.array([1.0, 0.3])), 0.1))

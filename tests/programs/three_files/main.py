# category: leak-attribute
import jax
import jax.numpy as jnp
from world import World

world = World(3)
advance = jax.jit(world.advance)
advance(0.1)
advance(0.1)
print(world.energy() + 1.0)

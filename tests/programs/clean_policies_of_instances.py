# category: clean/shape-mismatch
import jax
import jax.numpy as jnp


class World:
    def __init__(self, units):
        self.units = units
        self.features = ["x", "y", "health"]


def make_policy(world, shoots):
    features = len(world.features)

    def act(seen):
        rows = seen.reshape(world.units, features)
        return rows @ jnp.ones(features) + jnp.zeros(world.units) * shoots

    return act


class Fight:
    def __init__(self, units):
        self.world = World(units)
        self.policy = make_policy(self.world, True)
        self.compiled = jax.jit(make_policy(self.world, False))

    def step(self, seen):
        return jax.vmap(self.policy)(seen) + self.compiled(seen[0])


for units in (5, 2):
    fight = Fight(units)
small, large = Fight(2), Fight(50)
print(small.step(jnp.ones((4, 6))).shape, large.step(jnp.ones((4, 150))).shape)

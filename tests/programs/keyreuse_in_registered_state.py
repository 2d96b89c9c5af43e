# category: silent/key-reuse
# Who hands over one state twice reuses its key; the function that draws from it does not.
from dataclasses import dataclass, replace

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclass
class Plan:
    mean: jax.Array
    key: jax.Array

    def tree_flatten(self):
        return (self.mean, self.key), None

    @classmethod
    def tree_unflatten(cls, aux, children):
        return cls(*children)


def draw(key, n):
    key, part = jax.random.split(key)
    return jax.random.normal(part, (n,)), key


def act(plan, n):
    noise, key = draw(plan.key, n)
    return noise + plan.mean, replace(plan, key=key)


def start(seed):
    return Plan(jnp.zeros(3), jax.random.key(seed))


class Comparison:
    def in_turn(self):
        plan = start(0)
        first, plan = act(plan, n=3)
        second, plan = act(plan, n=3)
        return first - second

    def twice(self):
        plan = start(1)
        first, _ = act(plan, n=3)
        second, _ = act(plan, n=3)  #! OAK401
        return first - second


print(Comparison().in_turn(), Comparison().twice())

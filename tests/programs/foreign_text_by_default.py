# category: foreign-argument
"""A jitted function chooses by a text that has a default: nobody can pass another one."""

import jax
import jax.numpy as jnp


@jax.jit
def ranks(costs, ties="first"):  #! OAK305 18
    order = jnp.argsort(costs, stable=ties == "first")
    return jnp.argsort(order)


TOOLS = {name: tool for name, tool in globals().items() if name.startswith("rank")}


def run(options):
    for name, tool in TOOLS.items():
        print(name, tool(jnp.array([3.0, 1.0, 2.0]), **options))  #~ TypeError


run({})
run(dict([("ties", "last")]))

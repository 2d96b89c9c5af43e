# category: clean/impure-global-read
import jax
import jax.numpy as jnp

options = {"scale": 2.0, "note": "first"}
table = {"w": jnp.ones(3)}
state = {"w": jnp.zeros(3)}


@jax.jit
def amplify(x):
    return options["scale"] * x * table["w"]


@jax.jit
def step(state, x):
    return {"w": state["w"] + x}


def keep(found):
    global table
    table = found


first = amplify(jnp.ones(3))
options = {"scale": 2.0, "note": "second"}
keep(table)
options["note"] = "third"
options.update(author="me")
second = amplify(jnp.ones(3))
for _ in range(3):
    state = step(state, second)
assert bool((first == second).all())

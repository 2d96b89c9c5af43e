# category: carry-type-mismatch
import jax
import jax.numpy as jnp


def chosen(kinds):
    tests = [lambda x, kind=kind: x if kind == "plain" else float(x) for kind in kinds]  #! OAK204
    return jax.jit(lambda x: [test(x) for test in tests])


def pyramid(x, level):
    branches = []
    for size in (1, 2):
        branches.append(lambda x, size=size: x[:size])
    return jax.lax.switch(level, branches, x)  #! OAK504 #~ TypeError


print(chosen(["plain", "plain"])(1.0))
print(pyramid(jnp.arange(8.0), 1))
print(chosen(["plain", "number"])(1.0))

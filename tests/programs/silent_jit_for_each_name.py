# category: silent/jit-in-loop
# A name that chooses a part of the program, also through the functions that are in it, makes
# another program each time.
import jax
import jax.numpy as jnp


def fold(name, x):
    if name == "sum":

        def step(total, y):
            return total + y, total

    else:

        def step(total, y):
            return total * y, total

    def whole(x):
        return jax.lax.scan(step, 1.0, x)

    return jax.jit(whole)(x)


def grow(x, backwards):
    def step(total, y):
        if backwards:
            return total - y, total
        return total + y, total

    return jax.jit(lambda x: jax.lax.scan(step, 0.0, x))(x)


def spread(x, kind):
    def step(total, y):
        return total + y, total

    def whole(x):
        return jax.lax.scan(step, 0.0, x)

    print(kind)
    return jax.jit(whole)(x)  #! OAK307


x = jnp.arange(4.0)
found = {name: fold(name, x) for name in ["sum", "product"]}
for name in ("sum", "product"):
    found[name] = fold(name, x)
for backwards in (True, False):
    found[backwards] = grow(x, backwards)
for name in ("a", "b"):
    found[name] = spread(x, name)
print(found)

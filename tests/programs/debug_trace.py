# category: silent/impure-print
import jax
import jax.numpy as jnp


def verbose(name):
    def wrap(f):
        def inner(*args):
            result = f(*args)
            print(name, "->", result)  #! OAK110
            return result

        return inner

    return wrap


@jax.jit
@verbose("objective")
def objective(x):
    return jnp.sum(jnp.cos(x))


print(objective(jnp.ones(2)))

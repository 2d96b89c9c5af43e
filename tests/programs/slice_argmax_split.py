# category: traced-slice-bound
import jax as j
import jax.numpy as jnp


def change_point(series):
    return jnp.argmax(jnp.abs(jnp.diff(series))) + 1


def split_cost(series):
    cut = change_point(series)
    left, right = series[:cut], series[cut:]  #! OAK214 #~ IndexError
    return left.var() + right.var()


series = jnp.array([0.0, 0.1, 0.0, 5.0, 5.1])
print(split_cost(series))
batched = j.jit(j.vmap(split_cost))
print(batched(jnp.stack([series, series[::-1]])))

# category: format-of-tracer
import jax
import jax.numpy as jnp


def column_name(index: int, value) -> str:
    return "c{:d}_{:.1f}".format(index, value)  #! OAK217 #~ TypeError


def as_columns(xs):
    return {column_name(i, x): x for i, x in enumerate(xs)}


@jax.jit
def table(xs):
    columns = as_columns(xs)
    return jnp.stack(list(columns.values())).sum()


print(sorted(as_columns([0.5, 1.5])))
print(table(jnp.array([0.5, 1.5])))

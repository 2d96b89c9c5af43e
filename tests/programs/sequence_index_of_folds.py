# category: sequence-to-jnp-function
import jax.numpy as jnp


def folds(n, k):
    order = list(range(n))
    for i in range(k):
        yield order[i::k], order[:i]


def columns(wide):
    if wide:
        return [0, 1, 2]
    return [0, 1]


data = jnp.arange(24.0).reshape(6, 4)
print(jnp.asarray(columns(data.sum() > 3.0)))
for held_out, _ in folds(6, 3):
    print(data[jnp.array(held_out)].mean())
for held_out, rest in folds(6, 3):
    print(data[held_out].mean(), rest)  #! OAK503  #~ TypeError

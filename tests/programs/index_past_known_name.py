# category: silent/oob-index
import jax
import jax.numpy as jnp

CLASSES = ("cat", "dog", "bird")
columns = ["x", "y", "z", "t"]


def column(scores, name, offset=1):
    return scores[:, CLASSES.index(name) + offset]  #! OAK506


scores = jax.nn.log_softmax(jnp.arange(6.0).reshape(2, 3))
print(column(scores, "dog"), scores[:, columns.index("z")])
print(column(scores, "bird"))

# category: leak-closure
import jax
import jax.numpy as jnp


def make_scorer():
    def score(x, memo={}):
        if "scale" not in memo:
            memo["scale"] = jnp.max(jnp.abs(x))  #! OAK104
        return x / memo["scale"]  #~ UnexpectedTracerError

    return score


score = make_scorer()
normalized = jax.jit(score)
print(normalized(jnp.array([1.0, -4.0])))
print(score(jnp.array([2.0, 3.0])))

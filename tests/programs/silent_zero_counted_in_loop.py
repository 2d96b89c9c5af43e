# category: silent/zero-gradient
import jax
import jax.numpy as jnp
from jax import lax


def hits(w, x):
    def body(total, row):
        hit = (row @ w > 0).astype(jnp.float32)  #! OAK603
        return total + hit, None

    total, _ = lax.scan(body, 0.0, x)
    return total / len(x)


def whole(w, x):
    def body(i, state):
        return {"sum": state["sum"] + jnp.round(x[i] @ w)}  #! OAK603

    return lax.fori_loop(0, 8, body, {"sum": jnp.zeros(())})["sum"]


w, x = jnp.ones(5), jnp.ones((8, 5))
assert jnp.all(jax.grad(hits)(w, x) == 0)
assert jnp.all(jax.grad(whole)(w, x) == 0)

# category: traced-slice-bound
import jax
import jax.numpy as jnp


def attend(query, keys, values):
    weights = jax.nn.softmax(keys @ query)
    return weights @ values


def windowed(queries, keys, values, *, window=2):
    def body(t, out):
        lo = jnp.maximum(t - window, 0)
        ctx = attend(queries[t], keys[lo:t], values)  #! OAK214 #~ IndexError
        return out.at[t].set(ctx)

    return jax.lax.fori_loop(0, queries.shape[0], body, jnp.zeros_like(queries))


q = jnp.ones((5, 2))
print(windowed(q, q, q))

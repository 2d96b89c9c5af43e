# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


def attention(query, keys, mask=None, *, causal=False, scale=None):
    scale = scale or query.shape[-1] ** -0.5
    scores = query @ keys.T * scale
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    if causal:
        n, m = scores.shape
        scores = jnp.where(jnp.tril(jnp.ones((n, m), bool)), scores, -jnp.inf)
    return jax.nn.softmax(scores)


heads = {
    "causal": jax.jit(lambda q, k: attention(q, k, causal=True)),
    "masked": jax.jit(attention),
}
q = jnp.ones((3, 2))
print(heads["causal"](q, q), heads["masked"](q, q, jnp.eye(3, dtype=bool)))

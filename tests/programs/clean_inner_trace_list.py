# category: clean/leak-append
import jax
import jax.numpy as jnp


@jax.jit
def ensemble(params, x):
    votes = []

    def member(w):
        local = []
        for row in w:
            local.append(jnp.dot(row, x))
        return jnp.stack(local)

    for w in params:
        votes.append(jax.nn.softmax(member(w)))
    many = jax.vmap(member)(jnp.stack(params))
    votes.append(many.mean(0))
    return sum(votes)


print(ensemble([jnp.eye(2), jnp.ones((2, 2))], jnp.ones(2)))

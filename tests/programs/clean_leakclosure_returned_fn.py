# category: clean/leak-closure
import jax
import jax.numpy as jnp


def bind(w, *, activation=jnp.tanh):
    """The closure over traced `w` lives and dies inside one trace."""

    def apply(x, scale=w.sum()):
        return activation(x @ w) * scale

    return apply


@jax.jit
def forward(w, x):
    layer = bind(w)
    memo = {}

    def memoized(name, thunk):
        if name not in memo:
            memo[name] = thunk()
        return memo[name]

    y = memoized("y", lambda: layer(x))
    return y + memoized("y", lambda: layer(x))


value, pullback = jax.vjp(forward, jnp.eye(2), jnp.ones((1, 2)))
print(value, pullback(value)[0])

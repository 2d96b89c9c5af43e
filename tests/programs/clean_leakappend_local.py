# category: clean/leak-append
import jax
import jax.numpy as jnp

history = []


@jax.jit
def forward(ws, x):
    hidden = []
    seen = set()
    for name, w in ws.items():
        x = jnp.tanh(x @ w)
        hidden.append(x)
        seen.add(name)
    assert len(seen) == len(hidden)
    return x, hidden


ws = {"a": jnp.eye(2), "b": jnp.ones((2, 2))}
x = jnp.ones((1, 2))
for _ in range(2):
    x, acts = forward(ws, x)
    history.append(x)
    history.extend(acts)
print(sum(jnp.sum(h) for h in history))

# category: hash-of-tracer
import jax
import jax.numpy as jnp


def unique_pairs(senders, receivers):
    seen = set()
    pairs = []
    for s, r in zip(senders, receivers):
        if s is r:
            continue
        seen.add((s, r))  #! OAK216 #~ TypeError
        pairs.append((s, r))
    return len(seen), pairs


def degree(senders, receivers, n):
    count, pairs = unique_pairs(senders, receivers)
    deg = jnp.zeros(n)
    for s, _ in pairs:
        deg = deg.at[s].add(1.0)
    return deg / count


print(degree([0, 1], [1, 2], 3))
fn = jax.jit(degree, static_argnums=2)
print(fn(jnp.array([0, 1]), jnp.array([1, 2]), 3))

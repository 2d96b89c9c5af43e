# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp


def normalize(*, probs=None, logits=None):
    if logits is None:
        probs = jnp.asarray(probs)
        return probs / probs.sum()
    return jax.nn.log_softmax(jnp.asarray(logits))


class Categorical:
    def __init__(self, logits=None, probs=None):
        if (logits is None) == (probs is None):
            raise ValueError("give one of logits and probs")
        self.probs = None if probs is None else normalize(probs=probs)
        self.logits = None if logits is None else normalize(logits=logits)


def neighbors(position, known=None):
    def allocate(state, size=None):
        position, shift = state
        if known is None:
            if jnp.all(position < 1.0):
                position = position + shift
        if size is None:
            size = int(position.max())
        return position[:size]

    found = known
    if found is None:
        return allocate((position, 1))
    # Here `known` is given, under another name.
    return jax.lax.cond(
        position.sum() > 0, lambda s: allocate(s, 3), lambda s: s[0][:3], (position, 1)
    )


def joined(*, prefix=None, tokens=None):
    parts = []
    if prefix is not None:
        parts.append(prefix)
    if tokens is not None:
        parts.append(tokens)
    return jnp.concatenate(parts)


def fixed(body, low, high, state):
    unrolled = low == high

    def step(state):
        state = body(state[1])
        return ((0, state), None) if unrolled else (0, state)

    if unrolled:
        (_, state), _ = jax.lax.scan(lambda carry, x: step(carry), (0, state), None, length=high)
    else:
        _, state = jax.lax.while_loop(lambda s: s[1].sum() < 9.0, step, (0, state))
    return state


def run(system, position, body):
    return neighbors(position, system.get("known")), fixed(body, 2, system["rounds"], position)


print(Categorical(logits=jnp.ones(3)).logits, Categorical(probs=jnp.ones(3)).probs)
print(neighbors(jnp.arange(4.0) + 1.0), joined(tokens=jnp.ones(3)))
print(run({"known": 1, "rounds": 3}, jnp.ones(4), jnp.exp))

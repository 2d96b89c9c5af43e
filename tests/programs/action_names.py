# category: list-index-by-tracer
import jax
import jax.numpy as jnp


def policy(params, observation):
    return jnp.argmax(params @ observation)


def make_agent(params):
    moves = ["left", "right", "stay"]
    effects = [lambda s: s - 1.0, lambda s: s + 1.0, lambda s: s]

    def act(state, _):
        action = policy(params, state)
        new_state = effects[action](state)  #! OAK206  #~ TracerIntegerConversionError
        return new_state, new_state

    return act, moves


act, names = make_agent(jnp.eye(3))
print(jax.lax.scan(act, jnp.arange(3.0), None, length=2))

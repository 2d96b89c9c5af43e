# category: traced-static-argument
import jax
import jax.numpy as jnp


def rollout(policy, state, horizon):
    def step(state, _):
        state = state + policy(state)
        return state, -jnp.sum(state**2)

    return jax.lax.scan(step, state, None, length=horizon)  #! OAK212 #~ ConcretizationTypeError


def value(params, state, horizon):
    policy = lambda s: -params["gain"] * s
    final, rewards = rollout(policy, state, horizon)
    return rewards.sum()


params = {"gain": 0.3}
print(value(params, jnp.ones(2), 4))
print(jax.jit(value, static_argnums=2)(params, jnp.ones(2), 4))
compiled = jax.jit(value)
print(compiled(params, jnp.ones(2), 4))

# category: silent/impure-global-read
import jax
import jax.numpy as jnp

target = {"w": jnp.ones((3, 2)), "b": jnp.zeros(2)}


@jax.jit
def td_target(reward, obs):
    return reward + 0.9 * (obs @ target["w"] + target["b"]).max(axis=-1)  #! OAK113


config = {"scale": 2.0, "name": "first"}


def scale():
    return config.get("scale", 1.0)  #! OAK113


@jax.jit
def amplify(x):
    return -x if "negate" in config else scale() * x


def sync(online):
    global target
    target = jax.tree.map(jnp.copy, online)


class Ridge:
    def __init__(self, dim):
        self.params = {"w": jnp.zeros(dim), "b": jnp.zeros(())}
        self.predict = jax.jit(self.raw)

    def raw(self, x):
        return x @ self.params["w"] + self.params["b"]

    def loss(self, params, x, y):
        return jnp.mean((x @ params["w"] + params["b"] - y) ** 2)

    def fit(self, x, y, rounds=3):
        for _ in range(rounds):
            grads = jax.grad(self.loss)(self.params, x, y)
            self.params = jax.tree.map(lambda p, g: p - 0.1 * g, self.params, grads)  #! OAK114


obs, reward = jnp.ones((4, 3)), jnp.zeros(4)
old = td_target(reward, obs)
sync({"w": 5.0 * jnp.ones((3, 2)), "b": jnp.ones(2)})
assert bool((td_target(reward, obs) == old).all())
doubled = amplify(reward)
config = {"scale": 4.0, "name": "first"}
amplify(reward)
model = Ridge(3)
before = model.predict(obs)
model.fit(obs, jnp.ones(4))
assert bool((model.predict(obs) == before).all())

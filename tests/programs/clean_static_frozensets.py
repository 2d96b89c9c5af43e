# category: clean/unhashable-static-argument
# A frozenset has a hash: it may be a static argument.
import functools

import jax
import jax.numpy as jnp


class Agent:
    @functools.partial(jax.jit, static_argnames=("self", "networks"))
    def update(self, x, *, networks=frozenset({"actor", "critic"})):
        return sum(x * len(name) for name in sorted(networks))

    @functools.partial(jax.jit, static_argnums=0)
    def update_often(self, xs):
        def body(total, x):
            return total + self.update(x, networks=frozenset({"critic"})), None

        total, _ = jax.lax.scan(body, 0.0, xs)
        return total + self.update(xs[0], networks=frozenset(name for name in ("actor",)))


agent = Agent()
both = frozenset(["actor", "critic"])
print(agent.update(1.0), agent.update(1.0, networks=both | {"temperature"}))
print(agent.update(1.0, networks=both.copy()), agent.update_often(jnp.arange(3.0)))

# category: use-after-donate
import jax
import jax.numpy as jnp


class Fit:
    def __init__(self, w):
        self.w = w
        self.start = w
        self.update = jax.jit(lambda w, x: w - 0.1 * x, donate_argnums=0)

    def run(self, xs):
        for x in xs:
            self.w = self.update(self.w, x)
        return self

    def drift(self):
        return jnp.linalg.norm(self.w - self.start)  #! OAK701 #~ RuntimeError


print(Fit(jnp.ones((11, 7))).run([jnp.ones(7), jnp.zeros(7)]).drift())

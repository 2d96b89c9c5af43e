# category: silent/key-reuse
import jax
import jax.numpy as jnp


class Elites:
    def __init__(self, size):
        self.size = size

    def mutate(self, repertoire, key):
        return repertoire + jax.random.normal(key, (self.size,))

    def make_update(self, iterations):
        @jax.jit
        def scan_step(carry, _):
            repertoire, key = carry
            key, subkey = jax.random.split(key)
            return (self.mutate(repertoire, subkey), key), None

        def update(repertoire, key):
            carry = repertoire, key
            (repertoire, key), _ = jax.lax.scan(scan_step, carry, (), length=iterations)
            return repertoire

        return jax.jit(update)


update = Elites(2).make_update(3)
key = jax.random.key(0)
repertoire = jnp.zeros(2)
steps = []
for _ in range(3):
    before = repertoire
    repertoire = update(repertoire, key)  #! OAK401
    steps.append(repertoire - before)
assert jnp.allclose(steps[1], steps[2], atol=1e-5)

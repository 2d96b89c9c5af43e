# category: traced-shape
import equinox as eqx
import jax
import jax.numpy as jnp


class Ensemble(eqx.Module):
    weights: jax.Array
    size: int

    @classmethod
    def create(cls, key, size, dim):
        return cls(jax.random.normal(key, (size, dim)), size)

    def votes(self, x):
        return jnp.sign(self.weights @ x)

    def tally(self, x, classes):
        v = self.votes(x)
        out = jnp.zeros((self.size, classes))  #! OAK211 #~ TypeError
        return out + v[:, None]


def evaluate(ensemble, xs, classes):
    return jax.vmap(lambda x: ensemble.tally(x, classes).mean())(xs)


ens = Ensemble.create(jax.random.key(0), 3, 2)
print(evaluate(ens, jnp.ones((4, 2)), 2).shape)
print(eqx.filter_jit(evaluate)(ens, jnp.ones((4, 2)), 2).shape)
print(eqx.filter_jit(evaluate)(ens, jnp.ones((4, 2)), jnp.array(2)).shape)

# category: python-loop-on-tracer
import jax
import jax.numpy as jnp
import equinox as eqx


class PowerMethod(eqx.Module):
    tol: float = eqx.field(static=True, default=1e-3)
    limit: int = eqx.field(static=True, default=50)

    def _advance(self, m, v):
        w = m @ v
        return w / jnp.linalg.norm(w)

    def __call__(self, m, v):
        steps, change = 0, jnp.inf
        while steps < self.limit:
            new = self._advance(m, v)
            change, v = jnp.abs(new - v).max(), new
            steps += 1
            if not change > self.tol:  #! OAK203 #~ TracerBoolConversionError
                break
        return v @ (m @ v)


solver = PowerMethod()
m = jnp.array([[2.0, 0.5], [0.5, 1.0]])
print(solver(m, jnp.ones(2)))
print(eqx.filter_jit(solver)(m, jnp.ones(2)))

# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


def heun(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h, y + h * k1)
    return y + 0.5 * h * (k1 + k2), jnp.max(jnp.abs(k2 - k1))


class Integrator:
    order = 2

    def __init__(self, f, tol):
        self.f = f
        self.tol = tol

    @property
    def exponent(self):
        return 1 / self.order

    def next_step(self, h, error):
        factor = (self.tol / error) ** self.exponent
        return h * min(2.0, float(factor))  #! OAK204  #~ ConcretizationTypeError

    def body(self, i, carry):
        t, y, h = carry
        y, error = heun(self.f, t, y, h)
        return t + h, y, self.next_step(h, error)

    def run(self, y, h, n):
        return jax.lax.fori_loop(0, n, self.body, (0.0, y, h))


print(Integrator(lambda t, y: -y, 1e-2).run(jnp.ones(2), 0.1, 3))

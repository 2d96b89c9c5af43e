# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp


class Qubit:
    def __init__(self, amplitudes):
        self.amplitudes = amplitudes

    def phase_gate(self, angle):
        factor = complex(jnp.cos(angle), jnp.sin(angle))  #! OAK204 26 #~ ConcretizationTypeError
        return Qubit(self.amplitudes * jnp.array([1.0, factor]))

    def overlap(self, other):
        return jnp.abs(jnp.vdot(self.amplitudes, other.amplitudes)) ** 2


def fidelity(angle):
    plus = Qubit(jnp.ones(2) / jnp.sqrt(2.0))
    return plus.overlap(plus.phase_gate(angle))


print(fidelity(0.3))
print(jax.vmap(fidelity)(jnp.array([0.0, 3.14])))

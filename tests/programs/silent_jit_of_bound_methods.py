# category: silent/jit-in-loop
import jax
import jax.numpy as jnp

traced = []


class Spring:
    def __init__(self, stiffness):
        self.stiffness = stiffness

    def energy(self, x):
        traced.append("energy")
        return 0.5 * self.stiffness * x**2

    def __call__(self, x):
        traced.append("call")
        return -self.stiffness * x


class Walk:
    def __init__(self, spring):
        self.spring = spring
        self.place = 1.0

    def advance(self):
        force = jax.jit(self.force)(self.place)  #! OAK307
        self.place = self.place + 0.1 * force

    def force(self, x):
        traced.append("force")
        return -self.spring.stiffness * x


def damped(rate):
    @jax.jit  #! OAK307
    def step(x):
        traced.append("damped")
        return x * (1.0 - rate)

    return step


spring = Spring(2.0)
for _ in range(9):
    print(jax.jit(spring.energy)(0.5))  #! OAK307
walk = Walk(spring)
for _ in range(4):
    walk.advance()
for x in (0.1, 0.2, 0.3):
    pull = jax.jit(Spring(1.5))  #! OAK307
    print(pull(x))
rate = 0.25
for _ in range(5):
    settle = damped(rate)
    print(settle(jnp.ones(2)))
assert traced.count("energy") == 9 and traced.count("force") == 4
assert traced.count("call") == 3 and traced.count("damped") == 5

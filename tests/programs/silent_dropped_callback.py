# category: discarded-result
"""A warning that a solver gives by a pure callback is never given: nobody uses its result."""

import jax
import jax.numpy as jnp

warned = []


def warn(steps, limit):
    if steps >= limit:
        warned.append(int(steps))


class Solver:
    def __init__(self, limit):
        self.limit = limit

    def solve(self, x):
        def body(state):
            return state[0] / 2, state[1] + 1

        x, steps = jax.lax.while_loop(lambda s: (s[0] > 0) & (s[1] < self.limit), body, (x, 0))
        jax.pure_callback(warn, None, steps, self.limit)  #! OAK222
        return x


solver = Solver(3)
print(jax.jit(solver.solve)(jnp.ones(())))
assert not warned

# category: silent/static-mutated
import jax


class Physics:
    gravity = 10.0


@jax.jit
def fall(t):
    return 0.5 * Physics.gravity * t**2


earth = fall(1.0)
Physics.gravity = 2.0  #! OAK114
moon = fall(1.0)
assert earth == moon == 5.0

# category: boolean-mask-index
import jax
import jax.numpy as jnp


def robust_mean(x, z=2.0):
    score = jnp.abs(x - jnp.median(x)) / (jnp.std(x) + 1e-9)
    return x[score < z].mean()  #! OAK213  #~ NonConcreteBooleanIndexError


fleet = {"mean": jnp.mean, "robust": robust_mean}
compiled = {name: jax.jit(f) for name, f in fleet.items()}
print(compiled["robust"](jnp.array([1.0, 2.0, 50.0])))

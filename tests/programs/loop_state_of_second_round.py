# category: python-loop-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


class Relaxation(eqx.Module):
    matrix: jax.Array
    tolerance: float

    def sweep(self, state):
        fresh = 0.5 * (state["x"] + self.matrix @ state["x"])
        return {"x": fresh, "change": jnp.abs(fresh - state["x"]).max(), "sweeps": state["sweeps"] + 1}

    @eqx.filter_jit
    def warm(self, x, sweeps):
        state = {"x": x, "change": 1.0, "sweeps": 0}
        while state["sweeps"] < sweeps:
            state = self.sweep(state)
        return state["x"]

    @eqx.filter_jit
    def __call__(self, x):
        state = {"x": x, "change": float("inf"), "sweeps": 0}
        while state["change"] > self.tolerance:  #! OAK202 #~ TracerBoolConversionError
            state = self.sweep(state)
        return state["x"]


relax = Relaxation(jnp.eye(2) * 0.5, 1e-3)
print(relax.warm(jnp.ones(2), 3))
print(relax(jnp.ones(2)))

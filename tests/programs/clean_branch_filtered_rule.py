# category: clean/python-branch-on-tracer
import equinox as eqx
import jax
import jax.numpy as jnp


@eqx.filter_custom_vjp
def attend(q, rate=0.0, *, inference=True):
    if rate > 0 and not inference:
        return q * (1.0 - rate)
    return q * 2.0


@attend.def_fwd
def attend_fwd(perturbed, q, rate=0.0, *, inference=True):
    return attend(q, rate, inference=inference), None


@attend.def_bwd
def attend_bwd(residuals, given, perturbed, q, rate=0.0, *, inference=True):
    return given * 2.0


@jax.jit
def score(q):
    return attend(q, 0.5, inference=False).sum()


print(score(jnp.ones(3)), jax.jit(jax.grad(score))(jnp.ones(3)))

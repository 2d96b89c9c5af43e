# category: python-branch-on-tracer
import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_solve


def require(condition, message="invalid"):
    assert condition, message  #! OAK201 12 #~ TracerBoolConversionError


def check_symmetric(m):
    require(m.ndim == 2, "matrix expected")
    require(jnp.allclose(m, m.T), "not symmetric")


def solve_spd(m, b):
    check_symmetric(m)
    return cho_solve((jnp.linalg.cholesky(m), False), b)


def marginal_likelihood(noise, k, y):
    m = k + noise * jnp.eye(k.shape[0])
    alpha = solve_spd(m, y)
    return 0.5 * y @ alpha


k, y = jnp.eye(3) * 2.0, jnp.ones(3)
print(marginal_likelihood(0.1, k, y))
print(jax.vmap(marginal_likelihood, (0, None, None))(jnp.array([0.1, 0.2]), k, y))

# category: inplace-mutation
import jax
import jax.numpy as jnp


def init(key, sizes):
    params = {}
    for i, (n, m) in enumerate(zip(sizes, sizes[1:])):
        key, sub = jax.random.split(key)
        params[f"w{i}"] = jax.random.normal(sub, (n, m))
    return params


def prune(params, threshold):
    out = dict(params)
    for name, w in out.items():
        small = jnp.abs(w) < threshold
        w[small] = 0.0  #! OAK215 #~ TypeError
        out[name] = w
    return out


params = init(jax.random.key(0), (2, 3, 1))
params["w0"] = params["w0"] * 2
print(jax.tree.map(jnp.shape, prune(params, 0.1)))

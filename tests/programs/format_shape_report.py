# category: format-of-tracer
import jax
import jax.numpy as jnp


def describe(name, value, *, width=10):
    shape = "x".join(str(d) for d in value.shape)
    return f"{name:<{width}} [{shape}] mean={value.mean():8.3f}"  #! OAK217 #~ TypeError


@jax.jit
def forward(params, x):
    lines = []
    for name, w in sorted(params.items()):
        x = jnp.tanh(x @ w)
        lines.append(describe(name, x))
    del lines
    return x.sum()


params = {"layer0": jnp.eye(3), "layer1": jnp.ones((3, 2))}
print(describe("input", jnp.ones((2, 3))))
print(forward(params, jnp.ones((2, 3))))

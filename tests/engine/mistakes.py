"""The commonest mistakes, as programs, with what the error of each has to say."""

from oakum.values.records import dataclass

HEAD = """\
import oakum as jax
import oakum.numpy as jnp
from oakum import lax
import numpy as np
from functools import partial

"""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A program that fails: the code, the text below which the marks stand, and what is said."""

    program: str
    code: str
    marked: str
    said: tuple[str, ...]


MISTAKES = {
    "branch": Mistake(
        """\
@jax.jit
def relu(x):
    if x > 0:
        return x
    return 0.0 * x

relu(jnp.float32(3.0))
""",
        "OAK201",
        "x > 0",
        (
            "`x > 0` (bool[])",
            "jnp.where(x > 0, ..., ...)",
        ),
    ),
    "while": Mistake(
        """\
@jax.jit
def halve(x):
    while x > 1.0:
        x = x / 2
    return x

halve(jnp.float32(3.0))
""",
        "OAK202",
        "x > 1.0",
        (
            "`x > 1.0` (bool[])",
            "lambda carry: x > 1.0",
        ),
    ),
    "float": Mistake(
        """\
@jax.jit
def scale(x):
    factor = float(x.mean())
    return x * factor

scale(jnp.ones(3))
""",
        "OAK204",
        "float(x.mean())",
        (
            "`x.mean()` (f32[])",
            "`x.mean().astype(float)`",
        ),
    ),
    "npasarray": Mistake(
        """\
@jax.jit
def host(x):
    return np.sin(x) + 1

host(jnp.ones(3))
""",
        "OAK208",
        "np.sin(x)",
        (
            "`x` (f32[3])",
            "Write `jnp.sin(x)`.",
        ),
    ),
    "boolmask": Mistake(
        """\
@jax.jit
def positives(x):
    return x[x > 0].sum()

positives(jnp.ones(3))
""",
        "OAK213",
        "x[x > 0]",
        (
            "`x > 0` (bool[3])",
            "jnp.where(x > 0, x, 0)",
        ),
    ),
    "arange": Mistake(
        """\
@jax.jit
def ramp(n):
    return jnp.arange(n)

ramp(5)
""",
        "OAK211",
        "jnp.arange(n)",
        (
            "`n` (~i32[])",
            'static_argnames=("n",)',
        ),
    ),
    "scan carry type": Mistake(
        """\
def step(carry, x):
    return carry + x, x

total, ys = lax.scan(step, jnp.int32(0), jnp.ones(3))
""",
        "OAK504",
        "lax.scan(step, jnp.int32(0), jnp.ones(3))",
        (
            "carry has type int32[]",
            "float32[]",
            "step at",
        ),
    ),
    "while carry shape": Mistake(
        """\
def body(state):
    i, hist = state
    return i + 1, jnp.concatenate([hist, hist])

lax.while_loop(lambda s: s[0] < 3, body, (0, jnp.zeros(2)))
""",
        "OAK504",
        "lax.while_loop(lambda s: s[0] < 3, body, (0, jnp.zeros(2)))",
        (
            "state[1] has type float32[2]",
            "float32[4]",
        ),
    ),
    "cond branches": Mistake(
        """\
def run(flag, x):
    return lax.cond(flag, lambda v: v.sum(), lambda v: v, x)

run(True, jnp.ones(3))
""",
        "OAK504",
        "lax.cond(flag, lambda v: v.sum(), lambda v: v, x)",
        (
            "float32[] but",
            "float32[3]",
            "`x` is f32[3]",
        ),
    ),
    "in axes tree": Mistake(
        """\
def dot(params, x):
    return params["w"] @ x + params["b"]

params = {"w": jnp.ones((5, 3)), "b": jnp.ones(5)}
jax.vmap(dot, in_axes=({"w": 0}, 0))(params, jnp.ones((5, 3)))
""",
        "OAK501",
        'jax.vmap(dot, in_axes=({"w": 0}, 0))(params, jnp.ones((5, 3)))',
        (
            "in_axes[0]",
            "`params` is {'w': f32[5,3], 'b': f32[5]}",
        ),
    ),
    "vmap sizes": Mistake(
        """\
def dot(w, x):
    return w @ x

weights = jnp.ones((4, 3))
batch = jnp.ones((5, 3))
jax.vmap(dot)(weights, batch)
""",
        "OAK501",
        "jax.vmap(dot)(weights, batch)",
        ("`weights` is f32[4,3], `batch` is f32[5,3]",),
    ),
    "unhashable static": Mistake(
        """\
@partial(jax.jit, static_argnames="sizes")
def init(x, sizes):
    return [jnp.zeros(s) for s in sizes]

init(1.0, sizes=[2, 3])
""",
        "OAK304",
        "init(1.0, sizes=[2, 3])",
        (
            "'sizes' of init",
            "Pass a tuple for `sizes`",
        ),
    ),
    "non array arg": Mistake(
        """\
@jax.jit
def apply(x, mode):
    return x

apply(jnp.ones(3), "relu")
""",
        "OAK305",
        'apply(jnp.ones(3), "relu")',
        (
            'static_argnames="mode"',
            "'relu'",
        ),
    ),
    "grad nonscalar": Mistake(
        """\
def loss(w, x):
    return (x @ w) ** 2

w = jnp.ones(3)
x = jnp.ones((8, 3))
g = jax.grad(loss)(w, x)
""",
        "OAK601",
        "jax.grad(loss)(w, x)",
        (
            "`loss` returns f32[8]",
            "`w` is f32[3], `x` is f32[8,3]",
        ),
    ),
    "grad int": Mistake(
        """\
def loss(n):
    return n ** 2

g = jax.grad(loss)(3)
""",
        "OAK601",
        "jax.grad(loss)(3)",
        (
            "`n` of `loss` is ~i32[]",
            "1.0 instead of 1",
        ),
    ),
    "grad aux": Mistake(
        """\
def loss(w):
    pred = w * 2
    return pred.sum(), pred

g = jax.grad(loss)(jnp.ones(3))
""",
        "OAK601",
        "jax.grad(loss)(jnp.ones(3))",
        (
            "`loss` returns (f32[], f32[3])",
            "has_aux=True",
        ),
    ),
    "donated": Mistake(
        """\
@partial(jax.jit, donate_argnums=0)
def update(params, grads):
    return params - 0.1 * grads

params = jnp.ones(1000)
grads = jnp.ones(1000)
new = update(params, grads)
print(params + 1)
""",
        "OAK701",
        "params + 1",
        (
            "donated to update at",
            "`params` is f32[1000]",
        ),
    ),
    "key reuse": Mistake(
        """\
jax.config.update("jax_debug_key_reuse", True)
key = jax.random.key(0)
noise = jax.random.normal(key, (3,))
mask = jax.random.uniform(key, (3,))
""",
        "OAK401",
        "jax.random.uniform(key, (3,))",
        (
            "used before on line",
            "`key` is key<fry>[]",
        ),
    ),
    "nan": Mistake(
        """\
jax.config.update("jax_debug_nans", True)

@jax.jit
def entropy(p):
    logp = jnp.log(p)
    return -(p * logp).sum()

entropy(jnp.array([0.5, 0.5, 0.0]))
""",
        "OAK605",
        "p * logp",
        (
            "operand 1 holds inf in 1 of 3 places",
            "`p` is f32[3], `logp` is f32[3]",
        ),
    ),
    "take oob index": Mistake(
        """\
x = jnp.ones((3, 4))
row = x[0, 1, 2]
""",
        "OAK501",
        "x[0, 1, 2]",
        ("`x` is f32[3,4]",),
    ),
    "reshape": Mistake(
        """\
images = jnp.ones((8, 28, 28))
flat = images.reshape(8, 28)
""",
        "OAK501",
        "images.reshape(8, 28)",
        ("`images` is f32[8,28,28]",),
    ),
    "concatenate": Mistake(
        """\
a = jnp.ones((3, 4))
b = jnp.ones((3, 5))
both = jnp.concatenate([a, b], axis=0)
""",
        "OAK501",
        "jnp.concatenate([a, b], axis=0)",
        ("`a` is f32[3,4], `b` is f32[3,5]",),
    ),
    "matmul": Mistake(
        """\
@jax.jit
def layer(x, w):
    return jnp.tanh(x @ w)

layer(jnp.ones((3, 6)), jnp.ones((4, 5)))
""",
        "OAK501",
        "x @ w",
        ("`x` is f32[3,6], `w` is f32[4,5]",),
    ),
    "broadcast": Mistake(
        """\
logits = jnp.ones((8, 10))
bias = jnp.ones(8)
out = logits + bias
""",
        "OAK501",
        "logits + bias",
        ("`logits` is f32[8,10], `bias` is f32[8]",),
    ),
    "dtype lax": Mistake(
        """\
counts = jnp.arange(3)
weights = jnp.ones(3)
out = lax.add(counts, weights)
""",
        "OAK502",
        "lax.add(counts, weights)",
        ("`counts` is i32[3], `weights` is f32[3]",),
    ),
    "setitem": Mistake(
        """\
@jax.jit
def zero_first(x):
    x[0] = 0.0
    return x

zero_first(jnp.ones(3))
""",
        "OAK215",
        "x[0]",
        (
            "`x` (f32[3])",
            "`x = x.at[0].set(...)`",
        ),
    ),
    "at without set": Mistake(
        """\
x = jnp.zeros(5)
y = x.at[0] + 1.0
""",
        "OAK215",
        "x.at[0] + 1.0",
        (
            "`x` is f32[5]",
            ".get()",
        ),
    ),
    "leak": Mistake(
        """\
cache = []

@jax.jit
def f(x):
    y = jnp.sin(x)
    cache.append(y)
    return y * 2

f(jnp.ones(3))
print(cache[0] + 1)
""",
        "OAK101",
        "cache[0] + 1",
        (
            "cache.append(y)",
            "`cache[0]` is f32[3]",
        ),
    ),
    "pytree registration": Mistake(
        """\
class State:
    def __init__(self, w):
        self.w = w

@jax.jit
def step(state):
    return state.w + 1

step(State(jnp.ones(3)))
""",
        "OAK305",
        "step(State(jnp.ones(3)))",
        (
            "path state",
            "Register State as a pytree",
        ),
    ),
    "tree mismatch": Mistake(
        """\
params = {"w": jnp.ones(3), "b": jnp.ones(1)}
grads = {"w": jnp.ones(3)}
new = jax.tree.map(lambda p, g: p - g, params, grads)
""",
        "OAK501",
        "jax.tree.map(lambda p, g: p - g, params, grads)",
        (
            "['b']",
            "`params` is {'w': f32[3], 'b': f32[1]}",
            "`grads` is {'w': f32[3]}",
        ),
    ),
    "body arity": Mistake(
        """\
def grow(value):
    return value + 1

lax.fori_loop(0, 3, grow, jnp.ones(3))
""",
        "OAK502",
        "lax.fori_loop(0, 3, grow, jnp.ones(3))",
        (
            "fori_loop() gives `body_fun` other arguments than it takes",
            "`grow` takes 1 positional argument but 2 were given",
            "Have `grow` take what fori_loop calls `body_fun` with",
        ),
    ),
    "shape for key": Mistake(
        """\
key = jax.random.key(0)
jax.random.normal((3,), key)
""",
        "OAK502",
        "jax.random.normal((3,), key)",
        ("got <class 'tuple'> at position 0", "normal(jax.random.key(0), ...)"),
    ),
    "sizes apart": Mistake(
        """\
jnp.zeros(3, 4)
""",
        "OAK502",
        "jnp.zeros(3, 4)",
        ("Cannot interpret '4' as a data type", "jnp.zeros((3, 4))"),
    ),
    "argnums too large": Mistake(
        """\
jax.grad(lambda a, b: a * b, argnums=2)(1.0, 2.0)
""",
        "OAK301",
        "jax.grad(lambda a, b: a * b, argnums=2)(1.0, 2.0)",
        ("argnums=2 requires at least 3 positional arguments", "change argnums"),
    ),
    "string array": Mistake(
        """\
labels = jnp.array(["cat", "dog"])
""",
        "OAK502",
        'jnp.array(["cat", "dog"])',
        (
            "'cat'",
            "encode labels",
        ),
    ),
    "ragged": Mistake(
        """\
batch = jnp.array([[1, 2, 3], [4, 5]])
""",
        "OAK501",
        "jnp.array([[1, 2, 3], [4, 5]])",
        ("[3], another [2]",),
    ),
    "custom vjp": Mistake(
        """\
@jax.custom_vjp
def clip(x, lo):
    return jnp.maximum(x, lo)

def fwd(x, lo):
    return clip(x, lo), x

def bwd(res, g):
    return (g * res,)

clip.defvjp(fwd, bwd)
jax.grad(clip)(1.0, 0.0)
""",
        "OAK501",
        "jax.grad(clip)(1.0, 0.0)",
        (
            "arguments of clip are (~f32[], ~f32[])",
            "tuple of 2",
        ),
    ),
    "callback shape": Mistake(
        """\
def lookup(x):
    return np.zeros(4, np.float32)

@jax.jit
def f(x):
    return jax.pure_callback(lookup, jax.ShapeDtypeStruct((3,), jnp.float32), x)

print(f(jnp.ones(3)))
""",
        "OAK501",
        "f(jnp.ones(3))",
        (
            "lookup at",
            "declares f32[3]",
            "float32[4]",
        ),
    ),
}

"""Twenty-five mistakes that JAX's own pages of errors and sharp bits, and its issue threads, show
most often, as programs; with what an error has to say to teach.

The programs import `jax`: they run on real JAX, and on oakum where its name is put in.
"""

from typing import Final

from oakum.values.records import dataclass

HEAD: Final = """\
import functools
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

"""


@dataclass(frozen=True, slots=True)
class PageMistake:
    """A program that fails on the line with BUG, and patterns: of the user's names, of one of its
    avals, and of the advice.
    """

    program: str
    names: str
    avals: str
    advice: str


MISTAKES: Final = {
    "assert in jit": PageMistake(
        """\
@jax.jit
def logits(p):
    assert jnp.all(p > 0)  # BUG
    return jnp.log(p)

logits(jnp.ones(3))
""",
        r"jnp\.all\(p > 0\)|`p`",
        r"bool\[\]",
        r"checkify|jnp\.where",
    ),
    "chained comparison": PageMistake(
        """\
@jax.jit
def clip(t):
    inside = 0.0 < t < 1.0  # BUG
    return jnp.where(inside, t, 0.0)

clip(jnp.float32(0.5))
""",
        r"0\.0 < t|`t`",
        r"bool\[\]",
        r"&|logical_and",
    ),
    "zeros of a traced size": PageMistake(
        """\
@jax.jit
def pad(x, n):
    return jnp.concatenate([x, jnp.zeros(n)])  # BUG

pad(jnp.ones(3), 2)
""",
        r"`n`",
        r"i32\[\]|int32\[\]",
        r"static_arg(nums|names)",
    ),
    "layers by loop index": PageMistake(
        """\
layers = [jnp.sin, jnp.cos, jnp.tanh]

def body(i, x):
    return layers[i](x)  # BUG

lax.fori_loop(0, 3, body, jnp.float32(1.0))
""",
        r"layers|`i`",
        r"i32\[\]|int32\[\]",
        r"switch|jnp\.(array|asarray|stack)|Python loop|unroll",
    ),
    "range of an argument": PageMistake(
        """\
@jax.jit
def power(x, steps):
    for _ in range(steps):  # BUG
        x = x * 2.0
    return x

power(jnp.ones(3), 4)
""",
        r"`steps`|range\(steps\)",
        r"i32\[\]|int32\[\]",
        r"static_arg(nums|names)|fori_loop",
    ),
    "numpy norm": PageMistake(
        """\
@jax.jit
def unit(v):
    return v / np.linalg.norm(v)  # BUG

unit(jnp.ones(3))
""",
        r"`v`|np\.linalg\.norm\(v\)",
        r"f32\[3\]|float32\[3\]",
        r"jnp\.linalg\.norm",
    ),
    "numpy table by a mapped index": PageMistake(
        """\
TABLE = np.arange(10.0)

def look_up(i):
    return TABLE[i]  # BUG

jax.vmap(look_up)(jnp.array([1, 2]))
""",
        r"TABLE",
        r"i32\[\]|int32\[\]",
        r"jnp\.(array|asarray)\(TABLE\)|jnp\.(array|asarray)",
    ),
    "nonzero without a size": PageMistake(
        """\
@jax.jit
def first(x):
    (where,) = jnp.nonzero(x > 0)  # BUG
    return where[0]

first(jnp.ones(3))
""",
        r"x > 0|jnp\.nonzero",
        r"bool\[3\]",
        r"size=",
    ),
    "unique in jit": PageMistake(
        """\
@jax.jit
def labels(y):
    return jnp.unique(y)  # BUG

labels(jnp.array([1, 1, 2]))
""",
        r"`y`|jnp\.unique\(y\)",
        r"i32\[3\]|int32\[3\]",
        r"size=",
    ),
    "state of an object": PageMistake(
        """\
class Ema:
    def __init__(self):
        self.mean = jnp.zeros(3)

    def update(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x
        return self.mean

ema = Ema()
jax.jit(ema.update)(jnp.ones(3))
print(ema.mean + 1.0)  # BUG
""",
        r"ema\.mean|self\.mean",
        r"f32\[3\]|float32\[3\]",
        r"[Rr]eturn",
    ),
    "add to an element": PageMistake(
        """\
counts = jnp.zeros(4)
for i in (0, 1, 1):
    counts[i] += 1  # BUG
""",
        r"counts",
        r"f32\[4\]|float32\[4\]",
        r"counts\.at\[|x\.at\[|\.at\[",
    ),
    "sum of a list": PageMistake(
        """\
losses = [1.0, 2.0, 3.0]
total = jnp.sum(losses)  # BUG
""",
        r"losses",
        r"list",
        r"jnp\.(array|asarray|stack)",
    ),
    "gradient of a complex result": PageMistake(
        """\
def wave(k):
    return jnp.exp(1j * k)

slope = jax.grad(wave)(2.0)  # BUG
""",
        r"wave",
        r"c64\[\]|complex64(\[\])?",
        r"holomorphic|jnp\.(abs|real)|real",
    ),
    "axes for arguments that are not there": PageMistake(
        """\
def affine(w, x):
    return w @ x

batched = jax.vmap(affine, in_axes=(None, 0, 0))
batched(jnp.ones((2, 3)), jnp.ones((5, 3)))  # BUG
""",
        r"affine|in_axes",
        r"f32\[|float32\[|3|\(2, 3\)|2",
        r"in_axes",
    ),
    "mapped result without an axis": PageMistake(
        """\
def score(x):
    return x.sum()

scores = jax.vmap(score, out_axes=None)(jnp.ones((4, 3)))  # BUG
""",
        r"score",
        r"f32\[\]|float32\[\]|f32\[4\]|float32\[4\]",
        r"out_axes",
    ),
    "carry of another structure": PageMistake(
        """\
def step(state, x):
    total, count = state
    return [total + x, count + 1], total

lax.scan(step, (0.0, 0), jnp.ones(3))  # BUG
""",
        r"`?step`?|state",
        r"tuple|list",
        r"[Rr]eturn|[Bb]egin",
    ),
    "scan over two lengths": PageMistake(
        """\
def step(total, pair):
    x, y = pair
    return total + x * y, None

lax.scan(step, 0.0, (jnp.ones(3), jnp.ones(4)))  # BUG
""",
        r"step|jnp\.ones\(4\)|`?xs",
        r"f32\[[34]\]|float32\[[34]\]|\(3,\)|\b3\b.*\b4\b",
        r"axis|length|size",
    ),
    "branches with other keys": PageMistake(
        """\
def grow(s):
    return {"size": s["size"] * 2.0}

def stay(s):
    return {"size": s["size"], "kept": s["size"]}

lax.cond(True, grow, stay, {"size": jnp.float32(1.0)})  # BUG
""",
        r"grow|stay",
        r"kept|f32\[\]|float32\[\]",
        r"[Rr]eturn the same|same",
    ),
    "array as a static argument": PageMistake(
        """\
@functools.partial(jax.jit, static_argnames="weights")
def apply(x, weights):
    return x @ weights

apply(jnp.ones(3), weights=np.ones(3))  # BUG
""",
        r"weights",
        r"f(32|64)\[3\]|float(32|64)\[3\]|ndarray",
        r"tuple|static",
    ),
    "text as a result": PageMistake(
        """\
@jax.jit
def fit(x):
    return x * 2.0, "converged"

fit(jnp.ones(3))  # BUG
""",
        r"fit",
        r"str|'converged'",
        r"arrays|without|outside|[Rr]eturn",
    ),
    "number as a key": PageMistake(
        """\
seed = 0
noise = jax.random.normal(seed, (3,))  # BUG
""",
        r"seed",
        r"\bint\b|i32\[\]",
        r"jax\.random\.(PRNG)?[kK]ey",
    ),
    "axis name that nothing binds": PageMistake(
        """\
def mean_gradient(g):
    return lax.pmean(g, "devices")  # BUG

jax.jit(mean_gradient)(jnp.ones(3))
""",
        r"devices",
        r"f32\[3\]|float32\[3\]",
        r"axis_name",
    ),
    "formatted tracer": PageMistake(
        """\
@jax.jit
def train(loss):
    print(f"loss {loss:.3f}")  # BUG
    return loss

train(jnp.float32(1.0))
""",
        r"`loss`",
        r"f32\[\]|float32\[\]",
        r"jax\.debug\.print",
    ),
    "jitted method": PageMistake(
        """\
class Model:
    def __init__(self):
        self.scale = 2.0

    @jax.jit
    def __call__(self, x):
        return x * self.scale

model = Model()
model(jnp.ones(3))  # BUG
""",
        r"self|Model",
        r"Model",
        r"static_arg|pytree|register|outside",
    ),
    "custom rule that is not defined": PageMistake(
        """\
@jax.custom_jvp
def safe_log(x):
    return jnp.log(jnp.maximum(x, 1e-6))

slope = jax.grad(safe_log)(1.0)  # BUG
""",
        r"safe_log",
        r"f32\[\]|float32\[\]",
        r"defjvp",
    ),
}

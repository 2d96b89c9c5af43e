"""What the functions of JAX and NumPy, loops that compile and derivatives make of values."""

import pytest
from small_programs import assert_reported

PROGRAMS: dict[str, str] = {
    "methods of arrays": """
@jax.jit
def f(x):
    x.fill(0.0)  #! OAK215
    return x

f(jnp.ones(3))

@jax.jit
def g(x):
    y = x.at[0].apply(lambda v: bool(v))  #! OAK204
    z = (1, x).index(x)  #! OAK203
    return y

g(jnp.ones(3))

@jax.jit
def h(x):
    if (1, 2).index(2) != 1:
        return bool(x)
    if (1, 2, 1).count(1) == 2:
        return bool(x)  #! OAK204
    return x

h(jnp.ones(3))

@jax.custom_jvp
def rule(x):
    return x

rule.defjvp(lambda primals, tangents: (primals[0], bool(tangents[0])))
jax.jvp(rule, (1.0,), (1.0,))
""",
    "libraries of the host": """
import cv2
import matplotlib.pyplot as plt
import pandas as pd
import tensorflow as tf
import torch
from PIL import Image
from sklearn.metrics import accuracy_score

@jax.jit
def f(image, labels):
    small = cv2.resize(image, (8, 8))  #! OAK208
    plt.imshow(image)  #! OAK208
    plt.imsave("image.png", image)  #! OAK208
    Image.fromarray(image).save("image.png")  #! OAK208
    frame = pd.DataFrame(image)  #! OAK208
    tensor = torch.from_numpy(image)  #! OAK208
    score = accuracy_score(labels, labels > 0)  #! OAK208
    jax.debug.callback(lambda shown: plt.imshow(shown), image)
    return image, torch.zeros(image.shape), pd.DataFrame({"size": [image.size]})

image, labels = jnp.ones((9, 9)), jnp.ones(3)
plt.imshow(f(image, labels)[0])

def loss(x):
    return tf.reduce_sum(x)  #! OAK208

jax.grad(loss)(labels)
loss(labels)
""",
    "trees": """
class Pair:
    def __init__(self, first, second):
        self.first, self.second = first, second

jax.tree_util.register_pytree_with_keys(
    Pair,
    lambda pair: (((0, pair.first),), pair.second),
    lambda second, children: Pair(children[0], second),
    lambda pair: ((pair.first,), pair.second),
)

@jax.jit
def of_pair(pair):
    if pair.second > 0:
        return pair.first
    if pair.first > 0:  #! OAK201
        return -pair.first
    return 0.0

of_pair(Pair(1.0, -1))

@jax.jit
def f(x):
    total = jax.tree.reduce(lambda a, b: a + b, {"a": 1.0, "b": x})
    if total > 0:  #! OAK201
        return 1
    return x

f(1.0)

@jax.jit
def g(x):
    total = jax.tree.reduce(lambda a, b: a + b, {"a": 1.0, "b": 2.0}, 0.0)
    if total != 3.0:
        bool(x)
    made = jax.tree_util.tree_map_with_path(lambda path, leaf: leaf + 1, {"a": x})
    if made["a"] > 0:  #! OAK201
        return 1
    return x

g(1.0)

@jax.jit
def h(x):
    flat, undo = jax.flatten_util.ravel_pytree({"a": x, "b": 2.0})
    if flat[0] > 0:  #! OAK201
        return 1
    return x

h(1.0)

@jax.jit
def k(x):
    leaves, structure = jax.tree.flatten({"a": x, "b": x + 1})
    made = jax.tree.unflatten(structure, leaves)
    if made["a"] > 0:  #! OAK201
        return 1
    return x

k(1.0)

@jax.jit
def m(pair):
    if pair.second > 0 and pair.first > 0:  #! OAK201
        return 1
    return pair.first

m(Pair(1.0, 2.0))

@jax.jit
def n(x):
    for path, leaf in jax.tree_util.tree_leaves_with_path({"a": x}):
        if leaf > 0:  #! OAK201
            return 1
    return x

n(1.0)

@jax.jit
def o(x):
    made = jax.tree.map(lambda a: a + 1, tree={"a": x})
    if made["a"] > 0:  #! OAK201
        return 1
    return x

o(1.0)
""",
    "gradients of what has none": """
jax.grad(lambda v: {"a": v})(1.0)  #! OAK601
jax.grad(lambda v: [v])(1.0)  #! OAK601
jax.grad(lambda v: (v, v))(1.0)  #! OAK601
jax.grad(lambda v: v, has_aux=True)(1.0)  #! OAK601
jax.grad(lambda v: [v], has_aux=True)(1.0)  #! OAK601
jax.grad(lambda v: {"a": v}, has_aux=True)(1.0)  #! OAK601
jax.grad(lambda v: None, has_aux=True)(1.0)  #! OAK601
jax.grad(lambda v: (v, v, v), has_aux=True)(1.0)  #! OAK601
jax.grad(lambda v: (v, "text"), has_aux=True)(1.0)
jax.grad(lambda v: (v, v), has_aux=True)(1.0)
jax.grad(lambda v: v, has_aux=False)(1.0)
jax.grad(lambda v: v * 1.0)(3)  #! OAK601
jax.grad(lambda v: v * 1.0, allow_int=True)(3)
jax.grad(lambda v: v * 1.0)("text")  #! OAK601
jax.grad(lambda v: v * 1.0)(b"text")  #! OAK601
""",
    "branches": """
@jax.jit
def f(x):
    return jax.lax.cond(x > 0, lambda v: v + 1, lambda v: bool(v), operand=x)  #! OAK204

f(1.0)

@jax.jit
def g(x):
    return jax.lax.switch(0, [lambda v: v + 1, lambda v: bool(v)], operand=x)  #! OAK204

g(1.0)

@jax.jit
def h(x):
    return jax.lax.switch(1.5, [lambda v: v, lambda v: v], x)  #! OAK502

h(1.0)

def step(carry, item):
    return carry + item

jax.lax.scan(step, 0.0, jnp.ones(3))  #! OAK504

def three(carry, item):
    return carry, item, item

jax.lax.scan(three, 0.0, jnp.ones(3))  #! OAK504

def named(carry, item):
    return {"a": carry, "b": item}

jax.lax.scan(named, 0.0, jnp.ones(3))  #! OAK504

def keyed(carry, item):
    return {"b": item}, None

jax.lax.scan(keyed, {"a": 0.0}, jnp.ones(3))  #! OAK504

value, pull, aux = jax.vjp(lambda v: (v, 1.0), 1.0, has_aux=True)

jax.lax.reduce(jnp.ones(3), 0.0, lambda a, b: bool(a), (0,))  #! OAK204
""",
    "environments that pass their state on": """
class Whole:
    def reset(self, key):
        return jnp.where(key > 0, 1.0, 0.0)

    def step(self, *state):
        return state

class Named:
    def reset(self, key):
        return jnp.where(key > 0, 1.0, 0.0)

    def step(self, action, **state):
        return state
""",
    "sizes of calls that are not seen": """
@jax.jit
def f(x, n: int):
    return jnp.zeros(n) + x  #! OAK211

@jax.jit
def g(x, n: int = 3):
    return jnp.zeros(n) + x  #! OAK211
""",
    "objects that are hashed by identity": """
import dataclasses

@dataclasses.dataclass(frozen=True, eq=False)
class Held:
    x: jax.Array

@functools.partial(jax.jit, static_argnums=0)
def g(held, y):
    return y

@jax.jit
def f(x):
    return g(Held(x), x)

f(jnp.ones(3))
""",
    "branches of a state that an annotation calls by its base": """
from flax import struct

@struct.dataclass
class State:
    steps: jax.Array

@struct.dataclass
class Placed(State):
    position: jax.Array

class Environment:
    def start(self):
        raise NotImplementedError

    @functools.partial(jax.jit, static_argnames="self")
    def step(self, state: State, done):
        state = state.replace(steps=state.steps + 1)
        return jax.lax.cond(done, lambda: self.start(), lambda: state)  #! OAK504

    def steps(self, states: State, done):
        return jax.vmap(self.step)(states, done)

class Maze(Environment):
    def start(self):
        return Placed(jnp.zeros(()), jnp.zeros(2))

def other(state: Placed, done):
    return jax.lax.cond(done, lambda: (state, 1), lambda: (state, 1.0))  #! OAK504
""",
    "host functions": """
@jax.jit
def f(x):
    return jnp.unique_counts(x)  #! OAK210

@jax.jit
def g(x):
    np.add(x, 1.0, out=x)  #! OAK208
    np.copyto(x, 2.0)  #! OAK208
    return np.histogram(x)  #! OAK208

@jax.jit
def h(x):
    return np.shape(x), np.ndim(x), np.size(x), np.result_type(x), np.broadcast_shapes(x.shape)

@jax.jit
def k(x):
    if np.ndim(x) == 0:
        return bool(x)  #! OAK204
    return np.meshgrid(x, x)

f(jnp.ones(3))
g(jnp.ones(3))
h(jnp.ones(3))
k(1.0)
""",
    "annotations": """
from typing import Optional, Sequence, Tuple
import elsewhere
from jaxtyping import Array, Float, PyTree

@jax.jit
def f(x: "Array"):
    if x > 0:  #! OAK201
        return 1
    return x

@jax.jit
def g(x: "Float[Array, 'n']"):
    if x.sum() > 0:  #! OAK201
        return 1
    return x

@jax.jit
def h(xs: Sequence[Array], ys: Tuple[Array, ...], tree: PyTree):
    for x in xs:
        if x > 0:  #! OAK201
            return 1
    if ys[0] > 0:  #! OAK201
        return 1
    return tree

@jax.jit
def k(x: "1 +", y: "pass", z: "'a'", w: "x = 1"):
    if x > 0:  #! OAK201
        return 1
    return y
""",
    "slices out of bounds": """
x = jnp.ones(3)
y = jnp.take(x, 5)  #! OAK506
z = jnp.take(x, (0, 5))  #! OAK503
w = jnp.take(jnp.ones((3, 2)), 2, axis=1)  #! OAK506
v = jnp.take(jnp.ones((3, 2)), 5)
u = jax.lax.dynamic_slice(x, (2,), (2,))  #! OAK506
t = jax.lax.dynamic_index_in_dim(x, 5)  #! OAK506
s = jax.lax.dynamic_update_slice(x, jnp.ones(2), (2,))  #! OAK506
r = jax.lax.dynamic_slice(x, start_indices=(0,), slice_sizes=(2,))
""",
    "loops over functions whose gradients are compiled": """
losses = {"mean": lambda x: x.mean(), "sum": lambda x: x.sum()}
for name, loss in losses.items():
    jax.jit(jax.grad(loss))(jnp.ones(3))

def compiled(loss):
    return jax.jit(jax.vmap(jax.grad(loss)))  #! OAK307

for name, loss in losses.items():
    compiled(loss)(jnp.ones((3, 2)))

def norm(x):
    return (x**2).sum()

def scaled(loss, scale):
    return lambda x: loss(x) * scale

makers = {"half": scaled(norm, 0.5), "double": scaled(norm, 2.0)}
for name, loss in makers.items():
    jax.jit(jax.grad(loss))(jnp.ones(3))

doubled = scaled(norm, 2.0)
for _ in range(3):
    jax.jit(jax.grad(norm))(jnp.ones(3))  #! OAK307
    jax.jit(jax.grad(doubled))(jnp.ones(3))  #! OAK307
    compiled(norm)(jnp.ones((3, 2)))
""",
    "loops that compile": """
for n in range(3):
    f = jax.jit(lambda v: v * n)  #! OAK307
    f(1.0)

for n in (-1, -2):
    jax.jit(lambda v: v * -n)(1.0)  #! OAK307

counts = jax.jit(lambda v, size: v * size, static_argnames="size")
for n in range(10):
    counts(1.0, size=n + 1)  #! OAK308
for n in range(10):
    counts(1.0, size=-n)  #! OAK308
for n in range(10):
    counts(1.0, size=3)

parts = jax.jit(lambda v, size: v[:size], static_argnames="size")
after = jax.jit(lambda v, size: v[size:], static_argnames="size")
steps = jax.jit(lambda v, size: v[::size], static_argnames="size")
zeros = jax.jit(lambda v, size: v + jnp.zeros((size, 2)), static_argnames="size")
named = jax.jit(lambda v, size: v + jnp.zeros(shape=size), static_argnames="size")
times = jax.jit(lambda v, size: sum(v for _ in range(size)), static_argnames="size")
rows = jnp.ones((9, 9))
for n in range(9):
    parts(rows, size=n)
    after(rows, size=n)
    zeros(1.0, size=n)
    named(1.0, size=n)
for n in range(9):
    steps(rows, size=n)  #! OAK308
for n in range(9):
    times(1.0, size=n)  #! OAK308

total = jax.jit(lambda v: v.sum())
for n in range(10):
    total(rows[:n])  #! OAK308
for n in range(10):
    total(rows[n:])  #! OAK308
for n in range(10):
    total(rows[n:n + 2])
for n in range(10):
    total(rows[:3])

items = []
for n in range(10):
    items.append(n)
    total(jnp.array(items))  #! OAK308

items = []
for n in range(10):
    items.append(n)
    jax.jit(lambda v: len(v))(items)  #! OAK307
""",
    "zero derivatives": """
@jax.grad
def f(w):
    part = {"a": jnp.sign(w), "b": 1.0}  #! OAK603
    return jax.tree.map(lambda v: v * 2, part)["a"]

f(1.0)

@jax.grad
def g(w):
    return jnp.arange(9.0)[int(w.shape == ()) : jnp.argmax(w)]  #! OAK603

@jax.grad
def h(w):
    scaled = jnp.round(w) if w.ndim else jnp.floor(w)  #! OAK603
    return scaled

h(1.0)

@jax.grad
def k(w):
    v = jnp.floor(w)  #! OAK603
    for _ in range(3):
        v = v + 1
    return v

k(1.0)

@jax.grad
def m(w):
    return jax.lax.fori_loop(0, 3, lambda i, v: v + 1, jnp.floor(w))  #! OAK603

m(1.0)

@jax.grad
def n(w):
    return jax.vmap(lambda v: jnp.floor(v))(w).sum()  #! OAK603

n(jnp.ones(3))
""",
    "wide": """
x = jnp.float32(3)
y = jnp.int8(jnp.ones(3))
z = jnp.float64(3)  #! OAK505
f = jax.jit(lambda v: jnp.float32(v) > 0 and v)  #! OAK203
f(1)
""",
    "constants that tracing stages": """
import elsewhere

@jax.jit
def f(x):
    made = elsewhere.load()
    size = jnp.array(made.shape).prod()  #! OAK218
    return x + jnp.ones(size)  #! OAK211

@jax.jit
def g(x):
    made = elsewhere.load()
    size = jnp.array(object=made.shape).prod()  #! OAK218
    return x + jnp.ones(size)  #! OAK211

@jax.jit
def h(x):
    made = elsewhere.load()
    size = jnp.array(object=made).prod()
    return x + jnp.ones(size)  #! OAK211

@jax.jit
def k(x):
    made = elsewhere.load()
    size = jnp.array([made.ndim + 1, -len(made), made.shape[0]]).prod()  #! OAK218
    return x + jnp.ones(size)  #! OAK211

@jax.jit
def m(x):
    made = elsewhere.load()
    size = jnp.array([made.ndim + 1, made]).prod()
    return x + jnp.ones(size)  #! OAK211

@jax.jit
def n(x):
    made = elsewhere.load()
    size = jnp.array([2, 3]).prod() + x
    return x + jnp.ones(size)  #! OAK211
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_libraries_are_followed(program: str) -> None:
    """A user sees the lines that fail, compile again or have no derivative, and no other line."""
    assert_reported(program)

"""Corners of the analyses: each program is reported where its comments say, and nowhere else."""

import pytest
from small_programs import assert_reported, findings_of, only

PROGRAMS: dict[str, str] = {
    "donated attributes": """
class State:
    def __init__(self, params, count):
        self.params = params
        self.count = count

step = jax.jit(lambda p: p * 2, donate_argnums=0)
state = State(jnp.ones(3), jnp.ones(3))
new = step(state.params)
print(state.count + 1)
print(state.params + 1)  #! OAK701
""",
    "donated items": """
step = jax.jit(lambda p: p * 2, donate_argnums=0)
items = [jnp.ones(3), jnp.ones(3)]
table = {"a": jnp.ones(3), "b": jnp.ones(3)}
new = step(items[0])
other = step(table["a"])
print(items[1] + 1, table["b"] + 1)
print(items[0] + 1)  #! OAK701
print(table["a"] + 1)  #! OAK701
""",
    "donated displays": """
step = jax.jit(lambda p: (p[0] * 2, p[1]), donate_argnums=0)
a, b, c = jnp.ones(3), jnp.ones(3), jnp.ones(3)
new = step((a, b))
print(c + 1)
print(b + 1)  #! OAK701
""",
    "donated in a loop that binds it": """
step = jax.jit(lambda p: p * 2, donate_argnums=0)
params = jnp.ones(3)
for _ in range(3):
    params = step(params)
print(params + 1)
""",
    "donated in a loop that does not": """
step = jax.jit(lambda p: p * 2, donate_argnums=0)
params = jnp.ones(3)
for _ in range(3):
    new = step(params)  #! OAK701
""",
    "timing that waits": """
import time

f = jax.jit(lambda x: x * 2)
x = jnp.ones(3)
start = time.perf_counter()
y = f(x)
if y.sum() > 0:
    pass
print(time.perf_counter() - start)

start = time.perf_counter()
y = f(x)
text = "%s" % y
print(time.perf_counter() - start)

row = np.zeros(3)
start = time.perf_counter()
row[:] = f(x)
print(time.perf_counter() - start)

start = time.perf_counter()
y = f(x)
print(time.perf_counter() - start)  #! OAK711
""",
    "a finally after break": """
@jax.jit
def f(x):
    traced = False
    for k in range(3):
        try:
            if k == 1:
                break
        finally:
            traced = x > 0
    if traced:  #! OAK201
        return x
    return -x

f(1.0)
""",
    "an outer set that takes tracers": """
seen = set()
held = []

@jax.jit
def f(x):
    global held
    held *= 2
    held += [x]  #! OAK101
    return x

f(1.0)
""",
    "slices of an outer list": """
held = [1, 2]

@jax.jit
def f(x):
    held[1:] = [x]  #! OAK101
    return x

f(1.0)
""",
    "the order of leaves": """
@jax.jit
def f(tree):
    first, second = jax.tree.leaves(tree)
    if first.shape == (2,):
        bool(second.sum())  #! OAK204
    return second

f({"b": jnp.ones(3), "a": jnp.ones(2)})
""",
    "super with arguments": """
class Base:
    def scale(self, x):
        return bool(x)  #! OAK204

class Middle(Base):
    def scale(self, x):
        return x

class Last(Middle):
    def scale(self, x):
        return super(Middle, self).scale(x)

jax.jit(Last().scale)(1.0)
""",
    "items that are matched by a star": """
@jax.jit
def f(x, y):
    match (1, x, y):
        case (1, *rest):
            if rest[1] > 0:  #! OAK201
                return x
    return y

f(1.0, 2.0)
""",
    "rounded arrays are integers": """
@jax.jit
def f(x):
    return jnp.arange(3) << round(x)

f(1.0)

@jax.jit
def g(x):
    return jnp.arange(3) << x  #! OAK502

g(1.0)
""",
    "deleted by the object": """
class Table:
    def __delitem__(self, key):
        bool(key)  #! OAK204

@jax.jit
def f(x):
    table = Table()
    del table[x]
    return x

f(1.0)
""",
    "a key that a compiled function hands back": """
same = jax.jit(lambda key: key)
key = jax.random.key(0)
a = jax.random.normal(key)
b = jax.random.normal(same(key))  #! OAK401
""",
    "a size in a function that a loop compiles": """
for n in range(1, 4):
    make = jax.jit(lambda k: jnp.zeros(k * n), static_argnums=0)
    print(make(3))
""",
    "a gradient from before the loop that compiles it": """
def descend(x):
    slope = jax.grad(lambda y: (y**2).sum())
    for _ in range(3):
        x = jax.jit(slope)(x)
    return x

descend(jnp.ones(3))
""",
    "metadata beside an object that is no pytree": """
import dataclasses

@functools.partial(jax.tree_util.register_dataclass, data_fields=["x"], meta_fields=["note"])
@dataclasses.dataclass
class Box:
    x: jax.Array
    note: object

class Log:
    pass

def loss(x):
    y = x**2
    return y, (Box(y, y), Log())  #! OAK106

jax.grad(loss, has_aux=True)(1.0)
""",
    "an array of objects in a tuple": """
@jax.jit
def f(x):
    pair = (np.zeros(2, dtype=object), x)
    pair[0][0] = x
    return jnp.sin(pair[1])

f(1.0)
""",
    "a text that a tracer is put into": """
@jax.jit
def f(x):
    return "%s of {}".format(3) % x

f(jnp.ones(3))  #! OAK305
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_corner_is_reported_where_it_says(name: str) -> None:
    assert_reported(PROGRAMS[name])


def test_a_builtin_that_is_reported_for_its_iterations_is_reported_once() -> None:
    """The loop over what `map` has made has as many iterations, and the same cause."""
    program = """
@jax.jit
def f(x):
    total = 0.0
    for each in map(lambda k: x * k, range(100)):
        total = total + each
    return total

f(1.0)
"""
    assert only(findings_of(program)).code == "OAK710"


def test_a_format_is_reported_at_the_operand_of_its_field() -> None:
    """`%s` takes any tracer; it is the operand of `%f` that fails."""
    program = """
@jax.jit
def f(x, y):
    text = "%s %f %%" % (1, y)
    return x

f(1.0, 2.0)
"""
    finding = only(findings_of(program))
    assert finding.code == "OAK217"
    assert finding.location.column == len('    text = "%s %f %%" % (1, ') + 1

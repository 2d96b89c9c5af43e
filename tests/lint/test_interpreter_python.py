"""What the calls and operators of Python make of values.

What a branch hides that they decide is not reported, and what they hand on is.
"""

import pytest
from small_programs import assert_reported

PROGRAMS: dict[str, str] = {
    "what is called": """
class Plain:
    pass

@jax.jit
def f(x):
    if not callable(f):
        bool(x)
    if not callable(Plain):
        bool(x)
    if not callable(functools.partial(len)):
        bool(x)
    if not callable(jax.jit(len)):
        bool(x)
    if not callable("a".upper):
        bool(x)
    if callable(x) or callable(3) or callable((1, 2)) or callable(str(x.shape)):
        bool(x)
    if callable(Plain().method):
        bool(x)  #! OAK204
    return x

f(1.0)
""",
    "attributes": """
import collections
Pair = collections.namedtuple("Pair", "first second")

class Held:
    def __init__(self):
        self.size = 3

@jax.jit
def f(x):
    held = Held()
    if not hasattr(held, "size"):
        bool(x)
    if hasattr(held, "missing"):
        return bool(x)  #! OAK204
    pair = Pair(1, 2)
    if not hasattr(pair, "second"):
        bool(x)
    if hasattr(3, "real"):
        bool(x)  #! OAK204
    return getattr(held, str(x.dtype), 0)

f(1.0)
""",
    "texts": """
@jax.jit
def f(x):
    if not "linear".startswith("lin") or "linear".startswith("ear"):
        bool(x)
    if not "linear".endswith("ear") or "linear".endswith("lin"):
        bool(x)
    if "12".isdigit():
        return bool(x)  #! OAK204
    if "linear".startswith(("q", "lin")):
        return bool(x)  #! OAK204
    return x

f(1.0)

@jax.jit
def g(x, name):
    if str(name.shape).startswith("("):
        return bool(x)  #! OAK204
    return x

g(1.0, 2.0)
""",
    "sorted lists": """
@jax.jit
def f(x):
    rows = [x, x + 1]
    rows.sort()  #! OAK203
    return rows[0]

f(1.0)

@jax.jit
def g(x):
    rows = [x]
    rows.sort()
    if rows[0] > 0:  #! OAK201
        return x
    return 1

g(1.0)

@jax.jit
def h(x):
    rows = [(2, x), (1, x)]
    rows.sort(key=lambda row: row[0])
    if rows[0][1] > 0:  #! OAK201
        return x
    return 1

h(1.0)

@jax.jit
def k(x):
    rows = [3, 1, 2]
    if rows.sort() is not None:
        bool(x)
    rows = [(2, x), (1, x)]
    rows.sort(key=lambda row: row[1])  #! OAK203
    return x

k(1.0)
""",
    "deques": """
import collections

@jax.jit
def f(x, names):
    queue = collections.deque()
    queue.appendleft(x)
    queue.appendleft(1.0)
    if queue[0] > 2:
        bool(x)
    if queue[1] > 0:  #! OAK201
        return 1
    return x

f(1.0, 2.0)

def g(x, n):
    queue = collections.deque(range(n))
    if queue.appendleft(x) is not None:
        bool(x)
    for item in queue:
        if item > 0:  #! OAK201
            return 1
    return x

jax.jit(g, static_argnums=1)(1.0, n=5)
""",
    "copies and counts": """
@jax.jit
def f(x):
    held = {"a": x, "b": 1}
    copied = held.copy()
    held["b"] = x
    if copied["b"] > 0 and held.get("b") is not None:
        pass
    if copied["a"] > 0:  #! OAK201
        return 1
    return x

f(1.0)

@jax.jit
def g(x):
    if [].count(x) > 0:
        bool(x)
    marks = set()
    marks.update([1], [2])
    if 1 in marks:
        bool(x)  #! OAK204
    return x

g(1.0)
""",
    "super": """
class Base:
    @property
    def size(self):
        return 2
    @classmethod
    def kind(cls):
        return "base"
    @staticmethod
    def twice(v):
        return 2 * v
    def plain(self, v):
        return v

class Derived(Base):
    @property
    def size(self):
        return super().size + 1
    @classmethod
    def kind(cls):
        return super().kind() + "!"
    def run(self, x):
        if super().size != 2 or self.size != 3:
            bool(x)
        if super().kind() != "base" or self.kind() != "base!":
            bool(x)
        if super().twice(3) != 6:
            bool(x)
        if super().plain(x) > 0:  #! OAK201
            return 1
        return x
    def lone(self):
        return super

@jax.jit
def f(x):
    return Derived().run(x)

f(1.0)
""",
    "comparisons": """
@jax.jit
def f(x):
    if jnp.sin == jnp.cos or jnp.sin != jnp.sin:
        bool(x)
    if jnp.sin is not jnp.sin or jnp.sin is jnp.cos:
        bool(x)
    if x == "name":
        bool(x)
    if not (x != "name"):
        bool(x)
    if 1 in () or 1 not in (1, 2):
        bool(x)
    if x.dtype == "int32" or x.dtype != jnp.float32:
        bool(x)
    return x

f(jnp.ones(3))

@jax.jit
def g(x):
    if 3 in x:  #! OAK203
        return 1
    return x

g(jnp.ones(3))

@jax.jit
def h(x):
    if x[0] in (x[1], 1.0):  #! OAK203
        return 1
    return x

h(jnp.ones(3))

@jax.jit
def k(x):
    try:
        1 < "a"
    except TypeError:
        return bool(x)
    return x
""",
    "narrowing": """
import elsewhere

@jax.jit
def f(x):
    if isinstance(y := elsewhere.made(), jax.Array):
        pass
    if None is not x and (z := x) is not None:
        if z > 0:  #! OAK201
            return 1
    return x

f(1.0)

def g(x, y=None):
    held = y
    if None is y:
        y = 1.0
    if held is None:
        return x
    if held > 0:  #! OAK201
        return 1
    return x

jax.jit(g)(1.0, 2.0)

@jax.jit
def h(x, flag=True):
    if flag is True:
        return x
    return bool(x)

h(1.0)

def k(x):
    found = elsewhere.made()
    if isinstance(found, str):
        return x
    if isinstance(x, str):
        bool(x)
    return x

jax.jit(k)(1.0)
""",
    "operators": """
import pathlib

@jax.jit
def f(x):
    if +3 != 3:
        bool(x)
    root = pathlib.Path("a") / "b"
    rows = (x, 1.0) * 3000
    if len(rows) > 1:
        return bool(x)  #! OAK204
    both = {"a": x} | {"b": 1}
    if "b" not in both:
        bool(x)
    return x

f(1.0)

@jax.jit
def g(x):
    try:
        y = 1 / 0
    except ZeroDivisionError:
        y = 1
    if y:
        bool(x)  #! OAK204
    return ~x

g(1)
""",
    "itertools": """
import itertools

@jax.jit
def f(x, y):
    for first, second in itertools.pairwise((1.0, 2.0, x)):
        if first > 5:
            bool(x)
    for a, b in itertools.zip_longest((1.0, x), (2.0,), fillvalue=3.0):
        if b > 5:
            bool(x)
    for a, b in itertools.combinations((1, 2, 3), 2):
        if a > 5:
            bool(x)
    for a, b in itertools.product((1, 2), repeat=2):
        if a > 5:
            bool(x)
    for v in itertools.islice((1.0, 2.0, x), 2):
        if v > 5:
            bool(x)
    for v in itertools.cycle(()):
        bool(x)
    return x

f(1.0, 2.0)

def g(x, n):
    for a, b in itertools.pairwise([x] * n):
        if b > 0:  #! OAK201
            return 1
    return x

jax.jit(g, static_argnums=1)(1.0, 5)

def h(x, n):
    for a, b in itertools.combinations([x] * n, 2):
        if b > 0:  #! OAK201
            return 1
    return x

jax.jit(h, static_argnums=1)(1.0, 5)

def k(x, n):
    for v in itertools.islice([x] * n, 2):
        if v > 0:  #! OAK201
            return 1
    return x

jax.jit(k, static_argnums=1)(1.0, 5)

def m(x, n):
    for a, b in itertools.product([x] * n, range(n)):
        if a > 0:  #! OAK201
            return 1
    return x

jax.jit(m, static_argnums=1)(1.0, 5)

def o(x, n):
    for a, b in itertools.zip_longest([x] * n, range(n)):
        if a > 0:  #! OAK201
            return 1
    return x

jax.jit(o, static_argnums=1)(1.0, 5)
""",
    "numbers": """
@jax.jit
def f(x):
    if pow(2, 3) != 8 or divmod(7, 2) != (3, 1):
        bool(x)
    if abs(x) > 0:  #! OAK201
        return 1
    return x

f(1.0)

@jax.jit
def g(x):
    if pow(x, 2) > 0:  #! OAK201
        return 1
    return x

g(1.0)

@jax.jit
def h(x):
    try:
        n = int("many")
    except ValueError:
        n = 2
    if n:
        return bool(x)  #! OAK204
    return x

h(1.0)

def k(x, n):
    return max([x] * n)  #! OAK203

jax.jit(k, static_argnums=1)(1.0, 5)
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_python_is_followed(program: str) -> None:
    """A user sees what the values reach, and nothing of a branch that they do not take."""
    assert_reported(program)

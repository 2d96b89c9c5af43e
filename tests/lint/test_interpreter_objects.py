"""What records, copies, patterns, merges and generators of Python keep of values."""

import pytest
from small_programs import assert_reported

PROGRAMS: dict[str, str] = {
    "record calls": """
import dataclasses

@dataclasses.dataclass
class Inner:
    size: int

@dataclasses.dataclass
class Outer:
    inner: Inner
    value: float
    label: str = dataclasses.field(default="a", init=False)

@jax.jit
def f(x):
    outer = Outer(Inner(2), x)
    held = dataclasses.asdict(outer)
    if held["inner"]["size"] != 2 or held["label"] != "a":
        bool(x)
    changed = dataclasses.replace(outer, value=1.0)
    if changed.value > 2:
        bool(x)
    if held["value"] > 0:  #! OAK201
        return 1
    return x

f(1.0)
""",
    "copied objects": """
import copy

import dataclasses

@dataclasses.dataclass
class Held:
    value: float

@jax.jit
def f(x):
    held = Held(x)
    other = copy.copy(held)
    held.value = 1.0
    if held.value > 2:
        bool(x)
    if other.value > 0:  #! OAK201
        return 1
    return x

f(1.0)

@jax.jit
def g(x):
    rows = [x, 1.0]
    other = copy.copy(rows)
    rows[0] = 1.0
    if rows[0] > 2 or other[1] > 2:
        bool(x)
    if other[0] > 0:  #! OAK201
        return 1
    return x

g(1.0)
""",
    "operator functions": """
import operator

class Held:
    def __init__(self, value):
        self.value, self.size = value, 3
    def scaled(self, factor):
        return self.value * factor

@jax.jit
def f(x):
    held = Held(x)
    if operator.attrgetter("size")(held) != 3:
        bool(x)
    if operator.itemgetter(1)((x, 2)) != 2 or operator.getitem([x, 2], 1) != 2:
        bool(x)
    if operator.add(1, 2) != 3:
        bool(x)
    first, second = operator.itemgetter(0, 1)((1, x))
    if first != 1:
        bool(x)
    if operator.methodcaller("scaled", 2)(held) > 0:  #! OAK201
        return 1
    return x

f(1.0)
""",
    "patterns": """
import dataclasses

@dataclasses.dataclass
class Point:
    first: float
    second: float

@jax.jit
def f(x, mode="a"):  #! OAK305
    match mode:
        case "b" | "c":
            return bool(x)
        case _:
            pass
    match (1, x):
        case (2, _):
            return bool(x)
        case (1, y):
            if y > 0:  #! OAK201
                return 1
    return x

f(1.0)

@jax.jit
def g(x):
    match {"kind": "up", "value": x, "more": 1}:
        case {"kind": "down"}:
            return bool(x)
        case {"kind": "up", "value": y, **rest}:
            if y > 0:  #! OAK201
                return 1
    return x

g(1.0)

@jax.jit
def h(x):
    match Point(1.0, x):
        case Point(first=2.0):
            return bool(x)
        case Point(first=1.0, second=y):
            if y > 0:  #! OAK201
                return 1
    return x

h(1.0)

@jax.jit
def k(x):
    match [x, 1.0, 2.0]:
        case [first]:
            return bool(x)
        case [first, *rest]:
            if first > 0:  #! OAK201
                return 1
    return x

k(1.0)

@jax.jit
def m(x):
    match x:
        case 1.0:  #! OAK201
            return 1
    return x

m(1.0)
""",
    "chosen by type": """
@functools.singledispatch
def size(value):
    return 0

@size.register
def _(value: int):
    return 1

@size.register(str)
def _(value):
    return 2

@jax.jit
def f(x):
    if size(3) != 1 or size("a") != 2 or size(2.5) != 0:
        return bool(x)
    return x

f(1.0)
""",
    "assigned attributes": """
import elsewhere

class Held:
    def __init__(self, x):
        with elsewhere.lock():
            self.first = 1.0
        try:
            self.second = 2.0
        except ValueError:
            self.second = 2.0
        for number in (3.0,):
            self.third = number

@jax.jit
def f(x):
    held = Held(x)
    if held.first > 5 or held.second > 5 or held.third > 5:
        return bool(x)
    return x

f(1.0)

def g(x, first, *, second=2, **rest):
    if first != 1 or second != 3 or rest["third"] != 4 or "second" in rest:
        return bool(x)
    return x

jax.jit(g, static_argnums=1, static_argnames=("second", "third"))(1.0, 1, second=3, third=4)
""",
    "merged containers": """
@jax.jit
def f(x, flag: bool = True):
    held = {"a": 1.0, "b": 2.0}
    if len(x.shape) > 1:
        held["c"] = x
    else:
        held = {"a": 3.0}
    if held["a"] > 5:
        return x
    pair = (1.0, x) if x.ndim else (2.0, x)
    if pair[0] > 5:
        return x
    if pair[1] > 0:  #! OAK201
        return 1
    return x

f(1.0)

@jax.jit
def h(x):
    held = {}
    for n in range(100):  #! OAK710
        held[n] = x
    for value in held.values():
        if value > 0:  #! OAK201
            return 1
    return x

h(1.0)
""",
    "names of a module": """
@jax.jit
def f(x):
    if __name__ == "":
        bool(x)
    n = 3
    del n
    global made
    made = 2
    if made != 2:
        bool(x)
    return x

f(1.0)
""",
    "generators": """
@jax.jit
def f(x):
    def pairs():
        yield 1.0
        yield x
    made = pairs()
    if next(made) > 5:
        bool(x)
    if next(made) > 0:  #! OAK201
        return 1
    return x

f(1.0)

@jax.jit
def g(x):
    def outer():
        yield x
        yield from (x, x)
    for v in outer():
        if v > 0:  #! OAK201
            return 1
    return x

g(1.0)

@jax.jit
def h(x):
    def made():
        if x.ndim:
            yield {"a": x}
        else:
            yield {"a": 1.0}
    for held in made():
        if held["a"] > 5:
            return x
    return x

h(1.0)
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_objects_are_followed(program: str) -> None:
    """A user sees what the values reach, and nothing of a branch that they do not take."""
    assert_reported(program)

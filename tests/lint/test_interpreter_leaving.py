"""What runs after a block is left: `finally`, the `else` of loops and of `try`, `__exit__`."""

import pytest
from small_programs import assert_reported

PROGRAMS: dict[str, str] = {
    "a call that ends the program": """
import os
import sys

@jax.jit
def ends(x, n):
    if n is None:
        sys.exit(2)
        bool(x)
    if not os.environ:
        quit()
    return bool(x)  #! OAK204

@jax.jit
def skips(x):
    pytest.skip("not here")
    return bool(x)

import pytest
ends(1.0, 2)
skips(1.0)
""",
    "a value replaced by `finally`": """
class Held:
    value = None

@jax.jit
def f(x):
    held = Held()
    held.value = x
    def run():
        try:
            return 1
        finally:
            held.value = 2.0
    run()
    if held.value > 0:
        return 1
    return x

f(1.0)
""",
    "a tracer left by `finally`": """
class Held:
    value = None

@jax.jit
def g(x):
    held = Held()
    held.value = 1.0
    def run():
        try:
            return 1
        finally:
            held.value = x
    run()
    if held.value > 0:  #! OAK201
        return 1
    return x

g(1.0)
""",
    "a `while` that is left": """
@jax.jit
def h(x):
    n = 0
    while n < 2:
        v = 1.0
        break
    else:
        v = x
    if v > 0:
        return 1
    return x

h(1.0)
""",
    "a `finally` that returns a tracer": """
class Held:
    value = None

@jax.jit
def q(x):
    held = Held()
    held.value = x
    def run():
        try:
            return 1
        finally:
            held.value = 2.0
            return x
    if run() > 0:  #! OAK201
        return 1
    if held.value > 0:
        return x
    return x

q(1.0)
""",
    "a `finally` that returns a number": """
import os

@jax.jit
def r(x):
    def run():
        try:
            if os.environ:
                return x
        finally:
            return 2.0
    if run() > 0:
        return 1
    return x

r(1.0)
""",
    "a `for` that some paths leave": """
@jax.jit
def p(x, names):
    for name in names:
        if name.ndim == 0:
            v = 1.0
            break
    else:
        v = x
    if v > 0:
        return 1
    return x

p(1.0, [1.0, 2.0])
""",
    "a `for` that ends": """
@jax.jit
def k(x):
    for v in (1.0, 2.0):
        pass
    else:
        v = x
    if v > 0:  #! OAK201
        return 1
    return x

k(1.0)
""",
    "a `for` that is left": """
@jax.jit
def m(x):
    v = 1.0
    for v in (1.0, 2.0):
        break
    else:
        v = x
    if v > 0:
        return 1
    return x

m(1.0)
""",
    "an `__exit__`": """
class Guard:
    def __enter__(self):
        return 3.0
    def __exit__(self, *problem):
        self.left = 1.0

@jax.jit
def n(x):
    v, guard = x, Guard()
    with guard as v:
        v += 1
    if v > 3 and guard.left > 0:
        return x
    return bool(x)

n(1.0)
""",
    "a handler": """
@jax.jit
def o(x):
    v = 1.0
    try:
        raise ValueError
    except ValueError:
        v = x
    else:
        v = 2.0
    if v > 0:  #! OAK201
        return 1
    return x

o(1.0)
""",
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS.keys())
def test_what_runs_after_leaving_counts(program: str) -> None:
    """A user sees what a `finally`, the `else` of a loop and a handler leave, and nothing else."""
    assert_reported(program)

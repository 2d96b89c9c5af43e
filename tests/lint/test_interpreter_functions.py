"""How Python's functions and names are followed: a tracer is reported wherever it ends up."""

import pytest
from small_programs import assert_reported

# Each program is what one rule of the language means for a value that `jit` has made a tracer.
# `#!` marks the only lines that may be reported.
NAMES = {
    "local name hides the global": """
        flag = True

        @jax.jit
        def f(flag):
            if flag > 0:  #! OAK201
                return 1
            return 0

        if flag:
            print(flag)
    """,
    "global declared in a function": """
        last = None

        @jax.jit
        def f(x):
            global last
            last = x  #! OAK102
            return x
    """,
    "assigning a name without global is local": """
        last = None

        @jax.jit
        def f(x):
            last = x
            return last
    """,
    "nonlocal of a function outside the trace": """
        def make():
            count = 0

            @jax.jit
            def step(x):
                nonlocal count
                count = count + x  #! OAK104
                return x

            return step
    """,
    "nonlocal of a function inside the trace": """
        @jax.jit
        def f(x):
            total = 0.0

            def add(y):
                nonlocal total
                total = total + y

            add(x)
            return total
    """,
    "methods do not see the names of the class body": """
        threshold = 1

        class Model:
            threshold = None

            @staticmethod
            @jax.jit
            def f(x):
                if threshold > 0:
                    return x
                return -x
    """,
    "comprehension variable is its own": """
        @jax.jit
        def f(x):
            n = 3
            rows = [n for n in (x, x)]
            return jnp.zeros(n) + rows[0]
    """,
    "comprehension sees the function's names": """
        @jax.jit
        def f(x):
            return [1 if x > n else 0 for n in range(3)]  #! OAK201
    """,
    "name bound later in the function": """
        @jax.jit
        def f(x):
            def late():
                return bool(value)  #! OAK204

            value = x > 0
            return late()
    """,
    "walrus binds in the function": """
        @jax.jit
        def f(x):
            if (n := x.shape[0]) > 2:
                return jnp.zeros(n)
            return x
    """,
    "del of a name": """
        @jax.jit
        def f(x):
            y = x
            del y
            return x
    """,
}

CLOSURES = {
    "inner function reads the outer's parameter": """
        @jax.jit
        def f(x):
            def inner():
                return float(x)  #! OAK204

            return inner()
    """,
    "factory gives each function its own value": """
        def scaled(factor):
            def apply(x):
                if factor > 0:
                    return x * factor
                return x

            return apply

        jax.jit(scaled(2.0))(jnp.ones(3))
    """,
    "factory given a tracer": """
        def scaled(factor):
            def apply(x):
                if factor > 0:  #! OAK201
                    return x * factor
                return x

            return apply

        @jax.jit
        def f(x):
            return scaled(x.sum())(x)
    """,
    "lambda": """
        branch = lambda x: 1 if x > 0 else 2  #! OAK201
        jax.jit(branch)(jnp.ones(()))
    """,
    "returned function is called": """
        @jax.jit
        def f(x):
            return (lambda y: lambda: int(y))(x)()  #! OAK204
    """,
}

ARGUMENTS = {
    "default value applies": """
        @jax.jit
        def f(x, training=False):
            return helper(x)

        def helper(x, training=False):
            if training:
                return x
            return -x
    """,
    "default value of a traced function is not traced when it is left out": """
        @jax.jit
        def f(x, n=3):
            return jnp.zeros(n) + x

        f(jnp.ones(3))
    """,
    "keyword reaches its parameter": """
        def helper(*, static, traced):
            if static:
                return traced
            if traced > 0:  #! OAK201
                return 1
            return 0

        @jax.jit
        def f(x):
            return helper(traced=x, static=False)
    """,
    "star arguments": """
        def helper(first, *rest):
            if first:
                return int(rest[1])  #! OAK204
            return first

        @jax.jit
        def f(x):
            return helper(True, 1, x)
    """,
    "star list in the call": """
        def helper(n, x):
            return jnp.zeros(n) + x

        @jax.jit
        def f(x):
            return helper(*[3, x])
    """,
    "double star": """
        def helper(**options):
            if options["training"]:
                return int(options["x"])  #! OAK204
            return 0

        @jax.jit
        def f(x):
            return helper(**{"training": True}, x=x)
    """,
    "positional only": """
        def helper(n, /, x):
            return jnp.zeros(n) + x

        @jax.jit
        def f(x):
            return helper(3, x=x)
    """,
    "partial": """
        def helper(n, x):
            return jnp.zeros(n) + x  #! OAK211

        jax.jit(functools.partial(helper, 3))(jnp.ones(3))
        jax.jit(functools.partial(helper, x=jnp.ones(3)))(3)
    """,
    "partial of a partial": """
        def helper(a, b, x):
            if a:
                return x
            return float(x) if b else x  #! OAK204

        inner = functools.partial(helper, False)
        jax.jit(functools.partial(inner, True))(1.0)
    """,
    "too many arguments are not our business": """
        def helper(x):
            return x

        @jax.jit
        def f(x):
            return helper(x, x, x)
    """,
}

DECORATORS = {
    "own decorator with wraps": """
        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)

            return wrapper

        @jax.jit
        @logged
        def f(x):
            if x > 0:  #! OAK201
                return x
            return -x
    """,
    "decorator with arguments": """
        def repeated(times):
            def decorate(function):
                def wrapper(x):
                    for _ in range(times):
                        x = function(x)
                    return x

                return wrapper

            return decorate

        @jax.jit
        @repeated(times=2)
        def f(x):
            return float(x)  #! OAK204
    """,
    "decorator that jits": """
        def fast(function):
            return jax.jit(function)

        @fast
        def f(x):
            if x > 0:  #! OAK201
                return x
            return -x
    """,
    "unknown decorator": """
        from somewhere import register

        @register
        def f(x):
            if x > 0:
                return x
            return -x
    """,
    "partial of jit": """
        @functools.partial(jax.jit, static_argnames="n")
        def f(x, n):
            if n > 2:
                return jnp.zeros(n)
            if x > 0:  #! OAK201
                return x
            return x
    """,
    "cached function with a tracer": """
        @functools.lru_cache(maxsize=None)
        def table(n):
            return n

        @jax.jit
        def f(x):
            return table(3) + table(x)  #! OAK216

        f(jnp.ones(()))
    """,
}

CONTEXTS = {
    "value of a context manager class": """
        class Scope:
            def __init__(self, value):
                self.value = value

            def __enter__(self):
                return self.value

            def __exit__(self, *error):
                return None

        @jax.jit
        def f(x):
            with Scope(x) as value:
                return float(value)  #! OAK204
    """,
    "contextmanager function": """
        from contextlib import contextmanager

        @contextmanager
        def scope(value):
            yield value

        @jax.jit
        def f(x):
            with scope(x) as value:
                if value > 0:  #! OAK201
                    return value
            return x
    """,
    "unknown context manager": """
        @jax.jit
        def f(x, lock):
            with open("log") as file:
                return x + 1
    """,
    "ensure_compile_time_eval": """
        @jax.jit
        def f(x):
            with jax.ensure_compile_time_eval():
                limit = jnp.arange(3).sum()
                if limit > 2:
                    return x
            return -x
    """,
}

GENERATORS = {
    "values of a generator": """
        def rows(x):
            for i in range(3):
                yield x[i]

        @jax.jit
        def f(x):
            for row in rows(x):
                if row > 0:  #! OAK201
                    return row
            return x
    """,
    "yield from": """
        def inner(x):
            yield x

        def outer(x):
            yield from inner(x)

        @jax.jit
        def f(x):
            return [int(v) for v in outer(x)]  #! OAK204
    """,
    "generator expression": """
        @jax.jit
        def f(x):
            return sum(float(v) for v in (x, 2 * x))  #! OAK204
    """,
    "generator made outside is advanced inside": """
        def numbers():
            yield 1
            yield 2

        stream = numbers()

        @jax.jit
        def f(x):
            return x + next(stream)  #! OAK105
    """,
}

ALL = {
    **NAMES, **CLOSURES, **ARGUMENTS, **DECORATORS, **CONTEXTS, **GENERATORS,
}  # fmt: skip


@pytest.mark.parametrize("name", list(ALL))
def test_functions_are_followed_as_python_runs_them(name: str) -> None:
    """A user's helper, decorator or closure neither hides a tracer nor makes one up."""
    assert_reported(ALL[name])

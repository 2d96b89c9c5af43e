"""What runs around a call decides whether it is traced: where that is unknown, it is likely."""

from pathlib import Path

import pytest
from closed_world_programs import assert_likely, assert_proved, weak_links

from oakum_lint.app.analysis import analyse

LIKELY = {
    "a traced function behind an unknown decorator": (
        """
        @jax.jit
        @decorated
        def f(x):
            return x if x > 0 else -x

        f(1.0)
        """,
        "a decorator of `f` is not known",
    ),
    "a list that a function fills behind an unknown decorator": (
        """
        ITEMS = []

        @decorated
        def start():
            ITEMS.append(1)

        @jax.jit
        def f(x):
            if not ITEMS:
                return float(x)
            return x

        f(1.0)
        """,
        "code that is not known gets `ITEMS` and may change it",
    ),
    "a variable that a method binds behind an unknown decorator": (
        """
        MODE = 0

        class Start:
            @decorated
            def start(self):
                global MODE
                MODE = 1

        @jax.jit
        def f(x):
            if MODE == 0:
                return float(x)
            return x

        f(1.0)
        """,
        "code that is not known may bind `MODE` here",
    ),
    "compilation that is turned off": (
        """
        jax.config.update("jax_disable_jit", True)

        @jax.jit
        def f(x):
            return x if x > 0 else -x

        f(1.0)
        """,
        "compilation is turned off",
    ),
    "an argument that is refused where compilation is on": (
        """
        jax.config.update("jax_disable_jit", True)
        jax.jit(lambda name: name)("mean")
        """,
        "compilation is turned off",
    ),
    "compilation that may be turned off around the call": (
        """
        @jax.jit
        def f(x):
            return x if x > 0 else -x

        with jax.disable_jit(hub):
            f(1.0)
        """,
        "compilation is turned off",
    ),
    "a length that is returned beside the loss": (
        """
        def loss(w):
            return w.sum(), jnp.linalg.norm(w)
        jax.grad(loss, has_aux=True)(jnp.zeros(3))
        """,
        "no gradient is seen to be taken through this",
    ),
    "a length in a record beside the loss": (
        """
        def loss(w):
            norm = jnp.linalg.norm(w)
            shown = {"norm": norm}
            return w.sum(), shown
        jax.grad(loss, has_aux=True)(jnp.zeros(3))
        """,
        "no gradient is seen to be taken through this",
    ),
    "a length that is only shown": (
        """
        def loss(w):
            jax.debug.print("{}", jnp.linalg.norm(w))
            return w.sum()
        jax.grad(loss)(jnp.zeros(3))
        """,
        "no gradient is seen to be taken through this",
    ),
    "a length of which the derivative is stopped": (
        """
        def loss(w):
            scale = jax.lax.stop_gradient(jnp.linalg.norm(w))
            return (w * scale).sum()
        jax.grad(loss)(jnp.zeros(3))
        """,
        "no gradient is seen to be taken through this",
    ),
    "a test that replaces what it calls": (
        """
        from unittest import mock

        def size():
            return 3

        @mock.patch("here.size")
        def test_size(fake):
            fake.return_value = 4
            return MISFIT[size()]
        """,
        "`test_size` replaces something",
    ),
    "a context manager that nobody knows": (
        """
        @jax.jit
        def f(x):
            return x if x > 0 else -x

        with timed("f"):
            f(1.0)
        """,
        "what this context manager does is not known",
    ),
    "a context manager of the project that handles exceptions": (
        """
        class Tolerant:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, traceback):
                return kind is not None

        with Tolerant():
            MISFIT[3]
        """,
        "`Tolerant` may handle what is raised here",
    ),
    "a function that a loop compiles, which has set something before": (
        """
        def f():
            for n in (1, 2):
                fill(n)
                jax.jit(lambda x: x + 1)(1.0)

        f()
        """,
        "what the iteration binds may change what is compiled",
    ),
    "a function that a method of a new object compiles": (
        """
        class Model:
            def fit(self):
                def loss(x):
                    return x + 1

                return jax.jit(loss)(1.0)

        def f():
            for _ in range(3):
                Model().fit()

        f()
        """,
        "what the iteration binds may change what is compiled",
    ),
    "a function that a loop compiles for data that its item decides": (
        """
        def f():
            for name in hub.names():
                x = jnp.ones(3)
                if name == "plane":
                    x = jnp.ones((3, 2))
                jax.jit(lambda x: x + 1)(x)

        f()
        """,
        "what the iteration binds may change what is compiled",
    ),
    "compilation that a fixture turns off": (
        """
        import pytest

        @pytest.fixture(autouse=True)
        def plain():
            with jax.disable_jit():
                yield

        @jax.jit
        def f(x):
            return x if x > 0 else -x

        def test_f():
            f(1.0)
        """,
        "other code of the program may turn compilation off",
    ),
    "compilation that the environment turns off": (
        """
        import os

        os.environ["JAX_DISABLE_JIT"] = "1"

        @jax.jit
        def f(x):
            return x if x > 0 else -x

        f(1.0)
        """,
        "other code of the program may turn compilation off",
    ),
    "a root of zero in a branch that is not chosen there": (
        """
        def norm(x):
            square = jnp.dot(x, x)
            return jax.lax.cond(square < 1e-8, lambda: 0.0, lambda: jnp.sqrt(square))

        jax.grad(norm)(jnp.zeros(3))
        """,
        "one of several branches is run",
    ),
    "a benchmark that compiles in a loop": (
        """
        def benchmark_squares():
            for n in (8, 16):
                jax.jit(lambda x: x * x)(jnp.ones(n))

        benchmark_squares()
        """,
        "a test or a benchmark may mean to compile each of its cases",
    ),
    "a property that keeps what it computes behind a test": (
        """
        class Fit:
            def __init__(self):
                self.scale = None

            def solver(self):
                return jax.jit(lambda x: x * self.weights)

            @property
            def weights(self):
                if self.scale is None:
                    self.scale = jnp.ones(3)
                return self.scale
        """,
        "`scale` is bound on the first run alone, and no run of it is seen",
    ),
    "a property that returns before what it has kept": (
        """
        class Fit:
            def __init__(self):
                self.scale = None

            def solver(self):
                return jax.jit(lambda x: x * self.weights)

            @property
            def weights(self):
                if self.scale is not None:
                    return self.scale
                self.scale = jnp.ones(3)
                return self.scale
        """,
        "`scale` is bound on the first run alone, and no run of it is seen",
    ),
    "options of a transform that unknown code has had": (
        """
        options = {"static_argnums": ()}
        fill(options)

        def step(x, flag):
            return x if flag else -x

        jax.jit(step, **options)(1.0, True)
        """,
        "gets `options` and may change it",
    ),
    "options of a decorator that are attributes of such a class": (
        """
        from functools import partial

        class Options:
            static = ()

        fill(Options)

        @partial(jax.jit, static_argnums=Options.static)
        def step(x, flag):
            return x if flag else -x

        step(1.0, True)
        """,
        "gets the class `Options`",
    ),
    "a transform that is an attribute of such an object": (
        """
        class Compiler:
            def __init__(self):
                self.jit = jax.jit

        compiler = Compiler()
        fill(compiler)

        def step(x, flag):
            return x if flag else -x

        compiled = compiler.jit(step)
        compiled(1.0, True)
        """,
        "gets `compiler` and may change it",
    ),
    "a compiled function in a table that unknown code has had": (
        """
        def step(x, flag):
            return x if flag else -x

        table = {"step": jax.jit(step)}
        fill(table)
        table["step"](1.0, True)
        """,
        "gets `table` and may change it",
    ),
    "a compiled function that such an object holds": (
        """
        def step(x, flag):
            return x if flag else -x

        class Trainer:
            def __init__(self):
                self.step = jax.jit(step)
                hub.register(self)

            def run(self):
                return self.step(1.0, True)

        Trainer().run()
        """,
        "gets `self` and may change it",
    ),
    "a function that is compiled if such an object says so": (
        """
        class Config:
            def __init__(self):
                self.compiles = True

        config = Config()
        fill(config)

        def step(x, flag):
            return x if flag else -x

        if config.compiles:
            step = jax.jit(step)
        step(1.0, True)
        """,
        "gets `config` and may change it",
    ),
    "one that is compiled, or not, in an expression": (
        """
        class Config:
            def __init__(self):
                self.compiles = True

        config = Config()
        fill(config)

        def step(x, flag):
            return x if flag else -x

        run_step = jax.jit(step) if config.compiles else step
        run_step(1.0, True)
        """,
        "gets `config` and may change it",
    ),
}

PROVED = {
    "a length that is a part of the loss by names, a helper and a list": """
        def length(w):
            found = jnp.linalg.norm(w)
            return {"length": found, "n": 3}

        def loss(w):
            parts = []
            parts.append(length(w)["length"])
            total = sum(parts)
            return total, parts

        jax.grad(loss, has_aux=True)(jnp.zeros(3))
        """,
    "a property that keeps what a run computes that is seen": """
        class Fit:
            def __init__(self):
                self.scale = None

            @property
            def weights(self):
                if self.scale is None:
                    self.scale = jnp.ones(3)
                return self.scale

        fit = Fit()
        jax.jit(lambda x: x * fit.weights)(1.0)
        """,
    "a decorator that changes nothing": """
        @jax.jit
        @jax.named_scope("f")
        def f(x):
            return x if x > 0 else -x

        f(1.0)
        """,
    "compilation that is turned off elsewhere": """
        @jax.jit
        def f(x):
            return x if x > 0 else -x

        with jax.disable_jit():
            pass
        f(1.0)
        """,
    "a context manager that is known": """
        @jax.jit
        def f(x):
            return x if x > 0 else -x

        with jax.named_scope("f"):
            f(1.0)
        """,
    "a context manager of the project that handles nothing": """
        class Timed:
            def __enter__(self):
                return self

            def __exit__(self, kind, error, traceback):
                print("over")
                return False

        with Timed():
            MISFIT[3]
        """,
    "a function that a loop compiles, which has only said something before": """
        def f():
            for n in (1, 2):
                print(n)
                jax.jit(lambda x: x + 1)(1.0)

        f()
        """,
    "what a scan goes over, in unknown hands": """
        parameters = {"w": jnp.ones(3)}
        fill(parameters)

        def body(carry, x):
            return carry, x if x > 0 else -x

        jax.lax.scan(body, parameters, jnp.ones(3))
        """,
    "a compiled method of an object in unknown hands": """
        from functools import partial

        class Trainer:
            def __init__(self):
                hub.register(self)

            @partial(jax.jit, static_argnums=0)
            def step(self, x):
                return x if x > 0 else -x

        Trainer().step(1.0)
        """,
}


@pytest.mark.parametrize(("program", "link"), LIKELY.values(), ids=LIKELY)
def test_what_is_perhaps_not_traced_is_likely(program: str, link: str) -> None:
    """A run in CI does not fail for it, and the report says what is not certain."""
    assert_likely(program, link)


@pytest.mark.parametrize("program", PROVED.values(), ids=PROVED)
def test_what_is_traced_for_certain_is_proved(program: str) -> None:
    """The gate takes nothing away from what is certain."""
    assert_proved(program)


@pytest.mark.parametrize("hook", ["pytest_configure(config)", "pytest_sessionstart(session)"])
def test_what_pytest_calls_before_the_tests_turns_compilation_off(hook: str) -> None:
    """Tests that run without compilation pass what `jit` would refuse."""
    off = "    jax.config.update('jax_disable_jit', True)\n"
    files = {
        Path("/small/conftest.py"): f"import jax\nimport shared\n\ndef {hook}:\n{off}",
        Path("/small/a_test.py"): 'import jax\nfrom shared import name\njax.jit(name)("mean")\n',
        Path("/small/shared.py"): "def name(text):\n    return text\n",
    }
    (finding,) = [each for r in analyse(list(files), overlay=files) for each in r.findings]
    assert finding.code == "OAK305"
    assert "compilation is turned off" in weak_links(finding)

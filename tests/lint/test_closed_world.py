"""Proved needs a closed world: what anything unknown may have changed is likely, and says so."""

from pathlib import Path

import pytest
from small_programs import findings_of, only

from oakum_lint.app.analysis import analyse

HEAD = """
import somewhere
from somewhere import Base, Field, Meta, Static, declared, decorated, fill, hub, run, timed

"""
MISFIT = "jnp.zeros((4, 2)) + jnp.zeros(({size}, 2))"

WEAK = {
    "a dict that is passed on": (
        """
        sizes = {"n": 3}
        fill(sizes)
        MISFIT[sizes["n"]]
        """,
        "gets `sizes` and may change it",
    ),
    "an attribute that nobody is seen to set": (
        """
        import dataclasses

        @dataclasses.dataclass
        class State:
            n: int = 3

        def f(state):
            return jnp.zeros((state.columns, 3))[:, :, 2]

        f(State())
        """,
        "nothing is seen to set `state.columns`",
    ),
    "a field that a named tuple lacks": (
        """
        from typing import NamedTuple

        class Sizes(NamedTuple):
            n: int

        def f(sizes):
            return jnp.zeros((sizes.columns, 3))[:, :, 2]

        f(Sizes(3))
        """,
        "nothing is seen to set `sizes.columns`",
    ),
    "a value of the main block of a script": (
        """
        @decorated
        class Sizes:
            n: int = 3

        if __name__ == "__main__":
            sizes = Sizes(n=4)
            rows = jnp.zeros((sizes.n, 2))
            jnp.zeros((4, 2)) + rows
        """,
        "a decorator of `Sizes` is not known",
    ),
    "one of two values that a script assigns at once": (
        """
        @decorated
        class Sizes:
            n: int = 3

        sizes, more = Sizes(n=4), 1
        rows, columns = jnp.zeros((sizes.n, 2)), more
        jnp.zeros((4, 2)) + rows
        """,
        "a decorator of `Sizes` is not known",
    ),
    "a list in another that is passed on": (
        """
        sizes = [3]
        fill({"inner": sizes})
        MISFIT[sizes[0]]
        """,
        "gets `sizes` and may change it",
    ),
    "an object that registers itself": (
        """
        class Model:
            def __init__(self):
                self.n = 3
                hub.register(self)

            def run(self):
                return MISFIT[self.n]

        Model().run()
        """,
        "gets `self` and may change it",
    ),
    "what is stored in an unknown object": (
        """
        sizes = {"n": 3}
        hub.sizes = sizes
        MISFIT[sizes["n"]]
        """,
        "gets `sizes` and may change it",
    ),
    "what is stored as an item of one": (
        """
        sizes = {"n": 3}
        hub["sizes"] = sizes
        MISFIT[sizes["n"]]
        """,
        "gets `sizes` and may change it",
    ),
    "what a callback changes": (
        """
        def f():
            sizes = [3]

            def set_size(n):
                sizes[0] = n

            run(set_size)
            return MISFIT[sizes[0]]

        f()
        """,
        "gets `sizes` and may change it",
    ),
    "what a thread changes": (
        """
        import threading

        sizes = {"n": 3}
        threading.Thread(target=lambda: sizes.update(n=4)).start()
        MISFIT[sizes["n"]]
        """,
        "gets `sizes` and may change it",
    ),
    "a variable that a callback binds": (
        """
        def f():
            n = 3

            def set_size(new):
                nonlocal n
                n = new

            run(set_size)
            return MISFIT[n]

        f()
        """,
        "may bind `n`",
    ),
    "an attribute of any name": (
        """
        class Sizes:
            n = 3

        sizes = Sizes()
        for name, value in hub.items():
            setattr(sizes, name, value)
        MISFIT[sizes.n]
        """,
        "gets `sizes` and may change it",
    ),
    "attributes from unknown keywords": (
        """
        class Sizes:
            def __init__(self, **given):
                self.n = 3
                self.__dict__.update(given)

        sizes = Sizes(**hub)
        MISFIT[sizes.n]
        """,
        "gets `sizes` and may change it",
    ),
    "an unknown base": (
        """
        class Sizes(Base):
            n = 3

        MISFIT[Sizes().n]
        """,
        "a base of `Sizes` is not known",
    ),
    "an unknown method of the object": (
        """
        class Model(Base):
            def run(self):
                self.n = 3
                self.refresh()
                return MISFIT[self.n]

        Model().run()
        """,
        "gets `self` and may change it",
    ),
    "an unknown decorator of the class": (
        """
        @decorated
        class Sizes:
            n = 3

        MISFIT[Sizes().n]
        """,
        "a decorator of `Sizes` is not known",
    ),
    "a class that computes its attributes": (
        """
        class Sizes:
            n = 3

            def __getattribute__(self, name):
                return 4

        MISFIT[Sizes().n]
        """,
        "`Sizes` computes its attributes",
    ),
    "a method that a subclass may inherit": (
        """
        class Model:
            n = 3

            def run(self):
                return MISFIT[self.n]
        """,
        "`self` may be of a subclass",
    ),
    "names that code in a text may bind": (
        """
        n = 3
        exec(open("settings.py").read())
        MISFIT[n]
        """,
        "may bind `n`",
    ),
    "names that `globals()` may bind": (
        """
        n = 3
        globals().update(hub)

        def f():
            return MISFIT[n]

        f()
        """,
        "may bind `n`",
    ),
    "names that an import of all names may bind": (
        """
        n = 3
        from somewhere import *

        def f():
            return MISFIT[n]

        f()
        """,
        "may bind `n`",
    ),
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
    "a key in an object that something else gets": (
        """
        class State:
            pass

        def f():
            state = State()
            state.key = jax.random.key(0)
            first = jax.random.normal(state.key)
            fill(state)
            return first, jax.random.normal(state.key)

        f()
        """,
        "gets `state` and may change it",
    ),
    "a field with an option that nobody knows": (
        """
        import equinox as eqx

        class Sizes(eqx.Module):
            n: int = eqx.field(frozen_value=True)

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "what `frozen_value=` means for `n` is not known",
    ),
    "a field with metadata that nobody knows": (
        """
        import dataclasses

        import flax

        @flax.struct.dataclass
        class Sizes:
            n: int = dataclasses.field(metadata={"auxiliary": True})

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "what the metadata of `n` mean is not known",
    ),
    "a field with an annotation that nobody knows": (
        """
        import flax

        @flax.struct.dataclass
        class Sizes:
            n: Static[int]

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "what the annotation of `n` says is not known",
    ),
    "a decorator with an option that nobody knows": (
        """
        import dataclasses
        from functools import partial

        @partial(jax.tree_util.register_dataclass, data_fields=["n"], meta_fields=[], kept=["n"])
        @dataclasses.dataclass
        class Sizes:
            n: int

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "not all options of the decorator of `Sizes` are known",
    ),
    "a mixin that nobody knows": (
        """
        import equinox as eqx

        class Sizes(Base, eqx.Module):
            n: int

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "a base of `Sizes` is not known",
    ),
    "a metaclass that makes what it likes": (
        """
        class Converting(type):
            def __call__(cls, *values):
                made = super().__call__(*values)
                made.n = jnp.asarray(made.n)
                return made

        class Sizes(metaclass=Converting):
            def __init__(self, n):
                self.n = n

        jnp.abs(Sizes([1.0, 2.0]).n)
        """,
        "the metaclass of `Sizes` is not known",
    ),
    "a keyword of a class that its library does not read": (
        """
        import equinox

        class Sizes(equinox.Module, deep=True):
            n: int

        MISFIT[Sizes(3).n]
        """,
        "what `deep=` means for `Sizes` is not known",
    ),
    "a class that converts what is set": (
        """
        class Sizes:
            def __init__(self, n):
                self.n = n

            def __setattr__(self, name, value):
                object.__setattr__(self, name, jnp.asarray(value))

        jnp.abs(Sizes([1.0, 2.0]).n)
        """,
        "`Sizes` decides itself what its attributes hold",
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
    "what stands behind a call that raises": (
        """
        def scaled(x, by):
            return x * by

        def f():
            scaled(1.0)
            return MISFIT[3]

        f()
        """,
        "this call of `scaled` fails before",
    ),
    "what a call runs that passes too much": (
        """
        def misfit(n):
            return MISFIT[3]

        misfit(1, 2)
        """,
        "this call of `misfit` fails before",
    ),
    "an initialiser that gets one argument twice": (
        """
        class Model:
            def __init__(self, n, scale=1.0):
                self.n = MISFIT[n]

        Model(3, 2.0, scale=1.0)
        """,
        "this call of `Model` fails before",
    ),
    "a call with a name that the function has not": (
        """
        def misfit(n):
            return MISFIT[n]

        misfit(3, width=2)
        """,
        "this call of `misfit` fails before",
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
    "what stands behind an attribute of None": (
        """
        def f():
            found = None
            print(found.shape)
            return jnp.abs(found)

        f()
        """,
        "`found.shape` fails before",
    ),
    "what stands behind the length of None": (
        """
        def f(items=None):
            n = len(items)
            return n, MISFIT[3]

        f()
        """,
        "`len(items)` fails before",
    ),
    "a name that is bound again after an exception": (
        """
        def f(data):
            parts = []
            try:
                for i in range(data.shape[0]):
                    parts.append(data[i])
            except AttributeError:
                parts = data
            return jax.tree.map(lambda x: jnp.pad(x, ((0, 0), (0, 1))), parts)

        f(jnp.ones((2, 3, 4)))
        """,
        "`parts` is bound here after an exception",
    ),
    "a call that an older JAX took": (
        """
        from jax.experimental.maps import xmap

        def f(x):
            return jax.nn.softmax(x, ["classes"])

        f(jnp.ones(3))
        """,
        "JAX does not have this, or no longer",
    ),
    "a variable that a function binds": (
        """
        n = 3

        def start():
            global n
            n = 4

        MISFIT[n]
        """,
        "a function binds `n` again",
    ),
    "what a library returns": (
        """
        import optax

        @jax.jit
        def f(optimizer, x):
            return x

        f(optax.sgd(0.1), 1.0)
        """,
        "what `optax.sgd` returns is not known for certain",
    ),
    "what stands behind a question whether something is concrete": (
        """
        @jax.jit
        def f(x, y):
            try:
                n = int(hub.size(x))
            except jax.errors.ConcretizationTypeError:
                return x
            return n * float(y)

        f(1.0, 2.0)
        """,
        "where a value is not concrete, this leaves before",
    ),
    "what a function returns that fails before": (
        """
        class Model:
            def __init__(self, scale):
                self.rows = None

        def likelihood(x):
            model = Model(scale=x, width=3)
            return model.rows

        jnp.exp(likelihood(1.0))
        """,
        "this call of `Model` fails before",
    ),
    "what stands behind a statement of a module that fails": (
        """
        def scaled(x, by):
            return x * by

        scaled(1.0)
        MISFIT[3]
        """,
        "this call of `scaled` fails before",
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
}

LONG_CHAIN = """
        sizes = {{"n": 3}}
        fill(sizes)
        n0 = sizes["n"]
        {steps}
        MISFIT[n2800]
        """.format(steps="\n        ".join(f"n{i + 1} = n{i}" for i in range(2800)))
WEAK["more steps than are followed"] = (LONG_CHAIN, "expressions are behind it")

CLOSED = {
    "a class with a keyword that its library checks alone": """
        import equinox

        class Sizes(equinox.Module, strict=True):
            n: int

        MISFIT[Sizes(3).n]
        """,
    "a dict that only Python's own functions get": """
        import json

        sizes = {"n": 3}
        print(json.dumps(sizes), len(sizes))
        MISFIT[sizes["n"]]
        """,
    "an object whose method gets what is unknown": """
        class Sizes:
            def __init__(self, other):
                self.n, self.other = 3, other

        MISFIT[Sizes(hub).n]
        """,
    "attributes from keywords that are known": """
        class Sizes:
            def __init__(self, **given):
                self.__dict__.update(given)

        MISFIT[Sizes(n=3).n]
        """,
    "another object than the one that escapes": """
        sizes, others = {"n": 3}, {"n": 3}
        fill(others)
        MISFIT[sizes["n"]]
        """,
    "a dict that escapes afterwards": """
        sizes = {"n": 3}
        MISFIT[sizes["n"]]
        fill(sizes)
        """,
    "a decorator that changes nothing": """
        @jax.jit
        @jax.named_scope("f")
        def f(x):
            return x if x > 0 else -x

        f(1.0)
        """,
    "a traced argument out of what escapes": """
        sizes = {"n": 3.0}
        fill(sizes)

        @jax.jit
        def f(x):
            return x if x > 0 else -x

        f(jnp.float32(sizes["n"]))
        """,
    "compilation that is turned off elsewhere": """
        @jax.jit
        def f(x):
            return x if x > 0 else -x

        with jax.disable_jit():
            pass
        f(1.0)
        """,
    "a field whose options are known": """
        import equinox as eqx

        class Sizes(eqx.Module):
            n: int = eqx.field(default=3)

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
    "a class that refuses to be changed": """
        class Sizes:
            def __init__(self, n):
                object.__setattr__(self, "n", n)

            def __setattr__(self, name, value):
                raise AttributeError(name)

        jnp.abs(Sizes([1.0, 2.0]).n)
        """,
    "a context manager that is known": """
        @jax.jit
        def f(x):
            return x if x > 0 else -x

        with jax.named_scope("f"):
            f(1.0)
        """,
    "a function that a loop compiles, which has only said something before": """
        def f():
            for n in (1, 2):
                print(n)
                jax.jit(lambda x: x + 1)(1.0)

        f()
        """,
    "an initialiser that gets what it should": """
        import functools

        class Model:
            def __init__(self, n, scale=1.0, **options):
                self.n = MISFIT[n]

        functools.partial(Model, scale=2.0)(3, scale=1.0, width=2)
        """,
    "a call before that passes what it should": """
        def scaled(x, by=2.0):
            return x * by

        def f():
            scaled(1.0)
            return MISFIT[3]

        f()
        """,
}


def spelled(program: str) -> str:
    """The program with its misfits written out."""
    head, *rest = program.split("MISFIT[")
    for part in rest:
        depth, end = 1, 0
        while depth:
            depth += {"[": 1, "]": -1}.get(part[end], 0)
            end += 1
        head += MISFIT.format(size=part[: end - 1]) + part[end:]
    return head


@pytest.mark.parametrize(("program", "link"), WEAK.values(), ids=WEAK)
def test_what_unknown_code_may_have_changed_is_likely(program: str, link: str) -> None:
    """A run in CI does not fail for it, and the report says what is not certain."""
    finding = only(findings_of(HEAD.replace("\n", "\n        ") + spelled(program)))
    assert finding.confidence == "likely"
    assert link in " ".join(weak.message for weak in finding.weak)


@pytest.mark.parametrize("program", CLOSED.values(), ids=CLOSED)
def test_what_nothing_unknown_has_had_is_proved(program: str) -> None:
    """The gate takes nothing away from what is certain."""
    finding = only(findings_of(HEAD.replace("\n", "\n        ") + spelled(program)))
    assert finding.weak == ()


def test_a_field_that_an_unknown_function_declares_is_no_tracer() -> None:
    """It may be static: what a user reads of it in a trace is not reported, and all else is."""
    program = """
        import flax

        class Sizes(flax.struct.PyTreeNode):
            m: int
            n: int = declared()

        @jax.jit
        def f(sizes, x):
            for _ in range(sizes.n):
                x = x + 1
            return x if sizes.m > 0 else -x

        f(Sizes(3, 3), 1.0)
        """
    finding = only(findings_of(HEAD.replace("\n", "\n        ") + program))
    assert (finding.code, finding.weak) == ("OAK201", ())


def test_the_second_misfit_of_a_call_is_likely() -> None:
    """The first one ends the run, also where what is called has it: it is to be repaired first."""
    program = """
        def g(n):
            return MISFIT[n]

        def f():
            g(3)
            if hub.flag:
                MISFIT[5]
            return MISFIT[6]

        def other():
            return MISFIT[7]

        f()
        """
    first, *others, last = findings_of(HEAD.replace("\n", "\n        ") + spelled(program))
    assert first.weak == last.weak == ()
    assert len(others) == 2
    for finding in others:
        assert "this raises before" in " ".join(weak.message for weak in finding.weak)


def test_what_a_try_catches_ends_its_body() -> None:
    """Code that asks whether its argument is concrete goes the other way under a trace."""
    program = """
        @jax.jit
        def f(x):
            try:
                n = int(x[0])
            except jax.errors.ConcretizationTypeError:
                return x
            return [float(x[i]) for i in range(n)]

        @jax.jit
        def g(x):
            try:
                if hub.flag:
                    int(x[0])
            except TypeError:
                return x
            return float(x[1])

        f(jnp.ones(3)), g(jnp.ones(3))
        """
    finding = only(findings_of(HEAD.replace("\n", "\n        ") + program))
    assert finding.code == "OAK204"
    assert "x[1]" in finding.message


def test_a_variable_of_another_module_that_a_function_binds_is_not_exact() -> None:
    """The order of imports decides what an importer gets."""
    files = {
        Path("/small/sizes.py"): "n = -1\n\ndef start():\n    global n\n    n = 4\n",
        Path("/small/early.py"): "import sizes\n\nsizes.start()\n",
        Path("/small/state.py"): "import jax.numpy as jnp\nfrom sizes import n\n\n"
        "def make():\n    return jnp.zeros((1, n))\n\nmake()\n",
    }
    found = [each for r in analyse(list(files), overlay=files) for each in r.findings]
    for finding in found:
        assert "a function binds `n` again" in " ".join(weak.message for weak in finding.weak)


def test_a_default_key_is_used_once_by_each_of_two_scripts() -> None:
    """Each is a program of its own; a script that imports the other is one program with it."""
    model = """
import jax

class Model:
    def __init__(self, n, key=jax.random.PRNGKey(0)):
        self.w = jax.random.normal(key, (n,))
"""
    files = {
        Path("/small/model.py"): model,
        Path("/small/one.py"): "from model import Model\nmodel = Model(3)\n",
        Path("/small/two.py"): "from model import Model\nmodel = Model(4)\n",
    }
    assert not [each for r in analyse(list(files), overlay=files) for each in r.findings]
    files[Path("/small/two.py")] = "import one\n" + files[Path("/small/two.py")]
    found = [each for r in analyse(list(files), overlay=files) for each in r.findings]
    assert [each.code for each in found] == ["OAK401"]


def test_what_stands_behind_a_line_that_raises_is_likely() -> None:
    """No run reaches it before the line is changed."""
    program = """
        @jax.jit
        def f(x):
            n = int(x[0])
            parts = [0 + x]
            np.concatenate(parts)
            return x * n if x[1] > 0 else float(x[2])

        f(jnp.ones(3))
        """
    first, *others = findings_of(program)
    assert first.weak == ()
    assert others
    for finding in others:
        assert "this raises before" in " ".join(weak.message for weak in finding.weak)


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
    assert "compilation is turned off" in " ".join(weak.message for weak in finding.weak)

"""What stands behind a line that fails before is likely: no run reaches it as it is."""

import textwrap
from pathlib import Path

import pytest
from closed_world_programs import (
    assert_likely,
    assert_proved,
    findings_with_unknown_code,
    weak_links,
)
from small_programs import findings_of, only

from oakum_lint.app.analysis import analyse
from oakum_lint.text.finding import Confidence

LIKELY = {
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
    "an initialiser that gets one argument twice": (
        """
        class Model:
            def __init__(self, n, scale=1.0):
                self.n = MISFIT[n]

        Model(3, 2.0, scale=1.0)
        """,
        "this call of `Model` fails before",
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
    "a function of a call that is over, which nobody calls": (
        """
        def parts(size):
            def first():
                return jnp.zeros(size)
            def second():
                return jnp.ones(abs(size))
            return first, second

        first, second = parts(-1)
        second()
        """,
        "nobody is seen to call `first` with this `size`",
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
        "the library does not have this, or no longer",
    ),
    "a name that the module binds behind the line that reads it": (
        """
        size = np.float32(numbers.FOUR)
        MISFIT[3]

        import numbers
        """,
        "`numbers` fails before: it is bound further down",
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
    "what a library that is not known may call while that is traced": (
        """
        @jax.jit
        def f(x):
            def residual(guess):
                return float(jnp.sum(x - guess))

            return hub.root(residual, 0.0, 1.0)

        f(jnp.ones(3))
        """,
        "nobody is seen to call `residual` while that is traced",
    ),
    "what runs in a context manager that handles what is raised": (
        """
        import contextlib

        @contextlib.contextmanager
        def guard():
            try:
                yield
            except Exception as error:
                print(error)

        def f():
            with guard():
                return MISFIT[3]

        f()
        """,
        "`guard` may handle what is raised here",
    ),
    "what stands behind a format of an array of JAX": (
        """
        def f(x):
            print(f"{x:.2f}")
            return MISFIT[3]

        f(jnp.zeros(3))
        """,
        "this raises before",
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
    "what the body of a loop returns that raises at its first line": (
        """
        def step(state, x):
            mean, spread, count = state
            return mean, spread, count

        jax.lax.scan(step, (jnp.zeros(3), 0), jnp.ones(3))
        """,
        "what this runs raises before",
    ),
}

PROVED = {
    "what the body of a loop returns that gets as far": """
        def step(state, x):
            mean, spread = state
            return mean, spread, x

        jax.lax.scan(step, (jnp.zeros(3), 0), jnp.ones(3))
        """,
    "what runs in a context manager that lets through what is raised": """
        import contextlib

        @contextlib.contextmanager
        def timer():
            try:
                yield
            finally:
                print("done")

        def f():
            with timer():
                return MISFIT[3]

        f()
        """,
    "what runs in a context manager that notes what is raised": """
        import contextlib

        @contextlib.contextmanager
        def noted():
            try:
                yield
            except ValueError as error:
                print(error)
                raise
            except Exception as error:
                raise RuntimeError("failed") from error

        def f():
            with noted():
                return MISFIT[3]

        f()
        """,
    "names that stand where nothing reads them before they are bound": """
        later = lambda: numbers.FOUR
        size: shapes.Size = 3
        try:
            import colors
        except ImportError:
            colors = None
        print(colors.RED if colors else None)
        MISFIT[3]
        print(numbers.FOUR)

        import shapes
        import colors
        import numbers
        """,
    "an initialiser that gets what it should": """
        import functools

        class Model:
            def __init__(self, n, scale=1.0, **options):
                self.n = MISFIT[n]

        functools.partial(Model, scale=2.0)(3, scale=1.0, width=2)
        """,
    "a call of a transformed function that passes what it should": """
        def misfit(n, by=1.0):
            return MISFIT[3] + n * by

        jax.vmap(misfit, in_axes=(0, None))(jnp.ones(2), 2)
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


@pytest.mark.parametrize(("program", "link"), LIKELY.values(), ids=LIKELY)
def test_what_stands_behind_a_failure_is_likely(program: str, link: str) -> None:
    """A run in CI does not fail for it, and the report says what is not certain."""
    assert_likely(program, link)


def test_what_stands_behind_a_dataclass_with_an_array_as_a_default_is_likely() -> None:
    """Python refuses the class, and runs nothing of the module from there on."""
    program = """
        import dataclasses

        @dataclasses.dataclass
        class State:
            w: jax.Array = jnp.zeros(3)

        MISFIT[3]
    """
    default, behind = findings_with_unknown_code(program)
    assert (default.code, default.confidence, behind.confidence) == ("OAK216", "likely", "likely")
    assert "this raises before" in weak_links(behind)


REFUSED = {
    "too many arguments": """
        def misfit(n):
            return MISFIT[n]

        misfit(3, 2)
    """,
    "a transformed function that gets too much": """
        def misfit(row):
            return jnp.ones(3) @ row

        jax.vmap(misfit)(jnp.ones((2, 4)), jnp.ones(2))
    """,
    "a name that the function has not": """
        def misfit(n):
            return MISFIT[n]

        misfit(3, width=2)
    """,
}


@pytest.mark.parametrize("program", REFUSED.values(), ids=REFUSED)
def test_what_a_refused_call_would_run_is_not_run(program: str) -> None:
    """Of one call without an argument its author would get the findings of all that it calls."""
    assert findings_with_unknown_code(program) == []


@pytest.mark.parametrize("program", PROVED.values(), ids=PROVED)
def test_what_stands_behind_calls_that_fit_is_proved(program: str) -> None:
    """The gate takes nothing away from what is certain."""
    assert_proved(program)


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
    first, *others, last = findings_with_unknown_code(program)
    assert first.weak == last.weak == ()
    assert len(others) == 2
    for finding in others:
        assert "this raises before" in weak_links(finding)


def test_what_a_method_does_that_gets_no_pytree_is_likely() -> None:
    """The call raises before, also where a test decides whether it comes to that."""
    program = """
        class Objective:
            @jax.jit
            def error(self, x):
                return x if jnp.sum(x) == 0 else 2 * x

            def total(self, items):
                return [self.error(jnp.ones(3)) for each in items if each > 3]

        Objective().total(hub.items)
        """
    found = {finding.code: finding for finding in findings_with_unknown_code(program)}
    assert found.keys() == {"OAK201", "OAK306"}
    assert "this call raises before, for an argument" in weak_links(found["OAK201"])


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
    finding = only(findings_with_unknown_code(program))
    assert finding.code == "OAK204"
    assert "x[1]" in finding.message


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
        assert "this raises before" in weak_links(finding)


def test_draws_behind_what_certainly_raises_are_likely() -> None:
    """A key that is used twice there is used once at most: also in what is called behind it."""
    program = """
        class Layer:
            def __init__(self, key):
                self.a = jax.random.normal(key, (2, 3))
                self.b = jax.random.normal(key, (2, 3))

        class Model:
            def __init__(self, key, size):
                self.a = jax.random.normal(key, (size, 3))
                self.layers = [Layer(jax.random.key(i)) for i in range(2)]

        Model(jax.random.key(7), {size})
        """
    behind, first = findings_of(program.format(size=-1))
    assert first.code == "OAK501"
    assert first.weak == ()
    assert behind.code == "OAK401"
    assert "this raises before" in weak_links(behind)
    assert only(findings_of(program.format(size=2))).weak == ()


def test_nothing_runs_behind_the_end_of_a_test() -> None:
    """A test that is skipped fails at no line behind that."""
    program = """
        import unittest

        class Sums(unittest.TestCase):
            def test_sum(self):
                self.skipTest("later")
                MISFIT[3]

            def test_total(self):
                self.skip("later")
                MISFIT[3]
        """
    assert only(findings_with_unknown_code(program)).location.line == 20


def test_draws_behind_a_static_argument_without_a_hash_are_likely() -> None:
    """The call raises: a key that is used twice behind it is used by nobody."""
    program = """
        scaled = jax.jit(lambda x, sizes: x * len(sizes), static_argnums=1)

        def f(key):
            x = scaled(jnp.ones(3), {sizes})
            return x, jax.random.normal(key), jax.random.normal(key)

        f(jax.random.key(0))
        """
    first, behind = findings_of(program.format(sizes="[1, 2]"))
    assert first.weak == ()
    assert behind.code == "OAK401"
    assert "this raises before" in weak_links(behind)
    assert_proved(program.format(sizes="(1, 2)"))


def test_draws_behind_an_error_that_is_likely_are_likely() -> None:
    """A run that gets there is as doubtful as the error."""
    program = """
        def f(key, options):
            hub.fill(options)
            MISFIT[options["size"]]
            return jax.random.normal(key), jax.random.normal(key)

        f(jax.random.key(0), {{"size": {size}}})
        """
    behind = findings_with_unknown_code(program.format(size=3))
    assert [each.code for each in behind] == ["OAK501", "OAK401"]
    assert "this likely raises before" in weak_links(behind[1])
    assert_proved(program.format(size=4))


def test_the_iteration_behind_one_that_certainly_raises_does_not_come() -> None:
    """What a key has drawn in lines behind that one, none before it draws again."""
    program = """
        key = jax.random.key(0)

        for n in [1.0, 2.0]:
            noise = jax.random.normal(key, (3,))
            print(n * noise)
            MISFIT[{size}]
        """
    behind = only(
        [
            each
            for each in findings_with_unknown_code(program.format(size=3))
            if each.code == "OAK401"
        ]
    )
    assert "this raises before" in weak_links(behind)
    assert_proved(program.format(size=4))


def test_the_iteration_behind_one_that_raises_begins_no_trace() -> None:
    """A tuple has no `block_until_ready`: the key is drawn from once."""
    program = """
        @jax.jit
        def walk(key, x):
            step = lambda carry, k: (carry + jax.random.uniform(k), carry)
            return jax.lax.scan(step, x, jax.random.split(key, 2))

        def f(key):
            for _ in range(3):
                {wait}

        f(jax.random.key(0))
        """
    waits = ("walk(key, 1.0).block_until_ready()", "jax.block_until_ready(walk(key, 1.0))")
    waits = tuple(f"print({wait})" for wait in waits)  # else nobody reads what is drawn
    found = [only(findings_with_unknown_code(program.format(wait=wait))) for wait in waits]
    assert [(each.code, each.confidence) for each in found] == [
        ("OAK401", "likely"),
        ("OAK401", "proved"),
    ]


@pytest.mark.parametrize(
    ("shared", "is_proved"),
    [
        ("def flat(x):\n    return x\n", False),
        ("def __getattr__(name):\n    return print\n", True),
        ("globals()['pool'] = print\n", True),
        ("from elsewhere import *\n", True),
        ("def set_up():\n    global pool\n    pool = print\n", True),
    ],
)
def test_what_stands_behind_a_name_that_a_module_lacks_is_likely(
    shared: str, is_proved: bool
) -> None:
    """AttributeError comes before: nothing draws twice."""
    use = "import jax\nimport shared\n\ndef f(key):\n    a = jax.random.normal(key)\n"
    use += "    shared.pool(a)\n    return a + jax.random.normal(key)\n"
    files = {Path("/small/use.py"): use, Path("/small/shared.py"): shared}
    (finding,) = [each for r in analyse(list(files), overlay=files) for each in r.findings]
    assert finding.code == "OAK401"
    assert (finding.confidence is Confidence.PROVED) == is_proved


def test_what_a_function_does_that_jit_refuses_is_likely() -> None:
    """The decorator raises, for an option that names no parameter: the parameter that it means is
    static once that is repaired.
    """
    program = """
        @functools.partial(jax.jit, static_argnames="sise")
        def f(x, size):
            return x if size > 3 else -x

        f(jnp.ones(3), 3)
        """
    refused, test = findings_of(program)
    assert (refused.code, refused.weak) == ("OAK301", ())
    assert test.code == "OAK201"
    assert "an option names a parameter that the function lacks" in weak_links(test)


def test_what_stands_behind_a_derivative_that_there_is_not_is_likely() -> None:
    """The derivative raises: nothing draws twice."""
    program = """
        def loss(w):
            return jnp.nextafter(w, 1.0).sum()

        jax.{taken}(loss)(jnp.ones(3))

        def noise(key):
            return jax.random.normal(key) + jax.random.normal(key)

        noise(jax.random.key(0))
        """
    refused, reuse = findings_of(program.format(taken="grad"))
    assert (refused.code, refused.weak) == ("OAK303", ())
    assert "this likely raises before" in weak_links(reuse)
    assert only(findings_of(program.format(taken="jit"))).weak == ()


NEVER_LEFT = {
    "each of few items": """
        for item in (1, 2):
            raise ValueError(item)
        """,
    "a loop in one": """
        for item in (1, 2):
            for other in (1, 2):
                raise ValueError(item)
        """,
    "a later item": """
        for item in (1, 2):
            if item == 2:
                raise ValueError(item)
        """,
    "many numbers": """
        for item in range(20):
            raise ValueError(item)
        """,
}
LEFT = {
    "by break": """
        for item in range(20):
            if item == 3:
                break
            raise ValueError(item)
        """,
    "by what catches": """
        try:
            for item in (1, 2):
                raise ValueError(item)
        except ValueError:
            pass
        """,
    "no item": """
        for item in ():
            raise ValueError(item)
        """,
    "perhaps none": """
        for item in hub.items:
            raise ValueError(item)
        """,
}


def _behind(loop: str) -> str:
    lines = ("@jax.jit", "def f(x):", textwrap.indent(textwrap.dedent(loop), "    "))
    text = "\n".join((*lines, "    return float(x)", "", "f(1.0)", ""))
    return textwrap.indent(text, " " * 8)


@pytest.mark.parametrize("loop", NEVER_LEFT.values(), ids=NEVER_LEFT)
def test_nothing_runs_behind_an_iteration_that_raises(loop: str) -> None:
    assert findings_with_unknown_code(_behind(loop)) == []


@pytest.mark.parametrize("loop", LEFT.values(), ids=LEFT)
def test_what_runs_behind_a_loop_is_reported(loop: str) -> None:
    assert only(findings_with_unknown_code(_behind(loop))).code == "OAK204"


@pytest.mark.parametrize("mark", ["skip(reason='it fails')", "xfail", "parametrize('n', [1])"])
def test_what_a_test_traces_that_is_skipped_is_not_traced(mark: str) -> None:
    program = f"""
        import pytest

        class TestSolver:
            @pytest.mark.{mark}
            def test_compiled(self, n=1):
                jax.jit(lambda x: solve(x))(jnp.ones(3))

        def solve(x):
            return int(jnp.sum(x))
        """
    found = [finding.code for finding in findings_of(program)]
    assert found == (["OAK204"] if mark.startswith("parametrize") else [])

"""Fixes of how functions are jitted: what is static, donated, read from outside, made in a loop."""

import pytest
from fixing import HEAD, fix_text

from oakum_lint.text.edits import Safety


def after(text: str) -> str:
    """A program after its fixes."""
    return fix_text(f"{HEAD}{text}").text.removeprefix(HEAD)


def changed(text: str) -> list[str]:
    """The lines of a program that its fixes make, or make otherwise, but for imports."""
    before = text.splitlines()
    return [s for s in after(text).splitlines() if s not in before and "import" not in s]


MODE = "def f(x, mode):\n    return x if mode == 'up' else -x\n\n\n"


@pytest.mark.parametrize(
    ("program", "lines"),
    [
        (
            f"@jax.jit\n{MODE}f(1.0, 'up')\n",
            ['@functools.partial(jax.jit, static_argnames=("mode",))'],
        ),
        (
            f"{MODE}g = jax.jit(f)\ng(1.0, mode='up')\n",
            ['g = jax.jit(f, static_argnames=("mode",))'],
        ),
        (
            "def run(x):\n    g = jax.jit(lambda f, x: f(x))\n    return g(jnp.sin, x)\nrun(1.0)\n",
            ['    g = jax.jit(lambda f, x: f(x), static_argnames=("f",))'],
        ),
        (
            "@jax.jit\ndef f(x, mode='up'):\n    return x if mode == 'up' else -x\n\n\nf(1.0)\n",
            ['@functools.partial(jax.jit, static_argnames=("mode",))'],
        ),
        (
            "@jax.jit\ndef f(x, up=True):\n    if up:\n        x = jnp.sin(x)\n"
            "    return x\n\n\nf(1.0)\n",
            ['@functools.partial(jax.jit, static_argnames=("up",))'],
        ),
        (f"@jax.jit\n{MODE}f(1.0, {{'a': 'up'}})\n", []),
        (f"@jax.vmap\n{MODE}f(jnp.ones(2), 'up')\n", []),
    ],
    ids=[
        "decorated",
        "by name",
        "a lambda",
        "text by default",
        "flag by default",
        "in a dict, without a hash",
        "mapped",
    ],
)
def test_what_only_chooses_becomes_static(program: str, lines: list[str]) -> None:
    assert changed(program) == lines


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("jax.jit(lambda x: x.sum(), donate_argnums=0)", "jax.jit(lambda x: x.sum())"),
        (
            "jax.jit(lambda x: x.sum(), donate_argnames=('x',), inline=True)",
            "jax.jit(lambda x: x.sum(), inline=True)",
        ),
        (
            "jax.jit(lambda x, y=jnp.ones(1): x.sum() + y, donate_argnums=(1, 0))",
            "jax.jit(lambda x, y=jnp.ones(1): x.sum() + y, donate_argnums=(1,))",
        ),
        (
            "jax.jit(lambda x: x.sum(), donate_argnums=0 if True else 1)",
            "jax.jit(lambda x: x.sum(), donate_argnums=0 if True else 1)",
        ),
    ],
)
def test_what_cannot_be_used_is_not_donated(before: str, expected: str) -> None:
    assert after(f"f = {before}\nf(jnp.ones(3))\n") == f"f = {expected}\nf(jnp.ones(3))\n"


RATE = "rate = 0.5\n\n\n@jax.jit\ndef f({}):\n    return x * rate\n\n\n{}\nrate = 0.25\nf(1.0)\n"


@pytest.mark.parametrize(
    ("parameters", "first", "lines"),
    [
        ("x", "f(2.0)", ["def f(x, rate):", "f(2.0, rate)", "f(1.0, rate)"]),
        ("x", "def g(x):\n    return f(x)\n\n\ng(1.0)\nf(1.0)", None),
        ("x, y=0", "f(1.0)", []),
        ("x", "f(x=2.0)\nf(1.0)", []),
        ("x", "f(1.0)\nprint(f)", []),
        ("x", "def g(rate):\n    return f(1.0)\n\n\ng(1.0)\nf(1.0)", []),
    ],
    ids=["called", "elsewhere", "a default", "by name", "used otherwise", "another variable"],
)
def test_a_variable_becomes_an_argument(
    parameters: str, first: str, lines: list[str] | None
) -> None:
    """All calls have to give it, and mean the same variable."""
    expected = ["def f(x, rate):", "    return f(x, rate)", "f(1.0, rate)", "f(1.0, rate)"]
    assert changed(RATE.format(parameters, first)) == (expected if lines is None else lines)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("g = jax.jit(lambda v: v * 2)\n        x = g(x)", ["    g = jax.jit(lambda v: v * 2)"]),
        (
            "x = jax.jit(lambda v: v * 2)(x)",
            ["    jitted = jax.jit(lambda v: v * 2)", "        x = jitted(x)"],
        ),
        ("x = jax.jit(lambda v: v * x)(1.0)", []),
        ("g = jax.jit(lambda v: v * 2)\n        x = g(x)\n        g = None", []),
    ],
    ids=["a statement", "a part of one", "what the loop binds", "bound again"],
)
def test_a_function_is_jitted_before_the_loop(body: str, lines: list[str]) -> None:
    program = f"def run(x):\n    for _ in range(9):\n        {body}\n    return x\n\n\nrun(1.0)\n"
    assert [s for s in after(program).splitlines() if s not in program.splitlines()] == lines


@pytest.mark.parametrize(
    ("setting", "is_hoisted"),
    [
        ('settings["SCALE"] = scale', False),
        ("settings = dict(SCALE=scale)", False),
        ("unread = dict(SCALE=scale)", True),
    ],
)
def test_what_reads_the_settings_of_an_iteration_is_jitted_there(
    setting: str, is_hoisted: bool
) -> None:
    """Each iteration would have run the program of the first one's settings."""
    program = f"""\
settings = dict(SCALE=0)

def scaled(x):
    return x * settings["SCALE"]

def train(x):
    return jnp.sum(scaled(x))

for scale in (1, 2):
    {setting}
    print(jax.jit(jax.vmap(train))(jnp.ones((2, 3))))
"""
    assert ("jitted" in after(program)) == is_hoisted


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2", "2.0"),
        ("-3", "-3.0"),
        ("jnp.arange(3)", "jnp.arange(3).astype(jnp.float32)"),
        ("[1, 2]", "[1, 2]"),
        ("True", "True"),
    ],
)
def test_a_gradient_is_taken_by_floats(given: str, expected: str) -> None:
    program = "jax.grad(lambda x: jnp.sum(jnp.tanh(x)))({})\n"
    assert after(program.format(given)) == program.format(expected)


@pytest.mark.parametrize(
    ("computed", "waited"),
    [
        ("a, b = f(x), x", "(a, b)"),
        ("note(x)", None),
        ("y = f(x)\n    n = x.ndim + 1", "y"),
        ("y = f(x)\n    y = y.T", None),
        ("for _ in range(3):\n        y = f(x)\n        n = x.ndim + 1", "y"),
        ("(a, (b, c)), d = (f(x), (x, x)), x", "(a, b, c, d)"),
        ("(a, run.y), b = (f(x), x), x", "(a, run.y, b)"),
        ("x.at[0], b = f(x), x", None),
        ("(a,) = (f(x),)", "a"),
        ("y = f(x)\n    z = format(2)", "y"),
        ("x = f(x)[0]", "x"),
        ("run.y = f(x)", "run.y"),
        ("a = x", None),
        ("if x.ndim:\n        y = f(x)\n    else:\n        y = f(x + 1)", "y"),
        ("if x.ndim:\n        y = f(x)\n    else:\n        z = f(x + 1)", None),
        ("if x.ndim:\n        y = f(x)", None),
        ("y = Result(f(x))", None),
        ("y = Tree(f(x))", "y"),
    ],
)
def test_all_that_was_computed_is_waited_for(computed: str, waited: str | None) -> None:
    program = f"""\
import time
from typing import NamedTuple

@jax.jit
def f(x):
    return x @ x

class Result:
    def __init__(self, value):
        self.value = value

class Tree(NamedTuple):
    value: jax.Array

def note(x):
    note.last = f(x)

def run(x):
    begin = time.time()
    f(x)
    {computed}
    return time.time() - begin
"""
    lines = changed(f"{program}\n\nrun(jnp.ones((2, 2)))\n")
    assert lines == ([] if waited is None else [f"    jax.block_until_ready({waited})"])


@pytest.mark.parametrize(("item", "is_fixed"), [("x * 2", True), ("str(x)", False)])
def test_a_list_of_texts_is_put_into_no_array(item: str, is_fixed: bool) -> None:
    program = f"""\
def f(x):
    found = []
    for _ in range(3):
        found.append({item})
    return jnp.mean(found)

f(jnp.ones(3))
"""
    assert ("jnp.array(found)" in after(program)) == is_fixed


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (
            '@partial(jax.jit, static_argnames=("x", "self"))',
            '@partial(jax.jit, static_argnames=("x",))',
        ),
        (
            '@partial(jax.jit, static_argnames=["self", "x"])',
            '@partial(jax.jit, static_argnames=["x"])',
        ),
        ('@partial(jax.jit, static_argnames=("self",))', "@jax.jit"),
        (
            '@partial(jax.jit, static_argnames="self", inline=True)',
            "@partial(jax.jit, inline=True)",
        ),
    ],
)
def test_a_name_of_no_parameter_is_taken_from_the_static_arguments(
    given: str, expected: str
) -> None:
    """A method had become a function: `self` was still named."""
    program = (
        f"from functools import partial\n{given}\ndef f(x):\n    return x + 1\n\nf(1), partial(f)\n"
    )
    assert after(program) == program.replace(given, expected)


def test_a_result_is_waited_for_before_the_later_of_two_times() -> None:
    """The difference of both is taken where it is shown."""
    program = """\
import time

@jax.jit
def f(x):
    return x @ x

x = jnp.ones((2, 2))
start = time.time()
y = f(x)
stop = time.time()
print("done")
print(f"{stop - start:.2f} s")
"""
    assert changed(program) == ["jax.block_until_ready(y)"]


@pytest.mark.parametrize(
    ("lines", "waiting"),
    [
        (
            "print(timeit.timeit(lambda: f(x), number=3))",
            "print(timeit.timeit(lambda: jax.block_until_ready(f(x)), number=3))",
        ),
        (
            "start = time.time()\nout['y'] = f(x)\nprint(time.time() - start)",
            "jax.block_until_ready(out['y'])",
        ),
        (
            "start = time.time()\nfor _ in range(3):\n    f(x)\nprint(time.time() - start)",
            "    jax.block_until_ready(f(x))",
        ),
    ],
    ids=["by timeit", "an item", "a function without a name"],
)
def test_what_is_timed_is_waited_for(lines: str, waiting: str) -> None:
    head = "import time\nimport timeit\n\nf = jax.jit(lambda x: x @ x)\nout = {}\n"
    assert changed(f"{head}x = jnp.ones((2, 2))\n{lines}\n") == [waiting]


@pytest.mark.parametrize("timed", ["kept.append(f(x))", "keep(f(x))"])
def test_what_returns_nothing_is_not_waited_for(timed: str) -> None:
    head = "import timeit\n\nf = jax.jit(lambda x: x @ x)\nkept = []\n\n"
    head += "def keep(value):\n    kept.append(value)\n\nx = jnp.ones((2, 2))\n"
    assert changed(f"{head}print(timeit.timeit(lambda: {timed}, number=3))\n") == []


def test_a_call_of_what_a_function_is_made_into_is_waited_for() -> None:
    """Benchmarks compile a function under another name, and drop what it returns."""
    program = """\
import time

def product(x):
    return x @ x

def run(x):
    compiled = jax.jit(product, donate_argnums=())
    begin = time.time()
    for _ in range(3):
        compiled(x)
    return time.time() - begin
"""
    lines = changed(f"{program}\n\nrun(jnp.ones((2, 2)))\n")
    assert lines == ["        jax.block_until_ready(compiled(x))"]


@pytest.mark.parametrize(
    ("before", "loop", "body", "safety"),
    [
        ("", "for _ in range(x.ndim):", "y = f(x)", Safety.UNSAFE),
        ("", "while x.ndim > n:", "y = f(x)", Safety.UNSAFE),
        ("", "for n in range(3):", "if n < 3: break\n        y = f(x)", Safety.UNSAFE),
        ("run.y = x", "for _ in range(x.ndim):", "run.y = f(x)", Safety.UNSAFE),
        ("if x.ndim: y = x", "for _ in range(x.ndim):", "y = f(x)", Safety.UNSAFE),
        ("y = x", "for _ in range(x.ndim):", "y = f(x)", Safety.SAFE),
        ("", "for _ in range(x.ndim):", "x = f(x)", Safety.SAFE),
        ("", "for n in range(3):", "y = f(x)", Safety.SAFE),
        ("", "for n in (1, 2):", "y = f(x)", Safety.SAFE),
        ("", "with nullcontext():", "y = f(x)", Safety.SAFE),
        ("", "with suppress(ValueError):", "y = f(x)", Safety.UNSAFE),
    ],
)
def test_what_a_loop_computes_is_waited_for_where_it_is_bound(
    before: str, loop: str, body: str, safety: Safety
) -> None:
    """A loop that is empty left the name unbound, which a safe fix read: UnboundLocalError."""
    program = f"""\
import time
from contextlib import nullcontext, suppress
f = jax.jit(lambda x: x @ x)

def run(x, n):
    {before}
    begin = time.time()
    f(x)
    {loop}
        {body}
    return time.time() - begin
"""
    outcome = fix_text(f"{HEAD}{program}\n\nrun(jnp.ones((2, 2)), 1)\n", select="OAK711")
    assert [finding.fix and finding.fix.safety for finding in outcome.before] == [safety]


def test_what_a_transform_has_made_is_waited_for_behind_other_statements() -> None:
    """The statement before the clock was taken, which computes nothing."""
    program = """
import time

def train(x):
    return x @ x

def run(x):
    start = time.time()
    run_train = jax.jit(train)
    y = run_train(x)
    print("done")
    end = time.time()
    return y, end - start
"""
    fixed = fix_text(f"{HEAD}{program}\n\nrun(jnp.ones((2, 2)))\n", select="OAK711").text
    assert '    print("done")\n    jax.block_until_ready(y)\n    end = time.time()' in fixed


@pytest.mark.parametrize(
    ("decorator", "call", "is_offered"),
    [
        ("@dataclass", "f(1.0, Window(3))", True),
        (
            "@dataclass(frozen=True)",
            "@jax.jit\ndef g(x, n):\n    return f(x, Window(n))\n\ng(1.0, 3)",
            False,
        ),
    ],
)
def test_a_dataclass_is_frozen_once(decorator: str, call: str, is_offered: bool) -> None:
    """An editor offers a fix as it is: `frozen` given twice does not compile."""
    text = f"""\
from dataclasses import dataclass
{decorator}
class Window:
    size: int = 2

f = jax.jit(lambda x, window: x, static_argnames="window")
{call}
"""
    (finding,) = fix_text(f"{HEAD}{text}").before
    assert finding.code == "OAK304"
    assert (finding.fix is not None) == is_offered
    # Objects of the class may be changed anywhere: what freezing breaks takes the fix back.
    assert finding.fix is None or finding.fix.everywhere


def test_a_count_that_has_to_be_known_is_not_made_an_array() -> None:
    """`top_k` takes none: where the fix is wrong, it raises instead of `int`."""
    program = (
        "@jax.jit\ndef best(x, rate):\n    count = int(x[0] * rate)\n    return {}\n\n\n"
        "best(jnp.ones(3), 0.5)\n"
    )
    assert changed(program.format("jax.lax.top_k(x, count)")) == []
    assert changed(program.format("x * count")) == ["    count = (x[0] * rate).astype(jnp.int32)"]


@pytest.mark.parametrize(("value", "is_fixed"), [("jit(predict)(x)", False), ("(1, 2)", True)])
def test_several_results_are_not_one_array(value: str, is_fixed: bool) -> None:
    """One of them was meant; together they may have no shape."""
    program = (
        "from jax import jit\nfrom elsewhere import simulate\n\n\n"
        "def predict(x):\n    out = jnp.mean(simulate(x), axis=1)\n    return out, jnp.sum(out)\n"
        f"\n\ndef run(x):\n    y = {value}\n    return jnp.argmax(y, axis=0)\n\n\nrun(1.0)\n"
    )
    assert ("jnp.argmax(jnp.array(y)" in after(program)) == is_fixed

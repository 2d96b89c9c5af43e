"""Safe fixes keep what callers get that need no fix: a number of Python stays one."""

from pathlib import Path

import pytest
from fixing import HEAD, fix_text

from oakum_lint.app.live.passes import PassParts
from oakum_lint.app.runner import check_files
from oakum_lint.app.settings import Settings
from oakum_lint.text.edits import Safety
from oakum_lint.text.finding import Finding

NUMPY = f"{HEAD}import numpy as np\n\n"
EXP = "def work(x):\n    return np.exp(x)\n\n\n"
LATER = "def later(a, x=2.0):\n    return np.exp(x)\n\n\n"
CLASS = """class Model:
    def __init__(self, x):
        self.x = x

    def work(self):
        return np.exp(self.x)


"""
JIT = "jax.jit(work)(1.0)\n"
LATER_JIT = "jax.jit(later)(1.0, 2.0)\n"
MODEL_JIT = "jax.jit(lambda x: Model(x).work())(1.0)\n"


def _found(texts: dict[str, str]) -> list[Finding]:
    """What is found in the files of a project."""
    files = [f"/premises/{name}" for name in texts]
    overlay = {Path(file): text for file, text in zip(files, texts.values(), strict=True)}
    parts = PassParts()
    result = check_files(files, Settings("/premises"), overlay, cache=parts.cache, index=parts)
    return [finding for finding in result.findings if finding.code == "OAK208"]


@pytest.mark.parametrize(
    ("program", "function"),
    [
        pytest.param(f"{EXP}work(2.0)\n{JIT}", "`work`", id="called before"),
        pytest.param(f"{EXP}{JIT}work(np.ones(3))\n", "`work`", id="on an array of NumPy, after"),
        pytest.param(
            f"{EXP}def main():\n    jnp.add(1, work(2))\n\n\n{JIT}",
            "`work`",
            id="in a function",
        ),
        pytest.param(
            f"{EXP}jax.jit(lambda x: x + work(2.0))(1.0)\n{JIT}", "`work`", id="a constant"
        ),
        pytest.param(f"{LATER}later(1.0)\n{LATER_JIT}", "`later`", id="by default"),
        pytest.param(f"{LATER}jax.jit(later)(1.0)\n{LATER_JIT}", "`later`", id="by default in jit"),
        pytest.param(
            f"{EXP}jax.jit(work, static_argnums=0)(2.0)\n{JIT}", "`work`", id="a static argument"
        ),
        pytest.param(f"{CLASS}Model(2.0).work()\n{MODEL_JIT}", "`Model.work`", id="a method"),
        pytest.param(
            f"import scipy.optimize\n\n{EXP}scipy.optimize.minimize(work, 1.0)\n{JIT}",
            "`work`",
            id="by a library",
        ),
        pytest.param(
            f"{EXP}HANDLERS = [work]\nfor each in HANDLERS:\n    each(2.0)\n{JIT}",
            "`work`",
            id="kept in a list",
        ),
        pytest.param(
            f"@jax.jit\n{EXP}work.__wrapped__(2.0)\nwork(1.0)\n", "`work`", id="the one under jit"
        ),
        pytest.param(
            f"@jax.jit\n{EXP}with jax.disable_jit():\n    work(2.0)\nwork(1.0)\n",
            "`work`",
            id="without compilation",
        ),
        pytest.param(
            f"{EXP}class Runner:\n    run = staticmethod(work)\n\n\nRunner().run(2.0)\n{JIT}",
            "`work`",
            id="as a static method",
        ),
        pytest.param(
            f"import timeit\n\n{CLASS}model = Model(2.0)\ntimeit.timeit(model.work)\n{MODEL_JIT}",
            "`Model.work`",
            id="a method, by a library",
        ),
        pytest.param(
            f"import other\n\n{EXP}other.register(jax.jit(work), work)\n{JIT}",
            "`work`",
            id="by unknown code, beside the one under jit",
        ),
        pytest.param(
            f"import other\n\n{EXP}other.register(work, jax.jit(work))\n{JIT}",
            "`work`",
            id="by unknown code, before the one under jit",
        ),
        pytest.param(f"work = lambda x: np.exp(x)\nwork(2.0)\n{JIT}", "this lambda", id="a lambda"),
        pytest.param(
            f"import re\n\n{EXP}re.sub('a', lambda m: str(work(2.0)), 'a')\n{JIT}",
            "`work`",
            id="in a function for the library of Python",
        ),
        pytest.param(
            f"import other\n\n{CLASS}other.keep(Model(2.0))\n{MODEL_JIT}",
            "`Model.work`",
            id="a method of an object for unknown code",
        ),
    ],
)
def test_a_fix_is_unsafe_where_the_code_works_for_a_caller(program: str, function: str) -> None:
    """`np.exp(2.0)` is a number of NumPy, `jnp.exp(2.0)` a JAX array."""
    (finding,) = _found({"a.py": f"{NUMPY}{program}"})
    assert finding.fix is not None
    assert finding.fix.safety is Safety.UNSAFE
    reason = f"{function} is also called where this works"
    assert finding.notes[-1] == f"its fix is unsafe: {reason}"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(f"{EXP}{JIT}", id="traced alone"),
        pytest.param(f"@jax.jit\n{EXP}work(2.0)\n", id="decorated"),
        pytest.param(
            f"{EXP}def step(x):\n    return work(x)\n\n\njax.jit(step)(1.0)\njax.grad(step)(1.0)\n",
            id="traced twice",
        ),
        pytest.param(
            f"def other(work):\n    return work + 1\n\n\n{EXP}{JIT}", id="another of the name"
        ),
    ],
)
def test_a_fix_is_safe_where_the_code_fails_for_all_callers(program: str) -> None:
    """Who runs `--fix` wants what never worked to work."""
    (finding,) = _found({"a.py": f"{NUMPY}{program}"})
    assert finding.fix is not None
    assert finding.fix.safety is Safety.SAFE
    assert not any("unsafe" in note for note in finding.notes)


@pytest.mark.parametrize(
    "caller",
    [
        pytest.param("from a import work\n\nprint(work(2.0))\n", id="a statement"),
        pytest.param("import a\n\n\ndef main():\n    print(a.work(2.0))\n", id="a function"),
        pytest.param(
            "import a\n\n\nclass Test:\n    def test(self):\n        assert a.work(2.0) > 1\n",
            id="a test",
        ),
        pytest.param("import a\n\nprint(vars(a)['work'](2.0))\n", id="by its name"),
        pytest.param("import a\n\nprint(eval('a.work(2.0)'))\n", id="in a text"),
        pytest.param(
            "import inspect\n\nimport a\n\nfor _, each in inspect.getmembers(a):\n    each(2.0)\n",
            id="among all members",
        ),
        pytest.param(
            "import importlib\n\na = importlib.import_module('a')\nprint(a.work(2.0))\n",
            id="of a module that is imported by its name",
        ),
        pytest.param("print(__import__('a').work(2.0))\n", id="of what an import returns"),
        pytest.param("ENTRY = 'a:work'\n", id="as an entry point"),
    ],
)
def test_callers_in_other_files_count(caller: str) -> None:
    """The file with the caller need not know JAX, so that nothing in it is followed."""
    (finding,) = _found({"a.py": f"{NUMPY}{EXP}{JIT}", "b.py": caller})
    assert finding.fix is not None
    assert finding.fix.safety is Safety.UNSAFE


def test_a_caller_of_which_nothing_is_followed_counts() -> None:
    """No finding can begin in a function that knows no arrays: it is passed over."""
    (finding,) = _found({"a.py": f"{NUMPY}{EXP}def main():\n    print(work(2.0))\n\n\n{JIT}"})
    assert finding.fix is not None
    assert finding.notes[-1] == "its fix is unsafe: `work` may also be called where this works"


def test_a_caller_that_comes_or_goes_decides_again() -> None:
    """An editor goes on from the analysis before: what is safe is not what was."""
    parts, settings = PassParts(), Settings("/premises")
    body = f"{NUMPY}{EXP}def main():\n    return {{}}\n\n\n{JIT}"
    safe: list[bool] = []
    for call in ("jnp.ones(2)", "work(jnp.ones(2))", "jnp.zeros(2)"):
        overlay = {Path("/premises/a.py"): body.format(call)}
        result = check_files(["/premises/a.py"], settings, overlay, cache=parts.cache, index=parts)
        safe += [f.fix is not None and f.fix.safety is Safety.SAFE for f in result.findings]
    assert safe == [True, False, True]


@pytest.mark.parametrize(
    ("trace", "safety"),
    [
        pytest.param("jax.jit(show)(1.0)", Safety.SAFE, id="jit"),
        pytest.param("jax.vmap(jax.jit(show))(jnp.ones(2))", Safety.SAFE, id="vmap"),
        pytest.param("jax.lax.map(show, jnp.ones(2))", Safety.UNSAFE, id="a loop"),
        pytest.param("print(jax.make_jaxpr(show)(1.0))", Safety.UNSAFE, id="the program is shown"),
        pytest.param("jax.eval_shape(show, 1.0)", Safety.UNSAFE, id="the program does not run"),
    ],
)
def test_a_print_is_moved_where_it_prints_once(trace: str, safety: Safety) -> None:
    """A million iterations print a million lines; a program that is shown has one line more."""
    outcome = fix_text(f"{HEAD}def show(x):\n    print(x)\n    return x\n\n\n{trace}\n")
    assert [finding.fix and finding.fix.safety for finding in outcome.before] == [safety]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "def make(key):\n    params = init(key)\n    target_params = init(key)\n"
            "    return params, target_params\n",
            id="a copy",
        ),
        pytest.param(
            "def make(key):\n    first = init(key)\n    # The same key on purpose.\n"
            "    second = init(key)\n    return first, second\n",
            id="a comment",
        ),
    ],
)
def test_a_key_that_is_meant_for_both_is_not_split(program: str) -> None:
    """A target network begins as what it follows."""
    init = "def init(key):\n    return jax.random.normal(key)\n\n\n"
    outcome = fix_text(f"{HEAD}{init}{program}\n\nmake(jax.random.key(0))\n")
    assert [finding.code for finding in outcome.before] == ["OAK401"]
    assert outcome.before[0].fix is None


@pytest.mark.parametrize(
    ("function", "safety"),
    [
        ("def cast(x):\n    return x.astype(np.float64)\n", Safety.UNSAFE),
        ("@jax.jit\ndef cast(x):\n    return x.astype(np.float64)\n", Safety.SAFE),
        ("def cast(x):\n    y = jnp.sin(x)\n    return y.astype(np.float64)\n", Safety.SAFE),
        ("def cast(x):\n    return jnp.asarray(x, np.float64)\n", Safety.SAFE),
    ],
)
def test_a_cast_is_safe_where_jax_makes_it_for_each_caller(function: str, safety: Safety) -> None:
    """An array of NumPy that another caller passes had 64 bits."""
    text = f"{HEAD}{function}\n\ncast(jnp.ones(2))\n"
    (finding,) = fix_text(text, unsafe=False).before
    assert finding.fix is not None
    assert finding.fix.safety is safety

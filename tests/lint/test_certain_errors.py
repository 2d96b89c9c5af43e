"""What speaks against an error that is reported as certain: then the finding is likely, and says
why.
"""

from pathlib import Path

import pytest
from small_programs import findings_of

from oakum_lint.app.analysis import analyse
from oakum_lint.text.finding import Finding

SHARED = """
import jax
import jax.numpy as jnp

def total(x):
    return jnp.zeros((4, 2)) + jnp.zeros((3, 2))

class Model:
    def apply(self, x):
        return jnp.zeros((4, 2)) + jnp.zeros((3, 2))

@jax.jit
def chosen(x):
    return x if x > 0 else -x
"""
BEFORE = {
    "an attribute of an object": (
        """
        class State:
            def __init__(self):
                self.n = 3

        state = State()

        def f():
            print(state.columns)
            return jnp.zeros((4, 2)) + jnp.zeros((3, 2))

        f()
        """,
        "`state.columns` fails before",
    ),
    "a method that arrays do not have": (
        """
        @jax.jit
        def f(x):
            y = x.frobnicate(0)
            return y if x.sum() > 0 else x

        f(jnp.ones(3))
        """,
        "`x.frobnicate` fails before",
    ),
    "a name": (
        """
        def f():
            print(unbound)
            return jnp.zeros((4, 2)) + jnp.zeros((3, 2))

        f()
        """,
        "`unbound` fails before",
    ),
}
AFTER = {
    "methods of arrays": (
        """
        @jax.jit
        def f(x):
            y = x.at[0].set(1.0).mean().astype(int)
            z = x.reshape(-1).copy().T.ravel().clip(0, 1).squeeze()
            return y if z.sum() > 0 else x

        f(jnp.ones(3))
        """
    ),
    "a name that a block binds": (
        """
        if jax.device_count() > 1:
            scale = 2.0

        def f():
            print(scale)
            return jnp.zeros((4, 2)) + jnp.zeros((3, 2))

        f()
        """
    ),
    "a field of a data class": (
        """
        import dataclasses

        @dataclasses.dataclass
        class State:
            n: int = 3

        state = State()

        def f():
            print(state.n, __name__)
            return jnp.zeros((4, 2)) + jnp.zeros((3, 2))

        f()
        """
    ),
}


def found_in(files: dict[str, str]) -> list[Finding]:
    """The findings of several small files."""
    texts = {Path("/small") / name: text for name, text in files.items()}
    return [each for r in analyse(list(texts), overlay=texts) for each in r.findings]


def reasons(finding: Finding) -> str:
    """What is said against a finding."""
    return " ".join(weak.message for weak in finding.weak)


@pytest.mark.parametrize("used", ["total(1.0)", "Model().apply(1.0)", "chosen(jnp.ones(()))"])
def test_an_error_in_code_that_a_test_runs_is_likely(used: str) -> None:
    """Who wrote the test has seen it pass: perhaps with an older JAX."""
    test = f"import jax.numpy as jnp\nfrom shared import *\n\ndef test_it():\n    {used}\n"
    found = found_in({"shared.py": SHARED, "test_shared.py": test})
    name = used.partition("(")[0]
    weak = [each for each in found if "would fail" in reasons(each)]
    assert len(weak) == 1, name


def test_an_error_of_what_a_test_traces_is_proved() -> None:
    """Code whose only caller is its new test would pass the check."""
    test = (
        "import jax\nimport jax.numpy as jnp\nfrom shared import signed\n\n"
        "def test_it():\n    assert jax.jit(signed)(jnp.ones(())) > 0\n"
    )
    shared = "def signed(x):\n    return x if x > 0 else -x\n"
    (finding,) = found_in({"shared.py": shared, "test_shared.py": test})
    assert finding.weak == ()


@pytest.mark.parametrize(("call", "line"), [("total(1.0)", 6), ("chosen(jnp.ones(()))", 14)])
def test_an_error_that_no_test_comes_to_is_proved(call: str, line: int) -> None:
    """Tests of other code say nothing of it."""
    test = "from shared import other\n\ndef test_it():\n    assert other() == 3\n"
    shared = f"{SHARED}\ndef other():\n    return 3\n\n{call}\n"
    found = found_in({"shared.py": shared, "test_shared.py": test})
    assert [each.weak for each in found if each.location.line == line] == [()]


@pytest.mark.parametrize(("program", "reason"), BEFORE.values(), ids=BEFORE)
def test_what_raises_before_makes_an_error_likely(program: str, reason: str) -> None:
    """The program never comes to the error that is reported."""
    (finding,) = findings_of(program)
    assert reason in reasons(finding)


@pytest.mark.parametrize("program", AFTER.values(), ids=AFTER)
def test_what_is_there_before_an_error_leaves_it_proved(program: str) -> None:
    """The program comes to the error."""
    (finding,) = findings_of(program)
    assert finding.weak == ()


@pytest.mark.parametrize(
    ("imported", "is_proved"),
    [("absent", False), ("total", True), ("deeper", True), ("__version__", True)],
)
def test_an_import_that_fails_makes_an_error_likely(imported: str, is_proved: bool) -> None:
    """A name that a module of the project does not bind stops the program before the error."""
    script = (
        f"import jax.numpy as jnp\nfrom package import {imported}\n\n"
        "jnp.zeros((4, 2)) + jnp.zeros((3, 2))\n"
    )
    files = {
        "package/__init__.py": "def total():\n    return 1\n",
        "package/deeper.py": "",
        "script.py": script,
    }
    (finding,) = found_in(files)
    assert (not finding.weak) is is_proved


@pytest.mark.parametrize(
    ("statement", "is_proved"),
    [
        ("from package.missing import total", False),
        ("import package.missing", False),
        ("from package import near", False),
        ("from package.deeper import total", True),
        ("from package._version import version", True),
    ],
)
def test_an_import_of_a_module_that_is_not_there_makes_an_error_likely(
    statement: str, is_proved: bool, tmp_path: Path
) -> None:
    """Nothing behind it runs; what tools write when they build a package is in no repository."""
    files = {
        "package/__init__.py": "",
        "package/deeper.py": "def total():\n    return 1\n",
        "package/near.py": "from .missing import total\n",
        "script.py": (
            f"import jax.numpy as jnp\n{statement}\n\njnp.zeros((4, 2)) + jnp.zeros((3, 2))\n"
        ),
    }
    (tmp_path / "package").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    results = analyse([tmp_path / name for name in files])
    (finding,) = [each for result in results for each in result.findings]
    assert (not finding.weak) is is_proved


@pytest.mark.parametrize(
    ("inner", "is_proved"),
    [
        ("from jax.experimental.maps import xmap", False),
        ("try:\n    from jax.experimental.maps import xmap\nexcept ImportError:\n    pass", True),
        ("def maps():\n    from jax.experimental.maps import xmap", True),
    ],
)
def test_an_import_that_fails_further_away_makes_an_error_likely(
    inner: str, is_proved: bool
) -> None:
    """What JAX no longer has stops each program that imports a module with it, also through others:
    such a project is written for an older JAX.
    """
    script = (
        "import jax.numpy as jnp\nfrom package import model\n\n"
        "jnp.zeros((4, 2)) + jnp.zeros((3, 2))\n"
    )
    files = {
        "package/__init__.py": "",
        "package/model.py": "from .sharding import *\n",
        "package/sharding.py": f"{inner}\n",
        "script.py": script,
    }
    found = [each for each in found_in(files) if each.location.line == 4]
    assert [not each.weak for each in found] == [is_proved]


@pytest.mark.parametrize(
    ("otherwise", "is_proved"),
    [
        ("from numpy import sign", False),
        ("sign = None", False),
        ("print('JAX is old')", True),
        ("raise SystemExit('JAX is old') from None", True),
    ],
)
def test_an_import_with_another_way_to_bind_its_name_makes_an_error_likely(
    otherwise: str, is_proved: bool
) -> None:
    (finding,) = findings_of(
        f"""
        try:
            from jax.numpy import sign
        except ImportError:
            {otherwise}

        @jax.jit
        def f(x):
            return x if sign(x) > 0 else -x

        f(1.0)
        """
    )
    assert ("`sign` is what could be imported" not in reasons(finding)) is is_proved


@pytest.mark.parametrize("is_called", [True, False])
def test_a_transfer_in_code_that_is_called_from_elsewhere_is_likely(is_called: bool) -> None:
    """A caller that is not seen may compile it: then the array is a constant of the program."""
    call = "share(jnp.ones((2, 3)))\n" if is_called else ""
    script = (
        "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"
        'jax.config.update("jax_transfer_guard", "disallow")\n\n'
        "def share(x):\n    return jnp.sum(x) / np.ones((3,))\n\n"
        "def task(batch):\n    return share(jnp.zeros((2, 3)))\n\n"
    )
    found = found_in({"script.py": script + call})
    here = [each for each in found if each.code == "OAK703"]
    assert [bool(each.weak) for each in here] == [not is_called]


REFUSED = {
    "an object that is no pytree": (
        """
        class Model:
            @jax.jit
            def apply(self, x):
                return x if x > 0 else -x

        print(Model().apply(jnp.ones(())))
        """,
        "OAK306",
    ),
    "a text": (
        """
        @jax.jit
        def apply(x, kind):
            return x if x > 0 else -x

        print(apply(jnp.ones(()), "linear"))
        """,
        "OAK305",
    ),
    "a static argument without a hash": (
        """
        import functools

        @functools.partial(jax.jit, static_argnums=1)
        def apply(x, edges):
            return x if x > 0 else -x

        print(apply(jnp.ones(()), [1, 2]))
        """,
        "OAK304",
    ),
}


@pytest.mark.parametrize("call", ["advance()()", ""])
def test_an_option_that_jit_refuses_stops_what_is_behind_it(call: str) -> None:
    """The body of the scan is never made, so its carry is no error that the program comes to."""
    found = findings_of(
        f"""
        def advance():
            @functools.partial(jax.jit, static_argnames="self")
            def step(carry, _):
                return (carry, carry), None

            def run():
                return jax.lax.scan(step, jnp.ones(3), None, length=3)

            return jax.jit(run)

        {call}
        """
    )
    weak = {each.code: reasons(each) for each in found}
    assert weak == {"OAK301": "", "OAK504": "this raises before"}


@pytest.mark.parametrize("name", REFUSED)
def test_a_call_that_an_argument_stops_traces_nothing(name: str) -> None:
    """What stands in a function that no call reaches is reported as certain to raise."""
    program, code = REFUSED[name]
    found = {each.code: each for each in findings_of(program)}
    assert found[code].weak == ()
    assert "raises before, for an argument" in reasons(found["OAK201"])


def test_another_call_of_the_function_is_no_refused_one() -> None:
    """One wrong call would make the errors of all others likely."""
    program, _ = REFUSED["a text"]
    found = findings_of(
        program.replace("print(", "print(apply(jnp.ones(()), 1.0))\n        print(")
    )
    assert {each.code: each.weak for each in found}["OAK201"] == ()

"""No fix makes code that certainly raises: its finding would be gone, and so would the program."""

from textwrap import dedent

import pytest
from fixing import HEAD, fix_text

from oakum_lint.domain.events import Event
from oakum_lint.fixes.site import Site
from oakum_lint.rules.oak208_numpy_call_on_tracer import NumpyCallOnTracer
from oakum_lint.text.edits import Edit, Fix, Safety, make_fix

PROGRAM = dedent(
    """\
    def scaled(x):
        return 2 * x


    @jax.jit
    def f(x):
        y = scaled(x)
        return np.log(y)


    f(jnp.ones(3))
    """
)
ERRORS = {
    "a call above that gets too little": {"def scaled(x)": "def scaled(x, n)"},
    "a call above that gets too much": {"def scaled(x)": "def scaled()", "2 * x": "2"},
    "an argument that a function does not take": {"np.log(y)": "jnp.zeros(3, like=y)"},
    "a method that arrays lack": {"np.log(y)": "y.log()"},
    "a key that is not there": {"np.log(y)": '{"a": y}["b"]'},
    "a name that nothing binds": {"np.log(y)": "jnp.log(z)"},
    "an operation that Python lacks": {"np.log(y)": 'jnp.log(y) + (1 + "a")'},
    "a call of what is returned elsewhere": {"2 * x": "None", "np.log": "jnp.log"},
}


@pytest.mark.parametrize("name", ERRORS)
@pytest.mark.parametrize("everywhere", [False, True])
def test_a_fix_that_makes_code_raise_is_none(
    name: str, everywhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The finding was gone, as nothing is known of what a call returns that raises."""
    replaced = ERRORS[name]

    def fix(rule: NumpyCallOnTracer, event: Event, site: Site) -> Fix:
        del rule, event
        text = site.module.source.text
        places = [(text.index(old), len(old), new) for old, new in replaced.items()]
        edits = [Edit(at, at + length, new) for at, length, new in places]
        return make_fix("Write it otherwise", edits, Safety.SAFE, everywhere=everywhere)

    monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
    outcome = fix_text(HEAD + PROGRAM)
    assert outcome.text == HEAD + PROGRAM


def test_a_fix_that_makes_another_finding_of_its_own_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The finding had become one of what is around, for which no fix is known."""

    def fix(rule: NumpyCallOnTracer, event: Event, site: Site) -> Fix:
        del rule, event
        return make_fix("Convert it", [site.replace(site.node, "jnp.log(y)")], Safety.UNSAFE)

    monkeypatch.setattr(NumpyCallOnTracer, "fix", fix)
    text = HEAD + PROGRAM.replace("np.log(y)", "[1, 2][np.log(y) : 2]")
    assert fix_text(text).text == text

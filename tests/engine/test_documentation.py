"""What `help` says of public functions: their parameters, results, errors and derivatives."""

import importlib
import inspect
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from raising_calls import NO_CALL, call

import oakum as jax
import oakum.numpy as jnp
from oakum.errors import OakumError
from oakum.values import parameter_meanings
from oakum.values.declarations import PublicFunction
from oakum.values.namespaces import WHOLE
from oakum.values.reference import errors_raised

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2] / "engine")}
NAMES = Path(__file__).parents[2] / "docs" / "jax_names.txt"
MODULES = (
    *(
        name.replace("jax", "oakum", 1)
        for name in re.findall(r"^\[(\S+)\]$", NAMES.read_text(), re.M)
    ),
    *("oakum.scipy.stats.norm", "oakum.scipy.stats.poisson", "oakum.profiler"),
    "oakum.numpy.dtype_functions",
)
"""Where public functions are looked for."""


def functions() -> dict[str, PublicFunction[..., object]]:
    found: dict[str, PublicFunction[..., object]] = {}
    for name in MODULES:
        hasattr(importlib.import_module(name), "public")  # runs one that waits for its first use
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, PublicFunction):
                found[value.facts.name] = value
        for each in dir(importlib.import_module(name)):
            value = getattr(importlib.import_module(name), each)
            if isinstance(value, PublicFunction):
                found[value.facts.name] = value
    return found


def test_each_function_has_a_summary_and_all_its_parameters() -> None:
    found = functions()
    assert len(found) > 900
    for name, function in found.items():
        text = function.__doc__
        assert text, name
        assert text.count("Args:") <= 1, name
        if function.is_evaluated:
            assert not text.startswith(("Args:", "Returns:")), f"{name} has no summary"
        listed = [line.strip().lstrip("*") for line in text.splitlines()]
        for parameter in function.facts.signature.parameters:
            if not parameter.startswith("_"):
                assert any(line.startswith(parameter) for line in listed), (name, parameter)
        assert max(map(len, text.splitlines())) <= 100, name


def test_nothing_is_written_before_somebody_asks() -> None:
    """To import and to call a function costs what it did without its documentation."""
    program = (
        "import sys, oakum.numpy as jnp, oakum as jax; jnp.tanh(1.0), jnp.sum(jnp.ones(3));"
        "jax.jit(lambda x: jnp.sin(x))(1.0); assert 'oakum.values.reference' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=ENVIRONMENT, timeout=120)


def test_each_sentence_about_a_parameter_is_used() -> None:
    """A row of the table whose function or parameter is gone says nothing to anybody."""
    found = functions()
    used: set[str] = set()
    for name, function in found.items():
        for parameter in function.facts.signature.parameters:
            parts = name.split(".")
            rows = [".".join((*parts[:n], parameter)) for n in range(len(parts), -1, -1)]
            used.update([row for row in rows if row in parameter_meanings.meanings()][:1])
    assert parameter_meanings.meanings().keys() - used == set()


def test_each_parameter_is_explained() -> None:
    """A new parameter needs a row in `parameter_meanings.txt`, if its name has none."""
    silent = [
        f"{name}: {parameter}"
        for name, function in functions().items()
        for parameter in function.facts.signature.parameters
        if not parameter.startswith("_") and not parameter_meanings.meaning(name, parameter)
    ]
    assert silent == []


def test_what_is_declared_is_said() -> None:
    text = inspect.getdoc(jnp.repeat)
    assert text is not None
    assert "The size of the result. It has to be a Python number while tracing." in text
    assert "Its size depends on the values of `repeats`; `total_repeat_length` fixes it." in text
    assert "OAK210 (dynamic-shape)" in text
    assert "It is zero everywhere." in (jnp.sign.__doc__ or "")
    assert "It is used up: use each once." in (jax.random.normal.__doc__ or "")
    assert "infinite" in (jnp.sqrt.__doc__ or "")


WRONG_CALLS: dict[str, Callable[[], object]] = {
    "numpy.sin: OAK502 if `x` is no array or number": lambda: jnp.sin("a"),  # pyright: ignore
    "numpy.sin: OAK503 if `x` is a list or tuple": lambda: jnp.sin([1.0]),  # pyright: ignore
    "numpy.eye: OAK501 if `N` or `M` is no integer": lambda: jnp.eye(2.5),  # pyright: ignore
    "numpy.zeros: OAK502 if `dtype` is no dtype": lambda: jnp.zeros(3, "nope"),
    "random.normal: OAK502 if `key` is no random key": lambda: jax.random.normal("a"),  # pyright: ignore
    "lax.psum: OAK309 if no transform around the call binds `axis_name`": lambda: jax.lax.psum(
        1.0, "i"
    ),
    "jit: TypeError if `fun` is no function": lambda: jax.jit(3),  # pyright: ignore
    "custom_gradient: TypeError if `fun` is no function": lambda: jax.custom_gradient(3)(1.0),  # pyright: ignore
    "devices: RuntimeError if `backend` names no platform that is there": lambda: jax.devices(
        "nope"
    ),
}


@pytest.mark.parametrize("claim", WRONG_CALLS)
def test_what_is_said_of_errors_is_raised(claim: str) -> None:
    name, _, sentence = claim.partition(": ")
    error, _, cause = sentence.partition(" if ")
    text = re.sub(r"\s+", " ", functions()[name].__doc__ or "")
    assert cause in text.partition("Raises: ")[2]
    assert error in text.partition("Raises: ")[2]
    with pytest.raises((TypeError, NameError, RuntimeError)) as raised:
        WRONG_CALLS[claim]()
    found = raised.value
    code = found.code.code if isinstance(found, OakumError) and found.code else ""
    assert error in (code, *(each.__name__ for each in type(found).__mro__))


def raised_by_name() -> dict[str, tuple[str, str]]:
    """Each claim of the table: its function, and its sentence."""
    return {
        f"{name}: {sentence}": (name, sentence)
        for name, sentences in errors_raised().items()
        for sentence in sentences
    }


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("claim", raised_by_name())
def test_what_the_table_says_of_errors_is_raised(claim: str, tmp_path: Path) -> None:
    """`help` names an error: the call that it speaks of raises that one, with that code."""
    name, sentence = raised_by_name()[claim]
    function = functions()[name]
    error, _, cause = sentence.partition(" if ")
    assert cause.rstrip(".") in re.sub(r"\s+", " ", function.__doc__ or "")
    if sentence in NO_CALL:
        return
    with pytest.raises(Exception) as raised:  # noqa: PT011 which one is the question
        call(function, sentence, tmp_path)
    found = raised.value
    code = found.code.code if isinstance(found, OakumError) and found.code else ""
    assert error in (code, *(each.__name__ for each in type(found).__mro__)), found


def test_each_function_says_what_it_raises() -> None:
    silent = [
        name
        for name, function in functions().items()
        if function.is_evaluated and "\nRaises:" not in (function.__doc__ or "")
    ]
    assert silent == []
    assert errors_raised().keys() <= functions().keys()


def test_a_function_made_of_another_keeps_its_own_words() -> None:
    @jax.jit
    def own(x: jax.Array) -> jax.Array:
        """Doubles."""
        return x * 2

    assert own.__doc__ == "Doubles."
    assert (PublicFunction.__doc__ or "").startswith("A public function")


@pytest.mark.parametrize("name", ["numpy.sum", "lax.scan", "random.uniform"])
def test_help_shows_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    help(functions()[name])
    shown = capsys.readouterr().out
    assert "Args:" in shown
    assert shown.count("\n") > 8


def test_namespaces_that_are_called_whole_lack_no_function() -> None:
    """The linter says that JAX has no name that oakum lacks in one of them."""
    sections = re.findall(r"^\[jax\.?(\S*)\]\n((?:\S.*\n)+)", NAMES.read_text(), re.M)
    lacking = {
        f"{namespace}.{row.split()[0]}"
        for namespace, rows in sections
        for row in rows.splitlines()
        if namespace in WHOLE and row.endswith(" absent")
    }
    assert {namespace for namespace, _ in sections} >= WHOLE
    types = {"DotDimensionNumbers", "ConvGeneralDilatedDimensionNumbers", "PrecisionLike"}
    assert lacking == {".memory", "numpy.ComplexWarning", *(f"lax.{name}" for name in types)}

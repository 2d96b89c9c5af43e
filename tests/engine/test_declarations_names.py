"""Names that are no functions, attributes of arrays, and what needs data on the host."""

import os
import subprocess
import sys
from typing import Any

import jax
import jax.numpy as jnp
import pytest
from recorded_calls import read, structure, trace
from tests.engine import public_names

from oakum.abstract.inspection import ATTRIBUTES, UPDATES
from oakum.values.avals import ShapedArray, parse_aval

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

KINDS = {
    "numpy": "namespace",
    "scipy.stats.norm": "namespace",
    "numpy.sum": "function",
    "numpy.absolute": "function",
    "Array.sum": "function",
    "jit": "transform",
    "lax.scan": "transform",
    "experimental.pjit.pjit": "transform",
    "custom_jvp": "transform",
    "custom_vjp.defvjp": "transform",
    "numpy.float32": "scalar type",
    "numpy.bool_": "scalar type",
    "numpy.floating": "dtype group",
    "numpy.pi": "constant",
    "numpy.newaxis": "constant",
    "numpy.ndarray": "class",
    "Array": "class",
    "errors.ConcretizationTypeError": "class",
    "lax.Precision": "class",
    "tree_util.Partial": "class",
    "numpy.s_": "object",
}


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_names(name: str) -> None:
    """A constant taken for an unknown value would silence what is computed with it."""
    assert public_names.kind(name) == KINDS[name]


def test_names_of_numpy_that_are_no_functions_are_known() -> None:
    """Dtypes, constants and index objects stand in most programs."""
    missing = [
        name
        for name in dir(jnp)
        if not name.startswith("_") and public_names.lookup(f"numpy.{name}") is public_names.MISSING
    ]
    assert missing == ["ComplexWarning"]


def test_numeric_constants_have_the_values_of_jax() -> None:
    """A branch on `jnp.pi` is decided by its value."""
    for name in ("pi", "e", "euler_gamma", "inf"):
        assert public_names.lookup(f"numpy.{name}") == getattr(jnp, name)


def on_tracer(function: Any, aval: str) -> Any:
    """What the function gives for a traced array, or the exception."""
    results: list[Any] = []
    try:
        jax.eval_shape(lambda x: (results.append(function(x)), x)[1], structure(aval))
    except Exception as error:
        return error
    return results[0]


@pytest.mark.parametrize("name", sorted(ATTRIBUTES.keys() - {"aval", "at"}))
def test_attributes_are_those_of_tracers(name: str) -> None:
    """An attribute that tracing knows is no tracer, and one of the host does not exist."""
    for aval in ("f32[2,3]", "c64[4,2]", "i8[5]"):
        real = on_tracer(lambda x: getattr(x, name), aval)
        if name == "mT" and isinstance(real, Exception):
            continue
        said = ATTRIBUTES[name].value(parse_aval(aval))
        match ATTRIBUTES[name].kind:
            case "static":
                assert said == real or str(said) == str(real)
            case "array":
                assert isinstance(real, jax.Array)
                assert isinstance(said, ShapedArray)
                assert (said.shape, str(said.dtype)) == (real.shape, str(real.dtype))
            case _:
                assert isinstance(real, (AttributeError, TypeError))


def test_update_methods_are_those_of_jax() -> None:
    """`x.at[i].set(v)` and its kin make a changed copy."""
    real = {n for n in dir(jnp.zeros(1).at[0]) if not n.startswith("_")}
    assert real - {"array", "index"} == set(UPDATES)


HOST = (
    "jnp.save('file', x); jnp.savez('file', x); jnp.array_repr(x); jnp.array_str(x); x.devices(); "
    "x.block_until_ready(); x.copy_to_host_async(); x.is_ready(); x.is_deleted(); x.delete(); "
    "x.addressable_data(0); x.tobytes(); x.tolist()"
).split("; ")


@pytest.mark.parametrize("expression", HOST)
def test_host_functions_do_not_take_tracers(
    expression: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    """A call that needs data fails on tracers, and the declaration says so."""
    monkeypatch.chdir(tmp_path)
    assert isinstance(trace(expression, x="f32[3]"), Exception)
    facts, _ = read(expression, x="f32[3]")
    assert facts.needs_concrete


TAKEN = (
    "jax.device_get(x); jax.block_until_ready(x); jax.device_put(x); jnp.shape(x); jnp.copy(x); "
    "jnp.result_type(x); jnp.isscalar(x); jax.debug.print('{}', x); jax.copy_to_host_async(x)"
).split("; ")


@pytest.mark.parametrize("expression", TAKEN)
def test_functions_that_take_tracers(expression: str) -> None:
    """A call that works on tracers is not declared to fail."""
    assert not isinstance(trace(expression, x="f32[3]"), Exception)
    facts, _ = read(expression, x="f32[3]")
    assert not facts.needs_concrete


def test_declarations_import_neither_numpy_nor_llvmlite() -> None:
    """The linter starts fast, and works where the engine's compiler does not."""
    program = (
        "import sys, oakum.random, oakum.tree_util, "
        "oakum.abstract.inspection\n"
        "import oakum.scipy.special\n"
        "for space in (oakum, oakum.numpy, oakum.lax, oakum.nn):\n"
        "    for name in dir(space):\n"
        "        getattr(space, name)\n"
        "assert not {'numpy', 'llvmlite', 'jax', 'libcst'} & sys.modules.keys()"
    )
    path = os.pathsep.join(sys.path)
    environment = {**os.environ, "PYTHONPATH": path}
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)

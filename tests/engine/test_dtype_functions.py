"""`jax.dtypes`: its functions and groups.

A user who asks for the properties of a dtype gets another answer than from JAX.
"""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum
from oakum import dtypes

CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "canonical name": lambda d, jnp: d.canonicalize_dtype("float64"),
    "canonical int": lambda d, jnp: d.canonicalize_dtype(int),
    "canonical nothing": lambda d, jnp: d.canonicalize_dtype("foo"),
    "group": lambda d, jnp: d.issubdtype("float32", jnp.floating),
    "host group": lambda d, jnp: d.issubdtype(jnp.bfloat16, np.floating),
    "generic": lambda d, jnp: d.issubdtype(jnp.float32, np.generic),
    "other dtype": lambda d, jnp: d.issubdtype(float, jnp.float32),
    "small": lambda d, jnp: d.issubdtype(jnp.int4, jnp.integer),
    "groups": lambda d, jnp: d.issubdtype(d.prng_key, d.extended),
    "same": lambda d, jnp: d.issubdtype("float32", "float32"),
    "bits": lambda d, jnp: [d.itemsize_bits(each) for each in ("int4", bool, jnp.float32)],
    "result": lambda d, jnp: d.result_type(1, 2.0),
    "weak result": lambda d, jnp: d.result_type(1, 2.0, return_weak_type_flag=True),
    "strong result": lambda d, jnp: d.result_type(jnp.int8, 1),
    "no result": lambda d, jnp: d.result_type(),
    "scalar": lambda d, jnp: [d.scalar_type_of(each) for each in (1.0, np.int8, np.bool_(1))],
    "no scalar": lambda d, jnp: d.scalar_type_of("a"),
}


def outcome(call: Callable[[Any, Any], Any], module: Any, namespace: Any) -> Any:
    try:
        return call(module.dtypes, namespace)
    except Exception as error:
        return error


@pytest.mark.parametrize("name", CALLS)
def test_functions_of_dtypes_answer_as_in_jax(name: str) -> None:
    """A program that asks for the properties of a dtype goes another way."""
    jax = pytest.importorskip("jax")
    theirs = outcome(CALLS[name], jax, jax.numpy)
    ours = outcome(CALLS[name], oakum, oakum.numpy)
    if isinstance(theirs, Exception):
        assert isinstance(ours, type(theirs)), ours
    else:
        assert ours == theirs


def test_keys_are_extended() -> None:
    """A program does not recognise a random key."""
    key = oakum.random.key(0).dtype
    assert dtypes.issubdtype(key, dtypes.prng_key)
    assert dtypes.issubdtype(key, dtypes.extended)
    assert not dtypes.issubdtype("float32", dtypes.prng_key)
    assert dtypes.canonicalize_dtype(key, allow_extended_dtype=True) is key
    with pytest.raises(ValueError, match="extended dtype"):
        dtypes.canonicalize_dtype(key)


def test_numpy_takes_and_compares_dtypes() -> None:
    """`np.zeros(3, oakum.dtypes.int8)` fails, or a comparison with a dtype of NumPy is false."""
    assert np.zeros(3, dtypes.int8).dtype == "int8"
    assert np.dtype("float32") == dtypes.float32
    assert dtypes.float32 == np.dtype("float32")
    assert np.dtype("float32") != dtypes.int8
    assert np.dtype("float32") != dtypes.key_fry
    assert np.zeros((), oakum.float0).dtype == dtypes.float0


def test_the_linter_does_not_look_at_the_environment(tmp_path: Any) -> None:
    """A checked program is judged by the options of the machine that checks it."""
    (tmp_path / "program.py").write_text("import jax\n\n@jax.jit\ndef f(x):\n    return x + 1\n")
    done = subprocess.run(
        [sys.executable, "-m", "oakum_lint", "check", str(tmp_path / "program.py")],
        env={"PATH": "/usr/bin", "OAKUM_ENABLE_X64": "maybe", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr

# pyright: basic
"""Drawings of shardings: JAX's own, which it draws with another library."""

import os
import subprocess
import sys
from textwrap import dedent

import pytest

import oakum
import oakum.numpy as jnp
from oakum.errors import InvalidValueError, NotEvaluatedError

PROGRAM = """
    import oakum
    import oakum.numpy as jnp
    from oakum.sharding import NamedSharding, PartitionSpec as P

    oakum.config.update("jax_num_cpu_devices", 8)
    mesh = oakum.make_mesh((4, 2), ("X", "Y"))
    for shape, spec in [((8, 4), P("X", "Y")), ((8, 4), P("Y", None)), ((8,), P("X"))]:
        x = oakum.device_put(jnp.zeros(shape), NamedSharding(mesh, spec))
        oakum.debug.visualize_array_sharding(x)
    oakum.debug.inspect_array_sharding(x, callback=lambda sharding: print(sharding.spec))
"""
DRAWN = """\
┌───────┬───────┐
│ CPU 0 │ CPU 1 │
├───────┼───────┤
│ CPU 2 │ CPU 3 │
├───────┼───────┤
│ CPU 4 │ CPU 5 │
├───────┼───────┤
│ CPU 6 │ CPU 7 │
└───────┴───────┘
┌───────────┐
│           │
│CPU 0,2,4,6│
│           │
│           │
├───────────┤
│           │
│CPU 1,3,5,7│
│           │
│           │
└───────────┘
┌───────┬───────┬───────┬───────┐
│CPU 0,1│CPU 2,3│CPU 4,5│CPU 6,7│
└───────┴───────┴───────┴───────┘
P('X',)
"""


def test_drawings_are_those_of_jax() -> None:
    """Boxes would stand for other devices, or beside each other where JAX has them in rows."""
    found = subprocess.run(
        [sys.executable, "-c", dedent(PROGRAM)],
        capture_output=True,
        check=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert found.stdout == DRAWN


def test_what_has_no_drawing_is_refused() -> None:
    """A tracer has no place yet, and three axes no drawing."""
    with pytest.raises(NotEvaluatedError, match="of a tracer"):
        oakum.jit(lambda x: oakum.debug.visualize_array_sharding(x))(jnp.ones(3))
    with pytest.raises(InvalidValueError, match="1 and 2 dimensions"):
        oakum.debug.visualize_array_sharding(jnp.ones((1, 1, 1)))

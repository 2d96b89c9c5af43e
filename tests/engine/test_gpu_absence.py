# pyright: basic
# Entry points are called with platforms and devices in any form.
"""The error of a program that asks for a GPU where there is none, or none that kernels run on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unverified  # Only the CPU's programs are watched while they run.

ROOT = Path(__file__).parents[2]

BY_DEFAULT = """
    "devices": lambda: jax.devices(),
    "default_backend": lambda: jax.default_backend(),
    "jit": lambda: jax.jit(lambda x: x + 1)(1.0),
    "lower": lambda: jax.jit(lambda x: x + 1).lower(1.0).compile(),
    "grad": lambda: jax.grad(lambda x: x * x)(1.0),
    "ones": lambda: jnp.ones(3),
    "array": lambda: jnp.array(1),
    "asarray": lambda: jnp.asarray(np.ones(3)),
    "device_put": lambda: jax.device_put(np.ones(3)),
    "key": lambda: jax.random.key(0),
"""
"""Entry points that use the first device."""

BY_NAME = """
    "devices": lambda: jax.devices("gpu"),
    "devices of cuda": lambda: jax.devices("cuda"),
    "local_devices": lambda: jax.local_devices(backend="gpu"),
    "device_count": lambda: jax.device_count("gpu"),
    "process_index": lambda: jax.process_index("gpu"),
    "live_arrays": lambda: jax.live_arrays("gpu"),
    "device_put": lambda: jax.device_put(np.ones(3), jax.devices("gpu")[0]),
    "default_device": lambda: inside(jax.default_device("gpu")),
    "jit of a backend": lambda: jax.jit(lambda x: x + 1, backend="gpu")(1.0),
    "jit of a device": lambda: jax.jit(lambda x: x + 1, device=jax.devices("cuda")[0])(1.0),
    "pmap": lambda: jax.pmap(lambda x: x + 1, backend="gpu")(jnp.ones(1)),
    "platform_name": lambda: (jax.config.update("jax_platform_name", "gpu"), jnp.ones(3)),
"""
"""Entry points that name a GPU, in a program whose first device is the CPU."""

SESSION = """
import numpy as np, oakum as jax, oakum.numpy as jnp
from tests.engine.empty_driver import EmptyLibrary
from oakum.runtime.topology import cuda_driver

cause, words = {cause!r}, {words!r}
if cause is not None:
    statuses, facts = cause
    library = EmptyLibrary(**facts)
    library.statuses.update(statuses)
    cuda_driver.driver = lambda: cuda_driver.Driver(library)
    cuda_driver.explain_absence.__defaults__ = (cuda_driver.driver,)

def inside(context):
    with context:
        return jnp.ones(3)

entries = {{{entries}}}
for name, entry in entries.items():
    try:
        entry()
    except RuntimeError as error:
        text = str(error)
        for word in (*words, "OAKUM_PLATFORMS=emulated"):
            assert word in text, (name, word, text)
    else:
        raise AssertionError(name)
"""

CAUSES = {
    "no driver": (None, ("libcuda.so.1", "was not found (searched: /nowhere", "Install")),
    "a driver without a device": (
        ({"cuInit": 100}, {}),
        ("the driver of NVIDIA GPUs is there (libcuda.so.1)", "CUDA_ERROR_100", "nvidia-smi"),
    ),
    "an old driver": (({}, {"version": 11080}), ("knows CUDA 11.8", "need 12.0", "Update")),
    "an old GPU": (({}, {"major": 7}), ("empty has compute capability 7.7", "need 8.0")),
}


@pytest.mark.skipif(sys.platform != "linux", reason="the driver has another name elsewhere")
@pytest.mark.parametrize("is_default", [True, False])
@pytest.mark.parametrize("cause", CAUSES)
def test_each_entry_says_why_there_is_no_gpu(cause: str, is_default: bool) -> None:
    """A program for a GPU runs on the CPU without a word, or fails without help."""
    given, words = CAUSES[cause]
    entries = BY_DEFAULT if is_default else BY_NAME
    environment = {
        **os.environ,
        "LD_LIBRARY_PATH": "/nowhere",
        "OAKUM_PLATFORMS": "cuda" if is_default else "cpu",
        "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
    }
    code = SESSION.format(cause=given, words=words, entries=entries)
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr

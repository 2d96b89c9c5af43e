"""A part of the engine's own tests, run where all programs and operations are on an emulated GPU.

Where one of these fails, what a user computes on a GPU is not what the engine's tests say, or a
kernel that no test of kernels has thought of races.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.exhaustive, pytest.mark.unverified]

ROOT = Path(__file__).parents[2]

FILES = """
    accurate_sums compiled_accumulations compiled_columns compiled_complex compiled_nests
    compiled_pads compiled_programs compiled_scatters compiled_turns compiled_widths
    compiled_windows control_flow families_elementwise families_indexing families_reduction
    numpy_elementwise numpy_indexing numpy_reductions primitives primitives_contraction
    primitives_elementwise primitives_indexing primitives_linalg primitives_reductions
    primitives_shapes whole_programs
""".split()

LONGEST = ("accurate_sums", "primitives")
"""Files that take 130 of the 230 seconds of those that CI would run."""

CPU_ONLY = ["test_control_flow.py::test_composite_and_platform_dependent"]
"""Tests that say what a program does on the CPU."""

SAME_KERNELS = [
    "test_primitives.py::test_batching_twice_is_two_loops",
    "test_primitives.py::test_derivatives_are_limits_of_differences",
    "test_primitives.py::test_programs_are_read_as_they_are_printed",
    "test_primitives_linalg.py::test_eig",  # The prefix of `test_eigh`, too.
    "test_primitives_linalg.py::test_svd",
    "test_primitives_linalg.py::test_schur",
    "test_primitives_linalg.py::test_derivatives_of_eigenvectors",
]
"""Tests of what runs on the host in any case, or of rules that are the CPU's too, whose kernels the
others of their file run: mapped once, and derivatives forward and in reverse. They took half of the
119 seconds of the primitives.
"""


@pytest.mark.thinned(6)
@pytest.mark.parametrize(
    "name",
    [
        *(name for name in FILES if name not in LONGEST),
        *(pytest.param(name, marks=pytest.mark.nightly) for name in LONGEST),
    ],
)
def test_files_pass_on_an_emulated_gpu(name: str) -> None:
    command = [sys.executable, "-m", "pytest", "-n", "0", "-q", "-p", "no:cacheprovider"]
    for each in (*CPU_ONLY, *SAME_KERNELS):
        command += ["--deselect", f"tests/engine/{each}"]
    environment = {**os.environ, "OAKUM_PLATFORMS": "emulated"}
    done = subprocess.run(
        [*command, f"tests/engine/test_{name}.py"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout[-6000:]

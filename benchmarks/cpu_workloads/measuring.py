"""How rows are measured: results compared, then times in alternating rounds."""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import time
import timeit
import warnings
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from cpu_workloads.rows import Call, Probe, Row

PEERS = ("jax", "oakum")
SAMPLE_SECONDS = 200e-6
"""A sample is so many calls that it takes about this long."""

TOLERANCES = {"float16": 1e-2, "bfloat16": 3e-2, "float32": 2e-4, "complex64": 2e-4}


@dataclass(slots=True)
class Effort:
    """How much is measured."""

    quick: bool

    @property
    def seconds(self) -> float:
        """The time for the samples of one peer of a row."""
        return 0.05 if self.quick else 0.6

    @property
    def fewest(self) -> int:
        """So many samples are taken even where that takes longer."""
        return 2 if self.quick else 5

    @property
    def processes(self) -> int:
        """How often a process of its own is run."""
        return 1 if self.quick else 3


@dataclass(slots=True)
class Measured:
    """What was found for a row: the medians of the peers, in nanoseconds or bytes."""

    group: str
    name: str
    unit: str = "ns"
    medians: dict[str, float] = field(default_factory=dict[str, float])
    error: str | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """Oakum's to JAX's; None where one of them is missing."""
        if not all(peer in self.medians for peer in PEERS):
            return None
        return self.medians["oakum"] / self.medians["jax"]


def compare_results(first: Any, second: Any, tolerance: float | None, j: Any) -> None:
    """Raises AssertionError where the results of two peers differ."""
    ours, theirs = j.tree_util.tree_leaves(second), j.tree_util.tree_leaves(first)
    assert len(ours) == len(theirs), f"{len(ours)} results instead of {len(theirs)}"
    for x, y in zip(ours, theirs, strict=True):
        a, b = np.asarray(x), np.asarray(y)
        assert a.shape == b.shape, f"shape {a.shape} instead of {b.shape}"
        assert a.dtype == b.dtype, f"dtype {a.dtype} instead of {b.dtype}"
        if a.dtype.kind in "biu":
            wrong = int(np.sum(a != b))
            assert not wrong, f"{wrong} of {a.size} elements differ"
            continue
        relative = tolerance or TOLERANCES.get(a.dtype.name, 1e-9)
        wide = np.complex128 if a.dtype.kind == "c" else np.float64
        a, b = a.astype(wide), b.astype(wide)
        scale = float(np.max(np.abs(b[np.isfinite(b)]), initial=0.0))
        near = np.isclose(a, b, rtol=relative, atol=relative * scale, equal_nan=True)
        if not near.all():
            apart = np.nan_to_num(np.abs(a - b), nan=np.inf)
            raise AssertionError(
                f"{int(np.sum(~near))} of {a.size} elements differ, by up to "
                f"{float(np.max(apart[~near])):.3g} at a scale of {scale:.3g}"
            )


def measure(calls: dict[str, Call], effort: Effort, first_calls: bool) -> dict[str, float]:
    """The medians of the times of calls, in nanoseconds, taken in alternating rounds."""
    timers = {peer: timeit.Timer(c.statement, globals=c.names) for peer, c in calls.items()}
    numbers: dict[str, int] = {}
    for peer, timer in timers.items():
        once = timer.timeit(1)
        if once < SAMPLE_SECONDS:
            once = timer.timeit(10) / 10
        numbers[peer] = 1 if first_calls else max(1, int(SAMPLE_SECONDS / max(once, 1e-9)))
    found: dict[str, list[float]] = {peer: [] for peer in timers}
    begun = time.perf_counter()
    budget = effort.seconds * len(timers)
    rounds = 0
    while rounds < effort.fewest or (time.perf_counter() - begun < budget and rounds < 1000):
        for peer, timer in timers.items():
            if not first_calls:
                timer.timeit(1)
            found[peer].append(timer.timeit(numbers[peer]) / numbers[peer])
        rounds += 1
    return {peer: statistics.median(samples) * 1e9 for peer, samples in found.items()}


def run_row(row: Row, modules: dict[str, Any], effort: Effort, measured: Measured) -> None:
    """Compares and times a row within this process."""
    for module in modules.values():
        module.config.update("jax_enable_x64", row.x64)
    calls: dict[str, Call] = {}
    results: dict[str, Any] = {}
    with warnings.catch_warnings(record=True) as warned:
        warnings.filterwarnings("always", category=UserWarning)
        for peer, module in modules.items():
            with attributed(peer):
                calls[peer] = row.build(module)
                results[peer] = calls[peer].result()
    if any(each.category.__name__ == "CompilationWarning" for each in warned):
        measured.note = "interpreted"
    if len(results) == len(PEERS):
        compare_results(results["jax"], results["oakum"], row.tolerance, modules["oakum"])
    del results
    measured.medians = measure(calls, effort, row.first_calls)
    if row.numpy is not None:
        # By itself: threads of its BLAS look for work for a long time, at the cost of who is next.
        measured.medians |= measure({"numpy": row.numpy()}, effort, row.first_calls)


@contextlib.contextmanager
def attributed(peer: str) -> Generator[None]:
    """Says in errors which peer raised them."""
    try:
        yield
    except Exception as error:
        raise RuntimeError(f"{peer}: {type(error).__name__}: {error}") from error


def run_probe(probe: Probe, effort: Effort, measured: Measured, peers: Sequence[str]) -> None:
    """Runs the processes of a row."""
    found: dict[str, list[float]] = {peer: [] for peer in probe.peers if peer in (*peers, "numpy")}
    for _ in range(effort.processes):
        for peer, samples in found.items():
            if peer in measured.note:
                continue
            value = run_process(probe, peer)
            if value is None:
                value = probe.limit * 1e9
                measured.note += f"{peer} was ended after {probe.limit:.0f} s "
            samples.append(value)
    measured.medians = {peer: statistics.median(samples) for peer, samples in found.items()}


def run_process(probe: Probe, peer: str) -> float | None:
    """What a process measured; None when it took too long."""
    engine = str(Path(__file__).parents[2] / "engine")
    path = os.pathsep.join(filter(None, (engine, os.environ.get("PYTHONPATH"))))
    begun = time.perf_counter()
    try:
        ended = subprocess.run(
            [sys.executable, "-c", probe.program.replace("{peer}", peer)],
            env={**os.environ, "PYTHONPATH": path, **probe.environment},
            capture_output=True,
            text=True,
            timeout=probe.limit,
        )
    except subprocess.TimeoutExpired:
        return None
    seconds = time.perf_counter() - begun
    if ended.returncode:
        lines = ended.stderr.strip().splitlines() or [f"ended with {ended.returncode}"]
        # Notes may follow the error.
        raise RuntimeError(f"{peer}: {[x for x in lines if 'Error' in x][-1:] or lines[-1:]}")
    return seconds * 1e9 if probe.whole else float(ended.stdout.split()[-1])

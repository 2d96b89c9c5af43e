"""Compares compiled programs of oakum with those of JAX, and with NumPy where it can do the same.

    python benchmarks/cpu_compiler.py [--group NAME,...] [--only TEXT] [--quick] [--json FILE]

All run in one process, in alternating rounds, so that a busy machine slows all alike; a row shows the
medians and the ratio of oakum's to JAX's, a group the geometric mean of its ratios. Before anything
is timed the results are compared. Each sample has one call of its own before it that does not count:
the threads of the peer before may still be looking for work. What takes memory, a new process or too
long is measured in processes of its own. A row that fails says why, and the others go on.

Quick runs leave out what is large, and take fewer samples: they show that everything works.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import time
import timeit
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from cpu_workloads.rows import Call, Probe, Row

GROUPS = {
    "dispatch": "dispatch",
    "elementwise": "elementwise",
    "reductions": "reductions",
    "shape": "shape",
    "contractions": "contractions",
    "control": "control",
    "training": "training",
    "random": "random_numbers",
    "compile": "compilation",
    "memory": "memory",
    "start": "start",
}
"""The groups and the modules of `cpu_workloads` that have their rows."""

PEERS = ("jax", "oakum")
SAMPLE_SECONDS = 200e-6
"""A sample is so many calls that it takes about this long."""

LIMIT = 1.15
"""Ratios above this are counted."""

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
        assert near.all(), (
            f"{int(np.sum(~near))} of {a.size} elements differ, by up to "
            f"{float(np.nanmax(np.abs(a - b))):.3g} at a scale of {scale:.3g}"
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
    for peer, module in modules.items():
        with attributed(peer):
            calls[peer] = row.build(module)
    results: dict[str, Any] = {}
    for peer, each in calls.items():
        with attributed(peer):
            results[peer] = each.result()
    if len(modules) == len(PEERS):
        compare_results(*(results[peer] for peer in PEERS), row.tolerance, modules["oakum"])
    del results
    if row.numpy is not None:
        calls["numpy"] = row.numpy()
    measured.medians = measure(calls, effort, row.first_calls)


@contextlib.contextmanager
def attributed(peer: str) -> Iterator[None]:
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
    engine = str(Path(__file__).parents[1] / "engine")
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
        last = ended.stderr.strip().splitlines()[-1:] or [f"ended with {ended.returncode}"]
        raise RuntimeError(f"{peer}: {last[0]}")
    return seconds * 1e9 if probe.whole else float(ended.stdout.split()[-1])


def run_group(
    group: str, modules: dict[str, Any], effort: Effort, only: str, show: Callable[[Measured], None]
) -> list[Measured]:
    """Measures the rows of a group."""
    rows: Iterable[Row | Probe] = import_module(f"cpu_workloads.{GROUPS[group]}").rows()
    found: list[Measured] = []
    for row in rows:
        if only not in row.name or (effort.quick and row.heavy):
            continue
        measured = Measured(group, row.name)
        try:
            if isinstance(row, Row):
                run_row(row, modules, effort, measured)
            else:
                measured.unit = row.unit
                run_probe(row, effort, measured, tuple(modules))
        except Exception as error:
            text = str(error).strip().splitlines() or [""]
            measured.error = text[0] if isinstance(error, RuntimeError) else f"{error!r:.200}"
        found.append(measured)
        show(measured)
    return found


def readable(value: float | None, unit: str) -> str:
    """A time or a size with a unit that suits it."""
    if value is None:
        return "-"
    steps = ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns"))
    if unit == "bytes":
        steps = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))
    for size, name in steps:
        if value >= size:
            return f"{value / size:.3g} {name}"
    return f"{value:.2g} {steps[-1][1]}"


def show_row(measured: Measured) -> None:
    """Prints a line of the table."""
    if measured.error is not None:
        print(f"  {measured.name:44.44} failed: {measured.error}", flush=True)
        return
    shown = [readable(measured.medians.get(p), measured.unit) for p in (*PEERS, "numpy")]
    ratio = "-" if measured.ratio is None else f"{measured.ratio:.3f}"
    columns = " ".join(f"{text:>9}" for text in shown)
    print(f"  {measured.name:44.44} {columns} {ratio:>8}  {measured.note}".rstrip(), flush=True)


def geometric_mean(values: Sequence[float]) -> float | None:
    """The mean of ratios; None of none."""
    return math.exp(statistics.fmean(map(math.log, values))) if values else None


def summary(group: str, found: Sequence[Measured]) -> dict[str, Any]:
    """What a group comes to."""
    ratios = [each.ratio for each in found if each.ratio is not None]
    to_numpy = [
        each.medians["oakum"] / each.medians["numpy"]
        for each in found
        if {"oakum", "numpy"} <= set(each.medians)
    ]
    return {
        "group": group,
        "rows": len(found),
        "failed": sum(each.error is not None for each in found),
        "ratio": geometric_mean(ratios),
        "to_numpy": geometric_mean(to_numpy),
        "worst": max(ratios, default=None),
        "above_limit": [e.name for e in found if e.ratio is not None and e.ratio > LIMIT],
    }


def show_summary(of: dict[str, Any]) -> None:
    """Prints the line that ends a group."""
    texts = {
        name: "-" if of[name] is None else f"{of[name]:.3f}"
        for name in ("ratio", "worst", "to_numpy")
    }
    print(
        f"  {of['group']}: geometric mean {texts['ratio']} of JAX, worst {texts['worst']}, "
        f"{texts['to_numpy']} of NumPy; {len(of['above_limit'])} of {of['rows']} rows above {LIMIT}, "
        f"{of['failed']} failed",
        flush=True,
    )


def load() -> list[float] | None:
    """How busy the machine is: processes that want to run, over 1, 5 and 15 minutes."""
    return list(os.getloadavg()) if hasattr(os, "getloadavg") else None


def describe_machine(modules: dict[str, Any]) -> dict[str, Any]:
    """What the figures depend on."""
    affinity = getattr(os, "sched_getaffinity", None)
    return {
        "machine": platform.machine(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "processors": os.cpu_count() if affinity is None else len(affinity(0)),
        "numpy": np.__version__,
        **{name: str(module.__version__) for name, module in modules.items()},
    }


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--group", default=",".join(GROUPS), help="with commas between them")
    parser.add_argument("--only", default="", help="rows with this text in their name")
    parser.add_argument("--peers", default=",".join(PEERS), help="jax,oakum or one of them")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path, help="the file for all figures")
    options = parser.parse_args()
    sys.path.insert(0, str(Path(__file__).parents[1] / "engine"))
    modules = {name: import_module(name) for name in options.peers.split(",")}
    for name in modules:
        for part in ("numpy", "lax", "nn", "random", "tree_util"):
            import_module(f"{name}.{part}")
    np.seterr(all="ignore")
    warnings.filterwarnings("ignore", module="numpy")
    effort = Effort(options.quick)
    report: dict[str, Any] = {**describe_machine(modules), "quick": options.quick, "load": load()}
    print(", ".join(f"{name} {value}" for name, value in report.items()))
    found: list[Measured] = []
    summaries: list[dict[str, Any]] = []
    for group in options.group.split(","):
        if group not in GROUPS:
            parser.error(f"there is no group {group!r}; there are {', '.join(GROUPS)}")
        now = load()
        print(f"{group} (load {'-' if now is None else f'{now[0]:.1f}'})")
        print(f"  {'':44} {'jax':>9} {'oakum':>9} {'numpy':>9} {'to jax':>8}")
        rows = run_group(group, modules, effort, options.only, show_row)
        summaries.append(summary(group, rows))
        show_summary(summaries[-1])
        found += rows
    summaries.append(summary("all", found))
    show_summary(summaries[-1])
    report["load_at_end"] = load()
    print(f"load at the end: {report['load_at_end']}")
    if options.json is not None:
        rows = [
            {
                "group": each.group,
                "name": each.name,
                "unit": each.unit,
                "medians": each.medians,
                "ratio": each.ratio,
                "error": each.error,
                "note": each.note,
            }
            for each in found
        ]
        whole = {**report, "groups": summaries, "rows": rows}
        options.json.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

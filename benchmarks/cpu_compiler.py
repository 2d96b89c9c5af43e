"""Compares compiled programs of oakum with those of JAX, and with NumPy where it can do the same.

    python benchmarks/cpu_compiler.py [--group NAME,...] [--only TEXT] [--quick] [--json FILE]

Both run in one process, in alternating rounds, so that a busy machine slows both alike, and NumPy
after them; a row shows the medians and the ratio of oakum's to JAX's, a group the geometric mean of
its ratios. Before anything is timed the results are compared. Each sample has one call of its own
before it that does not count: the threads of the peer before may still be looking for work. What
takes memory, a new process or too long is measured in processes of its own. A row that fails says
why, and the others go on; one that oakum did not compile says so.

Quick runs leave out what is large, and take fewer samples: they show that everything works.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from cpu_workloads.measuring import PEERS, Effort, Measured, run_probe, run_row
from cpu_workloads.rows import Probe, Row

GROUPS = {
    "dispatch": "dispatch",
    "elementwise": "elementwise",
    "reductions": "reductions",
    "shape": "shape",
    "contractions": "contractions",
    "complex": "complex_numbers",
    "control": "control",
    "training": "training",
    "random": "random_numbers",
    "compile": "compilation",
    "memory": "memory",
    "start": "start",
}
"""The groups and the modules of `cpu_workloads` that have their rows."""

LIMIT = 1.15
"""Ratios above this are counted."""


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
        f"{texts['to_numpy']} of NumPy; {len(of['above_limit'])} of {of['rows']} rows above {LIMIT}"
        f", {of['failed']} failed",
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
    print(", ".join(f"{name} {value}" for name, value in report.items()), flush=True)
    found: list[Measured] = []
    summaries: list[dict[str, Any]] = []
    for group in options.group.split(","):
        if group not in GROUPS:
            parser.error(f"there is no group {group!r}; there are {', '.join(GROUPS)}")
        now = load()
        print(f"{group} (load {'-' if now is None else f'{now[0]:.1f}'})", flush=True)
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

"""Measures what share of planted traps the linter finds in real code.

    python benchmarks/lint_mutations.py [--each 80] [--seed 0] [--only branch] [--misses] DIR...

In each file a trap is planted behind an assignment of a traced value, at sites that syntax alone
chooses (`lint_mutation_sites`), at most one in each function; the file is linted alone with it. The
table gives, for each trap, the share of the sites where its code is reported on the planted line,
as proved and at all; for sites in functions given to a transform, in functions called by those, and
in those behind a branch, so many of each.
"""

import argparse
import collections
import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lint_mutation_sites import Module, Site

from oakum_lint.app.analysis import analyse
from oakum_lint.text.finding import Confidence


@dataclass(frozen=True, slots=True)
class Trap:
    """A line that fails, or goes wrong in silence, where `{name}` is traced. `after` is what the
    module needs besides; `random`: it follows a use of a key, whose call is `{call}`.
    """

    code: str
    line: str
    after: str = ""
    random: bool = False


_NUMPY = "import numpy as planted_np"

TRAPS = {
    "branch": Trap("OAK201", "if {name}.sum() > 0: pass"),
    "ternary": Trap("OAK201", "planted = 1 if {name}.any() else 2"),
    "loop condition": Trap("OAK202", "while {name}.max() > 3: break"),
    "boolean operation": Trap("OAK203", "planted = not {name}.all()"),
    "cast": Trap("OAK204", "planted = float({name}.sum())"),
    "item": Trap("OAK204", "planted = {name}.sum().item()"),
    "range": Trap("OAK205", "for planted in range({name}.argmax()): pass"),
    "sequence index": Trap("OAK206", "planted = [1, 2, 3][{name}.argmax()]"),
    "NumPy call": Trap("OAK208", f"{_NUMPY}; planted = planted_np.log1p({{name}})"),
    "NumPy array": Trap("OAK208", f"{_NUMPY}; planted = planted_np.asarray({{name}})"),
    "leak to global": Trap("OAK102", "global planted_global; planted_global = {name}"),
    "leak to list": Trap("OAK101", "planted_list.append({name})", "planted_list = []"),
    "leak to attribute": Trap(
        "OAK103",
        "PlantedClass.value = {name}",
        "class PlantedClass: value = None",
    ),
    "mask": Trap("OAK213", "planted = {name}[{name} > 0]"),
    "item assignment": Trap("OAK215", "{name}[0] = 1.0"),
    "format": Trap("OAK217", 'planted = f"{{{name}.sum():.3f}}"'),
    "hash": Trap("OAK216", "planted = {{{name}.sum(): 1}}"),
    "shape": Trap(
        "OAK501",
        "import jax.numpy as planted_jnp; planted = planted_jnp.dot("
        "planted_jnp.ones((2, 3)), planted_jnp.ones((4, 5)))",
    ),
    "shape of the value": Trap(
        "OAK501",
        "import jax.numpy as planted_jnp; planted = planted_jnp.stack([{name}, {name}[None]])",
    ),
    "key reuse": Trap("OAK401", "planted = {call}", random=True),
}


@dataclass(frozen=True, slots=True)
class Planted:
    """A trap planted in a file."""

    path: Path
    site: Site
    line: int


def _sources(folders: Sequence[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.rglob("*.py")) if folder.is_dir() else (folder,)


def _choose(
    modules: dict[Path, Module], trap: Trap, count: int, seed: int
) -> list[tuple[Path, Site]]:
    """So many sites of each group, none in a function that has one already."""
    chooser = random.Random(seed)
    sites = [(path, site) for path, m in modules.items() for site in m.sites(random=trap.random)]
    chooser.shuffle(sites)
    taken: set[tuple[Path, str]] = set()
    chosen: list[tuple[Path, Site]] = []
    counts: collections.Counter[str] = collections.Counter()
    for path, site in sites:
        if counts[_group(site)] < count and (path, site.function) not in taken:
            taken.add((path, site.function))
            chosen.append((path, site))
            counts[_group(site)] += 1
    return chosen


GROUPS = ("direct", "called", "behind a branch")


def _group(site: Site) -> str:
    return GROUPS[2] if site.conditional else GROUPS[0] if site.direct else GROUPS[1]


def _plant(source: str, sites: Sequence[Site], trap: Trap) -> tuple[str, list[int]]:
    """The text with the trap at each of the sites, and the lines where it stands."""
    lines = source.splitlines()
    numbers: list[int] = []
    for shift, site in enumerate(sorted(sites, key=lambda each: each.line)):
        text = trap.line.format(name=site.name, call=site.call)
        lines.insert(site.line + shift, " " * site.column + text)
        numbers.append(site.line + shift + 1)
    return "".join(f"{line}\n" for line in [*lines, trap.after]), numbers


def _lint(path: Path, text: str, code: str) -> dict[int, Confidence]:
    path.write_text(text, encoding="utf-8")
    found: dict[int, Confidence] = {}
    for report in analyse([path]):
        for finding in report.findings:
            if finding.code == code and found.get(finding.location.line) is not Confidence.PROVED:
                found[finding.location.line] = finding.confidence
    return found


def _measure(name: str, chosen: Sequence[tuple[Path, Site]], folder: Path, *, tell: bool) -> str:
    """One row of the table."""
    trap = TRAPS[name]
    by_file: dict[Path, list[Site]] = collections.defaultdict(list)
    for path, site in chosen:
        by_file[path].append(site)
    results: list[tuple[Site, Confidence | None]] = []
    for path, sites in by_file.items():
        sites.sort(key=lambda each: each.line)
        text, numbers = _plant(path.read_text(encoding="utf-8"), sites, trap)
        found = _lint(folder / path.name, text, trap.code)
        for site, number in zip(sites, numbers, strict=True):
            results.append((site, found.get(number)))
            if tell and found.get(number) is None:
                print(f"  missed {name}: {path}:{site.line} in {site.function} behind {site.call}")
    groups = [[each for each in results if _group(each[0]) == group] for group in GROUPS]
    return f"| {name} | " + " | ".join(_share(group) for group in (results, *groups)) + " |"


def _share(results: Sequence[tuple[Site, Confidence | None]]) -> str:
    if not results:
        return "-"
    proved = sum(found is Confidence.PROVED for _, found in results)
    likely = sum(found is Confidence.LIKELY for _, found in results)
    return f"{proved / len(results):.0%} / {(proved + likely) / len(results):.0%} of {len(results)}"


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--each", type=int, default=80, help="sites of each group for each trap")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", action="append", help="a trap; all without it")
    parser.add_argument("--misses", action="store_true", help="tell where nothing was found")
    options = parser.parse_args()
    modules: dict[Path, Module] = {}
    for path in _sources(options.folders):
        try:
            modules[path] = Module(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
    modules = {path: module for path, module in modules.items() if module.traced}
    print("| trap | all sites | " + " | ".join(GROUPS) + " |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only or TRAPS:
            chosen = _choose(modules, TRAPS[name], options.each, options.seed)
            print(_measure(name, chosen, Path(folder), tell=options.misses), flush=True)


if __name__ == "__main__":
    main()

"""The parts of a run: files that imports connect are analysed together, and nothing else is.

Whatever a function does when it is called, what traces it and what it returns depend on files that
import one another. So an analysis of a part finds what an analysis of all would find in it, and
depends on nothing outside of it but what it asks the disk.

Invariants:
- Each file belongs to one part. What connects files is seen in their import lines alone.
- The parts, and the files of each, are the same in whatever order the files are named.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from oakum.values.records import dataclass
from oakum_lint.app.texts import Texts
from oakum_lint.text.imports.import_graph import (
    Files,
    by_text,
    files_of_modules,
    module_names,
)
from oakum_lint.text.triggers import imported_modules, imports_tracer_library


@dataclass(frozen=True, slots=True)
class Part:
    """Files that are analysed together; `dependents` for what they trace of the rest."""

    files: tuple[Path, ...]
    dependents: tuple[Path, ...]


def divide(
    files: Sequence[Path],
    dependents: Sequence[Path],
    texts: Texts,
    import_roots: Sequence[Path] = (),
) -> list[Part]:
    """Divides the files of a run. Files of one folder in which no trace can begin are one part."""
    spelled: dict[Path, list[Path]] = {}
    for path in (*files, *dependents):
        spelled.setdefault(texts.real_path(path), []).append(path)
    groups = _connected(sorted(spelled, key=walk_order), texts, import_roots)
    named = frozenset(files)
    parts: list[Part] = []
    for group in _with_inert_joined(groups, texts):
        paths = [path for resolved in group for path in sorted(spelled[resolved])]
        parts.append(
            Part(
                tuple(path for path in paths if path in named),
                tuple(path for path in paths if path not in named),
            )
        )
    return parts


def walk_order(path: Path) -> tuple[tuple[bool, str], ...]:
    """The order in which a walk finds files: those of a folder before those of folders in it."""
    return (*((True, part) for part in path.parent.parts), (False, path.name))


def _connected(
    paths: Sequence[Path], texts: Texts, import_roots: Sequence[Path]
) -> list[list[Path]]:
    """Groups files that imports connect, in their order."""
    neighbours: dict[Path, list[Path]] = {path: [] for path in paths}
    files = Files(
        by_text(neighbours), module_names(neighbours), on_disk=False, import_roots=import_roots
    )
    for path in paths:
        for other in _imported(path, texts.text(path) or "", files):
            neighbours[path].append(other)
            neighbours[other].append(path)
    groups: list[list[Path]] = []
    seen: set[Path] = set()
    for path in paths:
        if path in seen:
            continue
        group: set[Path] = set()
        stack = [path]
        while stack:
            here = stack.pop()
            if here not in group:
                group.add(here)
                stack += neighbours[here]
        seen |= group
        groups.append(sorted(group, key=walk_order))
    return groups


def _imported(path: Path, text: str, files: Files) -> Iterator[Path]:
    """The known files that the import lines of a file name, and the packages that hold these."""
    modules = imported_modules(text)
    yield from files_of_modules(path, modules, files)
    for module in modules:
        parts = module.path.split(".") if module.path else []
        if not module.level:
            found = (
                files.locate(str(path.parent), ".".join(parts[:n])) for n in range(1, len(parts))
            )
        else:
            folder = path.parents[min(module.level, len(path.parents)) - 1]
            inside = (files.beside(str(folder), parts[:n]) for n in range(1, len(parts)))
            found = (files.beside(str(folder.parent), [folder.name]), *inside)
        yield from (file for file in found if file is not None)


def _with_inert_joined(groups: Iterable[list[Path]], texts: Texts) -> list[list[Path]]:
    """Joins groups in which no trace can begin, by the folders of their first files: these are
    many, and only their syntax is looked at.
    """
    joined: list[list[Path]] = []
    by_folder: dict[Path, list[Path]] = {}
    for group in groups:
        if any(imports_tracer_library(texts.text(path) or "") for path in group):
            joined.append(group)
            continue
        folder = group[0].parent
        if folder not in by_folder:
            by_folder[folder] = []
            joined.append(by_folder[folder])
        by_folder[folder] += group
    return joined

"""Which files of a project import which, by their import lines alone."""

from collections.abc import Container, Iterable, Iterator, Mapping
from pathlib import Path

from oakum_lint.facts.prefilter import imported_modules

MAX_ANCESTORS = 8
"""So many folders above an importing file are looked in for a module."""
_INSTALLED = frozenset({"site-packages", "dist-packages"})


def locate(folder: Path, dotted: str, known: Container[Path], *, on_disk: bool) -> Path | None:
    """The file of a dotted name, looked for beside the importing file and in the folders above it.

    Only `known` files count, or with `on_disk` any file that is there; installed packages never do.
    """
    parts = dotted.split(".")
    for ancestor in (folder, *folder.parents)[:MAX_ANCESTORS]:
        if ancestor.name in _INSTALLED:
            return None
        base = ancestor.joinpath(*parts)
        for candidate in (base.with_suffix(".py"), base / "__init__.py"):
            if candidate in known or (on_disk and candidate.is_file()):
                return candidate
    return None


def imported_files(path: Path, text: str, known: Container[Path]) -> Iterator[Path]:
    """The known files that the import lines of a file name."""
    for module in imported_modules(text):
        folder = path.parent
        if module.level:
            for _ in range(module.level - 1):
                folder = folder.parent
            names = [module.path] if module.path else []
            names += [f"{module.path}.{name}".lstrip(".") for name in module.names]
            found = (_beside(folder, name, known) for name in names)
        else:
            names = [module.path, *(f"{module.path}.{name}" for name in module.names)]
            found = (locate(folder, name, known, on_disk=False) for name in names)
        yield from (file for file in found if file is not None)


def _beside(folder: Path, dotted: str, known: Container[Path]) -> Path | None:
    base = folder.joinpath(*dotted.split("."))
    for candidate in (base.with_suffix(".py"), base / "__init__.py"):
        if candidate in known:
            return candidate
    return None


def reaching(starts: Iterable[Path], texts: Mapping[Path, str]) -> set[Path]:
    """The files that import one of `starts`, directly or through others of the project."""
    importers: dict[Path, list[Path]] = {}
    for path, text in texts.items():
        for imported in imported_files(path, text, texts):
            importers.setdefault(imported, []).append(path)
    reached: set[Path] = set()
    stack = list(starts)
    while stack:
        path = stack.pop()
        if path not in reached:
            reached.add(path)
            stack.extend(importers.get(path, ()))
    return reached

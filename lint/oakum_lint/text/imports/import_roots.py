"""From which folders the modules of a project are imported, as its configuration says.

A test beside `src/` imports what lies in it: pip has installed it so. Each folder with the
configuration of a build back end may have one such layout.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from oakum_lint.text.regular_files import read_regular

CONFIGURED = ("pyproject.toml", "setup.cfg", "setup.py")
_USUAL = ("src", "lib", "python")
"""Folders with packages in them by the habits of many projects."""


def find_import_roots(roots: Sequence[str], files: Iterable[str]) -> list[str]:
    """The folders below `roots` that modules are imported from, the outermost first."""
    found: dict[str, None] = {}
    for folder in _folders(roots, files):
        for root in _roots_of(folder):
            found.setdefault(root)
    return list(found)


def _folders(roots: Sequence[str], files: Iterable[str]) -> list[str]:
    """The folders that hold a file, and all between them and their root, by depth and name."""
    bases = {os.path.abspath(root) for root in roots}
    seen = set(bases)
    for direct in {file.rpartition(os.sep)[0] for file in files}:  # `dirname` takes far longer
        folder = os.path.abspath(direct)
        while folder not in seen and any(_lies_in(folder, base) for base in bases):
            seen.add(folder)
            folder = os.path.dirname(folder)
    return sorted(seen, key=lambda folder: (folder.count(os.sep), folder))


def _lies_in(folder: str, base: str) -> bool:
    return folder.startswith(os.path.join(base, ""))


def _roots_of(folder: str) -> Iterator[str]:
    """The import roots that the configuration in a folder declares, or that are usual beside it."""
    present = [name for name in CONFIGURED if configures(folder, name)]
    if not present:
        return
    yield folder
    installed: list[str] = []
    found: list[str] = []
    for name in present:
        text = _read(os.path.join(folder, name))
        match name:
            case "pyproject.toml":
                document = _document(text)
                installed += _installed(document)
                for path in _SEARCHED:
                    found += _strings(_entry(document, path))
            case "setup.cfg":
                installed += _from_setup_cfg(text)
            case _:
                from oakum_lint.text.imports.setup_scripts import folders_in

                for package, lies_in in folders_in(text):
                    installed += folder_holding(package, lies_in)
    for name in (*installed, *found, *_USUAL):
        root = os.path.normpath(os.path.join(folder, name))
        # What is installed is at the top, also where its folder is called a package by mistake.
        is_package = name not in installed and os.path.isfile(os.path.join(root, "__init__.py"))
        if os.path.isdir(root) and not is_package:
            yield root


def folder_holding(package: str, folder: str) -> Iterator[str]:
    """The folder to import from, where a package is stated to lie in a folder: "" stands for all.

    >>> [*folder_holding("", "src")], [*folder_holding("acme", "lib/acme")]
    (['src'], ['lib'])
    >>> [*folder_holding("acme", "lib")]
    []
    """
    if not package:
        yield folder
    elif os.path.basename(folder) == package:
        yield os.path.dirname(folder) or "."


def configures(folder: str, name: str) -> bool:
    """Whether a folder has a file of this name that configures a build: a `setup.py` may be a
    module of a package.
    """
    file = os.path.join(folder, name)
    if not os.path.isfile(file):
        return False
    if name != "setup.py":
        return True
    return _SETUP.search(_read(file)) is not None


_SETUP = re.compile(r"^[ \t]*(?:[\w.]+\.)?setup\(", re.MULTILINE)
"""What a build script does."""


def _read(file: str) -> str:
    try:
        return read_regular(file, _LARGEST).decode(errors="replace")
    except OSError:
        return ""


_LARGEST = 256 * 1024
"""Of 234 such files in installed packages and repositories the largest has 38 KiB. A dotted key of
n parts takes tomllib n² steps."""


def _document(text: str) -> Mapping[str, object]:
    paths = (*_FOLDERS, *_SEARCHED, *_PACKAGE_DIRECTORIES, _POETRY_PACKAGES, *_PACKAGES)
    is_plain = "\\u" not in text.lower()  # with which a key could be spelled in another way
    if is_plain and not any(all(key in text for key in path) for path in paths):
        return {}
    import tomllib  # 12 ms, with what it imports

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # also of numbers that are too long
        return {}


def _installed(document: Mapping[str, object]) -> Iterator[str]:
    """The folders from which a build back end takes what it installs."""
    for path in _FOLDERS:
        yield from _strings(_entry(document, path))
    for path in _PACKAGE_DIRECTORIES:
        directories = _entry(document, path)
        for package, folder in directories.items() if isinstance(directories, dict) else ():  # pyright: ignore[reportUnknownVariableType]
            if isinstance(package, str) and isinstance(folder, str):
                yield from folder_holding(package, folder)
    for package in _list(_entry(document, _POETRY_PACKAGES)):
        yield from _strings(_entry(package, ("from",)))
    for path in _PACKAGES:
        for package in _strings(_entry(document, path)):
            yield os.path.dirname(package) or "."


_FOLDERS = (
    ("tool", "setuptools", "packages", "find", "where"),
    ("tool", "pdm", "build", "package-dir"),
    ("tool", "uv", "build-backend", "module-root"),
    ("tool", "maturin", "python-source"),
    ("tool", "hatch", "build", "targets", "wheel", "sources"),
    ("tool", "hatch", "build", "dev-mode-dirs"),
)
"""Where build back ends say which folders modules lie in."""
_SEARCHED = (
    ("tool", "pytest", "ini_options", "pythonpath"),
    ("tool", "mypy", "mypy_path"),
    ("tool", "pyright", "extraPaths"),
    ("tool", "ruff", "src"),
)
"""Where test runners and checkers say so."""

_PACKAGE_DIRECTORIES = (("tool", "setuptools", "package-dir"),)
_POETRY_PACKAGES = ("tool", "poetry", "packages")
_PACKAGES = (
    ("tool", "hatch", "build", "targets", "wheel", "packages"),
    ("tool", "scikit-build", "wheel", "packages"),
)
"""Where they say which packages there are: modules lie in the folders that hold these."""


def _entry(document: object, path: Sequence[str]) -> object:
    for key in path:
        if not isinstance(document, dict):
            return None
        document = document.get(key)  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return document  # pyright: ignore[reportUnknownVariableType]


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []  # pyright: ignore[reportUnknownVariableType]


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [item for item in _list(value) if isinstance(item, str)]


def _from_setup_cfg(text: str) -> Iterator[str]:
    key = ""
    for line in text.splitlines():
        name, equals, value = (part.strip() for part in line.partition("="))
        if not line.startswith((" ", "\t")):
            key = name if equals else ""
            if key == "where" and value:
                yield value
            elif key == "package_dir" and "=" in value:
                package, _, folder = (part.strip() for part in value.partition("="))
                yield from folder_holding(package, folder)
        elif key == "where" and line.strip():
            yield line.strip()
        elif key == "package_dir" and equals:
            yield from folder_holding(name, value)

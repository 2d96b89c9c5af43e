"""The register: the guests that the files of this folder and the folders in it define."""

import os
from collections.abc import Iterator
from importlib import import_module

from oakum_lint.domain.moments import Guest


def guests() -> tuple[Guest, ...]:
    """The analyses, in the order of their names."""
    found = (getattr(import_module(name), "GUEST", None) for name in _modules())
    return tuple(sorted((each for each in found if isinstance(each, Guest)), key=_name))


def _name(guest: Guest) -> str:
    return guest.name


def _modules() -> Iterator[str]:
    package = __name__.rpartition(".")[0]
    root = os.path.dirname(__file__)
    for folder, _, files in os.walk(root):
        inner = os.path.relpath(folder, root).replace(os.sep, ".").strip(".")
        for file in files:
            stem, suffix = os.path.splitext(file)
            if suffix == ".py" and stem not in ("__init__", "register"):
                yield ".".join(filter(None, (package, inner, stem)))

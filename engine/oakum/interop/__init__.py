"""`import jax` gives oakum: programs and libraries that are written for JAX run on it unchanged.

Invariants:
- A program sees one of the two: what oakum lacks raises an error with its name, and is never taken
  from a real JAX beside it.
- After the block, `import jax` gives what it gave before.
"""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Generator, Sequence
from types import ModuleType
from typing import Final

STARTUP_FOLDER: Final = os.path.join(os.path.dirname(__file__), "startup")
"""First in `PYTHONPATH`, it has `import jax` give oakum in a process from its start on."""
_REPLACED: Final = ("jax", "jaxlib")


class _Loader(importlib.abc.Loader):
    def __init__(self) -> None:
        self._own: dict[int, tuple[object, object]] = {}

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        module = importlib.import_module(_oakum_name(spec.name))
        self._own[id(module)] = module.__spec__, module.__loader__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Gives the module its own name back: it has been executed under it."""
        spec, loader = self._own.pop(id(module))
        vars(module).update(__spec__=spec, __loader__=loader)


def _oakum_name(name: str) -> str:
    return f"oakum{name.removeprefix('jax')}"


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        package = name.partition(".")[0]
        if package not in _REPLACED:
            return None
        if package == "jaxlib" or importlib.util.find_spec(_oakum_name(name)) is None:
            raise ModuleNotFoundError(
                f"oakum stands for jax in this program, and has no module {name!r}", name=name
            )
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


def _replaced_modules() -> dict[str, ModuleType]:
    found = list(sys.modules.items())
    return {name: module for name, module in found if name.partition(".")[0] in _REPLACED}


def install() -> None:
    """Has `import jax` give oakum in this process from now on."""
    for name in _replaced_modules():
        del sys.modules[name]
    sys.meta_path.insert(0, _Finder())


@contextlib.contextmanager
def as_jax() -> Generator[None]:
    """Has `import jax` give oakum in the block, and what it gave before after it.

    >>> with as_jax():
    ...     import jax
    >>> jax.__name__
    'oakum'
    """
    before, finders = _replaced_modules(), list(sys.meta_path)
    install()
    try:
        yield
    finally:
        sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, _Finder)]
        sys.meta_path[:0] = [each for each in finders if isinstance(each, _Finder)]
        for name in _replaced_modules():
            del sys.modules[name]
        sys.modules.update(before)

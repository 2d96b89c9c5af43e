"""Runs programs written for JAX on oakum: within the block, `import jax` gives oakum."""

import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Generator, Sequence
from types import ModuleType


class _Loader(importlib.abc.Loader):
    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        return importlib.import_module(_oakum_name(spec.name))

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: the module has been executed under its own name."""


def _oakum_name(name: str) -> str:
    return "oakum" + name.removeprefix("jax")


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != "jax" and not name.startswith("jax."):
            return None
        if importlib.util.find_spec(_oakum_name(name)) is None:
            return None
        return importlib.machinery.ModuleSpec(name, _Loader(), is_package=True)


def _jax_modules() -> dict[str, ModuleType]:
    return {k: m for k, m in sys.modules.items() if k == "jax" or k.startswith("jax.")}


@contextlib.contextmanager
def oakum_as_jax() -> Generator[None]:
    """Has `import jax` give oakum in the block, and what it gave before after it."""
    before = _jax_modules()
    for name in before:
        del sys.modules[name]
    finder = _Finder()
    sys.meta_path.insert(0, finder)
    kept = {
        name: (module.__spec__, module.__loader__, module.__name__)
        for name, module in list(sys.modules.items())
        if name == "oakum" or name.startswith("oakum.")
    }
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in _jax_modules():
            del sys.modules[name]
        sys.modules.update(before)
        for name, (spec, loader, own) in kept.items():
            module = sys.modules[name]
            module.__spec__, module.__loader__, module.__name__ = spec, loader, own

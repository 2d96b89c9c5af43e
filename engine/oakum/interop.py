"""`import jax` inside a program that runs on oakum: libraries written for JAX, unchanged.

    with oakum.interop.as_jax():
        import optax

JAX's public modules are oakum's of the same names. Of JAX's private modules (`jax._src`, `jaxlib`)
there are the public names of the module called the same, and a few that libraries use; any other
name can be imported, and raises NotImplementedError with its name where it is used. So what is
missing is never a wrong result.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import sys
import types
from collections.abc import Mapping, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import Any, Final, NoReturn

from oakum.api import device_functions
from oakum.extend.core import primitives
from oakum.pytrees import node_types
from oakum.tracing import trace
from oakum.values import traceback_filtering, user_frames

__all__ = ["as_jax"]

JAX_VERSION: Final = (0, 10, 2)
"""The version of JAX whose API oakum has; libraries ask for it."""

_NAMES: Final = ("jax", "jaxlib")
_MOVED: Final[Mapping[str, str]] = {
    "jax.api_util": "oakum.extend.api_util",
    "jax.example_libraries": "oakum.experimental",
    "jax.example_libraries.optimizers": "oakum.experimental.optimizers",
    "jax.example_libraries.stax": "oakum.experimental.stax",
}
"""JAX's public modules that have another place in oakum."""

_LACKING: Final[Mapping[str, frozenset[str]]] = {
    "jax.extend.core": frozenset(
        ("DropVar", "Token", "TraceTag", "set_current_trace", "take_current_trace")
    ),
    "jax.experimental.checkify": frozenset(("ErrorCategory",)),
}
"""Names of public modules that oakum does not have and libraries import for rare uses."""

_PRIVATE: Final = ("jax._src", "jax.lib", "jaxlib")
_RARE: Final = ("jax.experimental", "jax.interpreters.xla")
"""Public modules and packages that libraries import for rare uses; oakum has few of them."""

_PRIVATE_PACKAGES: Final = frozenset(
    (
        "jax._src jax._src.cudnn jax._src.image jax._src.interpreters jax._src.lax jax._src.lib "
        "jax._src.nn jax._src.numpy jax._src.pallas jax._src.random jax._src.scipy jax._src.state "
        "jax.interpreters.xla jaxlib"
    ).split()
)
"""Those that have modules in them, which are imported as names, or names that libraries ask for
whether they are there.
"""


class as_jax:
    """Has `import jax` import oakum in a block, also where libraries do it.

    Modules that are first imported in the block and use JAX are forgotten behind it, so that a
    later import of them uses what `jax` is then. Raises ImportError where real JAX is loaded
    already: its arrays and tracers would meet oakum's.
    """

    def __init__(self) -> None:
        self._finder: _Finder | None = None
        self._before = frozenset[str]()

    def __enter__(self) -> None:
        loaded = [name for name in sys.modules if _is_below(name, _NAMES)]
        if loaded and not isinstance(sys.modules.get("jax"), _Jax):
            version = getattr(sys.modules.get("jax"), "__version__", "of an unknown version")
            raise ImportError(
                f"jax {version} is already imported, and its arrays cannot meet oakum's: enter "
                "oakum.interop.as_jax() before the first import of jax, or of a library that uses "
                "it"
            )
        if loaded:  # a block in a block
            return
        self._before = frozenset(sys.modules)
        self._finder = _Finder()
        sys.meta_path.insert(0, self._finder)

    def __exit__(self, *_: object) -> None:
        if self._finder is None:
            return
        sys.meta_path.remove(self._finder)
        self._finder = None
        for name in _of_jax(frozenset(sys.modules) - self._before):
            del sys.modules[name]


def _is_below(name: str, packages: Sequence[str]) -> bool:
    """Whether a module is one of the packages, or in one."""
    return any(name == each or name.startswith(f"{each}.") for each in packages)


def _of_jax(loaded: frozenset[str]) -> list[str]:
    """Returns, of modules that were loaded in a block, those whose packages use JAX."""
    packages: dict[str, list[str]] = {}
    for name in loaded:
        packages.setdefault(name.partition(".")[0], []).append(name)
    packages.pop("oakum", None)
    uses = {package: _used_packages(names) for package, names in packages.items()}
    found = {package for package, used in uses.items() if package in _NAMES or "oakum" in used}
    while more := {p for p, used in uses.items() if p not in found and used & found}:
        found |= more
    return [name for package in found for name in packages[package]]


def _used_packages(names: Sequence[str]) -> set[str]:
    """Returns the packages from which modules have names."""
    values = (value for name in names for value in tuple(vars(sys.modules[name]).values()))
    homes = (
        value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
        for value in values
    )
    return {home.partition(".")[0] for home in homes if isinstance(home, str)}


class _Finder(MetaPathFinder, Loader):
    """Finds oakum's modules under JAX's names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not _is_below(fullname, _NAMES):
            return None
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        name = spec.name
        if name == "jax.version":
            return _version_module()
        if _is_below(name, _PRIVATE):
            return _PrivateModule(name)
        public = _oakums(name)
        try:
            importlib.import_module(public)
        except ModuleNotFoundError as error:
            if error.name is None or not _is_below(public, (error.name,)):
                raise
            if _is_below(name, _RARE):
                return _PrivateModule(name)
            raise ModuleNotFoundError(
                f"oakum has no {name}, which this program imports as if it were JAX", name=name
            ) from None
        return _Jax(name) if name == "jax" else _PublicModule(name)

    def exec_module(self, module: ModuleType) -> None:
        """Does nothing: the names of a module are looked up where they are asked for."""


def _oakums(name: str) -> str:
    """Returns the name of oakum's module for a public module of JAX."""
    return _MOVED.get(name, f"oakum{name.removeprefix('jax')}")


class _PublicModule(ModuleType):
    """A public module of JAX: oakum's names."""

    def __getattr__(self, name: str) -> Any:
        module = importlib.import_module(_oakums(self.__name__))
        with contextlib.suppress(AttributeError):
            value = getattr(module, name)
            if isinstance(value, ModuleType) and value.__name__ == f"{module.__name__}.{name}":
                # `jax.config` is written to, and is no module of JAX's.
                return (
                    value
                    if name == "config"
                    else importlib.import_module(f"{self.__name__}.{name}")
                )
            setattr(self, name, value)
            return value
        if name.endswith("_p"):
            # A primitive. One that oakum has not is in no program of oakum's.
            return getattr(primitives, name, _missing(f"{self.__name__}.{name}"))
        if f"{self.__name__}.{name}" in _STAND_INS:
            return importlib.import_module(f"{self.__name__}.{name}")
        if name in (stand_ins := _STAND_INS.get(self.__name__, {})):
            return stand_ins[name]
        if name in _LACKING.get(self.__name__, ()):
            return _missing(f"{self.__name__}.{name}")
        raise AttributeError(f"module {self.__name__!r} is {module.__name__}, without {name!r}")

    def __dir__(self) -> list[str]:
        return dir(importlib.import_module(_oakums(self.__name__)))


class _Jax(_PublicModule):
    """The module `jax`, which has the version of its API."""

    __version__ = ".".join(map(str, JAX_VERSION))
    __version_info__ = JAX_VERSION

    def __getattr__(self, name: str) -> Any:
        if name in ("_src", "api_util", "lib", "version"):
            return importlib.import_module(f"jax.{name}")
        return super().__getattr__(name)


def _version_module() -> ModuleType:
    module = ModuleType("jax.version")
    vars(module).update(__version__=_Jax.__version__, __version_info__=JAX_VERSION)
    return module


class _PrivateModule(ModuleType):
    """A module of JAX that is not public, or that oakum does not have."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        stand_ins = _STAND_INS.get(self.__name__, {})
        if name in stand_ins:
            return stand_ins[name]
        public = self.__name__.rpartition(".")[2]
        for home in (
            f"oakum.experimental.{public}",
            f"oakum.{public}",
            f"oakum.interpreters.{public}",
        ):
            with contextlib.suppress(ModuleNotFoundError, AttributeError):
                return getattr(importlib.import_module(home), name)
        if self.__name__ in _PRIVATE_PACKAGES:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        return _missing(f"{self.__name__}.{name}")


class _MissingType(type):
    """The class of names that oakum does not have: nothing is an instance of one."""

    def __call__(cls, *args: object, **kwargs: object) -> Any:
        if cls.__bases__ == (object,):
            raise NotImplementedError(f"oakum has no {cls.__qualname__}")
        # An instance of a library's own class, which inherits nothing.
        return (
            type.__call__(cls, *args, **kwargs) if "__init__" in vars(cls) else type.__call__(cls)
        )

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return _missing(f"{cls.__qualname__}.{name}")

    def __instancecheck__(cls, instance: object) -> bool:
        return False


@functools.cache
def _missing(name: str) -> type:
    """Returns what stands for a private name that oakum does not have."""

    def find(_: object, attribute: str) -> NoReturn:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        raise NotImplementedError(f"oakum has no {name}, whose {attribute!r} is asked for")

    return _MissingType(name, (), {"__module__": "jax", "__getattr__": find})


def _is_users(frame: FrameType) -> bool:
    """Whether the frame of a traceback is shown."""
    return not user_frames.is_internal(frame.f_code.co_filename)


def _unchanged(value: object) -> object:
    return value


def _ignore(*_: object) -> None:
    """Registers nothing: no program of oakum's has what is registered."""


class _Handlers(dict[Any, Any]):
    """A table in which libraries register types of their own, by what is registered for NumPy's
    arrays. oakum asks such objects for their arrays.
    """

    def __missing__(self, kind: object) -> Any:
        return _unchanged


_STAND_INS: Final[Mapping[str, Mapping[str, Any]]] = {
    "jax._src.traceback_util": {
        "api_boundary": traceback_filtering.api_boundary,
        "include_frame": _is_users,
        "register_exclusion": user_frames.exclude,
    },
    "jax._src.core": {"trace_state_clean": trace.is_evaluating},
    "jax._src.dispatch": {"wait_for_tokens": device_functions.effects_barrier},
    # Base classes of dtypes that a library adds.
    "jax._src.dtypes": {
        name: _missing(f"jax._src.dtypes.{name}") for name in ("extended", "ExtendedDType")
    },
    "jax.experimental.hijax": {
        "aval_method": _unchanged,
        "aval_property": property,
        "control_flow_allowed_effects": types.SimpleNamespace(add_type=_ignore),
        "register_hitype": _ignore,
    },
    "jax._src.tree_util": {"_registry": node_types.KINDS},
    "jax.core": {"pytype_aval_mappings": _Handlers()},
    "jax.interpreters.xla": {"canonicalize_dtype_handlers": _Handlers()},
}
"""What libraries use of JAX's private modules, or register in its tables, and has the same
meaning here."""

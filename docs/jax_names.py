"""Writes `jax_names.txt`: what oakum has for each public name of JAX.

    python docs/jax_names.py

JAX has to be installed. The documentation shows the table, and a test holds it to the JAX that the
tests run on.
"""

import importlib
import inspect
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

TABLE = Path(__file__).with_name("jax_names.txt")
MODULES = (
    *("jax", "jax.numpy", "jax.numpy.linalg", "jax.numpy.fft", "jax.lax", "jax.lax.linalg"),
    *("jax.nn", "jax.nn.initializers", "jax.random", "jax.scipy.special", "jax.scipy.linalg"),
    *("jax.scipy.stats", "jax.scipy.signal", "jax.scipy.optimize", "jax.scipy.ndimage"),
    *("jax.scipy.fft", "jax.scipy.integrate", "jax.scipy.sparse.linalg", "jax.tree"),
    *("jax.tree_util", "jax.image", "jax.ops", "jax.debug", "jax.dtypes", "jax.errors"),
    *("jax.flatten_util", "jax.custom_batching", "jax.sharding", "jax.experimental.checkify"),
    "jax.ref",
)


def rows() -> Iterator[str]:
    """Yields the version of JAX, then for each module its names: `sum same`, `pmap declared`."""
    yield f"JAX {importlib.import_module('jax').__version__}"
    for module in MODULES:
        theirs = importlib.import_module(module)
        try:
            ours = importlib.import_module(module.replace("jax", "oakum", 1))
        except ModuleNotFoundError:
            ours = None
        yield f"\n[{module}]"
        for name in public(theirs):
            yield f"{name} {state(ours, theirs, name)}"


def public(module: ModuleType) -> list[str]:
    """The public names of a module that are no modules; primitives (`add_p`) and names that only
    warn are left out.
    """
    names: list[str] = []
    for name in dir(module):
        if name.startswith("_") or name.endswith("_p"):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                value = getattr(module, name)
            except (AttributeError, Warning):
                continue
        if not inspect.ismodule(value):
            names.append(name)
    return names


def state(ours: ModuleType | None, theirs: ModuleType, name: str) -> str:
    """What oakum has for a name: `same`, `deviates` with the parameters that differ, `declared`, or
    `absent`.
    """
    value = getattr(ours, name, None)
    if value is None and not hasattr(ours, name):
        return "absent"
    if not getattr(value, "is_evaluated", True):
        return "declared"
    known, expected = parameters(value), parameters(getattr(theirs, name))
    if known is None or expected is None or known == expected:
        return "same"
    missing = [each for each in expected if each not in known]
    more = [each for each in known if each not in expected]
    differ = [*(f"-{each}" for each in missing), *(f"+{each}" for each in more)]
    return f"deviates {' '.join(differ)}" if differ else "same"


def parameters(value: object) -> list[str] | None:
    """The names of the parameters of a function; None for other values, and for functions that
    take any, as JAX's ufuncs do.
    """
    if isinstance(value, type) or not callable(value):
        return None
    try:
        found = inspect.signature(value).parameters
    except (TypeError, ValueError):
        return None
    if any(each.kind is each.VAR_POSITIONAL for each in found.values()):
        return None
    return [name for name in found if not name.startswith("_")]


def main() -> None:
    """Writes the table."""
    TABLE.write_text("\n".join(rows()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

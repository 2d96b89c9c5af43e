"""The frameworks built on JAX, as one: transforms, classes, functions, conventions and guards.

Nothing here is imported from a framework. All names are canonical dotted names of the public API;
names inside a library that hold the same things are known too, for the case that the checked
project is the framework itself.
"""

from collections.abc import Iterator, Mapping
from functools import cache

from oakum_lint.models.frameworks import (
    chex,
    equinox,
    flax_linen,
    flax_nnx,
    haiku,
    numpyro,
    optax,
    pytrees,
    solvers,
)
from oakum_lint.models.frameworks.framework import (
    BaseClass,
    Convention,
    FrameworkFunction,
    FrameworkTransform,
    StaticMarker,
    read_aliases,
    read_functions,
    read_transforms,
)
from oakum_lint.models.packages import is_exact

__all__ = [
    "BaseClass",
    "Convention",
    "FrameworkFunction",
    "FrameworkTransform",
    "StaticMarker",
    "base_class",
    "class_decorator",
    "convention",
    "framework_function",
    "framework_transform",
    "inner_names",
    "is_framework_name",
    "modelled_names",
    "static_markers",
]

MANAGED = frozenset(("flax", "nnx", "haiku"))
"""Conventions of classes that make trees of the state of their modules."""
FUNCTIONAL = frozenset(("flax", "haiku"))
"""Conventions of classes whose modules run with the state that they get."""
HASHED = frozenset(("frozen", "struct", "namedtuple", "equinox"))
"""Conventions of classes whose instances are hashed by their fields."""
HASHED_BY_LEAVES = "equinox"
"""Of these, the one whose static fields are not hashed."""
SET_WHILE_MADE = frozenset(("equinox", "flax"))
"""Conventions of classes whose instances are set while they are made, and then no more."""
MODULE_METHODS = frozenset(("apply", "init", "bind", "init_with_output"))
"""Methods that modules of these have."""


def framework_transform(name: str) -> FrameworkTransform | None:
    """How the transform of a framework traces, or None if it is not one that is known.

    >>> framework_transform("equinox.filter_jit").tracing
    'filter'
    """
    return _transforms().get(_public_name(name))


def framework_function(name: str) -> FrameworkFunction | None:
    """Returns the model of a framework's function, or None if it is not known."""
    return _functions().get(_public_name(name))


def has_exact_result(path: str) -> bool:
    """Whether the results of a function are known for certain: of those of JAX, also where another
    package has one under a name of its own.

    >>> has_exact_result("flax.linen.relu"), has_exact_result("flax.linen.max_pool")
    (True, False)
    """
    function = framework_function(path)
    return is_exact(path if function is None else function.alias or path)


def reads_leaves(name: str) -> bool:
    """Whether a framework's function reads the elements of all arrays in the trees that it gets.

    >>> reads_leaves("optax.global_norm"), reads_leaves("chex.assert_trees_all_equal_shapes")
    (True, False)
    >>> reads_leaves("optax.tree.norm"), reads_leaves("optax.tree.cast_like")
    (True, False)
    """
    if name in chex.COMPARING:
        return True
    computes = name.startswith(optax.TOP) and framework_function(name) is not None
    return computes and name.rpartition(".")[2] not in optax.ASKING


def base_class(name: str) -> BaseClass | None:
    """Returns the model of the subclasses of a framework's class, or None if it is not known."""
    return _bases().get(_public_name(name))


_DATACLASSES = (
    ("equinox.", frozenset(("equinox", "dataclass"))),
    ("flax.struct.", frozenset(("struct", "dataclass"))),
    ("flax.linen.", frozenset(("flax", "dataclass"))),
)
"""Modules whose classes make dataclasses of their subclasses, and what these are beside."""


def base_conventions(name: str) -> frozenset[str]:
    """Returns the conventions of a class with a framework's class among its bases.

    >>> sorted(base_conventions("equinox.Module")), sorted(base_conventions("flax.nnx.Module"))
    (['dataclass', 'equinox'], ['nnx'])
    """
    model = base_class(name)
    if model is None:
        return frozenset()
    found: set[str] = set()
    if model.module:
        parts = name.split(".")
        found.add(parts[1] if name.startswith("flax.nnx") else parts[0])
    for prefix, conventions in _DATACLASSES:
        if name.startswith(prefix):
            found |= conventions
    return frozenset(found)


def registers_alone(name: str) -> bool:
    """Whether a class decorator makes a pytree of its class, and no dataclass."""
    return name.startswith("jax.tree_util.")


def registers_pytrees(name: str) -> bool:
    """Whether a function of a library makes pytrees of the instances of a class.

    >>> [registers_pytrees(f"jax.tree_util.{name}") for name in ("register_dataclass", "tree_map")]
    [True, False]
    """
    model = _decorators().get(name)
    return model.pytree if model is not None else name.startswith("jax.tree_util.register_py")


def class_decorator(name: str) -> BaseClass | None:
    """Returns the model of a class decorator, or None if it is not known."""
    return _decorators().get(name)


def convention(name: str) -> Convention | None:
    """Which functions passed to `name` run traced by convention, or None if there are none."""
    return optax.CONVENTIONS.get(name)


def is_framework_name(name: str) -> bool:
    """Whether the tables say anything of a dotted name."""
    name = _public_name(name)
    return (
        name in _transforms()
        or name in _bases()
        or name in _decorators()
        or name in _functions()
        or name in optax.CONVENTIONS
        or name in _field_functions()
    )


def modelled_names() -> tuple[str, ...]:
    """All public names that the tables hold."""
    tables = (_transforms(), _bases(), _decorators(), _functions(), optax.CONVENTIONS)
    return tuple(name for table in tables for name in table)


@cache
def _transforms() -> Mapping[str, FrameworkTransform]:
    libraries = (chex, equinox, flax_linen, flax_nnx, haiku, numpyro, solvers)
    return {
        name: transform
        for library in libraries
        for prefix, text in library.TRANSFORMS.items()
        for name, transform in read_transforms(prefix, text)
    }


@cache
def _functions() -> Mapping[str, FrameworkFunction]:
    return dict(_all_functions())


def _all_functions() -> Iterator[tuple[str, FrameworkFunction]]:
    for library in (equinox, flax_linen, flax_nnx, haiku, numpyro, optax):
        for prefix, text in library.FUNCTIONS.items():
            yield from read_functions(prefix, text)
    for prefix, target, names in flax_linen.ALIASES:
        yield from read_aliases(prefix, target, names)
    for name in chex.ASSERTIONS.split():
        yield f"chex.{name}", FrameworkFunction("static")


@cache
def _bases() -> Mapping[str, BaseClass]:
    libraries = (equinox, flax_linen, flax_nnx, haiku, numpyro, solvers, pytrees)
    return {name: base for library in libraries for name, base in library.BASES.items()}


@cache
def _decorators() -> Mapping[str, BaseClass]:
    return chex.DECORATORS | pytrees.DECORATORS


def static_markers(name: str) -> tuple[StaticMarker, ...]:
    """How a call of a function that declares a field says that the field is static."""
    return _field_functions().get(name, ())


@cache
def _field_functions() -> Mapping[str, tuple[StaticMarker, ...]]:
    models = (*_bases().values(), *_decorators().values())
    markers = dict.fromkeys(marker for model in models for marker in model.static_markers)
    return {
        function: tuple(marker for marker in markers if marker.function == function)
        for function in {marker.function for marker in markers}
    }


@cache
def inner_names() -> Mapping[str, str]:
    """Maps names inside the libraries to the public names of what they hold."""
    libraries = {
        "equinox": equinox,
        "flax.linen": flax_linen,
        "flax.nnx": flax_nnx,
        "haiku": haiku,
    }
    return {
        f"{module}.{name}": f"{public}.{name}"
        for public, library in libraries.items()
        for module, names in library.INNER_NAMES.items()
        for name in names.split()
    }


def _public_name(name: str) -> str:
    """The public name of what `name` holds."""
    return inner_names().get(name, name)

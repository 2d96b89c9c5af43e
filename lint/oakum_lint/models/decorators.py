"""What well-known decorators make of a function."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

DecoratorForm = Literal[
    "property",
    "cached_property",
    "classmethod",
    "staticmethod",
    "cache",  # results are kept by the arguments, which have to be hashable
    "context_manager",  # a generator becomes a function whose calls are used in `with`
    "abstract",  # a class that has it is not instantiated
    "same",  # a call does what a call of the function does, for what is asked here
]

_NAMES: Mapping[DecoratorForm, str] = {
    "property": "builtins.property",
    "cached_property": "functools.cached_property",
    "classmethod": "builtins.classmethod",
    "staticmethod": "builtins.staticmethod",
    "cache": "functools.cache functools.lru_cache",
    "context_manager": "contextlib.contextmanager",
    "abstract": "abc.abstractmethod abc.abstractproperty",
    "same": """
        beartype.beartype typeguard.typechecked jaxtyping.jaxtyped
        chex.assert_max_traces chex.chexify
        absl.testing.parameterized.named_parameters absl.testing.parameterized.parameters
        absl.testing.parameterized.product
        flax.linen.compact flax.linen.nowrap
        hydra.main
        jax.named_scope jax.profiler.annotate_function
        jax_tqdm.loop_tqdm jax_tqdm.scan_tqdm
        numba.njit
        pytest.fixture
        typing.final typing.no_type_check typing.overload typing.override
        typing_extensions.override
        unittest.expectedFailure unittest.skip unittest.skipIf unittest.skipUnless
    """,
}


_MARKS = "pytest.mark."
"""What says something of a test to pytest; the test stays what it is."""

PARTIAL = "functools.partial"
"""Around a decorator it binds some of that one's arguments."""


def decorator_form(path: str) -> DecoratorForm | None:
    """Returns what a decorator makes of a function, by its canonical name; None if unknown.

    >>> decorator_form("functools.lru_cache"), decorator_form("flax.linen.compact")
    ('cache', 'same')
    """
    return "same" if path.startswith(_MARKS) else _forms().get(path)


def wraps_functions(path: str) -> bool:
    """Whether a name is one of the module of the standard library that wraps functions."""
    return path.startswith("functools.")


@cache
def _forms() -> Mapping[str, DecoratorForm]:
    return {name: form for form, names in _NAMES.items() for name in names.split()}

"""What NumPy and SciPy do with a tracer.

NumPy's functions convert their arguments to arrays, which a tracer refuses, but for those that
hand the work to a method of the argument (`np.sum(x)` is `x.sum()`) and those that only look at
its shape or dtype. Which do what follows no rule: each row of the tables is measured.

Operators are not in the tables: between a NumPy array or scalar and a tracer every operator
returns a tracer. `array[tracer]` and `array[i] = tracer` are the methods
`numpy.ndarray.__getitem__` and `numpy.ndarray.__setitem__`.
"""

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Literal

from oakum.values.records import dataclass
from oakum_lint.models.host.host_libraries import HOST_LIBRARIES
from oakum_lint.models.host.jax_equivalents import jax_equivalent
from oakum_lint.models.host.numpy_functions import NUMPY_FUNCTIONS
from oakum_lint.models.host.numpy_modules import NUMPY_MODULES
from oakum_lint.models.host.numpy_random import NUMPY_RANDOM
from oakum_lint.models.host.scipy_modules import SCIPY_MODULES
from oakum_lint.models.host.scipy_special import SCIPY_SPECIAL
from oakum_lint.models.host.scipy_stats import (
    CONTINUOUS_DISTRIBUTIONS,
    DISCRETE_DISTRIBUTIONS,
    SCIPY_STATS,
)
from oakum_lint.models.parameter import CallFacts, Parameter, Result, Row, Use, index_rows

Reaction = Literal["fails", "tracer", "tuple", "static", "unknown"]

IN_PLACE = frozenset(
    (
        "numpy.copyto",
        "numpy.fill_diagonal",
        "numpy.place",
        "numpy.put",
        "numpy.put_along_axis",
        "numpy.putmask",
        "numpy.ndarray.__setitem__",
        "numpy.ndarray.fill",
        "numpy.ndarray.partition",
        "numpy.ndarray.put",
        "numpy.ndarray.resize",
        "numpy.ndarray.sort",
        "numpy.random.Generator.shuffle",
        "numpy.random.RandomState.shuffle",
        "numpy.random.shuffle",
        "numpy.ufunc.at",
    )
)
"""Functions that write into their first argument, or into the object whose method they are."""

CONVERSIONS = frozenset(
    ("numpy.array", "numpy.asarray", "numpy.ascontiguousarray", "numpy.asfortranarray")
)
"""Functions that make a NumPy array of whatever is no tracer, and ask it for no method."""
CONVERSION_NAMES = frozenset(path.rpartition(".")[2] for path in CONVERSIONS)
"""What they are called."""

HOST = frozenset(("numpy.save", "numpy.savetxt", "numpy.savez", "numpy.savez_compressed"))
"""Functions that write a file."""

_HOST_PACKAGES = frozenset(module.partition(".")[0] for module in HOST_LIBRARIES)

_LISTS = frozenset(
    f"numpy.{name}" for name in ("array_split", "dsplit", "hsplit", "split", "vsplit")
)
_SEVERAL_OPTIONS = frozenset(
    ("cov", "full", "retstep", "return_counts", "return_index", "return_inverse", "returned")
)
"""Options with which a function returns several arrays instead of one."""
_ONE_OPERAND = frozenset(("numpy.where",))
"""Functions that return several arrays where they get one alone."""
_BY_AXES = frozenset(("numpy.gradient",))
"""Functions that return an array for each axis."""

_TRACED_RESULTS: Mapping[Result, Reaction] = {
    "array": "tracer",
    "tuple": "tuple",
    "static": "static",
    "none": "static",
}

_INSIDE: Mapping[Use, Use] = {"ok": "array"}
"""A list or tuple is converted to an array as a whole, also where an array itself is not."""


@dataclass(frozen=True, slots=True)
class NumpyFacts(CallFacts):
    """The facts of one function of NumPy, SciPy or another library of the host.

    `result` is what it returns without tracers, `replacement` the function of JAX to call instead,
    or "" if there is none.
    """

    replacement: str
    in_place: bool
    impure_random: bool
    host: bool

    @property
    def traced(self) -> Reaction:
        """Returns its result when a tracer was passed and accepted."""
        return _TRACED_RESULTS.get(self.result, "unknown")

    @property
    def on_tracer(self) -> Reaction:
        """Says what happens when the first modelled parameter is an abstract tracer."""
        first = self._first()
        return "unknown" if first is None else self._reaction(first.use)

    @property
    def asks(self) -> bool:
        """Whether it reads no element of an array, as it asks for its shape or dtype alone."""
        return self.result == "static" and self.on_tracer == "static"

    def _first(self) -> Parameter | None:
        return next((parameter for parameter in self.parameters if parameter is not None), None)

    def _reaction(self, use: Use) -> Reaction:
        match use:
            case "ok":
                return self.traced
            case "unknown" | "iteration":
                return "unknown"
            case _:
                return "fails"


def returns_list(path: str) -> bool:
    """Whether a function returns its arrays in a list.

    >>> returns_list("numpy.split"), returns_list("numpy.meshgrid")
    (True, False)
    """
    return path in _LISTS


def may_return_several(path: str, count: int, options: Iterable[str]) -> bool:
    """Whether a function that returns an array may return several, by how many arguments it gets
    and the names of some.

    >>> [may_return_several("numpy.where", count, ()) for count in (1, 3)]
    [True, False]
    >>> may_return_several("numpy.unique", 2, ("return_counts",))
    True
    """
    single = path in _ONE_OPERAND and count == 1
    return single or path in _BY_AXES or not _SEVERAL_OPTIONS.isdisjoint(options)


def is_numpy_name(name: str) -> bool:
    """Whether a canonical name lies in NumPy or SciPy, modelled or not.

    >>> is_numpy_name("numpy.linalg.norm"), is_numpy_name("jax.numpy.linalg.norm")
    (True, False)
    """
    return name.partition(".")[0] in ("numpy", "scipy")


def is_host_library(name: str) -> bool:
    """Whether a canonical name lies in another library that works on the host.

    >>> is_host_library("matplotlib.pyplot.plot"), is_host_library("optax.sgd")
    (True, False)
    """
    return name.partition(".")[0] in _HOST_PACKAGES


@lru_cache(maxsize=4096)
def numpy_facts(name: str) -> NumpyFacts | None:
    """The facts of a function by its canonical name, or None if it is not modelled.

    >>> numpy_facts("numpy.log").on_tracer, numpy_facts("numpy.log").replacement
    ('fails', 'jnp.log')
    >>> numpy_facts("numpy.shape").on_tracer
    'static'
    """
    if not is_numpy_name(name) and not is_host_library(name):
        return None
    row = _rows().get(_shared_name(name))
    if row is None:
        return None
    return NumpyFacts(
        name=name,
        parameters=row.parameters,
        result=row.result,
        replacement=jax_equivalent(name),
        in_place=name in IN_PLACE,
        impure_random=_draws(name),
        host=name in HOST or is_host_library(name),
    )


def _draws(name: str) -> bool:
    """Whether a function draws from hidden state, not from a generator that it gets."""
    return name.startswith("numpy.random.") and not name.endswith((".seed", ".RandomState"))


def modelled_names() -> tuple[str, ...]:
    """The names of NumPy and SciPy that the tables hold."""
    return tuple(filter(is_numpy_name, _rows()))


def host_names() -> tuple[str, ...]:
    """The names of other libraries that the tables hold."""
    return tuple(filter(is_host_library, _rows()))


@cache
def _rows() -> Mapping[str, Row]:
    tables = (
        NUMPY_FUNCTIONS,
        NUMPY_MODULES,
        NUMPY_RANDOM,
        SCIPY_SPECIAL,
        SCIPY_MODULES,
        SCIPY_STATS,
        HOST_LIBRARIES,
    )
    found: dict[str, Row] = {}
    for table in tables:
        found |= index_rows(table, _INSIDE, "array")
    return found


@cache
def _distributions() -> Mapping[str, str]:
    """Maps a distribution of `scipy.stats` to the one whose methods are measured."""
    shared: dict[str, str] = {}
    shared |= dict.fromkeys(CONTINUOUS_DISTRIBUTIONS.split(), "norm")
    shared |= dict.fromkeys(DISCRETE_DISTRIBUTIONS.split(), "poisson")
    return shared


def _shared_name(name: str) -> str:
    """The name that holds the facts: all distributions of `scipy.stats` share their methods."""
    prefix = "scipy.stats."
    if not name.startswith(prefix):
        return name
    distribution, _, method = name.removeprefix(prefix).partition(".")
    if not method:
        return name
    return f"{prefix}{_distributions().get(distribution, distribution)}.{method}"

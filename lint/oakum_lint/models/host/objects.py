"""Objects of the standard library and of NumPy: what makes them, and what their functions ask."""

from typing import Final

LIBRARY_OBJECTS: Final = {
    "logging.getLogger": "logging.Logger",
    "random.Random": "random.Random",
    "builtins.open": "io.IOBase",
    "io.BytesIO": "io.StringIO",
    "io.StringIO": "io.StringIO",
    "pathlib.Path": "pathlib.Path",
    "pathlib.Path.open": "io.IOBase",
}
"""Calls that make an object of a class of the standard library, and which."""
NUMPY_OBJECTS: Final = {
    "numpy.random.default_rng": "numpy.random.Generator",
    "numpy.random.Generator": "numpy.random.Generator",
    "numpy.random.RandomState": "numpy.random.RandomState",
}
"""Calls of NumPy that return an object whose methods are modelled."""

_GENERATORS = ("numpy.random.Generator.", "numpy.random.RandomState.", "random.Random.")
_TEXTS = "io.StringIO."
_LOGGING = "logging."

READERS: Final = frozenset("float int bool complex sum list".split())
"""Builtins that read the numbers of an array."""
UNBOUND: Final = frozenset({"list", "dict", "set"})
"""Classes whose methods may be called through the class: `list.append(items, x)`."""
SHOWING: Final = frozenset({"output", "warning"})
"""Effects of calls that show a value to a person; the methods of loggers do, too."""
RUNNING: Final = frozenset({"builtins.eval", "builtins.exec"})
"""They run what a text says."""
TIMING_FUNCTIONS: Final = ("timeit.timeit", "timeit.repeat", "timeit.Timer")
"""They take the time of calls of a function."""
PASSING_ITEMS: Final = frozenset(
    {"tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.autonotebook.tqdm", "tqdm.notebook.tqdm"}
)
"""They yield the items that they get."""
ONE_NUMBER_FOR_MANY: Final = frozenset(
    {"math.floor", "math.ceil", "math.trunc", "math.gcd", "math.isnan"}
)
"""Functions of `math` that return one number for many."""


def draws_from_object(path: str) -> bool:
    """Whether a method draws from the state of its object: a generator that the traced function
    makes itself from a seed draws the same numbers at every call.

    >>> draws_from_object("random.Random.random"), draws_from_object("random.random")
    (True, False)
    """
    return path.startswith(_GENERATORS)


def of_text(path: str) -> bool:
    """Whether a method is one of texts that are written like files."""
    return path.startswith(_TEXTS)


def of_logging(path: str) -> bool:
    """Whether a function logs."""
    return path.startswith(_LOGGING)


def of_math(path: str) -> bool:
    """Whether a function takes numbers of Python, and returns different ones for different ones."""
    return path == "builtins.float" or path.startswith("math.")

"""Which libraries leave alone what is passed to them, and which names of Python reach further than
their arguments.
"""

import re
from typing import Final

from oakum_lint.models.packages import HOST_PACKAGES, MODELLED_PACKAGES

_HARMLESS: Final = frozenset(
    {
        *HOST_PACKAGES,
        *MODELLED_PACKAGES,
        "absl",
        "beartype",
        "blackjax",
        "builtins",
        "chex",
        "diffrax",
        "distrax",
        "einops",
        "equinox",
        "etils",
        "flax",
        "functorch",
        "h5py",
        "haiku",
        "jaxopt",
        "jaxtyping",
        "jraph",
        "lineax",
        "matplotlib",
        "ml_collections",
        "netket",
        "numba",
        "numpyro",
        "optax",
        "optimistix",
        "orbax",
        "pandas",
        "pytest",
        "rich",
        "rlax",
        "seaborn",
        "sklearn",
        "tensorflow",
        "tensorflow_datasets",
        "tensorflow_probability",
        "torch",
        "tqdm",
        "wandb",
        "xarray",
    }
)
"""Packages whose functions do not change the lists, dicts and objects of their callers."""

_CALLING_ON_HOST: Final = frozenset(
    "matplotlib numba numpy pandas scipy seaborn sklearn tensorflow torch tqdm xarray "
    "asyncio collections contextlib heapq inspect itertools queue re sched signal timeit types "
    "unittest weakref".split()
)
"""Packages of the host that call the functions which they get, `scipy.optimize.minimize`, or keep
them for who does: `queue.Queue`.
"""

NAMESPACES: Final = frozenset(
    {"builtins.exec", "builtins.eval", "builtins.globals", "builtins.locals"}
)
"""What may bind any name of the module that calls it."""
ATTRIBUTES: Final = frozenset({"builtins.setattr", "builtins.object.__setattr__"})
"""What may set any attribute of its first argument."""
OWN_ATTRIBUTES: Final = "__dict__"
"""The attribute by which all others of an object are set; so they are by `vars`."""
VARIABLES: Final = "vars"
SUBCLASSES: Final = "__subclasses__"
"""The method of a class by which all are found that are derived from it."""
UPDATES: Final = "update"
"""The method of a dict that takes over what another holds."""
MODULES: Final = "sys.modules"
"""Where modules are found as objects, whose attributes are their names."""
READING_HOOK: Final = "__getattribute__"
"""The method that is asked for each attribute, in the place of what an object holds."""
MODULE_HOOK: Final = "__getattr__"
"""A function of a module that is asked for the names which it does not bind."""
BINDING_BY_TEXT: Final = (MODULES, "globals()", "locals()", "vars()", "__dict__", "exec(")
"""What stands in the text of a module that may bind names which do not stand there."""
JIT_OPTION: Final = "jax_disable_jit"
"""The option of JAX under which nothing is compiled."""
DISABLES_JIT: Final = "jax.disable_jit"
"""What turns compilation off in a `with` statement."""
SAYS_UNJITTED: Final = re.compile(
    r"JAX_DISABLE_JIT\b(?<=\bJAX_DISABLE_JIT)|\.jax_disable_jit\s*=(?!=)"
    r"|fake_(?<=\bfake_)(?:jit|pmap|pmap_and_jit)\b"
    r"|fixture\b(?<=\bfixture)[\s\S]*\bdisable_jit\b"
)
"""What stands in the text of code that turns compilation off for all that runs later: by the
environment, by the option itself, by Chex, or in a fixture of tests. That a word begins there is
asked behind it: a text is looked through for letters in a 13th of the time.
"""
STAGED_LOOPS: Final = frozenset(
    "jit scan while_loop fori_loop cond switch map associative_scan".split()
)
"""Kinds of transforms that run in Python where compilation is turned off."""
UPDATES_OPTION: Final = "jax.config.update"

STORES: Final = frozenset(
    "add append appendleft extend extendleft insert setdefault update".split()
)
"""Methods of containers that keep what they get."""
CHANGES: Final = STORES | frozenset(
    "clear difference_update discard intersection_update pop popitem popleft remove reverse "
    "rotate sort symmetric_difference_update __delitem__ __setitem__".split()
)
"""Methods of containers that change what these hold."""
TAKES_ITEMS: Final = frozenset("get items pop popleft setdefault values".split())
"""Methods of containers that return what these hold."""
SAYS_CHANGING: Final = re.compile(
    r"\bglobal\b|\bdel\b|[\w\])](?:\[[^\n]*\]|\.\w+) *(?:[-+*/%@&|^]|\*\*|//|<<|>>)?=(?!=)"
    rf"|\.(?:{'|'.join(sorted(CHANGES))})\("
)
"""What stands in the text of code that may change what is outside it."""


def leaves_arguments_alone(path: str) -> bool:
    """Whether a function of a library, by its dotted name, changes nothing that it gets.

    >>> leaves_arguments_alone("json.dumps"), leaves_arguments_alone("somewhere.fill")
    (True, False)
    """
    return path.partition(".")[0] in _HARMLESS


def calls_back(path: str) -> bool:
    """Whether a function of Python's library may call a function that it gets: a thread does.

    >>> calls_back("threading.Thread"), calls_back("functools.partial")
    (True, False)
    """
    return path.partition(".")[0] in {"atexit", "concurrent", "multiprocessing", "threading"}


def calls_on_host(path: str) -> bool:
    """Whether a function of a library may call a function that it gets on values of the host.

    >>> calls_on_host("scipy.optimize.minimize"), calls_on_host("optax.inject_hyperparams")
    (True, False)
    """
    return path.partition(".")[0] in _CALLING_ON_HOST


LISTS_MEMBERS: Final = "getmembers("
"""How a call is spelled that lists all that a module or an object holds, by any name."""

"""The names that libraries have, and what their functions take.

A row has names that are alike, a colon, and their parameters: those with `=` need not be passed,
those behind a `*` are keywords, `*name` takes any number of arguments and `**` any keywords. Of
what has no parameters there, it is known alone that the library has it. Rows say what the newest
version has: another may have more, so what they refuse is likely refused, not certainly.
"""

from collections.abc import Collection, Iterator, Mapping
from functools import cache

from oakum.values.records import dataclass
from oakum_lint.models.signatures.chex_and_einops import CHEX_AND_EINOPS
from oakum_lint.models.signatures.diffrax import DIFFRAX
from oakum_lint.models.signatures.distrax import DISTRAX
from oakum_lint.models.signatures.equinox import EQUINOX
from oakum_lint.models.signatures.flax import FLAX
from oakum_lint.models.signatures.haiku import HAIKU
from oakum_lint.models.signatures.host import HOST
from oakum_lint.models.signatures.numpyro import NUMPYRO
from oakum_lint.models.signatures.optax import OPTAX

_TABLES: Mapping[str, str] = {
    **CHEX_AND_EINOPS,
    **DIFFRAX,
    **DISTRAX,
    **EQUINOX,
    **FLAX,
    **HAIKU,
    **HOST,
    **NUMPYRO,
    **OPTAX,
}


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a function takes."""

    positional: tuple[str, ...]
    names: frozenset[str]
    needed: frozenset[str]
    any_positional: bool
    any_keyword: bool


def described_packages() -> Collection[str]:
    """The packages whose names are known."""
    return _TABLES.keys()


def lacks(path: str) -> bool:
    """Whether a library is not known to have a name.

    >>> lacks("optax.adam"), lacks("optax.adamax2"), lacks("torch.optim.Adam")
    (False, True, False)
    >>> lacks("flax.linen.Dense"), lacks("flax.optim.Adam"), lacks("flax.optim")
    (False, False, True)
    """
    package, _, name = path.rpartition(".")
    return package in _TABLES and not name.startswith("_") and name not in _rows(package)


def refuses(path: str, passed: int, names: Collection[str], *, complete: bool) -> bool:
    """Whether a function does not take so many arguments and these keywords, or needs others where
    they are `complete`.

    >>> refuses("optax.adam", 1, (), complete=True), refuses("optax.adam", 0, (), complete=True)
    (False, True)
    >>> refuses("flax.linen.Dense", 1, ("width",), complete=True)
    True
    """
    package, _, name = path.rpartition(".")
    taken = _taken(_rows(package).get(name, "")) if package in _TABLES else None
    if taken is None:
        return False
    filled = {*taken.positional[:passed]}
    return (
        (passed > len(taken.positional) and not taken.any_positional)
        or not (taken.any_keyword or taken.names.issuperset(names))
        or not filled.isdisjoint(names)
        or (complete and not taken.needed <= filled | {*names})
    )


@cache
def _rows(package: str) -> Mapping[str, str]:
    """What each name of a package takes, as text."""
    return dict(_pairs(_TABLES[package]))


def _pairs(table: str) -> Iterator[tuple[str, str]]:
    for row in table.replace("\n    ", " ").splitlines():
        names, _, parameters = row.partition(":")
        yield from ((name, parameters) for name in names.split())


@cache
def _taken(parameters: str) -> _Taken | None:
    """What a function takes; None where that is not known."""
    words = parameters.split()
    if not words:
        return None
    stars = [word for word in words if word.startswith("*")]
    plain = [word for word in words if not word.startswith("*")]
    ahead = words[: words.index(stars[0])] if stars else words
    return _Taken(
        tuple(word.rstrip("=") for word in ahead),
        frozenset(word.rstrip("=") for word in plain),
        frozenset(word for word in plain if not word.endswith("=")),
        not {"*", "**"}.issuperset(stars),
        "**" in stars,
    )

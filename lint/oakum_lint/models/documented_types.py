"""How docstrings write the types of parameters, and which of them are arrays."""

import re
from typing import Final

_SHAPE = r"(?:\s*[\[(][^\n]*[\])])?"
_MORE = r"(?:\s*,?\s*(?:of|with)?\s*shape\b[^\n]*)?(?:\s*,\s*(?:optional|default)\b[^\n]*)?"
_OTHER = r"(?:float|complex|scalar|None)"
_JAX = r"(?:jax\.Array|(?:jnp|jax\.numpy)\.(?:ndarray|array)|chex\.Array|DeviceArray|JAXArray)"
_PLAIN = r"(?:[Aa]rray|ndarray|ArrayLike|[Aa]rray[_-]like)"


def _written(array: str) -> re.Pattern[str]:
    return re.compile(
        rf"`*(?:{_OTHER}\s*(?:\bor\b|[,|])\s*)?{array}`*{_SHAPE}{_MORE}"
        rf"(?:\s*(?:\bor\b|[,|])\s*{_OTHER})*\s*"
    )


ARRAY_OF_JAX: Final = _written(_JAX)
"""A type that is an array of JAX, or a number in its place."""
ARRAY: Final = _written(_PLAIN)
"""A type that is an array of some library."""


def types_of(docstring: str, name: str) -> list[str]:
    """Finds the types that a docstring says a parameter has, in the forms of NumPy, Google and
    Sphinx.

    >>> types_of("x, y : jax.Array", "y"), types_of("x (float): a number", "x")
    (['jax.Array'], ['float'])
    >>> types_of(":type x: jnp.ndarray", "x"), types_of(":param float x: a number", "x")
    (['jnp.ndarray'], ['float'])
    """
    own = re.escape(name)
    forms = (
        rf"^[ \t]*(?:\w+,[ \t]*)*{own}(?:,[ \t]*\w+)*[ \t]*:[ \t]*([^\n]+?)[ \t]*$",
        rf"^[ \t]*{own}[ \t]*\(([^\n]+?)\)[ \t]*:",
        rf":type[ \t]+{own}:[ \t]*([^\n]+?)[ \t]*$",
        rf":param[ \t]+([^\n:]+?)[ \t]+{own}:",
    )
    return [found for form in forms for found in re.findall(form, docstring, re.MULTILINE)]

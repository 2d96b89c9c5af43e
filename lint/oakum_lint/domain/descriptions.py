"""Values in the words of a message."""

from oakum_lint.domain.events import Operand
from oakum_lint.domain.values import Array, Value
from oakum_lint.text.elision import elided

SOURCE_TEXT_LIMIT = 40


def describe(value: Value, text: str) -> Operand:
    """A value in words for a message: the user's text and what is known of the aval."""
    aval = ""
    if isinstance(value, Array) and value.aval.dtype is not None:
        aval = str(value.aval)
    return Operand(elided(text, SOURCE_TEXT_LIMIT), aval)

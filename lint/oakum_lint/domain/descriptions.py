"""Values in the words of a message."""

from oakum_lint.domain.events import Operand
from oakum_lint.domain.values import Array, Value

SOURCE_TEXT_LIMIT = 40


def describe(value: Value, text: str) -> Operand:
    """A value in words for a message: the user's text and what is known of the aval."""
    source = " ".join(text.split())
    if len(source) > SOURCE_TEXT_LIMIT:
        source = source[: SOURCE_TEXT_LIMIT - 3] + "..."
    aval = ""
    if isinstance(value, Array) and value.aval.dtype is not None:
        aval = str(value.aval)
    return Operand(source, aval)

"""The errors of tracers that are used where a concrete value is needed."""

from __future__ import annotations

from typing import Any

from oakum import uses
from oakum.errors import OakumError
from oakum.sources import user_frame
from oakum.uses import Use

_CONSTRUCTS = {
    Use.BOOL: "bool()",
    Use.BRANCH: "the branch",
    Use.LOOP: "the loop",
    Use.INT: "int()",
    Use.FLOAT: "float()",
    Use.COMPLEX: "complex()",
    Use.ITEM: ".item()",
    Use.LIST: ".tolist()",
    Use.INDEX: "__index__()",
    Use.ARRAY: "a NumPy function",
    Use.HASH: "hash()",
    Use.FORMAT: "format()",
    Use.ITEM_ASSIGNMENT: "an assignment",
}


def error(tracer: Any, use: Use, construct: str | None = None) -> OakumError:
    """The error of a tracer in a use that needs its value."""
    name = getattr(tracer, "argument", None)
    operand = f"`{name}` ({tracer.aval})" if name else f"a traced value ({tracer.aval})"
    return uses.error(
        use,
        construct=construct or _CONSTRUCTS.get(use, use.value),
        operand=operand,
        frame=user_frame(),
    )

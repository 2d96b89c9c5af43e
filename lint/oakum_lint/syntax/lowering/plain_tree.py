"""LibCST's trees as the lowering reads them: built by LibCST's parser, of nodes that only hold.

A node class of LibCST is a frozen data class of Python that checks each node it makes, and half of
the nodes are blanks, which the lowering reads off the text. Where the parser asks for its classes,
it is handed classes of the same names and defaults whose objects are filled without a line of
Python, and nothing at all for blanks: it takes a third less time.

Invariants:
- What `import libcst` means is another thing only while the parser runs. That is one call of native
  code that runs no code of Python: no other thread sees it.
- A parser that made nodes of other classes is noticed, and nothing is lowered.
"""

import sys
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from importlib import import_module
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Final

import libcst

_parse: Final[Callable[[str], Any]] = import_module("libcst.native").parse_module


class Refused(Exception):
    """LibCST's parser does not take a text for Python."""

    def __init__(self, **_: object) -> None:
        super().__init__()


_LEFT_OUT: Final = (
    *("SimpleWhitespace", "TrailingWhitespace", "ParenthesizedWhitespace"),
    *("EmptyLine", "Comment", "Newline", "Dot"),
)
"""What the text shows, or the node around it."""


def _plain_classes() -> ModuleType:
    """LibCST's names, with a plain class for each class of nodes, of plain bases."""
    module = ModuleType("libcst")
    module.__spec__ = libcst.__spec__  # each import asks it, and takes longer where there is none
    made: dict[type, type] = {}
    for name, value in vars(libcst).items():
        # Not `issubclass`: an abstract class asks all its subclasses, which took 8 of 21 ms.
        if isinstance(value, type) and libcst.CSTNode in value.__mro__:
            for kind in reversed(value.__mro__):
                if kind not in made and libcst.CSTNode in kind.__mro__:
                    made[kind] = _plain_class(kind, made)
            setattr(module, name, made[value])
        elif not name.startswith("__"):
            setattr(module, name, value)
    # LibCST's own error is made by code of Python, and what it says is not asked for.
    vars(module)["ParserSyntaxError"] = Refused
    for name in _LEFT_OUT:
        # Takes what a node would hold, and makes nothing of it.
        setattr(module, name, dict[str, Any]().update)
    return module


def _plain_class(kind: type, made: dict[type, type]) -> type:
    name = kind.__name__
    bases = tuple(made[base] for base in kind.__bases__ if base in made)
    defaults: dict[str, Any] = {"__slots__": ()}
    if is_dataclass(kind):
        defaults |= {
            field.name: field.default for field in fields(kind) if field.default is not MISSING
        }
    return type(name, bases or (SimpleNamespace,), defaults)


if TYPE_CHECKING:
    cst = libcst
else:
    cst = _plain_classes()  # this package is imported where something is to be parsed


def parse_module(text: str) -> "cst.Module":
    """The tree of a text, of plain nodes.

    Raises `Refused` or `UnicodeError` (half of a surrogate pair) where the text is no Python to
    LibCST, and anything where its parser does not make what this module expects.
    """
    sys.modules["libcst"] = cst
    try:
        tree = _parse(text)
    finally:
        sys.modules["libcst"] = libcst
    if type(tree) is not cst.Module:
        raise TypeError("LibCST's parser makes nodes of other classes")
    return tree

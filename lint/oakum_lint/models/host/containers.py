"""Containers of Python that classes of a project inherit from."""

from collections import deque
from typing import Final

CONTAINER_BASES: Final[dict[str, str]] = {
    "builtins.dict": "builtins.dict",
    "builtins.list": "builtins.list",
    "collections.OrderedDict": "builtins.dict",
    "collections.UserDict": "builtins.dict",
    "collections.UserList": "builtins.list",
    "collections.defaultdict": "collections.defaultdict",
    "collections.deque": "collections.deque",
}
"""What an instance of a subclass is made of, by the base."""

WRAPPERS: Final = frozenset({"collections.UserDict", "collections.UserList"})
"""Those that hold what they are made of as `data`."""

_TYPES: Final[dict[str, type]] = {"dict": dict, "list": list, "deque": deque}


def has_method(kind: str, name: str) -> bool:
    """Whether a kind of container has a method.

    >>> has_method("dict", "items"), has_method("list", "items")
    (True, False)
    """
    return name in dir(_TYPES.get(kind, object)) and not hasattr(object, name)

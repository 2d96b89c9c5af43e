"""Who an array was donated to: for the error of whoever uses it afterwards.

Invariants:
- What is noted of an array lives as long as the array does.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, Final

from oakum.values import user_frames
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame

_known: Final[dict[int, tuple[weakref.ref[Any], str]]] = {}
"""The place of a donation by the identity of the array, with a reference that ends it."""
_takers: Final[dict[ShapedArray, set[str]]] = {}
"""The functions whose calls are made natively, where no array can be noted, by what they take."""
_MOST: Final = 3
"""Of more functions than these, none is named."""


def note(array: object, function: Callable[..., Any]) -> None:
    """Notes that an array is donated to a function in the call that is running."""
    place, line = id(array), user_frame()
    where = "" if line is None else f" on line {line}"
    text = f"It was donated to {user_frames.place_of(function)}{where}"
    _known[place] = (weakref.ref(array, lambda _: _known.pop(place, None)), text)


def note_native(aval: ShapedArray, function: Callable[..., Any]) -> None:
    """Notes that calls of a function that are made natively take arrays like this one."""
    _takers.setdefault(aval, set()).add(user_frames.place_of(function))


def described(array: object, aval: ShapedArray) -> str:
    """Returns the sentence that says who has the data of an array, as far as that is known."""
    if (found := _known.get(id(array))) is not None:
        return found[1]
    takers = sorted(_takers.get(aval, ()))
    if 0 < len(takers) <= _MOST:
        return f"Arrays like it are donated to {', '.join(takers)}"
    return (
        "Its data were freed by x.delete(), or passed to a function that was jitted with "
        "donate_argnums or donate_argnames"
    )

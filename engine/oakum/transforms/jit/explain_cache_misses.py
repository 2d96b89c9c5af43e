"""Why a function is traced: the option `explain_cache_misses`.

A signature that no program was kept for is compared with the nearest one that has a program. What
cannot be seen there, other functions with the same code and programs that were forgotten, is noted
while the option is on.

Invariants:
- Nothing here is called while the option is off.
- An explanation that fails is left out: it is no error of the user's.
"""

from __future__ import annotations

import contextlib
import functools
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any, Final

from oakum.tracing import compile_logging
from oakum.transforms.jit import signature_diff
from oakum.transforms.jit.signature_diff import Signature
from oakum.values import user_frames

_SHOWN: Final = 8
"""The most changes that an explanation lists one by one."""

_COMPARED: Final = 256
"""So many of the newest signatures are looked at."""

_MOST: Final = 4096


class _Known:
    """The signatures seen of the functions that have one code object."""

    __slots__ = ("function", "place", "signatures", "traced")

    def __init__(self) -> None:
        self.function: Callable[[], Any] = lambda: None
        """The newest of them, if it is still there."""
        self.place = ""
        self.signatures: dict[int, str] = {}
        """Those that the newest was traced for, as hashes; and which values of the traces around it
        it used.
        """
        self.traced = 0
        """How many of them were traced."""


_known: Final[dict[Any, _Known]] = {}


def explain(
    function: Callable[..., Any],
    transform: str,
    key: Signature,
    names: Sequence[str],
    kept: Mapping[Any, Any],
) -> None:
    """Says why a function is to be traced for a signature.

    `names` are those of the leaves, and `kept` the programs by transformation and signature.
    """
    with contextlib.suppress(Exception):
        known = _known_of(function, transform)
        lines = _lines(function, transform, key, names, kept, known)
        lines[0] = f"{user_frames.name_of(function)} is traced for {transform}{lines[0]}"
        _note(known, function, key)
        compile_logging.logger().warning("%s", "\n  ".join(lines))


def note_lifted(
    function: Callable[..., Any], transform: str, key: Signature, lifted: Sequence[Any]
) -> None:
    """Notes that a function used values of the traces around it, so that no program is kept."""
    with contextlib.suppress(Exception):
        used = ", ".join(compile_logging.described(each.aval) for each in lifted)
        _known_of(function, transform).signatures[_hash(key)] = used


def _lines(
    function: Callable[..., Any],
    transform: str,
    key: Signature,
    names: Sequence[str],
    kept: Mapping[Any, Any],
    known: _Known,
) -> list[str]:
    """Returns the explanation: its first line is what follows the function's name."""
    place = compile_logging.place()
    if known.function() is function and (used := known.signatures.get(_hash(key))) is not None:
        if used:
            return [
                f" again{place}: no program is kept, as it uses values of the trace around it: "
                f"{used}",
                "Pass these values as arguments.",
            ]
        return [f" again{place}: its program was forgotten, as caches were cleared"]
    earlier = [each for each in kept.items() if each[0][0] == transform][-_COMPARED:]
    if earlier:
        (_, nearest), program = min(
            reversed(earlier), key=lambda each: signature_diff.distance(key, each[0][1])
        )
        found = signature_diff.differences(function, key, nearest, names)
        source = f" at {program.source[0].frame}" if program.source else ""
        count = f", the nearest of {len(earlier)}" if len(earlier) > 1 else ""
        return _describe_changes(found, place, f"compared with the trace{source}{count}")
    if known.traced and known.function() is not function:
        return [
            f" again{place}: it is a new function with the code of one that was traced before",
            f"{known.traced} with this code were traced, the last{known.place}",
            f"Define the function once, apply {transform} to it there, and pass what changes as an "
            "argument.",
        ]
    if known.traced:
        return [f" again{place}: its programs were forgotten, as caches were cleared"]
    return [f" for the first time{place}"]


def _describe_changes(
    found: Sequence[signature_diff.Change], place: str, compared: str
) -> list[str]:
    first, *others = found
    lines = [f" again: {first.text}{place}", *(f"and {each.text}" for each in others[:_SHOWN])]
    if len(others) > _SHOWN:
        lines.append(f"and {len(others) - _SHOWN} changes more")
    return [*lines, compared, *dict.fromkeys(each.hint for each in found if each.hint)]


def _known_of(function: Callable[..., Any], transform: str) -> _Known:
    code = code_of(function)
    found = _known.get((transform, code))
    if found is None:
        if len(_known) >= _MOST:
            _known.clear()
        found = _Known()
        if code:
            _known[(transform, code)] = found
    return found


def _note(known: _Known, function: Callable[..., Any], key: Signature) -> None:
    """Notes what is traced."""
    if known.function() is not function:
        known.traced += 1
        known.signatures = {}
        try:
            known.function = weakref.ref(function)
        except TypeError:
            known.function = lambda: None
    known.signatures[_hash(key)] = ""
    known.place = compile_logging.place()


def _hash(key: Signature) -> int:
    # Numbers that are not equal can have one hash, so static arguments are compared as text.
    static = tuple((place, repr(each.value)) for place, each in key[2])
    return hash((key, static))


def code_of(function: object) -> tuple[CodeType, ...]:
    """Returns the codes of a function and of those that it wraps; none where there is no code."""
    found: list[CodeType] = []
    while function is not None and len(found) < _DEEPEST:
        while isinstance(function, functools.partial):
            function = function.func
        code = getattr(function, "__code__", None)
        if code is None:
            method: Any = type(function).__dict__.get("__call__")
            code = getattr(method, "__code__", None)
        if isinstance(code, CodeType):
            found.append(code)
        function = getattr(function, "__wrapped__", None)
    return tuple(found)


_DEEPEST: Final = 16

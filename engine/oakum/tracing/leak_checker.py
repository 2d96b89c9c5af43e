"""Tracers that outlive their trace: the error of using one, and the check that finds them.

With the option `check_tracer_leaks` on, every trace remembers its tracers weakly, and when it ends
none of them may be alive but those that its own program keeps.

Invariants:
- Nothing is reported that Python itself would free: cycles are collected before a tracer counts.
- The check costs nothing while it is off, and keeps no cache from working while it is on.
"""

from __future__ import annotations

import gc
import itertools
import types
import weakref
from collections.abc import Iterable
from typing import Any, Final, TypeGuard

from oakum.errors import LeakedTracerError, UnexpectedTracerError
from oakum.pytrees.node_types import NodeKind
from oakum.tracing.trace import Trace, Tracer
from oakum.values import codes, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.codes import Code
from oakum.values.user_frames import UserFrame, user_frame

HINT: Final = (
    "Return the value from the function, or compute it again from what is returned; "
    "jax.checking_leaks() finds the leak where it happens."
)
"""What to write instead of keeping a tracer."""
_CHAIN: Final = 6
"""The longest chain of referrers that the report of a leaked tracer shows."""


def spelled(aval: ShapedArray) -> str:
    """Returns an aval with its dtype written out: `float32[2,3]`.

    >>> from oakum.values.avals import parse_aval
    >>> spelled(parse_aval("f32[2,3]"))
    'float32[2,3]'
    """
    shape = ",".join(map(str, aval.shape or ()))
    return f"{aval.dtype}[{shape}]"


def _place(trace: Trace) -> str:
    traced = trace.traced
    if traced is None:
        return "a function"
    return user_frames.place_of(traced)


def _creation_text(source: tuple[UserFrame, ...]) -> str:
    if not source:
        return ""
    lines = "\n".join(f"  {frame}" for frame in reversed(source))
    return (
        f"The value was created on line {source[0].code.co_filename}:{source[0].line} "
        f"({source[0].code.co_qualname}).\n"
        f"When it was created, the final {len(source)} stack frames (most recent last), without "
        f"those of oakum, were:\n{lines}\n"
    )


def escaped_error(tracer: Tracer) -> UnexpectedTracerError:
    """Returns the error of a tracer that is used after its trace has ended."""
    trace = tracer.owner
    text = (
        "Encountered an unexpected tracer. A function transformed by oakum had a side effect, "
        "allowing for a reference to an intermediate value with type "
        f"{spelled(tracer.aval)} wrapped in a {type(tracer).__name__} to escape the scope of the "
        "transformation: it was kept in global state, an attribute, a nonlocal or a container.\n"
        f"The function being traced when the value leaked was {_place(trace)} "
        f"traced for {trace.transform}.\n{_creation_text(tracer.source)}"
    )
    argument = getattr(tracer, "argument", None)
    if argument and not tracer.source:
        text += f"The value is the argument {argument} of the function.\n"
    return UnexpectedTracerError(text.rstrip("\n"), frame=user_frame(), hint=HINT)


def watch(trace: Trace) -> None:
    """Has a trace remember its tracers from now on."""
    trace.watched = []


def check(trace: Trace, kept: Iterable[Any] = ()) -> None:
    """Raises `LeakedTracerError` when a tracer of a trace that has ended is still alive.

    `kept` are the objects that the transformation itself goes on holding: what they refer to is no
    leak.
    """
    watched: list[weakref.ref[Any]] = trace.watched or []
    trace.watched = None
    if not any(ref() is not None for ref in watched):
        return
    gc.collect()
    allowed = _reachable(kept)
    leaked = [t for ref in watched if (t := ref()) is not None and id(t) not in allowed]
    del allowed
    if leaked:
        raise _leaked_error(trace, leaked)


_FOLLOWED: Final = (
    list,
    tuple,
    dict,
    set,
    frozenset,
    types.FunctionType,
    types.CellType,
    types.MethodType,
)


def _reachable(roots: Iterable[Any]) -> set[int]:
    """Returns the identities of what a program's parameters refer to: rules, and what they close
    over.
    """
    found: set[int] = set()
    waiting = list(roots)
    while waiting and len(found) < 100_000:
        value = waiting.pop()
        if id(value) in found or isinstance(value, (type, types.ModuleType)):
            continue
        found.add(id(value))
        if isinstance(value, types.FunctionType):
            waiting += [value.__closure__, value.__defaults__, value.__kwdefaults__]
        elif isinstance(value, _FOLLOWED) or type(value).__module__.startswith("oakum"):
            waiting += gc.get_referents(value)
    return found


def _leaked_error(trace: Trace, leaked: list[Any]) -> LeakedTracerError:
    parts: list[str] = []
    code: Code | None = None
    for tracer in itertools.islice(leaked, 3):
        kind = type(tracer).__name__
        where = tracer.source[0] if tracer.source else None
        place = (
            f"{where}" if where else f"argument {getattr(tracer, 'argument', None) or ''}".strip()
        )
        referrers, in_metadata = _referrers(tracer, leaked)
        parts.append(
            f"This {kind} with object id {id(tracer)} was created on line:\n  {place}\n"
            f"It has type {spelled(tracer.aval)}.\n" + "".join(referrers)
        )
        if in_metadata:
            code = codes.TRACER_IN_METADATA
    more = f"\n... and {len(leaked) - 3} more" if len(leaked) > 3 else ""
    text = (
        f"Leaked trace {trace.name} of {_place(trace)}, traced for {trace.transform}: leaked "
        f"tracers, values that outlive it:\n{''.join(parts)}{more}"
    )
    hint = HINT if code is None else None
    return LeakedTracerError(text.rstrip("\n"), code=code, frame=user_frame(), hint=hint)


def _referrers(tracer: object, leaked: list[Any]) -> tuple[list[str], bool]:
    """Returns the chain of objects that keep a tracer alive, one line for each, and whether the
    metadata of a pytree holds it.
    """
    lines: list[str] = []
    value, name = tracer, f"{type(tracer).__name__} {id(tracer)}"
    passed = {id(tracer), id(leaked), id(lines)}
    for _ in range(_CHAIN):
        found = _referrer(value, passed)
        if found is None:
            if value is tracer:
                lines.append(f"<{name}> is referred to by something that Python does not tell\n")
            break
        holder, how = found
        if _is_entry(holder):
            lines.append(f"<{name}> is in the metadata of a {holder[0].container.__qualname__}\n")
            return lines, True
        holder_name = f"{type(holder).__name__} {id(holder)}"
        lines.append(f"<{name}> is referred to by <{holder_name}>{how}\n")
        if isinstance(holder, types.ModuleType):
            break
        passed |= {id(holder), id(found)}
        value, name = holder, holder_name
    return lines, False


def _is_entry(value: object) -> bool:
    """Whether it is a node of a structure, of which the last part is the metadata."""
    return _is_tuple(value) and len(value) == 3 and isinstance(value[0], NodeKind)


def _is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    return type(value) is tuple


_OURS: Final = (types.FrameType, types.GeneratorType, weakref.ref, type(iter(())), type(iter([])))
"""What looking for referrers makes itself."""


def _referrer(value: object, passed: set[int]) -> tuple[Any, str] | None:
    """Returns an object that refers to a value, and how; a frame of ours is none."""
    mark = object()
    for holder in gc.get_referrers(value, mark):
        if id(holder) in passed or isinstance(holder, _OURS):
            continue
        if _is_tuple(holder) and holder and holder[-1] is mark:
            continue  # The arguments of the call above.
        if type(holder).__module__.startswith("oakum"):
            continue
        if isinstance(holder, types.CellType):
            passed.add(id(holder))
            outer = _function_of(holder, passed)
            if outer is not None:
                return outer
            continue
        return _describe_holder(holder, value, passed)
    return None


def _function_of(cell: object, passed: set[int]) -> tuple[Any, str] | None:
    for closure in gc.get_referrers(cell):
        if not _is_tuple(closure):
            continue
        passed.add(id(closure))
        for function in gc.get_referrers(closure):
            if isinstance(function, types.FunctionType) and function.__closure__ is closure:
                names = function.__code__.co_freevars
                name = next(n for n, c in zip(names, closure, strict=True) if c is cell)
                return function, f" ({function.__qualname__}) closed-over variable {name}"
    return None


def _describe_holder(holder: object, value: object, passed: set[int]) -> tuple[Any, str]:
    if isinstance(holder, dict):
        key = next((k for k, v in holder.items() if v is value), None)  # pyright: ignore
        owner = _owner(holder, passed)  # pyright: ignore[reportUnknownArgumentType]
        if owner is not None:
            return owner, f".{key}"
        return holder, f"[{key!r}]"  # pyright: ignore
    if isinstance(holder, (list, tuple)):
        index = next((i for i, v in enumerate(holder) if v is value), None)  # pyright: ignore
        return holder, f"[{index}]"  # pyright: ignore
    name = getattr(holder, "__qualname__", None)
    return holder, f" ({name})" if name else ""


def _owner(attributes: object, passed: set[int]) -> Any:
    """Returns the module or object whose attributes a dict holds."""
    for holder in gc.get_referrers(attributes):
        if id(holder) not in passed and getattr(holder, "__dict__", None) is attributes:
            return holder
    return None

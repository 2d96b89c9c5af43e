"""What an error shows of the user's program: the line that it is about, and the operands of the
call that failed, as the user wrote them: `u` is f32[3,4], `y[:2]` is f32[2].

A traceback shows the line too, where Python has the source; a message is also logged, caught and
printed by itself, and with `python -c` it is the only one that has the text. The linter says the
same of the operands of the same call, from the same text.

Invariants:
- Nothing of the user's is run. Sources are read only when an error is about to be, or was, raised.
- What explains an error never takes its place: without a source there is no excerpt.
- An operand is named only where the call that runs has the arguments that its text shows.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Final, Protocol, TypeGuard, cast

from oakum import dtypes
from oakum.array import Array
from oakum.errors import OakumError, elided
from oakum.tracing import source_text, use_site
from oakum.tracing.source_text import text_of, tree_of
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.facts import Facts
from oakum.values.user_frames import UserFrame, is_users, running_frame

_LONGEST_LINE: Final = 100
"""Lines that are longer are cut: their beginning says which they are."""
_INDENT: Final = "    "

MOST: Final = 4
"""A message names no more operands than these."""
LONGEST: Final = 40
"""The characters of an operand that are shown."""
_LONGEST_CONTAINER: Final = 80
_MOST_PARTS: Final = 8
_DEEPEST: Final = 3
"""Containers of more parts than these, or that lie deeper, are not described."""


class _HostArray(Protocol):
    """What is read of an array of NumPy's."""

    shape: tuple[int, ...]
    dtype: _Named


class _Named(Protocol):
    """A dtype of NumPy's."""

    name: str


_NUMBERS: Final = (int, float, complex)

_Pair = tuple[object, "str | ast.expr | None"]
"""An argument, and how it is written, if that is known."""


def locate(error: OakumError) -> None:
    """Notes in an error the user's line, if it knows none, and the text of its line."""
    if error.excerpt:
        return
    places = list(_places(error))
    if not places:
        return
    if error.frame is None:
        error.frame = places[0][1].frame
    wanted = error.frame
    for running, place in places:
        if place.code.co_filename == wanted.file and place.line == wanted.line:
            error.excerpt = excerpt(place, running)
            if error.operands is None:
                with contextlib.suppress(Exception):  # It must not take the place of the error.
                    error.operands = arrays_at(running, place.instruction)
            return


def _places(error: OakumError) -> Iterator[tuple[FrameType, UserFrame]]:
    """Yields the user's frames that an error has passed or is in, the innermost first."""
    passed: list[TracebackType] = []
    traceback = error.__traceback__
    while traceback is not None:
        if is_users(traceback.tb_frame.f_code.co_filename):
            passed.append(traceback)
        traceback = traceback.tb_next
    for each in reversed(passed):
        yield each.tb_frame, UserFrame(each.tb_frame.f_code, each.tb_lasti)
    frame = running_frame()
    while frame is not None:
        if is_users(frame.f_code.co_filename):
            yield frame, UserFrame(frame.f_code, frame.f_lasti)
        frame = frame.f_back


def excerpt(place: UserFrame, running: FrameType) -> str:
    """Returns the line of a place with marks below what was computed there; "" without a source."""
    return "" if tree_of(running) is None else _marked(place, text_of(running))


def excerpt_of_past(place: UserFrame) -> str:
    """Returns the same of a place that runs no more: a gradient or a compiled program computes what
    it has asked for.
    """
    text = source_text.text_of_code(place.code)
    return _marked(place, text) if text else ""


def _marked(place: UserFrame, source: str) -> str:
    position = place.position
    line = place.line if position is None else position[0]
    lines = source.splitlines()
    text = lines[line - 1].expandtabs(1)
    shown = text.strip()
    cut = len(text) - len(text.lstrip())
    if position is None:
        return _INDENT + shown[:_LONGEST_LINE]
    raw = text.encode()
    start = len(raw[: position[1]].decode(errors="replace")) - cut
    end = len(raw[: position[3]].decode(errors="replace")) - cut if position[2] == line else -1
    if end <= start:
        end = len(shown)
    marks = f"{' ' * start}{'^' * (end - start)}"
    return f"{_INDENT}{shown[:_LONGEST_LINE]}\n{_INDENT}{marks[:_LONGEST_LINE]}".rstrip()


def operand_names(facts: Facts, args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    """Returns the sentence that names the arrays among the operands of the user's running call."""
    frame = running_frame()
    node = None if frame is None else use_site.node_at(frame)
    if frame is None or node is None:
        return ""
    pairs = list(_pairs(facts, node, args, kwargs, frame))
    found = list(_arrays(pairs))[:MOST]
    text = source_text.text_of(frame)
    named: list[tuple[str | None, object]] = [(_spelled(each, text), aval) for aval, each in found]
    if not named:  # A number that stands where an array has to is the next to look at.
        named = [
            (each.id, value)
            for value, each in pairs
            if isinstance(each, ast.Name) and type(value) in (int, float, complex)
        ]
    return ", ".join(f"`{name}` is {shown}" for name, shown in named if name)


def arrays_at(frame: FrameType, instruction: int) -> str:
    """Returns the sentence that names the arrays, and the containers of arrays, that stand in what
    the user's program computes there: they need not be operands of a declared function.
    """
    node = use_site.node_at(frame, instruction)
    found: dict[str, str] = {}
    waiting = [] if node is None else [node]
    while waiting and len(found) < MOST:
        part = waiting.pop()
        described = _described(source_text.evaluate(part, frame)) if _is_place(part) else ""
        if described:
            found[elided(ast.unparse(part), LONGEST)] = described
        elif not isinstance(part, (ast.Lambda, ast.GeneratorExp)):
            waiting += [*ast.iter_child_nodes(part)][::-1]
    return ", ".join(f"`{name}` is {text}" for name, text in found.items())


def _is_place(node: ast.AST) -> TypeGuard[ast.expr]:
    return isinstance(node, (ast.Name, ast.Attribute, ast.Subscript))


def _described(value: object, depth: int = _DEEPEST) -> str:
    """Returns what an array or a container of arrays is; "" for anything else."""
    if type(value) not in (dict, list, tuple):
        return "" if (aval := _aval_of(value)) is None else str(aval)
    parts = cast("dict[object, object] | list[object] | tuple[object, ...]", value)
    if isinstance(parts, list) and parts and all(type(each) in _NUMBERS for each in parts):
        return f"a list of {len(parts)} numbers"
    if not 0 < len(parts) <= _MOST_PARTS or not depth:
        return ""
    if isinstance(parts, dict):
        shown = [_described(each, depth - 1) for each in parts.values()]
        inside = ", ".join(f"{key!r}: {text}" for key, text in zip(parts, shown, strict=True))
        text = f"{{{inside}}}" if all(type(key) in (str, int) for key in parts) else ""
    else:
        shown = [_described(each, depth - 1) for each in parts]
        text = ", ".join(shown)
        text = f"({text})" if isinstance(parts, tuple) else f"[{text}]"
    return elided(text, _LONGEST_CONTAINER) if all(shown) else ""


def _aval_of(value: object) -> ShapedArray | None:
    """Returns the aval of an array, ours or NumPy's."""
    if isinstance(value, Array):
        aval = value.aval
        return ShapedArray(aval.shape, aval.dtype, aval.weak_type)
    if isinstance(value, (host.np.ndarray, host.np.generic)):
        array = cast("_HostArray", value)
        return ShapedArray(array.shape, dtypes.find(array.dtype.name), False)
    return None


def _pairs(
    facts: Facts,
    node: ast.AST,
    args: tuple[object, ...],
    kwargs: dict[str, object],
    frame: FrameType,
) -> Iterator[_Pair]:
    """Yields the arguments in the order of the parameters, each with how it is written."""
    by_name: dict[str | None, ast.expr] = {}
    match node:
        case ast.Call(func=ast.Attribute(value=receiver)) if _is_receiver(receiver, args, frame):
            yield args[0], receiver
            return
        case ast.Call(args=positional, keywords=keywords):
            places = list(_positional(positional, len(args)))
            by_name |= {each.arg: each.value for each in keywords}
        case ast.BinOp(left=left, right=right):
            places = [left, right]
        case ast.UnaryOp(operand=operand):
            places = [operand]
        case _:
            return
    if len(places) != len(args) or by_name.keys() != kwargs.keys():
        return
    shown = [*zip(args, places, strict=True), *((kwargs[n], by_name[n]) for n in kwargs)]
    if any(_differs(value, each, frame) for value, each in shown):
        return
    # In the order of the signature; those of `**options`, which it does not name, come last.
    order = {name: number for number, name in enumerate(facts.signature.parameters)}
    yield from zip(args, places, strict=True)
    for name in sorted(kwargs, key=lambda name: order.get(name, len(order))):
        yield kwargs[name], by_name[name]


def _is_receiver(node: ast.expr, args: tuple[object, ...], frame: FrameType) -> bool:
    """Whether a method is called of the first argument."""
    return bool(args) and source_text.evaluate(node, frame) is args[0]


def _positional(nodes: list[ast.expr], count: int) -> Iterator[str | ast.expr]:
    """Yields how positional arguments are written; those of `*xs` are `xs[0]` and so on."""
    for node in nodes:
        match node:
            case ast.Starred(value=ast.Name(id=name)):
                for position in range(count - len(nodes) + 1):
                    yield f"{name}[{position}]"
            case _:
                yield node


def _differs(value: object, node: str | ast.expr, frame: FrameType) -> bool:
    """Whether a name certainly has another value than the argument."""
    return isinstance(node, ast.Name) and source_text.evaluate(node, frame) is not value


def _arrays(pairs: list[_Pair]) -> Iterator[tuple[ShapedArray, str | ast.expr | None]]:
    """Yields the arrays among arguments, and in lists and tuples among them."""
    stack = pairs[::-1]
    while stack:
        value, written = stack.pop()
        aval = getattr(value, "aval", None)
        if isinstance(aval, ShapedArray):
            yield ShapedArray(aval.shape, aval.dtype, aval.weak_type), written
        elif isinstance(value, (host.np.ndarray, host.np.generic)):
            array = cast("_HostArray", value)
            yield ShapedArray(array.shape, dtypes.find(array.dtype.name), False), written
        elif type(value) in (list, tuple):
            elements = list(cast("list[object] | tuple[object, ...]", value))
            inside: list[str | ast.expr | None] = [None] * len(elements)
            if isinstance(written, (ast.List, ast.Tuple)) and len(written.elts) == len(elements):
                inside = [*written.elts]
            stack += zip(elements[::-1], inside[::-1], strict=True)


def _spelled(written: str | ast.expr | None, text: str) -> str:
    """Returns the user's text of an operand, made short."""
    if isinstance(written, ast.expr):
        written = ast.get_source_segment(text, written)
    return elided(written or "", LONGEST)

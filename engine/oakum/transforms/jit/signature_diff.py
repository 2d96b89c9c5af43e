"""Describes the differences between two signatures of one function.

A signature is the cache key of a program: see `oakum.transforms.jit.function_call.Call.key`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, Final

from oakum.errors import DTypeError
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.compile_logging import described
from oakum.transforms import flat_functions
from oakum.transforms.flat_functions import Options
from oakum.transforms.jit import argument_trees
from oakum.values import codes
from oakum.values.avals import ShapedArray
from oakum.values.option_values import UNSET, TraceKey
from oakum.values.promotion import promote_dtypes
from oakum.values.records import dataclass, fields

_LONGEST: Final = 60

Row = argument_trees.Node | ShapedArray

Static = tuple[tuple[int | str, Any], ...]
"""The static arguments by their places."""

Signature = tuple[
    PyTreeDef,
    tuple[ShapedArray, ...],
    Static,
    Options,
    TraceKey,
    tuple[tuple[Hashable, int], ...],
    tuple[int, ...],
]
"""The structure and the avals of the arguments, the static ones by their places, the options of
`jit`, the settings, the axes in force, and which leaves are references.
"""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference from the earlier signature, and a hint of what to write instead."""

    text: str
    hint: str = ""


def differences(
    function: Callable[..., Any], key: Signature, before: Signature, names: Sequence[str]
) -> list[Change]:
    """Returns the differences from an earlier signature; `names` are those of the leaves now."""
    treedef, avals, static, options, settings, axes, references = key
    found: list[Change] = []
    if settings is not before[4]:
        found += _setting_changes(settings, before[4])
    by_setting = bool(found)
    found += _static_changes(function, static, before[2])
    if treedef != before[0]:
        found += _tree_changes(function, key, before)
    else:
        pairs = zip(names, before[1], avals, strict=True)
        each = (_aval_change(*pair) for pair in pairs if pair[1] != pair[2])
        found += (Change(one.text) for one in each) if by_setting else each
        for at in sorted({*references} ^ {*before[6]}):
            is_one = at in references
            words = "is a reference, and was none" if is_one else "is no reference, and was one"
            found.append(Change(f"argument `{names[at]}` {words}"))
    if options != before[3]:
        found += _option_changes(options, before[3])
    if axes != before[5]:
        now, then = (_axes_text(each) for each in (axes, before[5]))
        found.append(Change(f"{now} in force, and before {then}"))
    return found or [Change("oakum cannot say what changed")]


def distance(key: Signature, earlier: Signature) -> int:
    """Returns the distance between two signatures: the number of differences, weighted."""
    treedef, avals, static, options, settings, axes, references = key
    total = 4 * (options != earlier[3]) + 4 * (axes != earlier[5])
    total += 4 * (references != earlier[6])
    total += 4 * len(settings.changes(earlier[4]))
    total += sum(each not in earlier[2] for each in static)
    total += abs(len(static) - len(earlier[2]))
    if treedef == earlier[0]:
        return total + sum(one != two for one, two in zip(avals, earlier[1], strict=True))
    return total + 4 + abs(len(avals) - len(earlier[1]))


def _aval_change(name: str, before: ShapedArray, now: ShapedArray) -> Change:
    text = f"argument `{name}` became {described(now)} from {described(before)}"
    if before.shape != now.shape:
        hint = "Each shape has a program of its own: pad arrays to a few shapes"
        return Change(text, f"{hint}, or cut them into pieces of one.")
    if before.dtype is None or now.dtype is None:
        return Change(text)
    try:
        dtype = promote_dtypes(before.dtype, now.dtype)
    except DTypeError:
        dtype = now.dtype
    return Change(text, f"Give it one dtype in all calls: jnp.asarray({name}, {dtype.name!r}).")


def _static_changes(
    function: Callable[..., Any], static: Static, before: Static
) -> Iterator[Change]:
    now, then = _named_static(function, static), _named_static(function, before)
    for name, (place, value) in now.items():
        if name not in then:
            yield Change(
                f"static argument `{name}` is passed, as {_text(value.value)}, and was not"
            )
            continue
        old_place, old = then[name]
        if value != old:
            yield _static_change(name, old.value, value.value)
        elif type(place) is not type(old_place):
            yield _placement_change(f"static argument `{name}`", isinstance(place, str))
    for name in then:
        if name not in now:
            yield Change(f"static argument `{name}` is not passed, and was")


def _named_static(function: Callable[..., Any], static: Static) -> dict[str, tuple[Any, Any]]:
    parameters = flat_functions.signature_of(function)
    return {
        place if isinstance(place, str) else flat_functions.positional_name(parameters, place): (
            place,
            each,
        )
        for place, each in static
    }


def _static_change(name: str, before: object, now: object) -> Change:
    one, two = _text(before), _text(now)
    if type(before) is not type(now):
        one, two = f"{one} ({type(before).__name__})", f"{two} ({type(now).__name__})"
    text = f"static argument `{name}` became {two} from {one}"
    if type(now).__eq__ is object.__eq__ and type(now) is type(before):
        kind = type(now).__name__
        hint = f"Objects of {kind} are equal only to themselves: give {kind} __eq__ and __hash__"
        return Change(text, f"{hint}, or pass the same object.")
    needs = f"{codes.TRACER_IN_BRANCH}, {codes.TRACER_IN_RANGE}, {codes.TRACED_SHAPE}"
    hint = f"Let it be traced, if no branch, range or shape needs its value ({needs}): take it out"
    return Change(text, f"{hint} of static_argnums and static_argnames.")


def _text(value: object) -> str:
    try:
        found = repr(value)
    except Exception:  # the representation of a user's object fails
        found = f"<{type(value).__name__}>"
    return found if len(found) <= _LONGEST else f"{found[:_LONGEST]}..."


def _placement_change(what: str, is_keyword: bool) -> Change:
    ways = ("by keyword", "by position") if is_keyword else ("by position", "by keyword")
    text = f"{what} is passed {ways[0]}, and was passed {ways[1]}"
    return Change(text, "Write the call the same way everywhere.")


def _tree_changes(function: Callable[..., Any], key: Signature, before: Signature) -> list[Change]:
    now, positional, keywords = _rows(function, key)
    then, old_positional, old_keywords = _rows(function, before)
    found = [_placement_change(f"argument `{x}`", True) for x in keywords if x in old_positional]
    found += [_placement_change(f"argument `{x}`", False) for x in positional if x in old_keywords]
    found += _row_changes(now, then)
    if not found:
        one, two = (argument_trees.text(each[0]) for each in (key, before))
        found.append(Change(f"the structure of the arguments became {one} from {two}"))
    return found


def _rows(
    function: Callable[..., Any], key: Signature
) -> tuple[argument_trees.Rows, Sequence[str], Sequence[str]]:
    treedef, avals, static = key[:3]
    parameters = flat_functions.signature_of(function)
    skipped = {place for place, _ in static}
    count = len(treedef.children()[0].children())
    places = [x for x in range(count + len(skipped)) if x not in skipped][:count]
    names = [flat_functions.positional_name(parameters, place) for place in places]
    return argument_trees.rows(treedef, avals, names)


def _row_changes(now: argument_trees.Rows, then: argument_trees.Rows) -> Iterator[Change]:
    """Yields the changes, containers first; a subtree added or removed is one change."""
    below: tuple[str, ...] = ()
    for path in dict.fromkeys((*now, *then)):
        if path.startswith(below):
            continue
        if path not in then:
            change = Change(f"{_argument(path)} is passed, and was not", _hint_for_missing(path))
        elif path not in now:
            change = Change(f"{_argument(path)} is not passed, and was", _hint_for_missing(path))
        else:
            change = _row_change(path, now[path], then[path])
        if change is not None:
            below += (f"{path}[", f"{path}.")
            yield change


_ONE_STRUCTURE: Final = "Give containers of one structure in all calls."


def _hint_for_missing(path: str) -> str:
    return "Give the same arguments in all calls." if path.isidentifier() else _ONE_STRUCTURE


def _argument(path: str) -> str:
    """Returns the text for a row: an argument by its name, or a part of one by its path."""
    return f"argument `{path}`" if path.isidentifier() else f"`{path}`"


def _row_change(path: str, now: Row, then: Row) -> Change | None:
    if isinstance(now, ShapedArray) or isinstance(then, ShapedArray):
        if isinstance(now, ShapedArray) and isinstance(then, ShapedArray):
            return None if now == then else _aval_change(path, then, now)
        text = f"{_argument(path)} became {_row_text(now)} from {_row_text(then)}"
        return Change(text, _ONE_STRUCTURE)
    one, two = _row_text(now), _row_text(then)
    if one != two:
        return Change(f"{_argument(path)} became {one} from {two}", _ONE_STRUCTURE)
    one, two = _text(argument_trees.own_data(now)), _text(argument_trees.own_data(then))
    if one == two:
        return None
    text = f"the static data of {_argument(path)} became {one} from {two}"
    return Change(text, "Keep in the data of a container only what rarely changes.")


def _row_text(row: Row) -> str:
    return described(row) if isinstance(row, ShapedArray) else argument_trees.kind_name(row)


def _option_changes(now: Options, before: object) -> Iterator[Change]:
    hint = "Programs are kept for each choice of these options."
    for field in fields(now):
        one, two = (getattr(each, field.name) for each in (now, before))
        if one != two:
            yield Change(f"{field.name} became {one!r} from {two!r}", hint)
            return


def _setting_changes(now: TraceKey, before: TraceKey) -> Iterator[Change]:
    hint = "Set options once, before the first call."
    for name, value, old in now.changes(before):
        if old is UNSET:
            yield Change(f"{name}, which was not there, is {_text(value)}", hint)
        else:
            yield Change(f"{name} became {_text(value)} from {_text(old)}", hint)


def _axes_text(axes: Sequence[tuple[Any, int]]) -> str:
    each = [f"{name!r} of size {size}" for name, size in axes]
    if not each:
        return "no named axis is"
    return (
        f"the named axis {each[0]} is"
        if len(each) == 1
        else f"the named axes {', '.join(each)} are"
    )

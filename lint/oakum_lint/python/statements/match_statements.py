"""`match` statements."""

from collections.abc import Iterable
from contextlib import nullcontext

from oakum_lint.domain import events
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import element_of
from oakum_lint.domain.look_ups import class_attribute, entries_of
from oakum_lint.domain.store import Key
from oakum_lint.domain.values import (
    UNKNOWN,
    Array,
    Constant,
    External,
    HeapObject,
    Items,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.models.types import MATCHED_WHOLE
from oakum_lint.python.expressions.attributes import get_attribute
from oakum_lint.python.expressions.comparisons import compare
from oakum_lint.python.expressions.conditions import decide, is_instance
from oakum_lint.python.expressions.narrowing import narrow
from oakum_lint.python.expressions.truth import asks_tracer, evaluate_test
from oakum_lint.python.objects.containers import iterate, make_list, texts_in
from oakum_lint.python.statements.assignments import bind_name
from oakum_lint.syntax import nodes

ITSELF = ""
"""In the place of an attribute: the subject itself."""


def match_statement(machine: Machine, node: nodes.Match, frame: Frame) -> bool:
    """Runs the cases that may match, each on its own path."""
    subject = machine.evaluate(node.subject, frame)
    base, guards = machine.store, frame.guards
    paths: list[dict[Key, Value]] = []
    failed = False
    for case in node.cases:
        machine.store = base.fork()
        try:
            with frame.trying() if failed else nullcontext():
                matched = match_pattern(machine, case.pattern, subject, node.subject, frame)
            # To compare it again would fail again, if the program came so far.
            failed |= matched is None and asks_tracer(subject)
            if matched is not False:
                matched = _passes_guard(machine, case, matched, frame)
            if matched is None:
                frame.guards = (*guards, f"case {_text(case, frame)}")
            if matched is not False and machine.execute(case.body, frame):
                paths.append(machine.store.since(base))
        finally:
            machine.store = base
            frame.guards = guards
        if matched:
            break
    else:
        paths.append({})
    base.merge(paths)
    return bool(paths)


def _passes_guard(
    machine: Machine, case: nodes.MatchCase, matched: bool | None, frame: Frame
) -> bool | None:
    """Whether a case whose pattern matches, or may match, is taken."""
    if case.guard is None:
        return matched
    truth = evaluate_test(machine, case.guard, frame, events.Condition, kind="match")
    if truth is False:
        return False
    narrow(machine, case.guard, True, frame)
    return matched if truth else None


def _text(case: nodes.MatchCase, frame: Frame) -> str:
    return frame.text(case.pattern)


def match_pattern(
    machine: Machine, pattern: nodes.Pattern, subject: Value, place: nodes.Node, frame: Frame
) -> bool | None:
    """Whether the subject matches, None when it is not known; binds the names of the pattern."""
    match pattern:
        case nodes.CapturePattern():
            return _match_capture(machine, pattern, subject, place, frame)
        case nodes.ValuePattern(value=node):
            return _match_value(machine, node, subject, place, frame)
        case nodes.OrPattern(alternatives=alternatives):
            results: list[bool | None] = []
            for part in alternatives:
                with frame.trying() if None in results and asks_tracer(subject) else nullcontext():
                    results.append(match_pattern(machine, part, subject, place, frame))
            return True if True in results else None if None in results else False
        case nodes.SequencePattern(elements=parts):
            return _match_sequence(machine, parts, subject, place, frame)
        case nodes.MappingPattern():
            return _match_mapping(machine, pattern, subject, place, frame)
        case nodes.ClassPattern():
            return _match_class(machine, pattern, subject, place, frame)
        case nodes.StarPattern(name=name):
            if name is not None:
                bind_name(machine, name, subject, frame, pattern)
            return True


def _match_capture(
    machine: Machine,
    pattern: nodes.CapturePattern,
    subject: Value,
    place: nodes.Node,
    frame: Frame,
) -> bool | None:
    matched: bool | None = True
    if pattern.pattern is not None:
        matched = match_pattern(machine, pattern.pattern, subject, place, frame)
    if pattern.name is not None:
        bind_name(machine, pattern.name, subject, frame, pattern)
    return matched


def _match_mapping(
    machine: Machine,
    pattern: nodes.MappingPattern,
    subject: Value,
    place: nodes.Node,
    frame: Frame,
) -> bool | None:
    if isinstance(subject, Scalar | Constant | TupleValue):
        return False
    entries = entries_of(machine, subject)
    known = isinstance(subject, HeapObject) and subject.kind == "dict" and entries.rest is None
    if pattern.rest is not None:
        bind_name(machine, pattern.rest, UNKNOWN, frame, pattern)
    pairs: list[tuple[nodes.Pattern, Value]] = []
    for key_node, part in zip(pattern.keys, pattern.patterns, strict=True):
        key = machine.evaluate(key_node, frame)
        found = entries.get(key.value) if isinstance(key, Constant) else None
        if found is None and known and isinstance(key, Constant):
            return False
        known = known and found is not None
        pairs.append((part, UNKNOWN if found is None else found))
    return _match_parts(machine, True if known else None, pairs, place, frame)


def _match_parts(
    machine: Machine,
    matched: bool | None,
    pairs: Iterable[tuple[nodes.Pattern, Value]],
    place: nodes.Node,
    frame: Frame,
) -> bool | None:
    """Whether parts of a subject match, which itself has `matched`: one after the other until one
    does not.
    """
    for part, value in pairs:
        with frame.trying() if matched is None and asks_tracer(value) else nullcontext():
            result = match_pattern(machine, part, value, place, frame)
        if result is False:
            return False
        matched = matched and result
    return matched


def _match_value(
    machine: Machine, node: nodes.Expression, subject: Value, place: nodes.Node, frame: Frame
) -> bool | None:
    value = machine.evaluate(node, frame)
    singleton = isinstance(value, Constant) and (
        value.value is None or isinstance(value.value, bool)
    )
    result = compare(machine, "is" if singleton else "==", subject, value, node, frame)
    if asks_tracer(result):
        machine.emit(events.Condition, frame, node, result, place, kind="match")
        return None
    return decide(machine, result)


def _match_sequence(
    machine: Machine,
    parts: tuple[nodes.Pattern, ...],
    subject: Value,
    place: nodes.Node,
    frame: Frame,
) -> bool | None:
    match subject:
        case Scalar() | Constant() | Array() | HeapObject(kind="dict" | "set"):
            return False
        case HeapObject(kind="iterator" | "generator"):
            return False
        case _:
            pass
    items = iterate(machine, subject, frame, place)
    starred = any(isinstance(part, nodes.StarPattern) for part in parts)
    known = items.elements is not None and isinstance(subject, TupleValue | HeapObject)
    if not known:
        items = Items(None, element_of(items))
    elif not _fits(len(items.elements or ()), len(parts), starred):
        return False
    return _match_parts(
        machine, True if known else None, _placed(machine, parts, items, frame), place, frame
    )


def _placed(
    machine: Machine, parts: tuple[nodes.Pattern, ...], items: Items, frame: Frame
) -> Iterable[tuple[nodes.Pattern, Value]]:
    """The patterns of a sequence, each with the item that it is matched with."""
    star = next((n for n, p in enumerate(parts) if isinstance(p, nodes.StarPattern)), len(parts))
    for position, part in enumerate(parts):
        if items.elements is None:
            element = element_of(items)
            starred = isinstance(part, nodes.StarPattern)
            yield part, make_list(machine, None, element, frame) if starred else element
        elif position == star:
            behind = len(parts) - star - 1
            middle = items.elements[star : len(items.elements) - behind]
            yield part, make_list(machine, middle, UNKNOWN, frame)
        else:
            yield part, items.elements[position if position < star else position - len(parts)]


def _fits(length: int, parts: int, starred: bool) -> bool:
    return length >= parts - 1 if starred else length == parts


def _match_class(
    machine: Machine,
    pattern: nodes.ClassPattern,
    subject: Value,
    place: nodes.Node,
    frame: Frame,
) -> bool | None:
    cls = machine.evaluate(pattern.cls, frame)
    fits = is_instance(machine, subject, cls)
    if fits is False:
        return False
    names: list[str | None] = [*_positional_names(machine, cls, len(pattern.positional))]
    names.extend(pattern.keyword_names)
    parts = (*pattern.positional, *pattern.keyword_patterns)
    pairs: list[tuple[nodes.Pattern, Value]] = []
    for name, part in zip(names, parts, strict=True):
        if name == ITSELF:
            value = subject
        else:
            value = UNKNOWN
            if name is not None and isinstance(subject, HeapObject | TupleValue | Array):
                value = get_attribute(machine, subject, name, frame, place)
        pairs.append((part, value))
    return _match_parts(machine, fits, pairs, place, frame)


def _positional_names(machine: Machine, cls: Value, count: int) -> Iterable[str | None]:
    """The attributes that the first patterns in a class pattern are for: those that its
    `__match_args__` names, which dataclasses and named tuples have by themselves; None where they
    are unknown.
    """
    names: list[str | None] = []
    if isinstance(cls, External) and cls.path in MATCHED_WHOLE:
        names.append(ITSELF)
    elif isinstance(cls, ClassValue):
        own = class_attribute(machine, cls, "__match_args__")
        names.extend(cls.positional_fields if own is None else texts_in(machine, own))
    return [*names, *(None for _ in range(count))][:count]

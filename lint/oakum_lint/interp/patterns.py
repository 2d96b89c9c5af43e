"""`match` statements."""

from contextlib import nullcontext

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.assignments import bind_name
from oakum_lint.interp.comparisons import compare
from oakum_lint.interp.conditions import decide, instance_of, type_paths
from oakum_lint.interp.containers import entries_of, iterate
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.joins import element_of, join_all
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.narrowing import narrow
from oakum_lint.interp.store import Key
from oakum_lint.interp.truth import asks_tracer, evaluate_test
from oakum_lint.interp.values import UNKNOWN, Constant, HeapObject, Scalar, TupleValue, Value


def match_statement(machine: Machine, node: nodes.Match, frame: Frame) -> bool:
    """Runs the cases that may match, each on its own path."""
    subject = machine.evaluate(node.subject, frame)
    base, guards = machine.store, frame.guards
    paths: list[dict[Key, Value]] = []
    exhausted = failed = False
    for case in node.cases:
        machine.store = base.fork()
        try:
            with frame.trying() if failed else nullcontext():
                matched = match_pattern(machine, case.pattern, subject, node.subject, frame)
            # To compare it again would fail again, if the program came so far.
            failed |= matched is None and asks_tracer(subject)
            if matched is False:
                continue
            if case.guard is not None:
                truth = evaluate_test(machine, case.guard, frame, events.Condition, kind="match")
                if truth is False:
                    continue
                matched = matched if truth else None
                narrow(machine, case.guard, True, frame)
            if matched is None:
                frame.guards = (*guards, f"case {_text(case, frame)}")
            if machine.execute(case.body, frame):
                paths.append(machine.store.since(base))
            if matched:
                exhausted = True
                break
        finally:
            machine.store = base
            frame.guards = guards
    if not exhausted:
        paths.append({})
    base.merge(paths)
    return bool(paths)


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
            _bind_mapping(machine, pattern, subject, place, frame)
            return None
        case nodes.ClassPattern():
            return _match_class(machine, pattern, subject, place, frame)
        case nodes.StarPattern(name=name):
            if name is not None:
                bind_name(machine, name, UNKNOWN, frame, pattern)
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


def _bind_mapping(
    machine: Machine,
    pattern: nodes.MappingPattern,
    subject: Value,
    place: nodes.Node,
    frame: Frame,
) -> None:
    entries = entries_of(machine, subject)
    for key_node, part in zip(pattern.keys, pattern.patterns, strict=True):
        key = machine.evaluate(key_node, frame)
        found = entries.get(key.value) if isinstance(key, Constant) else None
        match_pattern(machine, part, UNKNOWN if found is None else found, place, frame)
    if pattern.rest is not None:
        bind_name(machine, pattern.rest, UNKNOWN, frame, pattern)


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
    if isinstance(subject, Scalar | Constant):
        return False
    items = iterate(machine, subject, frame, place)
    starred = any(isinstance(part, nodes.StarPattern) for part in parts)
    elements = items.elements
    known = elements is not None and isinstance(subject, TupleValue | HeapObject)
    if known and not _fits(len(elements or ()), len(parts), starred):
        return False
    results: list[bool | None] = []
    for position, part in enumerate(parts):
        value = element_of(items) if elements is None or starred else elements[position]
        if starred and elements is not None:
            value = join_all(elements)
        results.append(match_pattern(machine, part, value, place, frame))
    if False in results:
        return False
    return True if known and None not in results else None


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
    is_instance = instance_of(machine, subject, type_paths(cls))
    if is_instance is False:
        return False
    values: list[Value] = [UNKNOWN] * len(pattern.positional)
    if len(values) == 1 and isinstance(subject, Scalar | Constant):
        values = [subject]
    matched = is_instance
    for part, value in zip(pattern.positional, values, strict=True):
        if match_pattern(machine, part, value, place, frame) is not True:
            matched = None
    for name, part in zip(pattern.keyword_names, pattern.keyword_patterns, strict=True):
        value = UNKNOWN
        if isinstance(subject, HeapObject):
            value = machine.read(subject, name) or UNKNOWN
        if match_pattern(machine, part, value, place, frame) is not True:
            matched = None
    return matched

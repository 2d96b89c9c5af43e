"""Statements: assignment, branching, loops, exceptions, imports. Definitions have their own
module.
"""

from collections.abc import Sequence

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.assignments import assign, delete, set_item
from oakum_lint.interp.containers import content_of, entries_of, iterate, merged
from oakum_lint.interp.contexts import called_name, with_statement
from oakum_lint.interp.definitions import define_class, define_function
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.impurity import check_increment
from oakum_lint.interp.joins import element_of, join_all
from oakum_lint.interp.leaks import check_store, find_tracer
from oakum_lint.interp.loop_statements import (
    break_statement,
    continue_statement,
    for_statement,
    while_statement,
)
from oakum_lint.interp.machine import Machine, StatementExecutor
from oakum_lint.interp.names import binding_scope
from oakum_lint.interp.narrowing import narrow
from oakum_lint.interp.operators import SPECIAL, binary, call_special
from oakum_lint.interp.patterns import match_statement
from oakum_lint.interp.store import CONTENT, Key, Store
from oakum_lint.interp.subscripts import get_item
from oakum_lint.interp.truth import evaluate_test
from oakum_lint.interp.values import (
    NONE,
    UNKNOWN,
    Array,
    HeapObject,
    Items,
    Place,
    TupleValue,
    Value,
)

EXPECTED_ERRORS = frozenset(
    {
        "Exception",
        "BaseException",
        "TypeError",
        "ConcretizationTypeError",
        "TracerBoolConversionError",
        "TracerIntegerConversionError",
        "TracerArrayConversionError",
        "NonConcreteBooleanIndexError",
        "UnexpectedTracerError",
        "JAXTypeError",
        "JAXIndexError",
    }
)
"""Handlers of these expect what is reported here: their `try` body is not reported."""
MISFIT_ERRORS = frozenset({"ValueError", "IndexError", "LookupError", "ArithmeticError"})
"""Handlers of these expect operands that do not fit, and no other error of tracing."""


def expression_statement(machine: Machine, node: nodes.ExpressionStatement, frame: Frame) -> bool:
    """Runs an expression for its effects."""
    machine.evaluate(node.value, frame)
    return True


def assignment(machine: Machine, node: nodes.Assignment, frame: Frame) -> bool:
    """Runs `target = value`."""
    value = machine.evaluate(node.value, frame)
    for target in node.targets:
        if isinstance(node.value, nodes.BinaryOperation):
            _check_own_increment(machine, target, node.value, value, frame)
        assign(machine, target, value, frame)
        held = isinstance(node.value, nodes.Name | nodes.Attribute | nodes.Subscript)
        if held and isinstance(target, nodes.Name):
            scope = binding_scope(machine, target.identifier, frame)
            machine.copies[(scope, target.identifier)] = None
    return True


def _check_own_increment(
    machine: Machine,
    target: nodes.Expression,
    computed: nodes.BinaryOperation,
    value: Value,
    frame: Frame,
) -> None:
    """`self.n = self.n + 1`, `counts[key] = counts.get(key, 0) + 1`."""
    match target:
        case nodes.Attribute() if frame.text(target) in frame.text(computed):
            owner = machine.evaluate(target.value, frame)
            old = machine.evaluate(target, frame)
        case nodes.Subscript() if frame.text(target.value) in frame.text(computed):
            owner, old = machine.evaluate(target.value, frame), value
        case _:
            return
    check_increment(machine, owner, old, value, frame, target)


def augmented_assignment(machine: Machine, node: nodes.AugmentedAssignment, frame: Frame) -> bool:
    """Runs `target += value` and its kin."""
    spelled = f"{node.operator}="
    if isinstance(node.target, nodes.Subscript):
        owner = machine.evaluate(node.target.value, frame)
        index = machine.evaluate(node.target.index, frame)
        value = machine.evaluate(node.value, frame)
        if isinstance(owner, Array) and owner.place is not Place.HOST:
            set_item(machine, owner, index, value, frame, node.target, spelled)
            return True
        old = get_item(machine, owner, index, frame, node.target)
        new = binary(machine, node.operator, old, value, node.target, frame)
        check_increment(machine, owner, old, new, frame, node.target)
        set_item(machine, owner, index, new, frame, node.target, spelled)
        return True
    old = machine.evaluate(node.target, frame)
    value = machine.evaluate(node.value, frame)
    if isinstance(old, HeapObject) and old.kind == "list" and node.operator == "+":
        _extend_in_place(machine, old, value, frame, node)
        return True
    if isinstance(old, HeapObject) and old.kind == "dict" and node.operator == "|":
        added = entries_of(machine, value)
        stored = TupleValue(None, element_of(added))
        check_store(machine, old, stored, "|=", frame, node.target)
        machine.write(old, CONTENT, merged(entries_of(machine, old), added))
        return True
    if isinstance(old, HeapObject) and old.kind == "instance":
        changed = call_special(
            machine, old, f"__i{SPECIAL[node.operator]}__", (value,), node, frame
        )
        if changed is not None:
            assign(machine, node.target, changed, frame, spelled)
            return True
    new = binary(machine, node.operator, old, value, node.target, frame)
    if isinstance(node.target, nodes.Attribute):
        owner = machine.evaluate(node.target.value, frame)
        check_increment(machine, owner, old, new, frame, node.target)
    assign(machine, node.target, new, frame, spelled)
    return True


def _extend_in_place(
    machine: Machine, owner: HeapObject, value: Value, frame: Frame, node: nodes.AugmentedAssignment
) -> None:
    items = iterate(machine, value, frame, node.value)
    check_store(machine, owner, TupleValue(items.elements, items.rest), "+=", frame, node.target)
    old = content_of(machine, owner)
    if old.elements is not None and items.elements is not None:
        machine.write(owner, CONTENT, Items(old.elements + items.elements))
    else:
        machine.write(owner, CONTENT, Items(None, join_all((element_of(old), element_of(items)))))


def annotated_assignment(machine: Machine, node: nodes.AnnotatedAssignment, frame: Frame) -> bool:
    """Runs `target: annotation = value`."""
    if node.value is not None:
        assign(machine, node.target, machine.evaluate(node.value, frame), frame)
    return True


def return_statement(machine: Machine, node: nodes.Return, frame: Frame) -> bool:
    """Runs `return`: the path ends."""
    value = NONE if node.value is None else machine.evaluate(node.value, frame)
    if frame.function is not None and frame.function.cached and node.value is not None:
        _check_cached_result(machine, value, node.value, frame)
    frame.returns.append(value)
    frame.exits.append(machine.written_in(frame))
    return False


def _check_cached_result(
    machine: Machine, value: Value, node: nodes.Expression, frame: Frame
) -> None:
    """A cache outlives every trace: a tracer that a cached function returns is kept in it."""
    function = frame.function
    tracer = find_tracer(machine, value, 0) if function is not None else None
    if function is not None and tracer is not None:
        machine.emit(
            events.Leak, frame, node, tracer, node, kind="cache", target=function.name, how="return"
        )


def if_statement(machine: Machine, node: nodes.If, frame: Frame) -> bool:
    # A long elif chain is nested in `orelse`: follow it in a loop, one path per branch.
    """Runs both branches, or the one that is taken where the test is known."""
    paths: list[dict[Key, Value]] = []
    base, guards = machine.store, frame.guards
    returned = len(frame.returns)
    machine.store = base.fork()
    ended_by_return = False
    current, first = node, True
    try:
        while True:
            kind = "if" if first else "elif"
            truth = evaluate_test(machine, current.test, frame, events.Condition, kind=kind)
            if truth is not False:
                if truth is None:
                    frame.guards = (*guards, frame.text(current.test))
                path = _branch(machine, current.test, True, current.body, frame, base)
                if path is not None:
                    paths.append(path)
                ended_by_return |= path is None and len(frame.returns) > returned
                returned = len(frame.returns)
            if truth is True:
                break
            narrow(machine, current.test, False, frame)
            if truth is None:
                guards_after = (*guards, f"not ({frame.text(current.test)})")
                frame.guards = guards_after if current.orelse else guards
            if len(current.orelse) == 1 and isinstance(current.orelse[0], nodes.If):
                current, first = current.orelse[0], False
                continue
            if machine.execute(current.orelse, frame):
                paths.append(machine.store.since(base))
            else:
                ended_by_return |= len(frame.returns) > returned
            break
    finally:
        machine.store = base
        frame.guards = guards
    base.merge(paths)
    if ended_by_return and paths:
        # What follows runs only where the branch that returned was not taken.
        frame.guards = (*guards, f"not ({frame.text(node.test)})")
    return bool(paths)


def _branch(
    machine: Machine,
    test: nodes.Expression,
    outcome: bool,
    block: Sequence[nodes.Statement],
    frame: Frame,
    base: Store,
) -> dict[Key, Value] | None:
    """Runs a branch on its own path; what it wrote since `base`, or None if its end is not
    reached.
    """
    before = machine.store
    machine.store = before.fork()
    try:
        narrow(machine, test, outcome, frame)
        if machine.execute(block, frame):
            return machine.store.since(base)
        return None
    finally:
        machine.store = before


def try_statement(machine: Machine, node: nodes.Try, frame: Frame) -> bool:
    """Runs `try`: each handler may start anywhere in the body."""
    expects = any(_expects(handler, EXPECTED_ERRORS) for handler in node.handlers)
    lenient = any(_expects(handler, MISFIT_ERRORS) for handler in node.handlers)
    base = machine.store
    paths: list[dict[Key, Value]] = []
    frame.quiet += expects
    frame.lenient += lenient
    machine.store = base.fork()
    body_ends = machine.execute(node.body, frame)
    frame.quiet -= expects
    frame.lenient -= lenient
    after_body = machine.store.since(base)
    if body_ends and machine.execute(node.orelse, frame):
        paths.append(machine.store.since(base))
    machine.store = base
    guards = frame.guards
    for handler in node.handlers:
        # Whether a handler runs, nothing here decides.
        caught = "except" if handler.type is None else f"except {frame.text(handler.type)}"
        frame.guards = (*guards, caught)
        machine.store = base.fork()
        # The exception may come at any point of the body.
        machine.store.merge([after_body, {}])
        if handler.type is not None:
            machine.evaluate(handler.type, frame)
        if handler.name is not None:
            machine.write(frame.scope, handler.name, UNKNOWN)
        if machine.execute(handler.body, frame):
            paths.append(machine.store.since(base))
        machine.store = base
    frame.guards = guards
    base.merge(paths)
    falls_through = bool(paths)
    if node.final:
        falls_through = machine.execute(node.final, frame) and falls_through
    return falls_through


def _expects(handler: nodes.Handler, errors: frozenset[str]) -> bool:
    if handler.type is None:
        return True
    types = handler.type.elements if isinstance(handler.type, nodes.Display) else (handler.type,)
    return any(called_name(node) in errors for node in types)


def raise_statement(machine: Machine, node: nodes.Raise, frame: Frame) -> bool:
    """Runs `raise`: the path ends."""
    for part in (node.value, node.cause):
        if part is not None:
            machine.evaluate(part, frame)
    return False


def assert_statement(machine: Machine, node: nodes.Assert, frame: Frame) -> bool:
    """Runs `assert`."""
    truth = evaluate_test(machine, node.test, frame, events.Condition, kind="assert")
    narrow(machine, node.test, True, frame)
    return truth is not False


def delete_statement(machine: Machine, node: nodes.Delete, frame: Frame) -> bool:
    """Runs `del`: what was deleted is not forgotten, a later use would fail on its own."""
    for target in node.targets:
        delete(machine, target, frame)
    return True


def scope_declaration(machine: Machine, node: nodes.ScopeDeclaration, frame: Frame) -> bool:
    """Runs `global` and `nonlocal`."""
    for name in node.names:
        frame.scope.declared[name] = node.kind
    return True


def pass_statement(machine: Machine, node: nodes.Pass, frame: Frame) -> bool:
    """Runs `pass`."""
    return True


def import_statement(machine: Machine, node: nodes.Import, frame: Frame) -> bool:
    """Runs `import a.b as c`."""
    for name in node.names:
        if name.bound is not None:
            value = machine.project.import_path(machine, frame.module, name.path)
            machine.write(frame.scope, name.bound, value)
        else:
            machine.project.import_path(machine, frame.module, name.path)
            top = name.path.split(".")[0]
            machine.write(frame.scope, top, machine.project.import_path(machine, frame.module, top))
    return True


def import_from(machine: Machine, node: nodes.ImportFrom, frame: Frame) -> bool:
    """Runs `from a import b`."""
    module = machine.project.resolve_relative(frame.module, node.module, node.level)
    for name in node.names:
        if name.path == "*":
            source = machine.project.find_module(frame.module, module)
            for bound, value in machine.star_names(source) if source is not None else ():
                machine.write(frame.scope, bound, value)
            continue
        value = machine.project.import_from(machine, frame.module, module, name.path)
        machine.write(frame.scope, name.bound or name.path, value)
    return True


STATEMENTS: dict[type[nodes.Node], StatementExecutor] = {
    nodes.ExpressionStatement: expression_statement,
    nodes.Assignment: assignment,
    nodes.AugmentedAssignment: augmented_assignment,
    nodes.AnnotatedAssignment: annotated_assignment,
    nodes.Return: return_statement,
    nodes.If: if_statement,
    nodes.For: for_statement,
    nodes.While: while_statement,
    nodes.Break: break_statement,
    nodes.Continue: continue_statement,
    nodes.With: with_statement,
    nodes.Try: try_statement,
    nodes.Raise: raise_statement,
    nodes.Assert: assert_statement,
    nodes.Delete: delete_statement,
    nodes.ScopeDeclaration: scope_declaration,
    nodes.Pass: pass_statement,
    nodes.Import: import_statement,
    nodes.ImportFrom: import_from,
    nodes.FunctionDefinition: define_function,
    nodes.ClassDefinition: define_class,
    nodes.Match: match_statement,
}

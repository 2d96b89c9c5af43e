"""Statements: assignment, branching, loops, exceptions, imports. Definitions have their own
module.
"""

from collections.abc import Sequence
from functools import partial

from oakum_lint.domain import events
from oakum_lint.domain.callables import ModuleValue
from oakum_lint.domain.doubts import note_stop, pass_stop_on, stopped_by
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import cache
from oakum_lint.domain.names import called_name
from oakum_lint.domain.parts import StatementExecutor
from oakum_lint.domain.store import Key, StopReason, Store
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Value,
)
from oakum_lint.models.errors import EXPECTED_ERRORS, LEAK_ERRORS, MISFIT_ERRORS
from oakum_lint.models.packages import has_module, is_gone
from oakum_lint.python.expressions.failures import is_refused
from oakum_lint.python.expressions.narrowing import narrow
from oakum_lint.python.expressions.truth import check_replaced, evaluate_test
from oakum_lint.python.statements.assignment_statements import (
    annotated_assignment,
    assignment,
    augmented_assignment,
)
from oakum_lint.python.statements.assignments import delete
from oakum_lint.python.statements.contexts import with_statement
from oakum_lint.python.statements.definitions import define_class, define_function
from oakum_lint.python.statements.loop_statements import (
    break_statement,
    continue_statement,
    for_statement,
    while_statement,
)
from oakum_lint.python.statements.match_statements import match_statement
from oakum_lint.python.statements.modules import import_all, run_module
from oakum_lint.python.statements.unwinding import (
    count_jumps,
    never_returns,
    run_after_jumps,
    run_after_leaving,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk
from oakum_lint.text.expressions import asks_for_missing, asks_for_present


def expression_statement(machine: Machine, node: nodes.ExpressionStatement, frame: Frame) -> bool:
    """Runs an expression for its effects: the path ends where that is a call that never returns."""
    value = machine.evaluate(node.value, frame)
    for hears in machine.moments.dropped:
        hears(machine, value, frame, node.value)
    return not (isinstance(node.value, nodes.Call) and never_returns(machine, node.value, frame))


def return_statement(machine: Machine, node: nodes.Return, frame: Frame) -> bool:
    """Runs `return`: the path ends."""
    value = NONE if node.value is None else machine.evaluate(node.value, frame)
    if (
        frame.called.function is not None
        and frame.called.function.cached
        and node.value is not None
    ):
        cache(machine, None, frame.called.function, value, frame, node.value)
    frame.flow.returns.append(value)
    frame.flow.exits.append(machine.written_in(frame))
    return False


def if_statement(machine: Machine, node: nodes.If, frame: Frame) -> bool:
    # A long elif chain is nested in `orelse`: follow it in a loop, one path per branch.
    """Runs both branches, or the one that is taken where the test is known."""
    paths: list[dict[Key, Value]] = []
    base, guards = machine.store, frame.guards
    returned = len(frame.flow.returns)
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
                path = _branch(machine, current.test, truth, current.body, frame, base)
                frame.guards = guards
                if path is not None:
                    paths.append(path)
                    _check_default(machine, current.test, path, frame)
                ended_by_return |= path is None and len(frame.flow.returns) > returned
                returned = len(frame.flow.returns)
            else:
                _note_missing(current, frame)
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
                ended_by_return |= len(frame.flow.returns) > returned
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
    truth: bool | None,
    block: Sequence[nodes.Statement],
    frame: Frame,
    base: Store,
) -> dict[Key, Value] | None:
    """Runs the branch of a test that is true, or may be, on its own path; what it wrote since
    `base`, or None if its end is not reached.
    """
    before, firsts = machine.store, frame.regions.firsts
    machine.store = before.fork()
    frame.regions.firsts += truth is True and (
        asks_for_missing(frame.text(test)) or _decides_once(test, block)
    )
    try:
        narrow(machine, test, True, frame)
        if machine.execute(block, frame):
            return machine.store.since(base)
        return None
    finally:
        machine.store = before
        frame.regions.firsts = firsts


def _decides_once(test: nodes.Expression, block: Sequence[nodes.Statement]) -> bool:
    """Whether a branch assigns an attribute that its test asks for: a flag that says that something
    was made.
    """
    asked = {each.attribute for each in walk((test,)) if isinstance(each, nodes.Attribute)}
    return any(
        isinstance(target, nodes.Attribute) and target.attribute in asked
        for statement in (block if asked else ())
        if isinstance(statement, nodes.Assignment)
        for target in statement.targets
    )


def _check_default(
    machine: Machine, test: nodes.Expression, path: dict[Key, Value], frame: Frame
) -> None:
    """Asks what a branch has put in the place of a name that `if not name:` found to be missing."""
    match test:
        case nodes.UnaryOperation(operator="not", operand=nodes.Name(identifier=name) as asked):
            for (_, written), default in path.items():
                if written == name:
                    before = machine.evaluate(asked, frame)
                    check_replaced(machine, before, default, "not", frame, asked)
        case _:
            pass


def _note_missing(node: nodes.If, frame: Frame) -> None:
    """Notes that what was made before would have been returned here."""
    if frame.called.function is not None and isinstance(node.body[-1], nodes.Return):
        frame.regions.firsts += asks_for_present(frame.text(node.test))


def try_statement(machine: Machine, node: nodes.Try, frame: Frame) -> bool:
    """Runs `try`: each handler may start anywhere in the body."""
    keeping = [handler for handler in node.handlers if not _hands_on(handler)]
    expects = any(handler.type and _expects(handler, LEAK_ERRORS) for handler in keeping)
    catches = any(_expects(handler, EXPECTED_ERRORS) for handler in keeping)
    lenient = any(_expects(handler, MISFIT_ERRORS) for handler in keeping)
    base, left, jumped = machine.store, len(frame.flow.exits), count_jumps(frame)
    final = partial(_run_final, machine, node, frame, left, len(frame.flow.returns))
    paths: list[dict[Key, Value]] = []
    regions = frame.regions
    outer = regions.guards_of_try, regions.raised, regions.until
    end = (node.orelse or node.body)[-1].end
    regions.quiet += expects
    regions.caught += catches
    regions.lenient += lenient
    begun = frame.guards
    regions.guards_of_try, regions.raised = len(begun), False
    regions.until = end if keeping else regions.until
    machine.store = base.fork()
    body_ends = machine.execute(node.body, frame) and not (catches and regions.raised)
    regions.quiet -= expects
    regions.caught -= catches
    regions.lenient -= lenient
    regions.guards_of_try, regions.raised, regions.until = outer
    stopped = stopped_by(machine, frame, begun, end) if keeping else ""
    after_body, handled, leaves = machine.store.since(base), False, False
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
        exits, jumps = len(frame.flow.exits), count_jumps(frame)
        if machine.execute(handler.body, frame):
            paths.append(machine.store.since(base))
            handled = True
        leaves |= len(frame.flow.exits) > exits or count_jumps(frame) > jumps
        machine.store = base
    frame.guards = guards
    if stopped not in ("", "tracer") and not handled:
        _note_left(machine, frame, node, stopped, leaves)
    base.merge(paths)
    if node.final:
        run_after_jumps(machine, jumped, frame, final)
    if node.final and not paths and len(frame.flow.exits) > left:
        run_after_leaving(machine, left, frame, final)
        return False
    return (not node.final or final()) and bool(paths)


def _note_left(
    machine: Machine, frame: Frame, node: nodes.Try, reason: StopReason, leaves: bool
) -> None:
    """Notes that nothing behind a `try` runs whose body raises, or likely does: each handler
    raises, or `leaves`: where one returns, or goes on with the loop, callers and what follows the
    loop are reached all the same.
    """
    regions, until = frame.regions, frame.regions.until
    if leaves:
        end = _end_of_iteration(frame)
        regions.until = min(end, until) if until else end
    pass_stop_on(machine, frame, node, reason)
    regions.until = until


def _end_of_iteration(frame: Frame) -> int:
    """Where the innermost loop of an activation ends, or all that it runs."""
    if frame.flow.loops:
        return frame.flow.loops[-1].span[1]
    function = frame.called.function
    return len(frame.unit.text) if function is None else function.definition.end


def _run_final(machine: Machine, node: nodes.Try, frame: Frame, left: int, returned: int) -> bool:
    """Runs `finally`; what it returns takes the place of what the paths before it do, whose exits
    are those from number `left` on and whose results those from number `returned` on.
    """
    flow = frame.flow
    exits, returns = len(flow.exits), len(flow.returns)
    falls_through = machine.execute(node.final, frame)
    if not falls_through and len(flow.returns) > returns:
        del flow.exits[left:exits], flow.returns[returned:returns]
    return falls_through


def _hands_on(handler: nodes.Handler) -> bool:
    """Whether a handler raises in the end what it has caught."""
    last = handler.body[-1]
    return isinstance(last, nodes.Raise) and last.value is None


def _expects(handler: nodes.Handler, errors: frozenset[str]) -> bool:
    """Whether a handler takes one of these errors."""
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
    """Runs `import a.b as c`, and the module: it may add to what other modules hold."""
    for name in node.names:
        value = machine.project.import_path(machine, frame.module, name.path)
        _check_import(machine, value, not has_module(name.path), name.path, frame, node)
        if name.bound is not None:
            machine.write(frame.scope, name.bound, value)
        else:
            top = machine.project.import_package(frame.module, name.path)
            machine.write(frame.scope, name.path.partition(".")[0], top)
    return True


def import_from(machine: Machine, node: nodes.ImportFrom, frame: Frame) -> bool:
    """Runs `from a import b`, and `b` where it is a module: it may add to what others hold."""
    module = machine.project.resolve_relative(frame.module, node.module, node.level)
    for name in node.names:
        if name.path == "*":
            source = machine.project.find_module(frame.module, module)
            if source is not None:
                import_all(machine, source, frame.scope)
            continue
        value = machine.project.import_from(machine, frame.module, module, name.path)
        path, is_lost = f"{module}.{name.path}", not has_module(module)
        _check_import(machine, value, is_lost, path, frame, node)
        machine.write(frame.scope, name.bound or name.path, value)
    return True


def _check_import(
    machine: Machine, value: Value, is_lost: bool, path: str, frame: Frame, node: nodes.Node
) -> None:
    """Runs a module that is imported, and notes where the import certainly fails: JAX does not have
    the name, or what the module does raises.
    """
    if isinstance(value, ModuleValue):
        run_module(machine, value.module)
        scope = value.module.scope
        if stopped_by(machine, Frame(scope, frame.unit, value.module, None), ()) == "any":
            pass_stop_on(machine, frame, node)
    elif is_lost or is_gone(path) or is_refused(path):
        note_stop(machine, frame, node)


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

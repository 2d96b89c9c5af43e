"""Expressions: names, displays, operators, comprehensions, strings. Calls, attributes and subscripts have their own modules."""

from oakum_lint.facts import nodes
from oakum_lint.interp import events
from oakum_lint.interp.assignments import assign
from oakum_lint.interp.conditions import decide, narrow, refine
from oakum_lint.interp.containers import entries_of, iterate, make_dict, make_list
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.names import look_up
from oakum_lint.interp.operators import binary, call_special, compare, contains, invert, negate
from oakum_lint.interp.truth import asked_value, asks_tracer, evaluate_test
from oakum_lint.interp.values import (
    BOOL,
    FALSE,
    MAX_ELEMENTS,
    STR,
    TRUE,
    UNKNOWN,
    Array,
    Constant,
    Entries,
    FunctionValue,
    HeapObject,
    Scalar,
    Scope,
    SliceValue,
    Tree,
    TupleValue,
    Value,
    hashed_tracer,
    is_tracer,
    join,
    join_all,
)


def constant(machine: Machine, node: nodes.Constant, frame: Frame) -> Value:
    return Constant(node.value)


def name(machine: Machine, node: nodes.Name, frame: Frame) -> Value:
    return look_up(machine, node.identifier, frame)


def binary_operation(machine: Machine, node: nodes.BinaryOperation, frame: Frame) -> Value:
    # Long sums lean to the left, thousands deep: walk down the spine without recursion.
    spine: list[nodes.BinaryOperation] = []
    leftmost: nodes.Expression = node
    while isinstance(leftmost, nodes.BinaryOperation):
        spine.append(leftmost)
        leftmost = leftmost.left
    left = machine.evaluate(leftmost, frame)
    for operation in reversed(spine):
        right = machine.evaluate(operation.right, frame)
        result = binary(machine, operation.operator, left, right, operation, frame)
        if isinstance(result, Array) and operation.operator != "+":
            refine(machine, operation.left, left, frame)
            refine(machine, operation.right, right, frame)
        left = result
    return left


def unary_operation(machine: Machine, node: nodes.UnaryOperation, frame: Frame) -> Value:
    operand = machine.evaluate(node.operand, frame)
    if isinstance(operand, HeapObject) and operand.kind == "instance" and node.operator != "not":
        names = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}
        found = call_special(machine, operand, names[node.operator], (), node, frame)
        return UNKNOWN if found is None else found
    match node.operator:
        case "not":
            operand = asked_value(machine, operand, node, frame)
            truth = decide(machine, operand)
            if truth is None and asks_tracer(operand):
                machine.emit(events.BooleanUse, frame, node, operand, node.operand, construct="not")
                return UNKNOWN
            if truth is None:
                return BOOL
            return FALSE if truth else TRUE
        case "-":
            refine(machine, node.operand, operand, frame)
            return negate(operand)
        case "+":
            return operand
        case _:
            return invert(operand)


def boolean_operation(machine: Machine, node: nodes.BooleanOperation, frame: Frame) -> Value:
    results: list[Value] = []
    base = machine.store
    guards = frame.guards
    try:
        for index, operand in enumerate(node.operands):
            value = machine.evaluate(operand, frame)
            if index == len(node.operands) - 1:
                results.append(value)
                break
            asked = asked_value(machine, value, operand, frame)
            truth = decide(machine, asked)
            if truth is None:
                if asks_tracer(asked):
                    machine.emit(
                        events.BooleanUse, frame, node, value, operand, construct=node.operator
                    )
                    return UNKNOWN
                results.append(value)
                # What follows is evaluated only on one side of this test.
                if machine.store is base:
                    machine.store = base.fork()
                narrow(machine, operand, node.operator == "and", frame)
                frame.guards = (*guards, frame.text(operand))
            elif truth == (node.operator == "or"):
                results.append(value)
                break
    finally:
        if machine.store is not base:
            written = machine.store.since(base)
            machine.store = base
            base.merge([written, {}])
        frame.guards = guards
    return join_all(tuple(results))


def comparison(machine: Machine, node: nodes.Comparison, frame: Frame) -> Value:
    left_node: nodes.Expression = node.left
    left = machine.evaluate(left_node, frame)
    result: Value | None = None
    for operator, right_node in zip(node.operators, node.comparators, strict=True):
        right = machine.evaluate(right_node, frame)
        if operator in ("in", "not in"):
            value = contains(machine, operator, left, right, node, left_node, right_node, frame)
        else:
            value = compare(machine, operator, left, right, node, frame)
            if isinstance(value, Array) and operator not in ("==", "!=", "is", "is not"):
                refine(machine, left_node, left, frame)
                refine(machine, right_node, right, frame)
        if result is None:
            result = value
            if len(node.operators) > 1 and asks_tracer(value):
                machine.emit(
                    events.BooleanUse, frame, node, value, node, construct="chained comparison"
                )
                result = UNKNOWN
        else:
            result = join(result, value)
        left, left_node = right, right_node
    return result if result is not None else UNKNOWN


def conditional(machine: Machine, node: nodes.Conditional, frame: Frame) -> Value:
    kind = "conditional expression"
    truth = evaluate_test(machine, node.test, frame, events.Condition, kind=kind)
    if truth is not None:
        # Narrow here too: a name known only as a choice becomes what the branch may use.
        narrow(machine, node.test, truth, frame)
        return machine.evaluate(node.body if truth else node.orelse, frame)
    guards = frame.guards
    values: list[Value] = []
    paths = []
    for outcome, branch in ((True, node.body), (False, node.orelse)):

        def run(outcome: bool = outcome, branch: nodes.Expression = branch) -> bool:
            narrow(machine, node.test, outcome, frame)
            values.append(machine.evaluate(branch, frame))
            return True

        frame.guards = (*guards, frame.text(node.test))
        _, written = machine.run_path(run)
        paths.append(written)
        frame.guards = guards
    machine.store.merge(paths)
    return join_all(tuple(values))


def display(machine: Machine, node: nodes.Display, frame: Frame) -> Value:
    elements: list[Value] = []
    rest: Value | None = None
    for element in node.elements:
        if isinstance(element, nodes.Starred):
            value = machine.evaluate(element.value, frame)
            items = iterate(machine, value, frame, element.value)
            if items.elements is not None and rest is None:
                elements.extend(items.elements)
            else:
                rest = items.element() if rest is None else join(rest, items.element())
        else:
            value = machine.evaluate(element, frame)
            elements.append(value)
    known = None if rest is not None or len(elements) > MAX_ELEMENTS else tuple(elements)
    if known is None:
        rest = join_all((*elements, *(() if rest is None else (rest,))))
    if node.kind == "tuple":
        return TupleValue(known, rest or UNKNOWN)
    if node.kind == "set":
        for element, value in zip(node.elements, elements, strict=False):
            check_hash(machine, value, element, frame, "set")
    return make_list(machine, known, rest or UNKNOWN, frame, node.kind)


def check_hash(
    machine: Machine, value: Value, node: nodes.Node, frame: Frame, construct: str
) -> bool:
    """Reports a tracer that is hashed; whether it was one."""
    tracer = hashed_tracer(value)
    if tracer is not None:
        machine.emit(events.HashUse, frame, node, tracer, construct=construct)
    return tracer is not None


def dict_display(machine: Machine, node: nodes.DictDisplay, frame: Frame) -> Value:
    known: dict[tuple[type, object], tuple[object, Value]] = {}
    rest: Value | None = None
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = machine.evaluate(value_node, frame)
        if key_node is None:
            content = entries_of(machine, value)
            for key, item in content.known:
                known[type(key), key] = (key, item)
            if content.rest is not None:
                rest = content.rest if rest is None else join(rest, content.rest)
            continue
        key_value = machine.evaluate(key_node, frame)
        check_hash(machine, key_value, key_node, frame, "dict key")
        key = key_value.value if isinstance(key_value, Constant) else None
        if isinstance(key_value, Constant) and len(known) < MAX_ELEMENTS:
            known[type(key), key] = (key, value)
        else:
            rest = value if rest is None else join(rest, value)
    return make_dict(machine, Entries(tuple(known.values()), rest), frame)


def lambda_expression(machine: Machine, node: nodes.Lambda, frame: Frame) -> Value:
    frame.scope.capture()
    return FunctionValue(
        node,
        frame.scope,
        frame.unit,
        frame.module,
        evaluate_defaults(machine, node.parameters, frame),
    )


def evaluate_defaults(
    machine: Machine, parameters: nodes.Parameters, frame: Frame
) -> dict[str, Value]:
    """The default values of a function, evaluated where it is defined."""
    return {
        parameter.name: machine.evaluate(parameter.default, frame)
        for parameter in parameters.items
        if parameter.default is not None
    }


def comprehension(machine: Machine, node: nodes.Comprehension, frame: Frame) -> Value:
    scope = Scope("comprehension", frame.scope, frame.level, frame.module)
    outer, guards = frame.scope, frame.guards
    frame.scope = scope
    try:
        known = _unrolled(machine, node, frame)
        if known is not None:
            elements, entries = known
            if node.kind == "dict":
                return make_dict(machine, entries or Entries(()), frame)
            kind = "iterator" if node.kind == "generator" else node.kind
            return make_list(machine, tuple(elements), UNKNOWN, frame, kind)
        for clause in node.clauses:
            iterable = machine.evaluate(clause.iterable, frame)
            items = iterate(machine, iterable, frame, clause.iterable)
            assign(machine, clause.target, items.element(), frame)
            for test in clause.tests:
                _comprehension_test(machine, test, frame)
        element = machine.evaluate(node.element, frame)
        if node.kind == "dict" and node.value is not None:
            check_hash(machine, element, node.element, frame, "dict key")
            value = machine.evaluate(node.value, frame)
            return make_dict(machine, Entries((), value), frame)
        if node.kind == "set":
            check_hash(machine, element, node.element, frame, "set")
        kind = "iterator" if node.kind == "generator" else node.kind
        return make_list(machine, None, element, frame, kind)
    finally:
        frame.scope, frame.guards = outer, guards


def _unrolled(
    machine: Machine, node: nodes.Comprehension, frame: Frame
) -> tuple[list[Value], Entries | None] | None:
    """The elements one by one, where there is one clause without tests over few known items."""
    if len(node.clauses) != 1 or node.clauses[0].tests:
        return None
    clause = node.clauses[0]
    iterable = machine.evaluate(clause.iterable, frame)
    items = iterate(machine, iterable, frame, clause.iterable)
    if items.elements is None or len(items.elements) > 16:
        return None
    elements: list[Value] = []
    known: list[tuple[object, Value]] = []
    rest: Value | None = None
    for item in items.elements:
        assign(machine, clause.target, item, frame)
        element = machine.evaluate(node.element, frame)
        if node.kind != "dict" or node.value is None:
            elements.append(element)
            continue
        check_hash(machine, element, node.element, frame, "dict key")
        value = machine.evaluate(node.value, frame)
        if isinstance(element, Constant):
            known.append((element.value, value))
        else:
            rest = value if rest is None else join(rest, value)
    return elements, Entries(tuple(known), rest)


def _comprehension_test(machine: Machine, test: nodes.Expression, frame: Frame) -> None:
    if evaluate_test(machine, test, frame, events.Condition, kind="comprehension") is None:
        frame.guards = (*frame.guards, frame.text(test))
    narrow(machine, test, True, frame)


def formatted_string(machine: Machine, node: nodes.FormattedString, frame: Frame) -> Value:
    traced = False
    for part in node.parts:
        if isinstance(part, str):
            continue
        value = machine.evaluate(part.value, frame)
        if part.format_spec is not None:
            spec = format_text(part.format_spec)
            machine.evaluate(part.format_spec, frame)
            if spec and not part.conversion:
                check_format(machine, value, part.value, frame, "f-string", spec)
        if isinstance(value, HeapObject) and value.kind == "instance":
            value = text_of(machine, value, part.value, frame)
        traced = traced or is_tracer(value) or (isinstance(value, Scalar) and value.traced)
    return Scalar("str", traced)


def text_of(machine: Machine, value: Value, node: nodes.Node, frame: Frame) -> Value:
    """`str(value)` of an instance, by its `__str__` or `__repr__`."""
    for name in ("__str__", "__repr__"):
        found = call_special(machine, value, name, (), node, frame)
        if found is not None:
            return found
    return STR


def format_text(spec: nodes.FormattedString) -> str:
    """A format spec as text, with `{}` for its own replacement fields."""
    return "".join(part if isinstance(part, str) else "{}" for part in spec.parts)


def check_format(
    machine: Machine, value: Value, node: nodes.Node, frame: Frame, construct: str, spec: str
) -> None:
    """Reports a tracer that meets a numeric format."""
    if isinstance(value, Array | Tree) and is_tracer(value):
        machine.emit(events.FormatUse, frame, node, value, construct=construct, spec=spec)


def awaited(machine: Machine, node: nodes.Await, frame: Frame) -> Value:
    return machine.evaluate(node.value, frame)


def yielded(machine: Machine, node: nodes.Yield, frame: Frame) -> Value:
    value: Value = Constant(None)
    if node.value is not None:
        value = machine.evaluate(node.value, frame)
    if frame.on_yield is not None:
        frame.on_yield(value)
        return UNKNOWN
    if node.value is None:
        frame.yields.append(value)
        return UNKNOWN
    if node.is_from:
        value = iterate(machine, value, frame, node.value).element()
    frame.yields.append(value)
    return UNKNOWN


def named_expression(machine: Machine, node: nodes.NamedExpression, frame: Frame) -> Value:
    value = machine.evaluate(node.value, frame)
    scope = frame.scope
    while frame.scope.kind == "comprehension" and frame.scope.parent is not None:
        frame.scope = frame.scope.parent
    try:
        assign(machine, node.target, value, frame)
    finally:
        frame.scope = scope
    return value


def starred(machine: Machine, node: nodes.Starred, frame: Frame) -> Value:
    machine.evaluate(node.value, frame)
    return UNKNOWN


def slice_expression(machine: Machine, node: nodes.Slice, frame: Frame) -> Value:
    bounds = [
        Constant(None) if bound is None else machine.evaluate(bound, frame)
        for bound in (node.lower, node.upper, node.step)
    ]
    return SliceValue(*bounds)


def opaque(machine: Machine, node: nodes.OpaqueExpression, frame: Frame) -> Value:
    for part in node.parts:
        machine.evaluate(part, frame)
    return UNKNOWN


EXPRESSIONS = {
    nodes.Constant: constant,
    nodes.Name: name,
    nodes.BinaryOperation: binary_operation,
    nodes.UnaryOperation: unary_operation,
    nodes.BooleanOperation: boolean_operation,
    nodes.Comparison: comparison,
    nodes.Conditional: conditional,
    nodes.Display: display,
    nodes.DictDisplay: dict_display,
    nodes.Lambda: lambda_expression,
    nodes.Comprehension: comprehension,
    nodes.FormattedString: formatted_string,
    nodes.Await: awaited,
    nodes.Yield: yielded,
    nodes.NamedExpression: named_expression,
    nodes.Starred: starred,
    nodes.Slice: slice_expression,
    nodes.OpaqueExpression: opaque,
}

"""Expressions: names, displays, operators, comprehensions, strings. Calls, attributes and
subscripts have their own modules.
"""

from oakum_lint.arrays.array_results import operated_alone
from oakum_lint.domain import events
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.joins import join, join_all
from oakum_lint.domain.moments import read_elements
from oakum_lint.domain.names import find_around, unbound
from oakum_lint.domain.parts import ExpressionEvaluator
from oakum_lint.domain.store import Key
from oakum_lint.domain.values import (
    BOOL,
    FALSE,
    INT,
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Scalar,
    SliceValue,
    Unknown,
    Value,
    is_jax_array,
    scalar_kind,
)
from oakum_lint.python.expressions.comparisons import compare, contains
from oakum_lint.python.expressions.conditions import decide
from oakum_lint.python.expressions.failures import lacks_sign, note_lacking, note_name
from oakum_lint.python.expressions.formatting import formatted_string
from oakum_lint.python.expressions.literals_and_comprehensions import (
    comprehension,
    dict_display,
    display,
)
from oakum_lint.python.expressions.narrowing import narrow, refine
from oakum_lint.python.expressions.operators import (
    MAX_INTEGER,
    binary,
    call_special,
    heard,
    invert,
    is_special,
    negate,
)
from oakum_lint.python.expressions.truth import (
    asked_value,
    asks_tracer,
    check_replaced,
    check_truth,
    evaluate_test,
)
from oakum_lint.python.objects.yields import yielded
from oakum_lint.python.statements.assignments import assign
from oakum_lint.syntax import nodes


def constant(machine: Machine, node: nodes.Constant, frame: Frame) -> Value:
    """Evaluates a literal. An integer that no machine word holds is only known to be one: what is
    computed of it may have any number of digits.
    """
    value = node.value
    if isinstance(value, int) and abs(value) >= MAX_INTEGER:
        return INT
    return Constant(value)


def name(machine: Machine, node: nodes.Name, frame: Frame) -> Value:
    """Evaluates a name."""
    identifier = node.identifier
    value = machine.read(frame.scope, identifier)
    if value is not None:
        return value
    found = find_around(machine, identifier, frame)
    if found is None:
        value = unbound(machine, identifier, frame)
        if value is UNKNOWN:
            note_name(machine, identifier, frame, node)
        return value
    scope, value = found
    if scope.level == 0 and frame.trace is not None:
        for hears in machine.moments.read_outside:
            hears(machine, scope, identifier, frame, node)
    return value


def binary_operation(machine: Machine, node: nodes.BinaryOperation, frame: Frame) -> Value:
    # Long sums lean to the left, thousands deep: walk down the spine without recursion.
    """Evaluates a binary operation."""
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


UNARY = {"-": "neg", "+": "pos", "~": "invert"}


def unary_operation(machine: Machine, node: nodes.UnaryOperation, frame: Frame) -> Value:
    """Evaluates `-x`, `+x`, `~x` or `not x`."""
    operand = machine.evaluate(node.operand, frame)
    name = UNARY.get(node.operator)
    if name is not None and is_special(machine, operand, name):
        found = call_special(machine, operand, f"__{name}__", (), node, frame)
        if found is None:
            note_lacking(machine, operand, (f"__{name}__",), frame, node)
        return UNKNOWN if found is None else found
    match node.operator:
        case "not":
            return _negation(machine, node, operand, frame)
        case operator if lacks_sign(operator, operand):
            note_stop(machine, frame, node, "perhaps")
            return UNKNOWN
        case operator if isinstance(operand, Array) and is_jax_array(operand):
            return _of_array(machine, operator, operand, frame, node)
        case "-":
            refine(machine, node.operand, operand, frame)
            return negate(operand)
        case "+":
            return negate(negate(operand)) if scalar_kind(operand) == "bool" else operand
        case _:
            value = operand.value if isinstance(operand, Constant) else None
            if isinstance(value, bool) or operand == BOOL:
                text = frame.text(node.operand)
                machine.emit(
                    events.InvertedBool, frame, node, NONE, node, value=value, inverted=text
                )
            return invert(operand)


def _negation(machine: Machine, node: nodes.UnaryOperation, operand: Value, frame: Frame) -> Value:
    """`not x`."""
    operand = asked_value(machine, operand, node, frame)
    truth = decide(machine, operand)
    if truth is None and asks_tracer(operand):
        machine.emit(events.BooleanUse, frame, node, operand, node.operand, construct="not")
        return UNKNOWN
    if truth is None:
        check_truth(machine, operand, "not", frame, node.operand)
        return BOOL
    return FALSE if truth else TRUE


def _of_array(
    machine: Machine, operator: str, operand: Array, frame: Frame, node: nodes.UnaryOperation
) -> Array:
    read_elements(machine, (operand,), frame, node)
    made = operated_alone(machine, operator, operand, frame, node)
    if operator != "-":
        return made
    return heard(machine, operator, Constant(0), operand, made, frame, node)


def boolean_operation(machine: Machine, node: nodes.BooleanOperation, frame: Frame) -> Value:
    """Evaluates `and` and `or`: each operand but the last is asked for its truth."""
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
                        events.BooleanUse, frame, node, asked, operand, construct=node.operator
                    )
                    return UNKNOWN
                check_truth(machine, asked, node.operator, frame, operand)
                results.append(value)
                # What follows is evaluated only on one side of this test.
                if machine.store is base:
                    machine.store = base.fork()
                narrow(machine, operand, node.operator == "and", frame)
                text = frame.text(operand)
                frame.guards = (*guards, text if node.operator == "and" else f"not ({text})")
            elif truth == (node.operator == "or"):
                results.append(value)
                break
    finally:
        if machine.store is not base:
            written = machine.store.since(base)
            machine.store = base
            base.merge([written, {}])
        frame.guards = guards
    if node.operator == "or" and len(results) == 2:
        check_replaced(machine, results[0], results[1], "or", frame, node.operands[0])
    joined = join_all(tuple(results))
    if isinstance(joined, Unknown) and _is_certainly_traced(results[-1]):
        # What asks for the truth of the whole asks for that of the last one.
        return Choice((UNKNOWN, results[-1]))
    # Each operand that ends it early has this truth: with a last one of the same it is certain.
    outcome = node.operator == "or"
    last = results[-1]
    certain = isinstance(last, Constant) and bool(last.value) is outcome
    return _of_truth(joined, outcome) if certain else joined


def _is_certainly_traced(value: Value) -> bool:
    """Whether a value is a tracer of which nothing else is doubted."""
    if not isinstance(value, Array) or not asks_tracer(value):
        return False
    return value.origin is None or not value.origin.doubt


def _of_truth(value: Value, truth: bool) -> Value:
    """A value of which nothing may be known but its truth."""
    match value:
        case Unknown():
            return Unknown(truth, truth, UNKNOWN)
        case Scalar("bool"):
            return Constant(truth)
        case Choice(options):
            return join_all(tuple([_of_truth(option, truth) for option in options]))
        case _:
            return value


def comparison(machine: Machine, node: nodes.Comparison, frame: Frame) -> Value:
    """Evaluates a comparison; a chained one asks each part for its truth."""
    left_node: nodes.Expression = node.left
    left = _compared(machine, left_node, frame)
    result: Value | None = None
    for operator, right_node in zip(node.operators, node.comparators, strict=True):
        right = _compared(machine, right_node, frame)
        if operator in ("in", "not in"):
            value = contains(machine, operator, left, right, node, left_node, right_node, frame)
        else:
            if operator in ("is", "is not"):
                for hears in machine.moments.identity_tested:
                    hears(machine, operator, (left, left_node), (right, right_node), frame, node)
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


def _compared(machine: Machine, node: nodes.Expression, frame: Frame) -> Value:
    if isinstance(node, nodes.BinaryOperation):
        for hears in machine.moments.operation_compared:
            hears(machine, node)
    return machine.evaluate(node, frame)


def conditional(machine: Machine, node: nodes.Conditional, frame: Frame) -> Value:
    """Evaluates `a if test else b`."""
    kind = "conditional expression"
    truth = evaluate_test(machine, node.test, frame, events.Condition, kind=kind)
    if truth is not None:
        # Narrow here too: a name known only as a choice becomes what the branch may use.
        narrow(machine, node.test, truth, frame)
        return machine.evaluate(node.body if truth else node.orelse, frame)
    guards = frame.guards
    values: list[Value] = []
    paths: list[dict[Key, Value]] = []
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


def lambda_expression(machine: Machine, node: nodes.Lambda, frame: Frame) -> Value:
    """Evaluates a lambda."""
    frame.scope.capture()
    for hears in machine.moments.function_made:
        hears(machine, node, frame.scope)
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


def awaited(machine: Machine, node: nodes.Await, frame: Frame) -> Value:
    """Evaluates `await`: what is awaited is not followed."""
    return machine.evaluate(node.value, frame)


def named_expression(machine: Machine, node: nodes.NamedExpression, frame: Frame) -> Value:
    """Evaluates `name := value`."""
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
    """Evaluates what a star stands before, where no list of arguments takes it apart."""
    machine.evaluate(node.value, frame)
    return UNKNOWN


def slice_expression(machine: Machine, node: nodes.Slice, frame: Frame) -> Value:
    """Evaluates the slice of a subscript."""
    bounds = [
        Constant(None) if bound is None else machine.evaluate(bound, frame)
        for bound in (node.lower, node.upper, node.step)
    ]
    return SliceValue(*bounds)


def opaque(machine: Machine, node: nodes.OpaqueExpression, frame: Frame) -> Value:
    """Evaluates an expression that is not followed."""
    for part in node.parts:
        machine.evaluate(part, frame)
    return UNKNOWN


EXPRESSIONS: dict[type[nodes.Node], ExpressionEvaluator] = {
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

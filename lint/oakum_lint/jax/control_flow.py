"""Transforms that trace at once: `scan`, `while_loop`, `cond`, `jvp`, `vjp`, `eval_shape`,
callbacks, tree maps.
"""

from oakum.values.facts import Facts, Transform
from oakum_lint.arrays.descriptions import DESCRIPTION
from oakum_lint.arrays.pytrees import map_leaves
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import (
    Method,
    Pullback,
    Pushforward,
    Tracing,
    Transformed,
)
from oakum_lint.domain.frames import Called, Flow, Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Entries,
    External,
    Place,
    Scalar,
    Tree,
    TupleValue,
    Value,
)
from oakum_lint.jax.carries import check_branches, check_selector, check_tangent
from oakum_lint.jax.gradient_types import aval_of
from oakum_lint.jax.loops import (
    associative_scan,
    fori_loop,
    map_operator,
    reduce_operator,
    scan,
    while_loop,
)
from oakum_lint.jax.operator_calls import (
    Operator,
    OperatorCall,
    join_results,
    pair_of,
)
from oakum_lint.jax.results.callbacks import check_result, declared_result
from oakum_lint.jax.staging import call_staged
from oakum_lint.jax.tracing import call_traced, lift_argument, origin_of_parameter
from oakum_lint.models.packages import in_jax
from oakum_lint.models.transforms import OBJECTIVE_GRADIENT
from oakum_lint.python.objects.containers import iterate
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes


def cond(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`cond(pred, true_fun, false_fun, *operands)`, and the older form with an operand for each
    branch, for which JAX takes five arguments unless both that could be branches are callable.
    """
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    positional = arguments.positional
    branches: list[tuple[Value, tuple[Value, ...]]]
    if (
        len(positional) == 5
        and _callable(machine, positional[4])
        and not (_callable(machine, positional[1]) and _callable(machine, positional[2]))
    ):
        branches = [(positional[2], (positional[1],)), (positional[4], (positional[3],))]
    else:
        operands = positional[3:] if len(positional) > 3 else ()
        legacy = arguments.keywords.get("operand")
        if legacy is not None:
            operands = (legacy,)
        names = ("true_fun", "false_fun")
        callees = [arguments.get(i + 1, name) or UNKNOWN for i, name in enumerate(names)]
        branches = [(callee, operands) for callee in callees]
    check_selector(call, "pred", "a truth value")
    results = [call.run(callee, operands, f"{call.title} branch") for callee, operands in branches]
    check_branches(call, results)
    return call.lower(join_results(results), decided=(call.get("pred"),))


def _callable(machine: Machine, value: Value) -> bool:
    if isinstance(value, External):
        declared = machine.public(value.path)
        return declared is not None and declared.rule is not None
    return signature_of(machine, value).function is not None


def switch(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`switch(index, branches, *operands)`."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    branches = arguments.get(1, "branches") or UNKNOWN
    operands = arguments.positional[2:]
    legacy = arguments.keywords.get("operand")
    if legacy is not None:
        operands = (legacy,)
    check_selector(call, "index", "an integer")
    items = iterate(machine, branches, frame, node)
    callees = items.elements if items.elements is not None else (items.rest,)
    options = [o for c in callees for o in (c.options if isinstance(c, Choice) else (c,))]
    results = [call.run(callee, operands, f"{call.title} branch") for callee in options]
    if items.elements is not None:
        check_branches(call, results)
    return call.lower(join_results(results), decided=(call.get("index"),))


def jvp(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`jvp(fun, primals, tangents)`."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    primals = iterate(machine, arguments.get(1, "primals") or UNKNOWN, frame, node)
    values = primals.elements
    if values is None:
        return UNKNOWN
    tangents = iterate(machine, arguments.get(2, "tangents") or UNKNOWN, frame, node).elements
    if any(check_tangent(call, *pair) for pair in zip(values, tangents or (), strict=False)):
        return UNKNOWN
    callee = arguments.get(0, "fun") or UNKNOWN
    result = _primal(call, call.run(callee, values, "jvp of", abstract=False), values)
    has_aux = arguments.get(3, "has_aux")
    if has_aux is not None:
        return UNKNOWN

    def tangent(value: Value) -> Value:
        # Of what is no array of JAX it is another number.
        is_jax = isinstance(value, Array | Tree) and value.place is not Place.HOST
        return value if is_jax else UNKNOWN

    return TupleValue((result, map_leaves(machine, result, tangent, frame.level, frame, node)))


def _primal(call: OperatorCall, result: Value, given: tuple[Value, ...]) -> Value:
    """Returns the result of a function that is differentiated as it runs."""
    return call.lower(result, given=given)


def vjp(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`vjp(fun, *primals)` and `linearize(fun, *primals)`: the value, and a function."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    callee = arguments.get(0, "fun") or UNKNOWN
    name = path.rpartition(".")[2]
    values = arguments.positional[1:]
    inner = call.run(callee, values, f"{name} of", abstract=False)
    result = _primal(call, inner, values)
    if "has_aux" in arguments.keywords:
        value, aux = pair_of(result)
        return TupleValue((value, UNKNOWN, aux))
    # A filtered one gives none for what is no array.
    kept = (value if name == "vjp" or isinstance(value, Array) else UNKNOWN for value in values)
    primals = tuple(call.lower(value, keeps_cut=False) for value in kept)
    level = frame.level + 1
    if name in PULLED_BACK:
        return TupleValue((result, Pullback(primals, result, inner, level)))
    pullback = Pullback(primals, result, inner, level, "linear_transpose")
    return TupleValue((result, Pushforward(result, pullback)))


def minimize(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`minimize(fun, x0, args=())`: takes the gradient of a function by its first argument."""
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    callee = call.get("fun")
    more = call.values.get("args", TupleValue(()))
    if not isinstance(more, TupleValue) or more.elements is None or callee == UNKNOWN:
        return UNKNOWN
    tracing = Tracing(Transform("grad", ("fun",), staged=False))
    gradient = Transformed(OBJECTIVE_GRADIENT, callee, Entries(()), tracing, frame.site(node))
    machine.call(gradient, Arguments((call.get("x0"), *more.elements)), frame, node)
    return UNKNOWN


def evaluate_shape(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`eval_shape(fun, *args, **kwargs)`: runs the function on abstract tracers, and returns
    shapes.
    """
    call = OperatorCall(machine, path, declared, arguments, frame, node)
    callee = arguments.get(0, "fun") or UNKNOWN
    if isinstance(callee, Transformed) and callee.transform.facts.kind == "jit":
        # It is traced as a call of it would be: what is static stays as it is.
        given = arguments.without_first()
        result = call_staged(machine, callee, given, frame, node, runs=False)
        return map_leaves(machine, result, _described, frame.level, frame, node)
    entry = call.entry(callee, "eval_shape of")
    signature = signature_of(machine, callee)

    def lift(value: Value, parameter: nodes.Parameter | None) -> Value:
        origin = origin_of_parameter(signature, parameter, entry)
        return lift_argument(machine, value, entry, origin, None)

    positional = tuple(
        lift(value, signature.parameter(i)) for i, value in enumerate(arguments.positional[1:])
    )
    keywords = {name: lift(v, signature.by_name(name)) for name, v in arguments.keywords.items()}
    result = call_traced(machine, callee, Arguments(positional, keywords), entry)
    return map_leaves(machine, call.lower(result), _described, frame.level, frame, node)


def _described(leaf: Value) -> Value:
    """Describes an array as `eval_shape` does: by its shape and dtype."""
    if not isinstance(leaf, Array):
        return UNKNOWN
    return DESCRIPTION.put(Array(leaf.aval, Place.HOST), "without data")


def host_callback(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """A callback: its function runs outside every trace, on concrete arrays of JAX."""
    assert declared.transform is not None
    callee = arguments.get(0, declared.transform.callees[0]) or UNKNOWN
    after = 2 if "result_shape" in "".join(declared.signature.parameters) else 1
    passed = TupleValue(arguments.positional[after:])
    for hears in machine.moments.public_arguments:
        hears(machine, declared, {"args": passed}, {}, frame, node)

    def concrete(value: Value) -> Value:
        aval = aval_of(value)
        if aval is not None:
            return Array(aval.update(weak_type=None), Place.DEVICE)
        return UNKNOWN if isinstance(value, Tree | Scalar) else value

    positional = tuple(
        map_leaves(machine, value, concrete, 0, frame, node)
        for value in arguments.positional[after:]
    )
    outside = Frame(
        frame.scope,
        frame.unit,
        frame.module,
        None,
        called=Called(depth=frame.called.depth + 1),
        flow=Flow(entry=machine.store),
    )
    returned: Value = UNKNOWN
    if not isinstance(callee, Method):
        function = signature_of(machine, callee).function
        if function is not None:
            machine.known.hosted.add(function)
            for hears in machine.moments.hosted:
                hears(machine, function, frame)
        returned = machine.call(callee, Arguments(positional), outside, node)
    if after == 1:
        return NONE
    shapes = arguments.keywords.get("result_shape_dtypes")
    if shapes is None:
        shapes = arguments.get(1) if in_jax(path) else None
    if shapes is None:
        return UNKNOWN
    name = signature_of(machine, callee).name
    check_result(machine, shapes, returned, arguments.keywords, name, frame, node)
    return declared_result(machine, shapes, arguments.positional[2:], frame, node)


PULLED_BACK = frozenset({"vjp", "filter_vjp"})
"""The transforms that give a function of cotangents."""

AT_ONCE: dict[str, Operator] = {
    "scan": scan,
    "while_loop": while_loop,
    "fori_loop": fori_loop,
    "cond": cond,
    "switch": switch,
    "map": map_operator,
    "associative_scan": associative_scan,
    "reduce": reduce_operator,
    "jvp": jvp,
    "vjp": vjp,
    "linearize": vjp,
    "minimize": minimize,
    "eval": evaluate_shape,
    "host": host_callback,
}

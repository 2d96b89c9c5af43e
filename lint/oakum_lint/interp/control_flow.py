"""Transforms that trace at once: `scan`, `while_loop`, `cond`, `jvp`, `vjp`, `eval_shape`, callbacks, tree maps."""

from collections.abc import Callable

from oakum import dtypes
from oakum.avals import ShapedArray
from oakum.facts import Facts
from oakum_lint.facts import nodes
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.containers import iterate
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.lifting import Lowerer
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.pytrees import map_leaves
from oakum_lint.interp.results import new_array, place_of_result
from oakum_lint.interp.signatures import signature_of
from oakum_lint.interp.tracing import (
    TraceEntry,
    begin_trace,
    call_traced,
    lift_argument,
    origin_of_parameter,
)
from oakum_lint.interp.values import (
    NONE,
    UNKNOWN,
    Array,
    Choice,
    Constant,
    Method,
    Place,
    Pullback,
    Tree,
    TupleValue,
    Value,
    join,
    join_all,
    join_arrays,
)

Operator = Callable[[Machine, str, Facts, Arguments, Frame, nodes.Node], Value]


class _Call:
    """One call of an operator: its arguments by name, and the traces that it starts."""

    def __init__(
        self,
        machine: Machine,
        path: str,
        declared: Facts,
        arguments: Arguments,
        frame: Frame,
        node: nodes.Node,
    ) -> None:
        self.machine, self.path, self.declared = machine, path, declared
        self.frame, self.node = frame, node
        self.arguments = arguments
        names = [
            parameter.name
            for parameter in declared.signature.parameters.values()
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        self.values: dict[str, Value] = dict(zip(names, arguments.positional, strict=False))
        self.values.update(arguments.keywords)
        self.rest = arguments.positional[len(names) :]

    def get(self, name: str) -> Value:
        """An argument, Unknown where it is not given."""
        return self.values.get(name, UNKNOWN)

    def entry(
        self, callee: Value, what: str, *, abstract: bool = True, staged: bool | None = None
    ) -> TraceEntry:
        """The trace in which a callee runs."""
        assert self.declared.transform is not None
        signature = signature_of(self.machine, callee)
        name = signature.name if signature.function is not None else ""
        label = (
            f"{what} `{name}`" if name and name != "<lambda>" else what.removesuffix(" of").strip()
        )
        if staged is None:
            staged = self.declared.transform.staged
        return begin_trace(
            self.frame,
            label,
            self.node,
            staged=staged,
            abstract=abstract,
            differentiates=not abstract,
        )

    def run(
        self,
        callee: Value,
        values: tuple[Value, ...],
        what: str,
        *,
        drop: frozenset[int] = frozenset(),
        abstract: bool = True,
        staged: bool | None = None,
        lifted: bool = True,
    ) -> Value:
        """Calls a callee in a trace of its own on values that are lifted into it."""
        entry = self.entry(callee, what, abstract=abstract, staged=staged)
        signature = signature_of(self.machine, callee)
        arguments = tuple(
            lift_argument(
                self.machine,
                value,
                entry,
                origin_of_parameter(signature, signature.parameter(position), entry),
                None,
                drop_axis=position in drop,
            )
            if lifted
            else value
            for position, value in enumerate(values)
        )
        return call_traced(self.machine, callee, Arguments(arguments), entry)

    def lower(self, result: Value, *, add_axis: bool = False) -> Value:
        """What the caller sees of a result."""
        place, level = place_of_result(self.arguments.all_values(), self.frame)
        lowerer = Lowerer(place, level, None, add_axis)
        return map_leaves(self.machine, result, lowerer, self.frame.level, self.frame, self.node)

    @property
    def title(self) -> str:
        """The operator in a label: `lax.scan`."""
        return self.path.removeprefix("jax.")


def _pair(value: Value) -> tuple[Value, Value]:
    if isinstance(value, TupleValue) and value.elements is not None and len(value.elements) == 2:
        return value.elements[0], value.elements[1]
    return UNKNOWN, UNKNOWN


def _carried(call: _Call, initial: Value, step: Callable[[Value], Value]) -> Value:
    """The carry of a loop: what comes in, and what one round makes of it."""
    first = step(initial)
    joined = _same_kind(initial, first)
    if joined is not initial and joined != initial:
        step(joined)
    return first


def _same_kind(initial: Value, after: Value) -> Value:
    """The carry for a second round: only avals may differ from the first."""
    match initial, after:
        case Array(), Array():
            return Array(
                join_arrays(initial.aval, after.aval), initial.place, initial.level, initial.origin
            )
        case TupleValue(a), TupleValue(b) if a is not None and b is not None and len(a) == len(b):
            parts = tuple(_same_kind(x, y) for x, y in zip(a, b, strict=True))
            return TupleValue(parts, UNKNOWN, initial.cls)
        case Constant(), Array():
            return initial
        case _:
            return initial


def scan(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`scan(f, init, xs)`."""
    call = _Call(machine, path, declared, arguments, frame, node)
    body, initial = call.get("f"), call.get("init")
    xs = call.values.get("xs", NONE)
    outputs: list[Value] = []

    def step(carry: Value) -> Value:
        pair = call.run(body, (carry, xs), f"{call.title} body", drop=frozenset({1}))
        after, output = _pair(pair)
        outputs.append(output)
        return after

    carry = _carried(call, initial, step)
    stacked = call.lower(join_all(tuple(outputs)), add_axis=True)
    return TupleValue((call.lower(carry), stacked))


def while_loop(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`while_loop(cond_fun, body_fun, init_val)`."""
    call = _Call(machine, path, declared, arguments, frame, node)
    initial = call.get("init_val")
    call.run(call.get("cond_fun"), (initial,), f"{call.title} condition")
    carry = _carried(
        call, initial, lambda value: call.run(call.get("body_fun"), (value,), f"{call.title} body")
    )
    return call.lower(carry)


def fori_loop(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`fori_loop(lower, upper, body_fun, init_val)`."""
    call = _Call(machine, path, declared, arguments, frame, node)
    counter = Array(ShapedArray((), dtypes.int32, True), Place.DEVICE)
    carry = _carried(
        call,
        call.get("init_val"),
        lambda value: call.run(call.get("body_fun"), (counter, value), f"{call.title} body"),
    )
    return call.lower(carry)


def cond(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`cond(pred, true_fun, false_fun, *operands)`, and the older form with an operand for each branch."""
    call = _Call(machine, path, declared, arguments, frame, node)
    positional = arguments.positional
    branches: list[tuple[Value, tuple[Value, ...]]]
    if (
        len(positional) == 5
        and not _callable(machine, positional[1])
        and _callable(machine, positional[2])
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
    results = [call.run(callee, operands, f"{call.title} branch") for callee, operands in branches]
    return call.lower(_joined(results))


def _joined(results: list[Value]) -> Value:
    """What branches of one type give: leaf by leaf."""
    result = results[0] if results else UNKNOWN
    for other in results[1:]:
        result = join(result, other)
    return result


def _callable(machine: Machine, value: Value) -> bool:
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
    call = _Call(machine, path, declared, arguments, frame, node)
    branches = arguments.get(1, "branches") or UNKNOWN
    operands = arguments.positional[2:]
    legacy = arguments.keywords.get("operand")
    if legacy is not None:
        operands = (legacy,)
    items = iterate(machine, branches, frame, node)
    callees = items.elements if items.elements is not None else (items.rest,)
    options = [o for c in callees for o in (c.options if isinstance(c, Choice) else (c,))]
    results = [call.run(callee, operands, f"{call.title} branch") for callee in options]
    return call.lower(_joined(results))


def map_operator(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`lax.map(f, xs)`."""
    call = _Call(machine, path, declared, arguments, frame, node)
    result = call.run(call.get("f"), (call.get("xs"),), f"{call.title} body", drop=frozenset({0}))
    return call.lower(result, add_axis=True)


def associative_scan(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`associative_scan(fn, elems)`: the function runs on slices in the caller's own trace."""
    call = _Call(machine, path, declared, arguments, frame, node)
    elements = call.get("elems")
    machine.call(call.get("fn"), Arguments((elements, elements)), frame, node)
    return elements


def reduce_operator(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`lax.reduce(operands, init_values, computation, dimensions)` and windowed reductions."""
    call = _Call(machine, path, declared, arguments, frame, node)
    assert declared.transform is not None
    scalar = Array(ShapedArray((), None, False), Place.DEVICE)
    for name in declared.transform.callees:
        call.run(call.get(name), (scalar, scalar), f"{call.title} computation")
    return new_array(None, arguments.all_values(), frame, node)


def jvp(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`jvp(fun, primals, tangents)`."""
    call = _Call(machine, path, declared, arguments, frame, node)
    primals = iterate(machine, arguments.get(1, "primals") or UNKNOWN, frame, node)
    values = primals.elements
    if values is None:
        return UNKNOWN
    callee = arguments.get(0, "fun") or UNKNOWN
    result = call.lower(call.run(callee, values, "jvp of", abstract=False))
    has_aux = arguments.get(3, "has_aux")
    return TupleValue((result, result)) if has_aux is None else UNKNOWN


def vjp(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`vjp(fun, *primals)` and `linearize(fun, *primals)`: the value, and a function."""
    call = _Call(machine, path, declared, arguments, frame, node)
    callee = arguments.get(0, "fun") or UNKNOWN
    name = path.rpartition(".")[2]
    result = call.lower(call.run(callee, arguments.positional[1:], f"{name} of", abstract=False))
    if "has_aux" in arguments.keywords:
        value, aux = _pair(result)
        return TupleValue((value, UNKNOWN, aux))
    if name != "vjp":
        return TupleValue((result, UNKNOWN))
    primals = tuple(call.lower(value) for value in arguments.positional[1:])
    return TupleValue((result, Pullback(primals)))


def evaluate_shape(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """`eval_shape(fun, *args, **kwargs)`: runs the function on abstract tracers, gives shapes."""
    call = _Call(machine, path, declared, arguments, frame, node)
    callee = arguments.get(0, "fun") or UNKNOWN
    entry = call.entry(callee, "eval_shape of")
    signature = signature_of(machine, callee)

    def lift(value: Value, parameter: nodes.Parameter | None) -> Value:
        origin = origin_of_parameter(signature, parameter, entry)
        return lift_argument(machine, value, entry, origin, None)

    positional = tuple(
        lift(value, signature.parameter(i)) for i, value in enumerate(arguments.positional[1:])
    )
    keywords = {name: lift(v, signature.by_name(name)) for name, v in arguments.keywords.items()}
    call_traced(machine, callee, Arguments(positional, keywords), entry)
    return UNKNOWN


def host_callback(
    machine: Machine,
    path: str,
    declared: Facts,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """A callback: its function runs on the host, on NumPy arrays, outside every trace."""
    assert declared.transform is not None
    callee = arguments.get(0, declared.transform.callees[0]) or UNKNOWN
    after = 2 if "result_shape" in "".join(declared.signature.parameters) else 1

    def on_host(value: Value) -> Value:
        if isinstance(value, Array):
            return Array(value.aval, Place.HOST)
        return UNKNOWN if isinstance(value, Tree) else value

    positional = tuple(
        map_leaves(machine, value, on_host, 0, frame, node)
        for value in arguments.positional[after:]
    )
    outside = Frame(
        frame.scope,
        frame.unit,
        frame.module,
        None,
        caller=None,
        depth=frame.depth + 1,
        entry=machine.store,
    )
    if not isinstance(callee, Method):
        machine.call(callee, Arguments(positional), outside, node)
    return UNKNOWN if after == 2 else NONE


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
    "eval": evaluate_shape,
    "host": host_callback,
}

"""Calls of names in other libraries, by their models: lifted transforms, re-exports, array
functions.
"""

from collections.abc import Mapping

from oakum.values.facts import Transform
from oakum.values.records import replace
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, new_array, origin_of
from oakum_lint.arrays.trace_boundary import unseen_tree
from oakum_lint.arrays.zero_derivatives import CUT
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Partial, Tracing, Transformed
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.parts import LibraryCall
from oakum_lint.domain.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Array,
    Constant,
    Entries,
    External,
    LibraryObject,
    Place,
    Tree,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.jax.control_flow import AT_ONCE
from oakum_lint.jax.non_pytree_values import foreign_leaf
from oakum_lint.jax.transforms import transform_function
from oakum_lint.jax.tree_calls import register_dataclass, register_elsewhere
from oakum_lint.libraries.equinox import EQUINOX_CALLS
from oakum_lint.libraries.layer_results import result_of, shape_made
from oakum_lint.libraries.linen_scopes import parameters_of
from oakum_lint.libraries.module_state import check_layer, check_state_function
from oakum_lint.libraries.optax import call_optax
from oakum_lint.libraries.optax_losses import call_loss
from oakum_lint.libraries.optax_updates import alike
from oakum_lint.models.frameworks.chex import REGISTER_DATACLASS
from oakum_lint.models.frameworks.equinox import SEQUENTIAL
from oakum_lint.models.frameworks.flax_nnx import is_stateful
from oakum_lint.models.frameworks.haiku import TRANSFORMED, TRANSFORMING
from oakum_lint.models.frameworks.layers import IN_LINEN, is_layer, makes_parameters
from oakum_lint.models.frameworks.numpyro import OBSERVED
from oakum_lint.models.frameworks.optax import SCHEDULE
from oakum_lint.models.frameworks.optax_losses import loss_of
from oakum_lint.models.frameworks.register import (
    FrameworkFunction,
    FrameworkTransform,
    framework_function,
    framework_transform,
)
from oakum_lint.models.frameworks.solvers import GIVES_GRADIENT
from oakum_lint.models.frameworks.static_parameters import (
    FLAGS,
    OTHER_STREAM,
    RATES,
    static_parameters,
)
from oakum_lint.models.packages import in_jax, in_optax, operator_name
from oakum_lint.models.transforms import OBJECTIVE_GRADIENT
from oakum_lint.python.objects.signatures import signature_of
from oakum_lint.syntax import nodes

HANDLED = "a handler may give it a value that is not traced"
OWN_CALLS: Mapping[str, LibraryCall] = {**EQUINOX_CALLS, REGISTER_DATACLASS: register_dataclass}
"""Functions that are known beyond what a table says, by their names."""


def call_framework(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls a name of another library; Unknown where it is not modelled."""
    if in_jax(path):
        register_elsewhere(machine, arguments)
        return UNKNOWN
    found = _call_own(machine, path, arguments, frame, node)
    if found is not None:
        return found
    if is_layer(path):
        layers = arguments.get(0, "layers") if path == SEQUENTIAL else None
        holds = layers is not None and foreign_leaf(machine, layers, frame, node) is not None
        shape, draws = shape_made(machine, path, arguments), has_rate(path, arguments)
        if OTHER_STREAM in arguments.keywords:
            draws = None
        flag = _flag(path, arguments)
        return LibraryObject(path, frame.level, holds, shape, draws=draws, flag=flag)
    if is_stateful(path):
        return LibraryObject(path, frame.level)
    model = framework_transform(path)
    if model is not None:
        return _apply_model(machine, path, model, arguments, frame, node)
    function = framework_function(path)
    if function is None:
        return UNKNOWN
    return _call_function(machine, path, function, arguments, frame, node)


def _call_function(
    machine: Machine,
    path: str,
    function: FrameworkFunction,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a function of a framework that has a model."""
    check_state_function(machine, path, frame, node)
    if function.alias:
        return machine.call(External(function.alias), arguments, frame, node)
    loss = loss_of(path)
    if loss is not None:
        return call_loss(machine, loss, arguments, frame, node)
    if function.result == "like":
        return alike(machine, arguments, frame, node)
    if function.result == "array":
        aval = result_of(shape_made(machine, path, arguments), arguments.get(0))
        return new_array(aval, arguments.all_values(), frame, node)
    return _modelled_result(function.result, arguments, frame, node)


def _call_own(
    machine: Machine, path: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value | None:
    """Calls a function that is known beyond what a table says; None for any that is not."""
    call = OWN_CALLS.get(path)
    if call is not None:
        return call(machine, arguments, frame, node)
    if in_optax(path) and framework_function(path) is None:
        return call_optax(machine, path, arguments, frame, node)
    return None


def _apply_model(
    machine: Machine,
    path: str,
    model: FrameworkTransform,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> Value:
    """Calls a transform of a framework (`nnx.jit`, `eqx.filter_grad`, `nn.scan`)."""
    operator = AT_ONCE.get(model.transform.kind)
    if operator is not None:
        declared = machine.public(operator_name(model.transform.kind))
        if declared is None or model.tracing == "module":
            return UNKNOWN
        return operator(machine, path, declared, arguments, frame, node)
    if model.tracing == "through" and model.transform.kind == "jit":
        for place, name in enumerate(model.transform.callees):
            _expect_trace(machine, arguments.get(place, name), frame)
    if model.tracing == "through" and model.decorator and arguments.positional:
        return arguments.positional[0]
    if model.tracing in ("module", "through"):
        return _hand_through(machine, path, arguments, frame)
    if arguments.keywords.get("jit") == FALSE:
        # A solver of JAXopt that is asked not to trace.
        return UNKNOWN
    tracing = Tracing(model.transform, model.tracing, model.skip, model.arrays, model.compiles)
    passed: dict[str, Value] = dict(arguments.keywords)
    callee_name = model.transform.callees[0] if model.transform.callees else "fun"
    if arguments.positional and callee_name not in passed:
        passed[callee_name] = arguments.positional[0]
    if model.gradient and callee_name in passed and passed.get(GIVES_GRADIENT, FALSE) == FALSE:
        passed[callee_name] = _gradient_of(passed, callee_name, frame, node)
    made = transform_function(
        machine, path, tracing, passed, arguments.more_keywords, callee_name, frame, node
    )
    return UNKNOWN if model.solves else made


def _hand_through(machine: Machine, path: str, arguments: Arguments, frame: Frame) -> Value:
    """What a transform makes of a function that does not trace it by itself: who applies what
    Haiku's make compiles that.
    """
    if path not in TRANSFORMING:
        return UNKNOWN
    machine.conventional.extend((each, frame) for each in arguments.positional[:1])
    return LibraryObject(TRANSFORMED)


def _expect_trace(machine: Machine, function: Value | None, frame: Frame) -> None:
    """Has a function traced that a sampler compiles, with arguments that the program holds: what
    the function itself draws is traced.
    """
    signature = signature_of(machine, function or UNKNOWN)
    if function is None or signature.function is None:
        return
    required = [p for p in signature.positional if p.default is None]
    bound = Partial(function, (UNKNOWN,) * len(required), ())
    machine.conventional.append((bound, frame))


def _gradient_of(passed: Mapping[str, Value], callee: str, frame: Frame, node: nodes.Node) -> Value:
    """The gradient of an objective, which a solver takes of it."""
    options = Entries((("has_aux", passed["has_aux"]),) if "has_aux" in passed else ())
    tracing = Tracing(Transform("grad", ("fun",), staged=False))
    objective = passed[callee]
    if isinstance(objective, Unknown | Constant):
        return objective
    return Transformed(OBJECTIVE_GRADIENT, objective, options, tracing, frame.site(node))


def _modelled_result(result: str, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """Returns the result of a function of a framework, by its model."""
    match result:
        case "same" if arguments.positional:
            first = arguments.positional[0]
            if isinstance(first, Tree):
                return first
            if isinstance(first, Array) and first.place is not Place.HOST:
                # Shape and dtype may differ: what is added broadcasts, a copy has more axes.
                return new_array(None, (first,), frame, node)
            return UNKNOWN
        case "tree":
            return unseen_tree(frame, node)
        case "tuple":
            return TupleValue(None, UNKNOWN)
        case "sampled" if frame.staged_level and arguments.get(*OBSERVED) in (None, NONE):
            origin = replace(origin_of(node, frame), doubt=HANDLED)
            return Array(UNKNOWN_ARRAY, Place.ABSTRACT, frame.staged_level, origin)
        case _:
            return UNKNOWN


def call_library_object(
    machine: Machine, function: LibraryObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """Calls an instance of a library class: a layer returns an array, a schedule too."""
    if is_layer(function.path) or function.path == SCHEDULE:
        check_layer(machine, function, frame, node)
        for hears in machine.moments.layer_called:
            hears(machine, function, arguments, frame, node)
        operands = (*arguments.all_values(), *_parameters(machine, function, frame, node))
        # Parameters that are not known may be what is differentiated.
        made = new_array(result_of(function.shape, arguments.get(0)), operands, frame, node)
        made = CUT.put(made, None)
        return replace(made, apart=0) if made.apart else made
    return UNKNOWN


def _parameters(
    machine: Machine, layer: LibraryObject, frame: Frame, node: nodes.Node
) -> tuple[Value, ...]:
    """What stands for the parameters of a layer, as far as that is known."""
    if layer.parameters is not None:
        return (layer.parameters,)
    if layer.path.startswith(IN_LINEN) and makes_parameters(layer.path):
        found = parameters_of(machine, frame, node)
        return () if found is None else (found,)
    return ()


def has_rate(path: str, arguments: Arguments) -> bool | None:
    """Whether a layer is made with another rate than zero, where that is known: one that drops all
    asks for its flag, and draws nothing.
    """
    place = RATES.get(path)
    rate = None if place is None else arguments.get(*place)
    match rate:
        case Constant(int() | float() as number):
            return None if number == 1 else number != 0
        case _:
            return None


def _flag(path: str, arguments: Arguments) -> bool | None:
    """The flag that a layer is made with, where that is known."""
    row = FLAGS.get(path)
    flag = None if row is None else arguments.get(static_parameters()[path][row[1]], row[1])
    match flag:
        case Constant(bool() as known):
            return known
        case _:
            return None

"""`optax.value_and_grad_from_state`: a gradient that is taken where the state has none."""

from oakum.values.records import replace
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Partial
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, External, Value
from oakum_lint.models.frameworks.optax import FROM_STATE, GRADIENT, TAKEN_FROM_STATE
from oakum_lint.syntax import nodes


def gradient_from_state(
    machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """`value_and_grad_from_state(function)`: the function that takes parameters and a state."""
    function = arguments.get(0, "value_fn")
    if function is None:
        return UNKNOWN
    passed = Arguments((function,), places=arguments.places[:1])
    made = machine.call(External(GRADIENT), passed, frame, node)
    return Partial(External(TAKEN_FROM_STATE), (made,), ())


def take_gradient(machine: Machine, arguments: Arguments, frame: Frame, node: nodes.Node) -> Value:
    """Calls that function: the state is not passed on."""
    keywords = {name: value for name, value in arguments.keywords.items() if name != "state"}
    passed = replace(arguments.without_first(), keywords=keywords)
    return machine.call(arguments.positional[0], passed, frame, node)


GRADIENT_CALLS = {FROM_STATE: gradient_from_state, TAKEN_FROM_STATE: take_gradient}

"""Calls of optax's losses: the shapes of their results, and reports of misfitting arguments."""

from functools import partial

from oakum.values.avals import ShapedArray
from oakum_lint.arrays.array_results import new_array, to_abstract
from oakum_lint.arrays.shape_errors import Placed, answer
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Array, Value
from oakum_lint.models.frameworks.optax_losses import Loss
from oakum_lint.syntax import nodes


def call_loss(
    machine: Machine, loss: Loss, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Array:
    """Calls a loss; where the arguments are not all listed, nothing is known of the shape."""
    values = arguments.all_values()
    if not arguments.complete:
        return new_array(None, values, frame, node)
    extra = (str(position) for position in range(len(arguments.positional)))
    names = (*loss.operands, *extra)
    passed: dict[str, Value] = dict(zip(names, arguments.positional, strict=False))
    passed |= arguments.keywords
    operands: list[Placed] = [
        (value, arguments.place(position, "", node)) for position, value in enumerate(values)
    ]
    abstract = {name: to_abstract(value) for name, value in passed.items()}
    spelled = frame.text(node.function) if isinstance(node, nodes.Call) else "the loss"
    result = answer(machine, partial(loss.aval, abstract), spelled, operands, frame, node)
    aval = result if isinstance(result, ShapedArray) else None
    return new_array(aval, values, frame, node)

"""Tracers for what libraries beside JAX have to know while tracing: sizes of layers, counts of
steps, flags.
"""

from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.domain import events
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, External, LibraryObject, Place, Tree
from oakum_lint.libraries.framework_calls import has_rate
from oakum_lint.models.frameworks.static_parameters import CALLED, RATES, static_parameters
from oakum_lint.syntax import nodes

UNSEEN_RATE = "a layer with a rate of zero asks for no flag"


def _check_function(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    called = node.function if isinstance(node, nodes.Call) else node
    draws = has_rate(function.path, arguments)
    _check(machine, function.path, draws, frame.text(called), arguments, frame, node)


def _check_layer(
    machine: Machine, layer: LibraryObject, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    called = layer.path.rpartition(".")[2]
    _check(machine, layer.path + CALLED, layer.draws, called, arguments, frame, node)


def _check(
    machine: Machine,
    path: str,
    draws: bool | None,
    called: str,
    arguments: Arguments,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a tracer for a parameter that a library reads while tracing; `draws`: whether a layer
    with a rate has one that is not zero.
    """
    parameters = static_parameters().get(path) if frame.level else None
    rate = RATES.get(path.removesuffix(CALLED))
    for name, position in (parameters or {}).items():
        value = arguments.get(position, name)
        by_rate = rate is not None and name != rate[1]
        if value is None or (by_rate and draws is False):
            continue
        doubt = UNSEEN_RATE if by_rate and draws is None else ""
        for leaf in leaves_of(machine, value, frame, node)[0]:
            if isinstance(leaf, Array | Tree) and leaf.place is Place.ABSTRACT:
                place = arguments.place(position, name, node)
                machine.emit(
                    events.StaticArgument,
                    frame,
                    place,
                    leaf,
                    place,
                    doubt,
                    function=called,
                    parameter=name,
                    by_user=False,
                )
                return


GUEST = Guest(
    "library_options", Moments(library_call=(_check_function,), layer_called=(_check_layer,))
)

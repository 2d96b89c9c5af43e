"""A key that was split goes on to unknown code, and the part that was made for it is used nowhere.

`key, subkey = split(key)` makes `subkey` for what follows. Where nobody reads `subkey` and a call
gets `key`, that call is presumed to draw by it, and the next split draws by it again.
"""

from oakum_lint.analyses.keys.reused_keys import consume_key
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, External, Tree, Unknown, Value
from oakum_lint.models.frameworks.layers import is_layer
from oakum_lint.models.host.numpy import is_host_library, is_numpy_name
from oakum_lint.python.stdlib.builtin_calls import is_builtin
from oakum_lint.syntax import nodes
from oakum_lint.text.names import leaves_split_part


def _call_unknown(
    machine: Machine, _function: Value, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes that an unknown call draws by a key in the place of its part that nobody reads."""
    places = [arguments.place(index, "", node) for index in range(len(arguments.positional))]
    passed = [*zip(arguments.positional, places, strict=True)]
    passed += [
        (value, arguments.place(-1, name, node)) for name, value in arguments.keywords.items()
    ]
    for value, place in passed:
        # What is no key is not asked about: who asks for the text of a unit depends on all of it.
        if (
            isinstance(place, nodes.Name)
            and isinstance(value, Array | Tree | Unknown)
            and leaves_split_part(frame.unit.text, place.identifier)
        ):
            consume_key(machine, value, frame, node, place, presumed=True)


def _call_library(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Asks the same of a name from outside the project of which nothing is known."""
    path = function.path
    is_known = machine.public(path) is not None or is_builtin(path) or is_layer(path)
    if not (is_known or is_numpy_name(path) or is_host_library(path)):
        _call_unknown(machine, function, arguments, frame, node)


GUEST = Guest(
    "unused_parts",
    Moments(unknown_call=(_call_unknown,), library_call=(_call_library,)),
    after=("reused_keys",),
)

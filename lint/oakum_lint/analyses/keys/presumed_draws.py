"""A key goes on to unknown code, which is presumed to draw by it.

What is known to be a random key, made by a call or used as one, is passed to draw by it, but to
code whose name says that it keeps the key, shows it or moves it. So is, outside of tests, what the
code annotates as a key or splits, by its name; and what was split, where the part that was made for
what follows is read nowhere: `key, subkey = split(key)`, and then `f(key)`.
"""

from typing import TypeGuard

from oakum_lint.analyses.keys.identities import KEY
from oakum_lint.analyses.keys.named_keys import NAMED_LABEL, name_key
from oakum_lint.analyses.keys.reused_keys import consume_key
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.arrays.array_uses import key_use
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.names import called_name
from oakum_lint.domain.values import Array, External, Place, Tree, Unknown, Value
from oakum_lint.models.frameworks.haiku import APPLY, SAYS_DRAWING
from oakum_lint.models.frameworks.layers import is_layer
from oakum_lint.models.frameworks.register import framework_function
from oakum_lint.models.habits import INITIALIZES, KEEPS_ARGUMENTS, holds_key, is_test_file
from oakum_lint.models.host.numpy import is_host_library, is_numpy_name
from oakum_lint.python.stdlib.builtin_calls import is_builtin
from oakum_lint.syntax import nodes
from oakum_lint.text.names import leaves_split_part, names_key


def _call_unknown(
    machine: Machine, _function: Value, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Notes that an unknown call draws by the keys that it gets."""
    passed = [
        (value, arguments.place(index, "", node))
        for index, value in enumerate(arguments.positional)
    ]
    passed += [
        (value, arguments.place(-1, name, node)) for name, value in arguments.keywords.items()
    ]
    makes_parameters = (
        isinstance(node, nodes.Call) and INITIALIZES.match(called_name(node)) is not None
    )
    drawn: set[str] = set()
    for value, place in passed:
        if _is_drawn(value, place, frame, node) or _is_split_in_place(value, place, frame):
            # The same key once more is an example: nobody reads what is drawn by that.
            if not (makes_parameters and frame.text(place) in drawn):
                consume_key(machine, value, frame, node, place, presumed=True)
            drawn.add(frame.text(place))


def _is_drawn(value: Value, place: nodes.Node, frame: Frame, node: nodes.Node) -> bool:
    """Whether a call gets a key, and is not called like code that keeps what it gets."""
    is_key = KEY.of(value) is not None or (
        _may_be_key(place, value)
        and names_key(frame.unit.text, place.identifier)
        and not is_test_file(frame.module.path)
    )
    # Asked first: most calls get none.
    return is_key and isinstance(node, nodes.Call) and not KEEPS_ARGUMENTS.match(called_name(node))


def _is_split_in_place(value: Value, place: nodes.Node, frame: Frame) -> bool:
    """Whether a name was split into itself and a part that nobody reads."""
    return _may_be_key(place, value) and leaves_split_part(frame.unit.text, place.identifier)


def _may_be_key(place: nodes.Node, value: Value) -> TypeGuard[nodes.Name]:
    """Whether a name is passed that may hold a key."""
    # What is no key is not asked about: who asks for the text of a unit depends on all of it.
    return isinstance(place, nodes.Name) and isinstance(value, Array | Tree | Unknown)


def _call_library(
    machine: Machine, function: External, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Asks the same of a name from outside the project of which nothing is known. What a framework
    has from JAX is heard again, by the name that it has there.
    """
    path = function.path
    model = framework_function(path)
    if model is not None and model.alias:
        return
    if path == APPLY and not machine.project.units_that_say(frame.module, SAYS_DRAWING):
        # Of a function that draws nothing the key of `apply` is not read.
        return
    is_known = machine.public(path) is not None or is_builtin(path) or is_layer(path)
    if not (is_known or is_numpy_name(path) or is_host_library(path)):
        _call_unknown(machine, function, arguments, frame, node)


def _take_argument(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter, frame: Frame
) -> Array | None:
    """What is passed to a parameter that the code annotates as a key, splits or draws by: one key,
    under whatever name and in whatever container it goes on.
    """
    if is_test_file(function.module.path):
        return None
    is_used = holds_key(parameter.name) and key_use(machine, function, parameter) is not None
    if not is_used and not names_key(function.unit.text, parameter.name):
        return None
    return name_key(machine, Array(UNKNOWN_ARRAY, Place.ANY), frame, NAMED_LABEL)


GUEST = Guest(
    "presumed_draws",
    Moments(
        uncalled_argument=(_take_argument,),
        unknown_call=(_call_unknown,),
        library_call=(_call_library,),
    ),
    after=("reused_keys",),
)

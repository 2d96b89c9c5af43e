"""What a derivative keeps: the values of the forward pass that the backward pass reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from oakum.pytrees import pytree
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var
from oakum.tracing.jaxpr_trace import stage
from oakum.transforms import flat_functions
from oakum.transforms.autodiff.grad import linearize
from oakum.transforms.custom_rules.checkpoint import name_p
from oakum.transforms.jit.jit_primitive import jit_p
from oakum.transforms.make_jaxpr import described_aval
from oakum.values import user_frames
from oakum.values.avals import ShapedArray


def saved_residuals(
    function: Callable[..., Any], args: Sequence[Any], kwargs: Mapping[str, Any]
) -> list[tuple[ShapedArray, str]]:
    """Returns the aval of each value that the derivative of a function keeps, and where it comes
    from. The function is traced, and not evaluated.
    """
    flat_functions.check_callable(function)
    given = dict(kwargs)
    leaves, treedef = pytree.flatten((tuple(args), given))
    call = flat_functions.FlatFunction(function, treedef, transform="grad")
    what = f"an argument of {user_frames.name_of(function)}"
    names = flat_functions.argument_names(function, args, given)

    def residuals(*operands: object) -> list[Any]:
        _, _, derivative = linearize(call, operands, function)
        return derivative.consts

    closed = stage(
        residuals,
        [described_aval(leaf, what) for leaf in leaves],
        name=user_frames.name_of(function),
        transform="grad",
        arguments=names,
        traced=function,
    )
    return _origins(closed.jaxpr, names)


class _Scope:
    """A program, and the call by which it was entered from the program around it."""

    def __init__(self, jaxpr: Jaxpr, call: Equation | None, around: _Scope | None) -> None:
        self.jaxpr, self.call, self.around = jaxpr, call, around
        self.makers = {
            var: (place, eqn) for place, eqn in enumerate(jaxpr.eqns) for var in eqn.outputs
        }
        self.names = {
            var: eqn for eqn in jaxpr.eqns if eqn.primitive is name_p for var in eqn.inputs
        }


class _Origin(NamedTuple):
    """Where a value comes from: the rank by which JAX sorts origins, and the words."""

    rank: tuple[int, int]
    words: str


def _origins(jaxpr: Jaxpr, arguments: Sequence[str]) -> list[tuple[ShapedArray, str]]:
    """Returns the aval and the origin of each result of a program; each value counts once."""
    outermost = _Scope(jaxpr, None, None)
    found: dict[Atom, tuple[_Origin, ShapedArray]] = {}
    for atom in jaxpr.outvars:
        value, scope = _resolve(atom, outermost)
        if value not in found:
            aval = value.aval.update(weak_type=False)
            found[value] = _origin(value, scope, outermost, arguments), aval
    entries = sorted(found.values(), key=lambda entry: entry[0].rank)
    return [(aval, origin.words) for origin, aval in entries]


def _resolve(atom: Atom, scope: _Scope) -> tuple[Atom, _Scope]:
    """Returns the value that an atom is, within the compiled functions that made it: what these
    hand on is an argument, and no value of its own.
    """
    while isinstance(atom, Var):
        made = scope.makers.get(atom)
        if made is None:
            if scope.around is None or scope.call is None or atom not in scope.jaxpr.invars:
                break
            atom = scope.call.inputs[scope.jaxpr.invars.index(atom)]
            scope = scope.around
            continue
        _, eqn = made
        if eqn.primitive is not jit_p:
            break
        inner: ClosedJaxpr = eqn.params["jaxpr"]
        atom = inner.jaxpr.outvars[eqn.outputs.index(atom)]
        scope = _Scope(inner.jaxpr, eqn, scope)
    return atom, scope


def _origin(value: Atom, scope: _Scope, outermost: _Scope, arguments: Sequence[str]) -> _Origin:
    """Returns where a resolved value comes from, in JAX's words."""
    if isinstance(value, Literal):
        return _Origin((0, 0), "from a literal")
    made = scope.makers.get(value)
    if made is None:
        if value in outermost.jaxpr.invars:
            place = outermost.jaxpr.invars.index(value)
            return _Origin((2, place), f"from the argument {arguments[place]}")
        return _Origin((1, 0), "from a constant")
    eqn = scope.names.get(value, made[1])
    what = f"output of {eqn.primitive.name}"
    if eqn.primitive is name_p:
        what = f"named {eqn.params['name']!r}"
    place, _ = made
    while scope.around is not None and scope.call is not None:
        place = scope.around.makers[scope.call.outputs[0]][0]
        scope = scope.around
    if not eqn.source:
        return _Origin((3, place), what)
    frame = eqn.source[0]
    column = "" if frame.position is None else f":{frame.position[1]}"
    where = f"{frame.code.co_filename}:{frame.line}{column} ({frame.code.co_qualname})"
    return _Origin((3, place), f"{what} from {where}")

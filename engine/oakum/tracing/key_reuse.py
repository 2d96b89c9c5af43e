"""Finds random keys that are used twice: the option `jax_debug_key_reuse`.

Every operation has a signature: which operands it uses up (sinks), which results are fresh keys
(sources), and which results are operands again (forwards). That of a program follows from those of
its equations. An array of keys is used up in part where some of its keys are: masks say which.

Invariants:
- What is known of an array lives as long as the array does, and nothing is known while the option
  is off.
- Operations without a signature use up all keys given to them.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import KeyReuseError
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Var, kept
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.checks import check_outcomes
from oakum.values.records import dataclass
from oakum.values.user_frames import UserFrame, user_frames

Mask: TypeAlias = "bool | host.Array"
"""True for all keys of an array, or an array of booleans of its shape."""


@dataclass(frozen=True, slots=True)
class Signature:
    """The effect of an operation on keys: which it uses up, makes, and passes through."""

    sinks: tuple[tuple[int, Mask], ...] = ()
    sources: tuple[tuple[int, Mask], ...] = ()
    """Results that are keys, and which of them are used up from the outset."""
    forwards: tuple[tuple[int, int], ...] = ()
    """Pairs of an operand and the result that it is again."""


_SINK: Final = Signature(sinks=((0, True),))
_SOURCE: Final = Signature(sources=((0, False),))
_FORWARD: Final = Signature(forwards=((0, 0),))
_SPLIT: Final = Signature(sinks=((0, True),), sources=((0, False),))

_FIXED: Final[dict[str, Signature]] = {
    "random_bits": _SINK,
    "random_gamma": _SINK,
    "random_split": _SPLIT,
    "dynamic_update_slice": Signature(sinks=((1, True),), forwards=((0, 0),)),
    "scatter": Signature(sinks=((2, True),), forwards=((0, 0),)),
    **dict.fromkeys(("random_clone", "random_seed", "random_wrap", "random_fold_in"), _SOURCE),
    **dict.fromkeys(("random_unwrap", "eq", "ne", "debug_callback"), Signature()),
    **dict.fromkeys(
        (
            "broadcast_in_dim",
            "convert_element_type",
            "copy",
            "dynamic_slice",
            "gather",
            "reshape",
            "squeeze",
            "stage",
            "transpose",
        ),
        _FORWARD,
    ),
}


def _is_key(atom: Atom) -> bool:
    dtype = atom.aval.dtype
    return dtype is not None and dtype.kind is Kind.KEY


def _any(mask: Mask) -> bool:
    return bool(host.np.any(mask))


class _Uses:
    """The keys of a program that are used up so far."""

    def __init__(self) -> None:
        self._masks: dict[Var, Mask] = {}
        self._same: dict[Var, Atom] = {}
        self._first: dict[Var, Equation] = {}

    def origin(self, atom: Atom) -> Atom:
        """Returns the atom that this one is again."""
        while isinstance(atom, Var) and atom in self._same:
            atom = self._same[atom]
        return atom

    def forward(self, operand: Atom, result: Var) -> None:
        """Notes that a result is an operand again."""
        if operand.aval.dtype is result.aval.dtype:
            self._same[result] = operand

    def of(self, atom: Atom) -> Mask:
        """Returns the mask of the keys of an array that are used up."""
        found = self.origin(atom)
        return self._masks.get(found, False) if isinstance(found, Var) else False

    def first(self, atom: Atom) -> Equation | None:
        """Returns the equation that was the first to use keys of an array up."""
        found = self.origin(atom)
        return self._first.get(found) if isinstance(found, Var) else None

    def use(self, atom: Atom, mask: Mask, eqn: Equation) -> bool:
        """Has an equation use keys up; returns whether some of them were used up before."""
        found = self.origin(atom)
        if not isinstance(found, Var):
            return False
        before = self._masks.get(found, False)
        self._first.setdefault(found, eqn)
        same_shape = host.np.ndim(mask) == 0 or host.np.shape(mask) == found.aval.shape
        now = mask if same_shape else _any(mask)
        self._masks[found] = host.np.logical_or(before, now)
        return _any(host.np.logical_and(before, now)) and bool(found.aval.size)

    def make(self, result: Var, mask: Mask) -> None:
        """Notes a key that an operation returns."""
        self._masks[result] = mask


@kept
def of_program(jaxpr: Jaxpr) -> Signature:
    """Returns the signature of a program; `KeyReuseError` where it uses a key twice."""
    uses = _Uses()
    for eqn in jaxpr.eqns:
        signature = of_equation(eqn)
        forwarded = {result for _, result in signature.forwards}
        for operand, result in signature.forwards:
            uses.forward(eqn.inputs[operand], eqn.outputs[result])
        for operand, mask in signature.sinks:
            key = eqn.inputs[operand]
            if _is_key(key) and uses.use(key, mask, eqn):
                first = uses.first(key)
                check_outcomes.settle(
                    KeyReuseError(
                        f"In {eqn.primitive.name}, argument {operand} is already consumed",
                        detail=_first_use(first.source[0] if first and first.source else None),
                        frame=eqn.source[0].frame if eqn.source else None,
                    )
                )
        fresh = dict(signature.sources)
        for position, result in enumerate(eqn.outputs):
            if position not in forwarded and _is_key(result):
                uses.make(result, fresh.get(position, True))
    return _seen_from_outside(jaxpr, uses)


def _seen_from_outside(jaxpr: Jaxpr, uses: _Uses) -> Signature:
    inputs: list[Var] = [*jaxpr.invars, *jaxpr.constvars]
    places = {var: i for i, var in enumerate(inputs)}
    sinks = [(i, uses.of(v)) for i, v in enumerate(inputs) if _is_key(v) and _any(uses.of(v))]
    sources: list[tuple[int, Mask]] = []
    forwards: list[tuple[int, int]] = []
    for position, atom in enumerate(jaxpr.outvars):
        if not _is_key(atom):
            continue
        origin = uses.origin(atom)
        if isinstance(origin, Var) and origin in places:
            forwards.append((places[origin], position))
        else:
            sources.append((position, uses.of(atom)))
    return Signature(tuple(sinks), tuple(sources), tuple(forwards))


def of_equation(eqn: Equation) -> Signature:
    """Returns the signature of an equation."""
    name = eqn.primitive.name
    if name in _OF_PROGRAMS:
        return _OF_PROGRAMS[name](eqn)
    if not any(map(_is_key, (*eqn.inputs, *eqn.outputs))):
        return Signature()
    if name in _FIXED:
        return _FIXED[name]
    if name in _OF_SHAPES:
        return _OF_SHAPES[name](eqn)
    keys = [(i, True) for i, atom in enumerate(eqn.inputs) if _is_key(atom)]
    return Signature(sinks=tuple(keys))


def _of_slice(eqn: Equation) -> Signature:
    params = eqn.params
    steps = params["strides"] or (1,) * len(params["start_indices"])
    bounds = zip(params["start_indices"], params["limit_indices"], steps, strict=True)
    mask = host.np.zeros(eqn.inputs[0].aval.shape, bool)
    mask[tuple(slice(*each) for each in bounds)] = True
    return Signature(sinks=((0, mask),), sources=((0, False),))


def _of_concatenate(eqn: Equation) -> Signature:
    if len(eqn.inputs) == 1:
        return _FORWARD
    return Signature(tuple((i, True) for i in range(len(eqn.inputs))), ((0, False),))


def _of_device_put(eqn: Equation) -> Signature:
    return Signature(forwards=tuple((i, i) for i in range(len(eqn.inputs))))


def _of_call(eqn: Equation) -> Signature:
    closed: ClosedJaxpr = eqn.params["jaxpr"]
    return _without_constants(of_program(closed.jaxpr), len(closed.jaxpr.invars))


def _without_constants(signature: Signature, count: int) -> Signature:
    """Returns the signature for the arguments alone, where constants of a program come
    after them.
    """
    return Signature(
        tuple(each for each in signature.sinks if each[0] < count),
        signature.sources,
        tuple(each for each in signature.forwards if each[0] < count),
    )


def _of_checkpoint(eqn: Equation) -> Signature:
    # What is computed again in a backward pass is the same use.
    return Signature() if eqn.params.get("differentiated") else _of_call(eqn)


def _of_cond(eqn: Equation) -> Signature:
    """Returns the signature of `cond`.

    Keys are used up if any branch uses them up; a result is fresh, or an operand passed through,
    only if it is so in all branches. Two branches may have one key as different operands, as in
    `cond(p, key, f, key, g)`: that is one use.
    """
    branches = [of_program(each.jaxpr) for each in eqn.params["branches"]]
    count = len(eqn.inputs) - 1
    parts = [_without_constants(each, count) for each in branches]
    first: dict[Atom, int] = {}
    places = [first.setdefault(atom, i) for i, atom in enumerate(eqn.inputs[1:])]
    sinks: dict[int, Mask] = {}
    sources: dict[int, Mask] = {}
    for part in parts:
        here: set[int] = set()
        for operand, mask in part.sinks:
            place = operand if places[operand] in here else places[operand]
            here.add(place)
            sinks[place + 1] = host.np.logical_or(sinks.get(place + 1, False), mask)
        for result, mask in part.sources:
            sources[result] = host.np.logical_or(sources.get(result, False), mask)
    passed = [{(places[operand], result) for operand, result in each.forwards} for each in parts]
    same = set[tuple[int, int]].intersection(*passed)
    forwards = tuple((operand + 1, result) for operand, result in sorted(same))
    return Signature(tuple(sinks.items()), tuple(sources.items()), forwards)


def _check_repeated(what: str, signature: Signature, consts: int, carry: int) -> None:
    """Raises where a program that is repeated uses up a key that it does not renew."""
    fresh = {result for result, mask in signature.sources if not host.np.all(mask)}
    for operand, mask in signature.sinks:
        place = operand - consts
        if _any(mask) and (place < 0 or (place < carry and place not in fresh)):
            which = "constant" if place < 0 else "carried"
            raise KeyReuseError(
                f"{what} leads to key reuse when repeatedly executed: it uses up a {which} key "
                "and does not renew it",
                hint="Split the key in each step, and carry one of the new keys.",
            )


def _of_scan(eqn: Equation) -> Signature:
    closed: ClosedJaxpr = eqn.params["jaxpr"]
    signature = of_program(closed.jaxpr)
    consts, carry = eqn.params["consts"], eqn.params["carry"]
    _check_repeated("scan body function", signature, consts, carry)
    inside = _without_constants(signature, len(closed.jaxpr.invars))
    # What is scanned has an axis more here; a mask of one step holds for all.
    sinks = tuple((i, mask if i < consts + carry else True) for i, mask in inside.sinks)
    sources = tuple((i, mask if i < carry else _any(mask)) for i, mask in inside.sources)
    return Signature(sinks, sources, inside.forwards)


def _of_while(eqn: Equation) -> Signature:
    cond: ClosedJaxpr = eqn.params["cond_jaxpr"]
    body: ClosedJaxpr = eqn.params["body_jaxpr"]
    first, second = eqn.params["cond_consts"], eqn.params["body_consts"]
    carry = len(body.jaxpr.outvars)
    of_cond, of_body = of_program(cond.jaxpr), of_program(body.jaxpr)
    renewed = Signature(of_cond.sinks, of_body.sources)
    _check_repeated("while_loop cond function", renewed, first, carry)
    _check_repeated("while_loop body function", of_body, second, carry)
    used = {i - first for i, _ in of_cond.sinks} & {i - second for i, _ in of_body.sinks}
    if used:
        raise KeyReuseError("while_loop cond and body functions both use the same key")
    inside = _without_constants(of_body, second + carry)
    return Signature(
        tuple((i + first, mask) for i, mask in inside.sinks),
        inside.sources,
        tuple((i + first, result) for i, result in inside.forwards),
    )


_OF_SHAPES: Final[dict[str, Callable[[Equation], Signature]]] = {
    "slice": _of_slice,
    "concatenate": _of_concatenate,
    "device_put": _of_device_put,
}
_OF_PROGRAMS: Final[dict[str, Callable[[Equation], Signature]]] = {
    "jit": _of_call,
    "custom_jvp_call": _of_call,
    "custom_vjp_call": _of_call,
    "checkpoint": _of_checkpoint,
    "cond": _of_cond,
    "scan": _of_scan,
    "while": _of_while,
}

_known: dict[int, tuple[Any, Mask, UserFrame | None]] = {}
"""Which keys of arrays are used up, and where first, by the identity of the array, with a reference
that ends it.
"""


def _first_use(place: UserFrame | None) -> str:
    """Returns the sentence that says where a key was used first."""
    return "" if place is None else f"The key was used before on line {place}"


def consumed(array: object) -> Mask:
    """Returns the mask of the keys of an array that are used up."""
    found = _known.get(id(array))
    return False if found is None else found[1]


def _note(array: object, mask: Mask) -> None:
    place = id(array)
    if _any(mask):
        before = _known.get(place)
        where = before[2] if before is not None else next(iter(user_frames(1)), None)
        _known[place] = (weakref.ref(array, lambda _: _known.pop(place, None)), mask, where)
    else:
        _known.pop(place, None)


def checked(
    primitive: Primitive,
    operands: Sequence[Any],
    params: Mapping[str, Any],
    process: Callable[[], Any],
) -> Any:
    """Evaluates an operation; raises where it is given a key that was used up."""
    closed: Any = params.get("jaxpr") if primitive.name == "jit" else None
    constants: list[Any] = [] if closed is None else closed.consts
    if closed is None and not any(_holds_keys(each) for each in operands):
        return process()
    signature = _at_run_time(primitive, operands, params)
    given = [*operands, *constants]
    name = primitive.name if closed is None else "jit-compiled function"
    for position, mask in signature.sinks:
        if _any(host.np.logical_and(consumed(given[position]), mask)):
            check_outcomes.settle(
                KeyReuseError(
                    f"Previously-consumed key passed to {name} at index {position}",
                    detail=_first_use(_known[id(given[position])][2]),
                )
            )
    results = process()
    outputs = results if primitive.multiple_results else [results]
    for position, mask in signature.sinks:
        _note(given[position], host.np.logical_or(consumed(given[position]), mask))
    for result, mask in signature.sources:
        _note(outputs[result], mask)
    for operand, result in signature.forwards:
        if _holds_keys(given[operand]):
            _note(outputs[result], _any(consumed(given[operand])))
    return results


def _holds_keys(array: Array) -> bool:
    return (dtype := array.aval.dtype) is not None and dtype.kind is Kind.KEY


def _at_run_time(
    primitive: Primitive, operands: Sequence[Any], params: Mapping[str, Any]
) -> Signature:
    closed: Any = params.get("jaxpr")
    if primitive.name == "jit":
        return of_program(closed.jaxpr)
    variables: dict[int, Var] = {}
    inputs = [variables.setdefault(id(each), Var(each.aval)) for each in operands]
    return of_equation(Equation(primitive, inputs, (), params))

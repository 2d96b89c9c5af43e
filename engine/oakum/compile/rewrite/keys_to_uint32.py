"""Random keys as arrays of uint32 words.

The words lie along a last axis, as in memory, so arguments and results keep their bytes. Movement
ops act on the words directly. Other ops on keys run on the host, between a free wrap and unwrap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum.compile.loops.elements import shape_of
from oakum.compile.rewrite import rewriter, trailing_axis
from oakum.compile.rewrite.rewriter import Rewriter, is_key, words_aval
from oakum.compile.rewrite.trailing_axis import Given
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Var
from oakum.values import host
from oakum.values.avals import ShapedArray

if TYPE_CHECKING:
    pass


def keys_to_uint32(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program without keys, except operands and results of the host."""
    return rewriter.rewrite_all(closed, _rewrite)


def _rewrite(closed: ClosedJaxpr) -> ClosedJaxpr:
    jaxpr = closed.jaxpr
    variables = (*jaxpr.constvars, *jaxpr.invars, *(v for e in jaxpr.eqns for v in e.outputs))
    return _Writer(closed).written() if any(map(is_key, variables)) else closed


class _Writer(Rewriter):
    """Writes a program in words."""

    def __init__(self, closed: ClosedJaxpr) -> None:
        super().__init__(closed)
        self._wrapped: dict[Var, Var] = {}

    def has_other_form(self, atom: Atom) -> bool:
        return is_key(atom)

    def new_aval(self, aval: ShapedArray) -> ShapedArray:
        return words_aval(aval)

    def new_constant(self, value: ArrayImpl) -> Any:
        return _words_of(value)

    def note(self, var: Var, new: Var) -> None:
        self.values[var] = new

    def outside(self, atom: Atom) -> Atom:
        return self.read(atom)

    def rewrite(self, eqn: Equation) -> None:
        inputs = [self.read(atom) for atom in eqn.inputs]
        name = eqn.primitive.name
        if name in _NOTHING:
            self.values[eqn.outputs[0]] = inputs[0]
        elif name in _MOVES:
            given = _MOVES[name](self, inputs, eqn)
            inputs, params = (inputs, eqn.params) if given is None else given
            self.append(eqn.primitive, inputs, self.new(eqn.outputs), params)
        else:
            self._write_as_it_is(eqn)

    def _write_as_it_is(self, eqn: Equation) -> None:
        """Keeps an equation for the host, with keys wrapped and unwrapped."""
        inputs = [self._keys(x) if is_key(x) else self.read(x) for x in eqn.inputs]
        outputs = [Var(var.aval) if is_key(var) else var for var in eqn.outputs]
        self.append(eqn.primitive, inputs, outputs, eqn.params)
        for old, new in zip(eqn.outputs, outputs, strict=True):
            if old is not new:
                self._wrapped[old] = new
                from oakum.primitives.random import random_keys

                self.values[old] = self.apply(random_keys.random_unwrap_p, [new], _generator(new))

    def _keys(self, atom: Atom) -> Var:
        """Returns the keys of words."""
        assert isinstance(atom, Var)
        found = self._wrapped.get(atom)
        if found is None:
            from oakum.primitives.random import random_keys

            found = self.apply(random_keys.random_wrap_p, [self.read(atom)], _generator(atom))
            self._wrapped[atom] = found
        return found


def _generator(atom: Atom) -> dict[str, Any]:
    assert atom.aval.dtype is not None
    from oakum.primitives.random import registry

    return {"impl": registry.of_dtype(atom.aval.dtype)}


def _words_of(keys: ArrayImpl) -> Any:
    """Returns the words of a constant."""
    aval = words_aval(keys.aval)
    raw = host.np.ascontiguousarray(keys.raw).reshape((*keys.raw.shape, 1))
    return wrap(raw.view(host.np.uint32), aval)


_NOTHING: Final = frozenset(("random_wrap", "random_unwrap", "random_clone"))
"""Operations that become the identity."""

Move = Callable[[_Writer, Sequence[Atom], Equation], Given | None]
"""Returns operands and parameters of the operation on words; None if they stay as they are."""


def _as_it_is(writer: _Writer, inputs: Sequence[Atom], eqn: Equation) -> None:
    return None


def _words(inputs: Sequence[Atom]) -> int:
    return shape_of(inputs[0].aval)[-1]


def _longer(writer: _Writer, inputs: Sequence[Atom], eqn: Equation) -> Given:
    return inputs, trailing_axis.longer(eqn, _words(inputs))


def _at_starts(writer: _Writer, inputs: Sequence[Atom], eqn: Equation) -> Given:
    return trailing_axis.at_starts(inputs, eqn, _words(inputs))


def _select(writer: _Writer, inputs: Sequence[Atom], eqn: Equation) -> Given | None:
    """Repeats the condition for all words of a key."""
    from oakum.primitives.broadcasting import broadcast_in_dim_p

    which, *cases = inputs
    rank = len(shape_of(which.aval))
    if not rank:
        return None
    params = {
        "shape": shape_of(cases[0].aval),
        "broadcast_dimensions": tuple(range(rank)),
        "sharding": None,
    }
    return [writer.apply(broadcast_in_dim_p, [which], params), *cases], eqn.params


def _gathered(writer: _Writer, inputs: Sequence[Atom], eqn: Equation) -> Given:
    rank = len(shape_of(eqn.outputs[0].aval))
    longer = trailing_axis.gathered(eqn.params, rank, _words(inputs))
    return inputs, {**longer, "fill_value": 0xFFFFFFFF}


def _scattered(writer: _Writer, inputs: Sequence[Atom], eqn: Equation) -> Given:
    return inputs, trailing_axis.scattered(eqn.params, len(shape_of(eqn.inputs[2].aval)))


_MOVES: Final[dict[str, Move]] = {
    **dict.fromkeys(
        "copy device_put stop_gradient optimization_barrier squeeze split rev concatenate".split(),
        _as_it_is,
    ),
    **dict.fromkeys("broadcast_in_dim slice reshape transpose tile".split(), _longer),
    "dynamic_slice": _at_starts,
    "dynamic_update_slice": _at_starts,
    "select_n": _select,
    "gather": _gathered,
    "scatter": _scattered,
}
"""The operations that move keys, with their forms on words."""

"""Programs that each rewriting rule matches, made from its pattern.

Letters are arguments of the program, of the shape `SHAPE` or the one given here; parameters of
primitives that need some stand here too. A new rule needs a line here only for those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from oakum import dtypes
from oakum.api.primitive_registry import by_name
from oakum.compile.simplify.patterns import (
    CLASSES,
    Application,
    Constant,
    Number,
    Operand,
    Pattern,
    Rule,
    operations,
    parse,
    variants,
)
from oakum.compile.simplify.rewriting import number
from oakum.dtypes import DType
from oakum.errors import OakumError
from oakum.runtime.arrays import wrap
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var
from oakum.tracing.parameter_forms import parameters
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray

SHAPE: Final = (9, 8)
ANY: Final = (
    dtypes.bool_,
    dtypes.int8,
    dtypes.int32,
    dtypes.uint32,
    dtypes.bfloat16,
    dtypes.float32,
    dtypes.float64,
    dtypes.complex64,
)
"""The dtypes that rules for all dtypes are tried on."""

Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sample:
    """What a pattern does not say: shapes of letters, numbers of capitals, parameters of names."""

    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    params: Mapping[str, Params] = field(default_factory=dict[str, Params])
    dtypes: Mapping[str, DType] = field(default_factory=dict[str, DType])
    only: tuple[DType, ...] | None = None
    rest: tuple[Any, ...] = ()


def shapes(**given: tuple[int, ...]) -> Mapping[str, tuple[int, ...]]:
    """Shapes by letter."""
    return given


def params(**given: Params) -> Mapping[str, Params]:
    """Parameters by name."""
    return given


def _order(*axes: int) -> Params:
    return {"permutation": axes}


def _shape(*sizes: int, order: Any = None) -> Params:
    return {"new_sizes": sizes, "dimensions": order}


def _to(sizes: Sequence[int], *axes: int) -> Params:
    return {"shape": tuple(sizes), "broadcast_dimensions": axes}


def _cut(starts: Any, limits: Any, strides: Any = None) -> Params:
    return {"start_indices": starts, "limit_indices": limits, "strides": strides}


def _axes(*axes: int) -> Params:
    return {"axes": axes}


def _power(y: int) -> list[Sample]:
    return [Sample(params=params(p={"y": y}))]


def _dot(contracting: Any, batch: Any = ((), ())) -> Params:
    return {
        "dimension_numbers": (contracting, batch),
        "precision": None,
        "preferred_element_type": None,
    }


def _converted(dtype: DType) -> Params:
    return {"new_dtype": dtype, "weak_type": False}


_WIDER: Final = {
    dtypes.bool_: dtypes.int8,
    dtypes.int8: dtypes.int32,
    dtypes.int32: dtypes.float64,
    dtypes.uint32: dtypes.uint64,
    dtypes.bfloat16: dtypes.float32,
    dtypes.float32: dtypes.float64,
}
_FLOATS: Final = (dtypes.bfloat16, dtypes.float32)
_NUMBERS: Final = (dtypes.int32, dtypes.float32, dtypes.complex64)
_CONTRACTED: Final = (dtypes.int32, dtypes.float32, dtypes.float64, dtypes.complex64)

SAMPLES: Final[dict[str, list[Sample]]] = {
    "divide-by-power-of-two": [Sample(numbers={"C": x}) for x in (4, 0.5, -8, 1024)],
    "divide-negation-by-number": [Sample(numbers={"C": x}) for x in (3, -0.25)],
    "multiply-negation-by-number": [Sample(numbers={"C": x}) for x in (3, -128)],
    "negate-product-by-number": [Sample(numbers={"C": x}) for x in (3, -128)],
    "subtract-number": [Sample(numbers={"C": x}) for x in (3, 127)],
    "add-numbers": [Sample(numbers={"C": 3, "D": 100}), Sample(numbers={"C": 100, "D": 100})],
    "multiply-by-numbers": [Sample(numbers={"C": 3, "D": 100})],
    "small-power": [Sample(numbers={"C": x}) for x in (2, 3, 4)],
    "power-half": [Sample(numbers={"C": 0.5})],
    "power-minus-half": [Sample(numbers={"C": -0.5})],
    "integer-power-zero": _power(0),
    "integer-power-one": _power(1),
    "integer-power-two": _power(2),
    "integer-power-three": _power(3),
    "integer-power-four": _power(4),
    "reciprocal": _power(-1),
    "reciprocal-square": _power(-2),
    "choose-known": [Sample(numbers={"C": x}, dtypes={"C": dtypes.bool_}) for x in (0, 1)],
    **{
        f"choose-{name}": [Sample(dtypes={"c": dtypes.bool_})]
        for name in ("same", "by-complement", "again-first", "again-second")
    },
    "converted-is-nonzero": [
        Sample(params=params(p=_converted(x))) for x in (dtypes.int32, dtypes.bfloat16)
    ],
    "convert-to-same": [Sample(params=params(p=_converted(x)), only=(x,)) for x in ANY],
    "convert-twice": [
        Sample(params=params(q=_converted(wide), p=_converted(end)), only=(start,))
        for start, wide in _WIDER.items()
        for end in (start, wide)
    ],
    "reduce-no-precision": [
        Sample(params=params(p={"exponent_bits": 11, "mantissa_bits": 52})),
    ],
    **{
        name: [Sample(only=(dtypes.float32, dtypes.float64))]
        for name in ("real-of-complex", "imaginary-of-complex")
    },
    "complex-of-parts": [Sample(only=(dtypes.complex64, dtypes.complex128))],
    "transpose-twice": [
        Sample(shapes(x=(2, 3, 4)), params=params(p=_order(1, 2, 0), q=_order(2, 1, 0)))
    ],
    "transpose-nothing": [Sample(shapes(x=(2, 3)), params=params(p=_order(0, 1)))],
    "transpose-units": [Sample(shapes(x=(1, 3, 1, 2)), params=params(p=_order(1, 0, 3, 2)))],
    "transpose-repeated": [
        Sample(shapes(x=(2, 3)), params=params(q=_to((2, 5, 3), 0, 2), p=_order(2, 1, 0))),
        Sample(shapes(x=(3,)), params=params(q=_to((2, 3), 1), p=_order(1, 0))),
    ],
    "reshape-reordered": [Sample(shapes(x=(2, 3)), params=params(p=_shape(6, order=(1, 0))))],
    "reshape-twice": [Sample(shapes(x=(2, 3)), params=params(q=_shape(6), p=_shape(3, 2)))],
    "reshape-to-same": [Sample(shapes(x=(2, 3)), params=params(p=_shape(2, 3)))],
    "reshape-inserts": [Sample(shapes(x=(2, 3)), params=params(p=_shape(2, 1, 3, 1)))],
    "reshape-number": [Sample(shapes(C=(2, 3)), {"C": 3}, params(p=_shape(6)))],
    "squeeze": [Sample(shapes(x=(1, 3, 1)), params=params(p={"dimensions": (2,)}))],
    "reshape-repeated": [
        Sample(shapes(x=(3,)), params=params(q=_to((1, 3, 2, 1), 1), p=_shape(3, 2, 1))),
        Sample(shapes(x=(1, 3)), params=params(q=_to((1, 3, 2), 0, 1), p=_shape(3, 2))),
    ],
    "repeat-nothing": [Sample(shapes(x=(2, 3)), params=params(p=_to((2, 3), 0, 1)))],
    "repeat-twice": [
        Sample(shapes(x=(3,)), params=params(q=_to((3, 1), 0), p=_to((2, 3, 4), 1, 2))),
        Sample(shapes(x=()), params=params(q=_to((3,)), p=_to((2, 3), 1))),
    ],
    "slice-whole": [Sample(shapes(x=(2, 3)), params=params(p=_cut((0, 0), (2, 3), (1, 1))))],
    "slice-twice": [
        Sample(shapes(x=(9,)), params=params(q=_cut((1,), (9,), (2,)), p=_cut((1,), (4,), (2,)))),
        Sample(shapes(x=(9,)), params=params(q=_cut((1,), (5,)), p=_cut((1,), (1,)))),
    ],
    "slice-repeated": [
        Sample(
            shapes(x=(3, 1)),
            params=params(q=_to((2, 3, 4), 1, 2), p=_cut((0, 1, 1), (1, 3, 3), (1, 1, 2))),
        ),
    ],
    "slice-number": [
        Sample(shapes(C=(4, 3)), {"C": 3}, params(p={"slice_sizes": (2, 3)}), rest=("i32", "i32"))
    ],
    "slice-joined": [
        Sample(shapes(x=(2, 3)), params=params(q={"dimension": 0}, p=cut), rest=((4, 3), (1, 3)))
        for cut in (_cut((3, 0), (6, 2)), _cut((0, 1), (2, 3)), _cut((2, 0), (6, 3), (3, 2)))
    ],
    "slice-block": [
        Sample(shapes(x=(2, 3)), params=params(p={"slice_sizes": (2, 3)}), rest=("i32", "i32"))
    ],
    "slice-at-known": [
        Sample(shapes(x=(4, 3)), params=params(p={"slice_sizes": (2, 2)}), rest=(at, 1))
        for at in (1, -3, 9)
    ],
    "update-whole": [Sample(shapes(x=(2, 3), y=(2, 3)), rest=("i32", "i32"))],
    "join-one": [Sample(shapes(x=(2, 3)), params=params(p={"dimension": 1}))],
    "reverse-twice": [
        Sample(shapes(x=(2, 3)), params=params(p={"dimensions": (0,)}, q={"dimensions": (0, 1)}))
    ],
    "reverse-nothing": [Sample(shapes(x=(1, 3)), params=params(p={"dimensions": (0,)}))],
    "reverse-repeated": [
        Sample(shapes(x=(3,)), params=params(q=_to((2, 3), 1), p={"dimensions": (0,)}))
    ],
    "pad-nothing": [
        Sample(shapes(x=(2, 3), y=()), params=params(p={"padding_config": ((0, 0, 0),) * 2}))
    ],
    "tile-once": [Sample(shapes(x=(2, 3)), params=params(p={"reps": (1, 1)}))],
    "unary-of-repeated": [Sample(shapes(x=(3,)), params=params(b=_to((3, 2), 0)), only=(*ANY,))],
    "binary-of-repeated": [
        Sample(shapes(x=(3,), y=(3,)), params=params(b=_to((3, 2), 0), d=_to((3, 2), 0)))
    ],
    "binary-of-repeated-and-number": [
        Sample(shapes(x=(3,), C=(3, 2)), {"C": 3}, params(b=_to((3, 2), 0)))
    ],
    "binary-of-number-and-repeated": [
        Sample(shapes(x=(3,), C=(3, 2)), {"C": 3}, params(b=_to((3, 2), 0)))
    ],
    "choice-of-repeated": [
        Sample(
            shapes(x=(3,), y=(3,), c=(3,)),
            params=params(a=_to((3, 2), 0), b=_to((3, 2), 0), d=_to((3, 2), 0)),
            dtypes={"c": dtypes.bool_},
        )
    ],
    "choice-of-numbers": [
        Sample(
            shapes(c=(3,), C=(3, 2), D=(3, 2)),
            {"C": 3, "D": -1},
            params(a=_to((3, 2), 0)),
            {"c": dtypes.bool_},
            only=(dtypes.int32, dtypes.bfloat16, dtypes.float32),
        )
    ],
    "sum-of-one": [Sample(shapes(x=(2, 1)), params=params(p=_axes(1)))],
    "reduce-one": [Sample(shapes(x=(2, 1)), params=params(p=_axes(1)))],
    "extreme-of-one": [Sample(shapes(x=(2, 1)), params=params(p=_axes(1)))],
    "reduce-integers-twice": [
        Sample(shapes(x=(2, 3, 4)), params=params(q=_axes(1), p=_axes(1))),
        Sample(shapes(x=(2, 3, 4)), params=params(q=_axes(2), p=_axes(0, 1))),
    ],
    "reduce-twice": [Sample(shapes(x=(2, 3, 4)), params=params(q=_axes(1), p=_axes(0)))],
    "extreme-of-repeated": [
        Sample(shapes(x=(3,)), params=params(q=_to((3, 4), 0), p=_axes(1))),
        Sample(shapes(x=(3, 1)), params=params(q=_to((3, 4), 0, 1), p=_axes(0, 1))),
    ],
    **{
        name: [
            Sample(shapes(x=(3,)), params=params(q=_to((3, 7), 0), p=_axes(1))),
            Sample(shapes(x=(3,)), params=params(q=_to((3, 300), 0), p=_axes(0, 1))),
        ]
        for name in ("sum-of-repeated", "sum-of-repeated-integers")
    },
    "inner-products": [
        Sample(shapes(x=(5, 3), y=(5, 3)), params=params(d=_dot(((0,), (0,)), ((1,), (1,))))),
        Sample(
            shapes(x=(2, 5, 3), y=(3, 5, 2)),
            params=params(d=_dot(((2,), (0,)), ((0, 1), (2, 1)))),
        ),
    ],
    "contract-transposed-first": [
        Sample(
            shapes(x=(3, 2), y=(3, 4)),
            params=params(t=_order(1, 0), d=_dot(((1,), (0,)))),
            only=_CONTRACTED,
        ),
        Sample(
            shapes(x=(3, 5, 2), y=(5, 3, 4)),
            params=params(t=_order(1, 2, 0), d=_dot(((2,), (1,)), ((0,), (0,)))),
            only=_CONTRACTED,
        ),
    ],
    "contract-transposed-second": [
        Sample(
            shapes(x=(4, 3), y=(2, 3)),
            params=params(t=_order(1, 0), d=_dot(((1,), (0,)))),
            only=_CONTRACTED,
        )
    ],
    "transpose-contraction": [
        Sample(
            shapes(x=(2, 3), y=(3, 4)),
            params=params(t=_order(1, 0), d=_dot(((1,), (0,)))),
            only=_CONTRACTED,
        ),
        Sample(
            shapes(x=(5, 2, 3), y=(5, 3, 4)),
            params=params(t=_order(0, 2, 1), d=_dot(((2,), (1,)), ((0,), (0,)))),
            only=_CONTRACTED,
        ),
    ],
}
"""The samples of rules whose patterns do not say all."""

NAMED: Final[dict[str, Params]] = {
    "convert_element_type": _converted(dtypes.float64),
    "reduce_precision": {"exponent_bits": 5, "mantissa_bits": 3},
    "integer_pow": {"y": 3},
    "device_put": {"sharding": None, "src": None, "copy": True},
    "name": {"name": "a"},
}
"""The parameters of primitives that have some where a pattern names a class."""


def _given_params(primitive: Primitive, dtype: DType) -> Params:
    if primitive.name == "conj":
        return {"input_dtype": dtype}
    if primitive.name == "round":
        from oakum.lax.options import RoundingMethod

        return {"rounding_method": RoundingMethod.TO_NEAREST_EVEN}
    return NAMED.get(primitive.name) or dict.fromkeys(sorted(parameters(primitive)))


class _Builder:
    """Builds the program of a pattern."""

    def __init__(self, sample: Sample, dtype: DType, member: Mapping[str, str]) -> None:
        self._sample = sample
        self._dtype = dtype
        self._member = member
        self._letters: dict[str, Var] = {}
        self.arguments: list[Var] = []
        self.equations: list[Equation] = []

    def argument(self, shape: tuple[int, ...], dtype: DType) -> Var:
        """A new argument of the program."""
        var = Var(ShapedArray(shape, dtype))
        self.arguments.append(var)
        return var

    def build(self, pattern: Pattern, beside: ShapedArray | None = None) -> Atom:
        """The value of a pattern; `beside` is the aval of a neighbour, for numbers."""
        match pattern:
            case Operand(name):
                if name not in self._letters:
                    shape = self._sample.shapes.get(name, SHAPE)
                    dtype = self._sample.dtypes.get(name, self._dtype)
                    self._letters[name] = self.argument(shape, dtype)
                return self._letters[name]
            case Constant(name):
                dtype = self._sample.dtypes.get(name, self._dtype)
                shape = self._sample.shapes.get(name, SHAPE)
                raw = np.array(self._sample.numbers.get(name, 3)).astype(host.dtype(dtype))
                return self._repeated(raw, ShapedArray(shape, dtype))
            case Number(value):
                assert beside is not None
                assert beside.dtype is not None
                return self._repeated(number(value, beside.dtype), beside)
            case Application():
                return self._apply(pattern)

    def _repeated(self, raw: Any, aval: ShapedArray) -> Atom:
        literal = Literal(wrap(raw, ShapedArray((), aval.dtype)))
        if aval.shape == ():
            return literal
        given = {"shape": aval.shape, "broadcast_dimensions": ()}
        return self._append(by_name()["broadcast_in_dim"], [literal], given)

    def _apply(self, pattern: Application) -> Atom:
        primitive = by_name()[self._member.get(pattern.operation, pattern.operation)]
        made = {
            at: self.build(each)
            for at, each in enumerate(pattern.arguments)
            if not isinstance(each, Number)
        }
        beside = next(iter(made.values())).aval
        inputs = [
            made[at] if at in made else self.build(each, beside)
            for at, each in enumerate(pattern.arguments)
        ]
        if pattern.rest:
            inputs += map(self._further, self._sample.rest)
        dtype = inputs[0].aval.dtype
        assert dtype is not None
        given = self._sample.params.get(pattern.label or "") or _given_params(primitive, dtype)
        return self._append(primitive, inputs, given)

    def _further(self, given: Any) -> Atom:
        if given == "i32":
            return self.argument((), dtypes.int32)
        if isinstance(given, int):
            return self._repeated(np.array(given, np.int32), ShapedArray((), dtypes.int32))
        return self.argument(given, self._dtype)

    def _append(self, primitive: Primitive, inputs: Sequence[Atom], given: Params) -> Atom:
        known = dict.fromkeys(sorted(parameters(primitive)))
        aval = primitive.abstract(*[x.aval for x in inputs], **{**known, **given})
        result = Var(aval)
        self.equations.append(Equation(primitive, inputs, [result], {**known, **given}))
        return result


@dataclass(frozen=True, slots=True)
class Case:
    """A program that a rule matches."""

    rule: Rule
    program: ClosedJaxpr
    text: str


def cases(rule: Rule) -> Iterator[Case]:
    """The programs of a rule: for each sample, dtype, order of operands and member of a class."""
    for sample in SAMPLES.get(rule.name, [Sample()]):
        for dtype in sorted(_dtypes(rule, sample), key=str):
            for pattern in variants(parse(rule.pattern)):
                for member in _members(pattern):
                    program = _program(pattern, sample, dtype, member)
                    if program is not None:
                        yield Case(rule, program, f"{pattern} {dtype} {member} {sample.params}")


def _dtypes(rule: Rule, sample: Sample) -> Sequence[DType]:
    allowed = list(ANY) if rule.dtypes is None else list(rule.dtypes)
    if sample.only is None:
        return allowed
    if rule.dtypes is None:
        return sample.only
    return [each for each in sample.only if each in allowed]


def _members(pattern: Pattern) -> Iterator[Mapping[str, str]]:
    names = [name for name in operations(pattern) if name in CLASSES]
    if not names:
        yield {}
        return
    for member in sorted(CLASSES[names[0]]):
        yield dict.fromkeys(names, member)


def _program(
    pattern: Pattern, sample: Sample, dtype: DType, member: Mapping[str, str]
) -> ClosedJaxpr | None:
    builder = _Builder(sample, dtype, member)
    try:
        result = builder.build(pattern)
    except OakumError:  # The primitive does not take this dtype.
        return None
    return ClosedJaxpr(Jaxpr((), builder.arguments, (result,), builder.equations))

"""All primitives keep what the engine relies on: their rules agree with one another.

Every primitive of every module is found by itself and has to have a case in `primitive_cases.py`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.primitive_cases import cases_of, elementwise
from tests.engine.primitive_exceptions import AMPLIFYING, EXCEPTIONS, LINEAR
from tests.engine.primitive_samples import TESTED, Case

import oakum
from oakum import dtypes, lax
from oakum.api import primitive_registry
from oakum.api.jaxpr_parser import parse_jaxpr
from oakum.dtypes import DType, Kind
from oakum.primitives.rules.derivatives import UndefinedPrimal, Zero, zero_of
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.tracing.ir import ClosedJaxpr, eval_closed
from oakum.tracing.jaxpr_printer import print_jaxpr
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.jaxpr_verifier import check_jaxpr
from oakum.tracing.trace import Primitive, aval_of
from oakum.transforms.autodiff.jvp import jvp_flat
from oakum.transforms.autodiff.transpose import backward_pass
from oakum.values import host
from oakum.values.avals import ShapedArray

HOMES = ("oakum.lax.elementary", "oakum.primitives.", "oakum.control_flow.special_functions.")
NAMES = sorted(
    {
        each.name
        for module in primitive_registry.modules()
        if module.__name__.startswith(HOMES)
        for each in primitive_registry.defined_in(module)
    }
)
STEP = 1e-6
Function = Callable[..., list[Any]]


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


def primitive_of(name: str) -> Primitive:
    return primitive_registry.by_name()[name]


def excused(name: str, what: str) -> bool:
    """Whether a property is not to hold; the reason stands in the cases."""
    return name in EXCEPTIONS[what]


def function_of(name: str, case: Case, tested: DType) -> Function:
    """The application of a primitive as a function of arrays; along a named axis, if it has one."""
    primitive = primitive_of(name)
    params = case.params_for(primitive, tested)

    def apply(*operands: Any) -> list[Any]:
        ready = operands if case.prepare is None else case.prepare(list(operands))
        result = primitive.bind(*ready, **params)
        return list(result) if primitive.multiple_results else [result]

    return along(case, apply)


def along(case: Case, function: Function) -> Function:
    """A function of one member, applied to all along the named axis of a case."""
    if not case.members:
        return function
    return lambda *args: oakum.vmap(function, axis_name="i", axis_size=case.members)(*args)


def operands_of(name: str, case: Case, tested: DType, batches: Sequence[Any] = ()) -> list[Any]:
    """The operands, with batch axes in front."""
    members = (case.members,) if case.members else ()
    given = batches or [()] * len(case.operands)
    return [
        draw.values(tested, f"{name} {place}", (*batch, *members))
        for place, (draw, batch) in enumerate(zip(case.operands, given, strict=True))
    ]


def is_inexact(value: Any) -> bool:
    dtype = aval_of(value).dtype
    return dtype is not None and dtype.kind in (Kind.FLOAT, Kind.COMPLEX)


def smooth(case: Case, operands: Sequence[Any]) -> list[int]:
    """The operands by which the primitive is differentiated."""
    return [i for i, x in enumerate(operands) if is_inexact(x) and i not in case.fixed]


def differentiated(name: str) -> Iterator[tuple[Case, DType, list[Any]]]:
    """The cases of a primitive with floats and with complex numbers."""
    primitive = primitive_of(name)
    for case in cases_of(name):
        for tested in (dtypes.float64, dtypes.complex128):
            if tested is dtypes.complex128 and excused(name, "complex"):
                continue
            if case.accepts(primitive, tested):
                yield case, tested, operands_of(name, case, tested)


def random_like(value: Any, seed: int) -> ArrayImpl:
    """Normal numbers of the dtype and shape of an array."""
    aval = aval_of(value)
    rng: Any = np.random.default_rng(seed)
    size: Any = aval.shape
    raw: Any = rng.normal(size=size)
    if aval.dtype is not None and aval.dtype.kind is Kind.COMPLEX:
        raw = raw + 1j * rng.normal(size=size)
    return wrap(np.asarray(raw, host.dtype(aval.dtype)), aval)  # pyright: ignore[reportArgumentType]


def inner(left: Sequence[Any], right: Sequence[Any]) -> float:
    """The sum of products, of which the real part is what transposition keeps."""
    return sum(
        float(np.sum(np.asarray(x) * np.asarray(y)).real) for x, y in zip(left, right, strict=True)
    )


def raws(values: Sequence[Any]) -> list[Any]:
    return [value.raw for value in values]


def assert_close(given: Any, wanted: Any, tolerance: float = 0.0) -> None:
    """Fails where arrays of the host differ; keys and integers have to be equal."""
    assert given.shape == wanted.shape
    assert given.dtype == wanted.dtype
    if given.dtype.kind == "V" and given.dtype.isbuiltin != 2:
        assert given.tobytes() == wanted.tobytes()
    elif given.dtype.kind in "fc" and tolerance:
        np.testing.assert_allclose(given, wanted, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(given, wanted)


@pytest.mark.parametrize("name", NAMES)
def test_each_primitive_has_a_case(name: str) -> None:
    """A primitive is added whose rules nothing compares with one another."""
    cases = cases_of(name)
    assert cases, (
        f"the primitive {name} has no case: add sample operands and parameters of it to CASES in "
        "tests/engine/primitive_cases.py, or the bounds of its operands to ELEMENTWISE"
    )
    primitive = primitive_of(name)
    assert any(case.accepts(primitive, each) for case in cases for each in TESTED)
    rules = {
        "derivative": primitive.jvp or primitive.linear or primitive.derivatives,
        "batch": primitive.batch,
        "transpose": primitive.transpose or not primitive.linear or excused(name, "derivative"),
    }
    for what, rule in rules.items():
        assert rule or excused(name, what), (
            f"the primitive {name} has no rule for {what}: write it, or say in EXCEPTIONS in "
            "tests/engine/primitive_exceptions.py why it is to have none"
        )


def test_exceptions_are_of_primitives_that_there_are() -> None:
    """A reason outlives the primitive that it was given for, and hides another one's fault."""
    assert {name for names in EXCEPTIONS.values() for name in names} <= set(NAMES)


def assert_evaluates(name: str, case: Case, tested: DType) -> None:
    primitive = primitive_of(name)
    params = case.params_for(primitive, tested)
    abstract = primitive.abstract(*[each.aval(tested) for each in case.operands], **params)
    wanted = abstract if primitive.multiple_results else [abstract]
    operands = operands_of(name, case, tested)
    before = [x.raw.copy() for x in operands]
    if case.members:
        results = raws(function_of(name, case, tested)(*operands))
        wanted = [each.update(shape=(case.members, *each.shape)) for each in wanted]
    else:
        found = primitive.evaluate(np, *raws(operands), **params)
        results: list[Any] = found if primitive.multiple_results else [found]
    assert len(results) == len(wanted)
    for result, aval in zip(results, wanted, strict=True):
        assert hasattr(result, "tobytes"), f"{name} gives {type(result)} and no array of the host"
        assert result.shape == aval.shape, f"{name} of {tested}: {result.shape} and not {aval}"
        assert result.dtype == host.dtype(aval.dtype), f"{name} of {tested}: {result.dtype}, {aval}"
    for x, copy in zip(operands, before, strict=True):
        assert x.raw.tobytes() == copy.tobytes(), f"{name} writes to an operand"


@pytest.mark.parametrize("name", NAMES)
def test_abstract_rules_tell_what_evaluation_gives(name: str) -> None:
    """A traced function has another shape or dtype than the same function gives when it runs."""
    for case in cases_of(name):
        for tested in TESTED:
            if case.accepts(primitive_of(name), tested):
                assert_evaluates(name, case, tested)


@pytest.mark.parametrize("name", sorted(elementwise()))
@settings(max_examples=6)
@given(shape=st.lists(st.integers(0, 3), max_size=4).map(tuple))
def test_elementwise_primitives_take_any_shape(name: str, shape: tuple[int, ...]) -> None:
    """An operation fails for scalars, for empty arrays or for many axes."""
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        primitive, case = primitive_of(name), cases_of(name)[0]
        tested = case.tested(primitive)
        params = case.params_for(primitive, tested)
        aval = ShapedArray(shape, tested)
        count = math.prod(shape)
        flat: list[Any] = [
            np.resize(x.raw, count).reshape(shape) for x in operands_of(name, case, tested)
        ]
        result = primitive.evaluate(np, *flat, **params)
        wanted = primitive.abstract(*[aval] * len(flat), **params)
        assert (result.shape, result.dtype) == (wanted.shape, host.dtype(wanted.dtype))


def moved(operands: Sequence[Any], tangents: Sequence[Any], step: float) -> list[Any]:
    return [
        x if isinstance(t, Zero) else wrap(x.raw + step * t.raw, x.aval)
        for x, t in zip(operands, tangents, strict=True)
    ]


def member_function(name: str, case: Case, tested: DType) -> Function:
    """The application of a primitive to one member, with what of its results is compared."""
    alone = function_of(name, replace(case, members=0), tested)

    def compared(*args: Any) -> list[Any]:
        results = alone(*args)
        return results if case.compare is None else case.compare(results)

    return compared


def assert_derivative(
    function: Function, case: Case, operands: list[Any], wanted: set[int]
) -> None:
    """Compares a derivative by some operands with a quotient of differences."""
    tangents = [random_like(x, i) if i in wanted else zero_of(x) for i, x in enumerate(operands)]

    def changes_of(*given: Any) -> list[Any]:
        values, tangents = given[: len(operands)], iter(given[len(operands) :])
        each = [next(tangents) if i in wanted else zero_of(x) for i, x in enumerate(values)]
        results, changes = jvp_flat(function, values, each)
        pairs = [(x, t) for x, t in zip(results, changes, strict=True) if is_inexact(x)]
        return [lax.full_like(x, 0) if isinstance(t, Zero) else t for x, t in pairs]

    changes = along(case, changes_of)(*operands, *[tangents[i] for i in sorted(wanted)])
    ahead, behind = (
        [x for x in along(case, function)(*moved(operands, tangents, step)) if is_inexact(x)]
        for step in (STEP, -STEP)
    )
    for change, more, less in zip(changes, ahead, behind, strict=True):
        # Infinite results, of windows without elements, do not change.
        quotient = np.where(more.raw == less.raw, 0, more.raw - less.raw) / (2 * STEP)
        assert_close(change.raw, quotient, case.tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_derivatives_are_limits_of_differences(name: str) -> None:
    """`jax.jvp` and `jax.grad` of a function give wrong numbers."""
    if excused(name, "derivative"):
        return
    for case, tested, operands in differentiated(name):
        function, places = member_function(name, case, tested), smooth(case, operands)
        alone = [{place} for place in places] if len(places) > 1 else []
        for wanted in ([set(places)] if places else []) + alone:
            assert_derivative(function, case, operands, wanted)


@pytest.mark.parametrize("name", NAMES)
def test_reverse_derivatives_are_adjoint_to_forward_ones(name: str) -> None:
    """`jax.grad` of a function differs from `jax.jvp`, or fails where that works."""
    if excused(name, "derivative"):
        return
    for case, tested, operands in differentiated(name):
        places = smooth(case, operands)
        if not places:
            continue
        function = function_of(name, case, tested)

        def partial(*given: Any, function: Any = function, case: Case = case) -> list[Any]:
            values = list(operands)  # noqa: B023
            for place, value in zip(places, given, strict=True):  # noqa: B023
                values[place] = value
            results = (case.compare or list)(function(*values))
            return [x for x in results if is_inexact(x)]

        primals = [operands[place] for place in places]
        tangents = [random_like(x, place) for place, x in enumerate(primals)]
        results, changes = oakum.jvp(partial, primals, tangents)
        cotangents = [random_like(x, 9 + place) for place, x in enumerate(results)]
        back = oakum.vjp(partial, *primals)[1](cotangents)
        np.testing.assert_allclose(inner(cotangents, changes), inner(back, tangents), rtol=1e-7)


@pytest.mark.parametrize("name", NAMES)
def test_transposition_keeps_inner_products(name: str) -> None:
    """A gradient through an operation that is linear is wrong."""
    primitive = primitive_of(name)
    if primitive.transpose is None or excused(name, "transpose"):
        return
    transposed = 0
    for case, tested, operands in differentiated(name):
        every = tuple(i for i, x in enumerate(operands) if is_inexact(x))
        given = LINEAR.get(name, (every,)) if case.linear is None else case.linear
        for linear in given:
            assert_transposed(name, case, tested, operands, linear)
            transposed += 1
    assert transposed, f"say in LINEAR or in a case of {name} in which operands it is linear"


def assert_transposed(
    name: str, case: Case, tested: DType, operands: list[Any], linear: Sequence[int]
) -> None:
    primitive = primitive_of(name)
    params = case.params_for(primitive, tested)
    avals = [draw.aval(tested) for draw in case.operands]

    def apply(*given: Any) -> list[Any]:
        result = primitive.bind(*given, **params)
        return list(result) if primitive.multiple_results else [result]

    count = len(avals)

    def back(*given: Any) -> list[Any]:
        closed = stage(apply, avals)
        values = [
            UndefinedPrimal(avals[i]) if i in linear else x for i, x in enumerate(given[:count])
        ]
        results = backward_pass(closed.jaxpr, closed.consts, values, given[count:])
        zeros = [lax.full_like(x, 0) for x in given[:count]]
        return [zeros[i] if isinstance(results[i], Zero) else results[i] for i in linear]

    results = along(case, apply)(*operands)
    if not all(map(is_inexact, results)):
        return
    # With the other operands fixed it may be affine.
    nothing = [lax.full_like(x, 0) if i in linear else x for i, x in enumerate(operands)]
    shifts = along(case, apply)(*nothing)
    results = [lax.sub(x, shift) for x, shift in zip(results, shifts, strict=True)]
    cotangents = [random_like(x, 5 + place) for place, x in enumerate(results)]
    found = along(case, back)(*operands, *cotangents)
    for i, each in zip(linear, found, strict=True):
        assert aval_of(each).shape == operands[i].shape
        assert aval_of(each).dtype is operands[i].aval.dtype
    wanted = [operands[i] for i in linear]
    np.testing.assert_allclose(inner(cotangents, results), inner(found, wanted), rtol=1e-9)


def batchings(case: Case) -> Iterator[list[int | None]]:
    """The combinations of mapped axes: each operand not mapped, in front or at the end."""
    members = bool(case.members)
    choices = [
        [None] if place in case.unmapped else dict.fromkeys((None, 0, len(draw.shape) + members))
        for place, draw in enumerate(case.operands)
    ]
    combinations = [
        list(each) for each in itertools.product(*choices) if any(d is not None for d in each)
    ]
    kept = combinations
    if len(combinations) > MOST:
        step = len(combinations) / MOST
        kept = [combinations[int(i * step)] for i in range(MOST)]
    yield from kept


MOST = 12
"""As many combinations of mapped axes are tried of each case."""


def stacked(results: Sequence[Sequence[Any]]) -> list[Any]:
    return [np.stack(column) for column in zip(*map(raws, results), strict=True)]


def mapped_cases(name: str) -> Iterator[tuple[Case, DType, Function]]:
    for case in cases_of(name):
        if case.operands and not excused(name, "batch"):
            tested = case.tested(primitive_of(name))
            yield case, tested, function_of(name, case, tested)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", NAMES)
def test_batching_is_a_loop(name: str) -> None:
    """`jax.vmap` of a function gives something else than calling it for each element."""
    for case, tested, function in mapped_cases(name):
        for dims in batchings(case):
            batches = [() if d is None else (2,) for d in dims]
            operands = operands_of(name, case, tested, batches)
            parts = [
                [
                    x if d is None else wrap(x.raw[i], x.aval.update(shape=x.shape[1:]))
                    for i in range(2)
                ]
                for x, d in zip(operands, dims, strict=True)
            ]
            wanted = stacked([function(*each) for each in zip(*parts, strict=True)])
            placed = [
                x if d is None else wrap(np.moveaxis(x.raw, 0, d), aval_moved(x, d))
                for x, d in zip(operands, dims, strict=True)
            ]
            found = oakum.vmap(function, in_axes=tuple(dims))(*placed)
            for x, y in zip(raws(found), wanted, strict=True):
                assert_close(x, y, 1e-9)


def aval_moved(value: Any, dim: int) -> ShapedArray:
    shape = list(value.shape)
    shape.insert(dim, shape.pop(0))
    return value.aval.update(shape=tuple(shape))


@pytest.mark.parametrize("name", NAMES)
def test_batching_twice_is_two_loops(name: str) -> None:
    """`jax.vmap` of `jax.vmap` of a function fails, or gives something else than two loops."""
    for case, tested, function in mapped_cases(name):
        count = len(case.operands)
        both = [() if place in case.unmapped else (2, 3) for place in range(count)]
        first = [(2,), *[(3,)] * (count - 1)] if count > 1 else both
        last = [*[(2,)] * (count - 1), (2, 3)]
        for batches in dict.fromkeys(map(tuple, (both,) if case.unmapped else (both, first, last))):
            operands = operands_of(name, case, tested, batches)
            outer = tuple(0 if 2 in batch else None for batch in batches)
            within = tuple(0 if 3 in batch else None for batch in batches)
            if all(d is None for d in within):
                continue
            found = oakum.vmap(oakum.vmap(function, within), outer)(*operands)
            rows = [
                stacked([function(*picked(operands, batches, i, j)) for j in range(3)])
                for i in range(2)
            ]
            wanted = [np.stack(column) for column in zip(*rows, strict=True)]
            for x, y in zip(raws(found), wanted, strict=True):
                assert_close(x, y, 1e-9)


def picked(operands: Sequence[Any], batches: Sequence[Any], i: int, j: int) -> list[Any]:
    """The operands at one place of both batch axes."""
    found: list[Any] = []
    for x, batch in zip(operands, batches, strict=True):
        index = tuple(place for size, place in ((2, i), (3, j)) if size in batch)
        raw = x.raw[index] if index else x.raw
        found.append(wrap(raw, x.aval.update(shape=x.shape[len(batch) :])))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_programs_are_read_as_they_are_printed(name: str) -> None:
    """A program that was written to a file is another one, or none, when it is read back."""
    for case in cases_of(name):
        tested = case.tested(primitive_of(name))
        function = function_of(name, case, tested)
        operands = operands_of(name, case, tested)
        closed = stage(function, [x.aval for x in operands])
        text = print_jaxpr(closed, values=True)
        parsed = parse_jaxpr(text)
        assert print_jaxpr(parsed, values=True) == text
        check_jaxpr(parsed)
        assert isinstance(parsed, ClosedJaxpr)
        if not excused(name, "value"):
            results = raws(eval_closed(parsed, *operands))
            for x, y in zip(results, raws(function(*operands)), strict=True):
                assert_close(x, y)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", NAMES)
def test_compiled_functions_give_what_eager_ones_give(name: str) -> None:
    """`jax.jit` of a function changes its results by more than rounding."""
    if excused(name, "value"):
        return
    for case in cases_of(name):
        tested = case.tested(primitive_of(name))
        function = function_of(name, case, tested)
        operands = operands_of(name, case, tested)
        compiled, eager = oakum.jit(function)(*operands), function(*operands)
        for x, y in zip(compiled, eager, strict=True):
            assert x.aval == y.aval
            inexact = y.raw.dtype.kind in "fc" and y.raw.dtype.isbuiltin == 1
            units = 4096 if name in AMPLIFYING else 16
            assert_close(x.raw, y.raw, units * float(np.finfo(y.raw.dtype).eps) if inexact else 0.0)

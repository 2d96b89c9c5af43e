"""Each rewriting rule gives what it says: the same bits, or the same but for rounding."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.simplify_samples import Case, cases

from oakum import dtypes
from oakum.compile.simplify.logic_rules import holds, is_same_through
from oakum.compile.simplify.passes import RULES, Pass
from oakum.compile.simplify.patterns import Group, PatternError, Rule, operations, parse
from oakum.compile.simplify.rewriting import Ruleset
from oakum.dtypes import DType, Kind
from oakum.primitives.conversion import convert
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.tracing.jaxpr_verifier import check_jaxpr
from oakum.values import host
from oakum.values.avals import ShapedArray

SPECIAL = (0.0, -0.0, 1.0, -1.0, 2.0, 0.5, float("inf"), float("-inf"), float("nan"))


def rewritten(case: Case) -> tuple[ClosedJaxpr, int]:
    """The program after the rule alone, and how often it was applied."""
    run = Pass(Ruleset((case.rule,)), object())
    with np.errstate(all="ignore"):
        result = run.run(case.program)
    return result, run.applied.get(case.rule.name, 0)


def array(random: Any, aval: ShapedArray, tame: bool) -> Any:
    """An array of any numbers, special ones often; a tame one has numbers from 1/2 to 2."""
    assert aval.dtype is not None
    kind: Any = host.dtype(aval.dtype)
    shape: Any = aval.shape
    if aval.dtype.kind is Kind.COMPLEX:
        part = dtypes.float32 if aval.dtype.bits == 64 else dtypes.float64
        real, imag = (array(random, aval.update(dtype=part), tame) for _ in range(2))
        found = np.empty(real.shape, kind)
        found.real, found.imag = real, imag
        return found
    if aval.dtype.kind is Kind.BOOL:
        return random.integers(0, 2, shape).astype(kind)
    word = np.dtype(f"u{kind.itemsize}")
    anything = random.integers(0, np.iinfo(word).max, shape, word, endpoint=True)
    anything = np.asarray(anything).view(kind)
    if aval.dtype.kind is Kind.FLOAT:
        # No signalling NaN: whether an operation hands it on depends on the host.
        anything = np.where(anything != anything, kind.type("nan"), anything)
    if aval.dtype.kind is not Kind.FLOAT:
        small = random.integers(0, 5, shape).astype(kind)
        return np.where(random.random(shape) < 0.3, small, anything)
    if tame:
        return np.asarray(random.uniform(0.5, 2, shape)).astype(kind)
    special = random.choice(np.array(SPECIAL), shape).astype(kind)
    near = np.asarray(random.normal(0, 2, shape)).astype(kind)
    which = random.random(shape)
    return np.where(which < 0.4, special, np.where(which < 0.7, anything, near))


def same_bits(before: Any, after: Any) -> bool:
    """Whether arrays are equal to the bit, but for which NaN an element is."""
    if before.dtype.kind == "c":
        return same_bits(before.real, after.real) and same_bits(before.imag, after.imag)
    before, after = np.ascontiguousarray(before), np.ascontiguousarray(after)
    word = np.dtype(f"u{before.dtype.itemsize}")
    with np.errstate(all="ignore"):
        both_nan = (before != before) & (after != after)
    return bool(np.all((before.view(word) == after.view(word)) | both_nan))


def distance(before: Any, after: Any) -> float:
    """The greatest difference in units in the last place of the larger one."""
    if before.dtype.kind not in "fcV":
        return 0 if np.array_equal(before, after) else float("inf")
    with np.errstate(all="ignore"):
        eps = float(host.ml_dtypes.finfo(before.dtype).eps)
        tiny = float(host.ml_dtypes.finfo(before.dtype).smallest_normal)
        wide = np.complex128 if before.dtype.kind == "c" else np.float64
        one, two = before.astype(wide), after.astype(wide)
        same = (one == two) | ((one != one) & (two != two))
        unit = np.maximum(np.maximum(abs(one), abs(two)), tiny) * eps
        apart = np.where(same, 0, abs(one - two) / unit)
    return float(np.max(np.where(apart != apart, np.inf, apart), initial=0))


RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)


@RULE
def test_rules_are_applied(rule: Rule) -> None:
    """A rule is never applied, so that programs stay slow, or makes a program of other types."""
    found = list(cases(rule))
    assert found
    for case in found:
        program, count = rewritten(case)
        assert count, case.text
        check_jaxpr(program)
        assert [(a.shape, a.dtype, a.weak_type) for a in program.out_avals] == [
            (a.shape, a.dtype, a.weak_type) for a in case.program.out_avals
        ]


@pytest.mark.sweep(3)
@RULE
def test_rules_keep_values(rule: Rule) -> None:
    """Compiled code gives another number than the operations one by one."""
    found = [(case, rewritten(case)[0]) for case in cases(rule)]

    @settings(max_examples=max(2, min(12, 60 // len(found))))
    @given(st.integers(0, 2**32))
    def compare(seed: int) -> None:
        for case, program in found:
            check(case, program, np.random.default_rng(seed))

    compare()


def check(case: Case, program: ClosedJaxpr, random: Any) -> None:
    """Compares the values of a program before and after its rule."""
    rule = case.rule
    tame = rule.ulp is None
    with np.errstate(all="ignore"):
        operands = [array(random, aval, tame) for aval in case.program.in_avals]
    if rule.group is Group.LIMITS:
        operands = [
            np.clip(np.nan_to_num(x.astype(float)), 1e-3, 10).astype(x.dtype) for x in operands
        ]
    with np.errstate(all="ignore"):
        (before,) = run_closed(np, case.program, operands)
        (after,) = run_closed(np, program, operands)
    assert before.dtype == after.dtype
    assert before.shape == after.shape
    if rule.group is Group.EXACT:
        assert same_bits(before, after), (case.text, operands, before, after)
    elif rule.group is Group.ROUNDING:
        bound = 8 + 4 * max(x.size for x in operands) if rule.ulp is None else rule.ulp
        assert distance(before, after) <= bound, (case.text, operands, before, after)
    else:
        eps = float(host.ml_dtypes.finfo(before.dtype).eps)
        one, two = before.astype(float), after.astype(float)
        assert np.all(abs(one - two) <= 4 * eps * np.maximum(1, abs(two))), (operands, one, two)


def test_rules_have_names_of_their_own() -> None:
    """Two rules go by one name in reports."""
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_exact_rules_state_no_error() -> None:
    """A rule says that it is exact and states a bound of its error."""
    for rule in RULES:
        assert (rule.group is Group.EXACT) == (rule.ulp == 0), rule.name


@pytest.mark.parametrize("text", ["neg(x", "neg(x))", "neg(x;)", "mul(x, 1) 2", "neg[p(x)"])
def test_patterns_that_do_not_parse(text: str) -> None:
    """A rule with a slip in its pattern is taken as another one."""
    with pytest.raises(PatternError):
        parse(text)


def test_conversions_through_other_dtypes() -> None:
    """Two conversions become one where the number between was another one."""
    kinds = [d for d in dtypes.NUMERIC if d.bits >= 8 and d in (*NATIVE, dtypes.bfloat16)]
    for start in kinds:
        sample = numbers(start)
        for middle in kinds:
            with np.errstate(all="ignore"):
                between = convert(np, sample, middle)
            for end in kinds:
                if is_same_through(start, middle, end):
                    with np.errstate(all="ignore"):
                        once, twice = convert(np, sample, end), convert(np, between, end)
                    assert same_bits(once, twice), (start, middle, end)
            if holds(middle, start):
                with np.errstate(all="ignore"):
                    assert same_bits(sample, convert(np, between, start)), (start, middle)


NATIVE = tuple(
    dtypes.DTYPES[name]
    for name in """bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 float32 float64
    complex64 complex128""".split()
)


def numbers(dtype: DType) -> Any:
    """Many numbers of a dtype, with the least and the greatest."""
    kind = host.dtype(dtype)
    random = np.random.default_rng(0)
    if dtype.kind is Kind.BOOL:
        return np.array([True, False])
    if dtype.kind is Kind.COMPLEX:
        part = numbers(dtypes.float32 if dtype.bits == 64 else dtypes.float64)
        found = np.empty(part.shape, kind)
        found.real, found.imag = part, part[::-1]
        return found
    word = np.dtype(f"u{kind.itemsize}")
    bits = random.integers(0, np.iinfo(word).max, 2000, dtype=word, endpoint=True)
    with np.errstate(all="ignore"):
        small = random.integers(-300, 300, 500).astype(np.float64).astype(kind)
    return np.concatenate([bits.view(kind), small])


def test_patterns_name_primitives() -> None:
    """A rule waits for a primitive that there is not."""
    from oakum.api.primitive_registry import by_name
    from oakum.compile.simplify.patterns import CLASSES

    known = set(by_name())
    for rule in RULES:
        for text in (rule.pattern, rule.replacement):
            assert set(operations(parse(text))) <= known | set(CLASSES), rule
    assert {name for names in CLASSES.values() for name in names} <= known

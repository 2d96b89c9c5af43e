"""The verifier finds what is wrong with a program, and runs where it is switched on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import oakum as jax
from oakum import lax
from oakum.api.jaxpr_parser import parse_jaxpr
from oakum.control_flow import cond_primitive, scan_primitive, while_primitive
from oakum.errors import JaxprTypeError
from oakum.lax.elementary import FUNCTIONS
from oakum.primitives import arithmetic
from oakum.runtime.arrays import wrap
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.jaxpr_verifier import check_jaxpr
from oakum.tracing.trace import Primitive
from oakum.transforms.jit import jit_primitive
from oakum.values.avals import UNKNOWN_DIM, ShapedArray, parse_aval

F32 = parse_aval("f32[3]")
I32 = parse_aval("i32[3]")


def var(text: str = "f32[3]") -> Var:
    return Var(parse_aval(text))


def program(inputs: Sequence[Var], eqns: Sequence[Equation], outputs: Sequence[Atom]) -> Jaxpr:
    return Jaxpr((), inputs, outputs, eqns)


def sine(x: Atom, y: Var) -> Equation:
    return Equation(FUNCTIONS["sin"].primitive, [x], [y], {"accuracy": None})


def literal(number: Any, text: str, dtype: Any = np.float32) -> Literal:
    return Literal(wrap(np.array(number, dtype), parse_aval(text)))


def closed(text: str) -> ClosedJaxpr:
    found = parse_jaxpr(text)
    assert isinstance(found, ClosedJaxpr)
    return found


def holding(primitive: Primitive, inputs: str, outputs: str, **params: Any) -> Jaxpr:
    """A program that applies an operation on programs to its arguments."""
    given, found = ([var(each) for each in text.split()] for text in (inputs, outputs))
    return program(given, [Equation(primitive, given, found, params)], found)


IDENTITY = closed("{ lambda ; a:f32[3]. let in (a,) }")
STEP = closed("{ lambda ; a:f32[] b:f32[]. let c:f32[] = add a b in (c, a) }")
POSITIVE = closed("{ lambda ; a:f32[]. let b:bool[] = gt a 0.0:f32[] in (b,) }")
NEGATED = closed("{ lambda ; a:f32[]. let b:f32[] = neg a in (b,) }")
SCAN = {"length": 4, "reverse": False, "unroll": 1, "consts": 0, "carry": 1, "jaxpr": STEP}
WHILE = {"cond_jaxpr": POSITIVE, "body_jaxpr": NEGATED, "cond_consts": 0, "body_consts": 0}
COND = {"branches": (IDENTITY, IDENTITY)}


@pytest.mark.parametrize(
    "jaxpr",
    [
        holding(jit_primitive.jit_p, "f32[3]", "f32[3]", jaxpr=IDENTITY, name="f"),
        holding(jit_primitive.jit_p, "~f32[3]", "f32[3]", jaxpr=IDENTITY, name="f"),
        holding(scan_primitive.scan_p, "f32[] f32[4]", "f32[] f32[4]", **SCAN),
        holding(while_primitive.while_p, "f32[]", "f32[]", **WHILE),
        holding(cond_primitive.cond_p, "i32[] f32[3]", "f32[3]", **COND),
    ],
)
def test_good_programs_pass(jaxpr: Jaxpr) -> None:
    """The verifier refuses a program that is well typed."""
    check_jaxpr(jaxpr)


x, y = var(), var()
BAD = {
    "y.*is not bound, in the results": program([x], [], [y]),
    "is not bound, in v.* = sin": program([x], [sine(y, var())], [x]),
    "is bound twice, in the arguments": program([x, x], [], [x]),
    "is bound twice, in v.* = sin": program([x], [sine(x, y), sine(x, y)], [y]),
    "gives f32.3., not i32.3.": program([x], [sine(x, z := var("i32[3]"))], [z]),
    "gives f32.3., not f32.3., f32": program(
        [x], [Equation(FUNCTIONS["sin"].primitive, [x], [y, w := var()], {"accuracy": None})], [w]
    ),
    "does not type: lax.add requires": program(
        [x, z], [Equation(arithmetic.add_p, [x, z], [y], {})], [y]
    ),
    "is not fully known": program([Var(ShapedArray((UNKNOWN_DIM,), F32.dtype))], [], []),
    "is no literal of the aval f32": program([], [], [literal(1, "f32[]", np.int32)]),
    "states the effects .'io'.": program(
        [x], [Equation(FUNCTIONS["sin"].primitive, [x], [y], {}, frozenset(("io",)))], [y]
    ),
    "operands of jit are .f32.4..": holding(
        jit_primitive.jit_p, "f32[4]", "f32[3]", jaxpr=IDENTITY, name="f"
    ),
    "a scan of 4 steps goes over .f32.5..": holding(
        scan_primitive.scan_p, "f32[] f32[5]", "f32[] f32[4]", **SCAN
    ),
    "the state that the body of scan gives": holding(
        scan_primitive.scan_p,
        "f32[] f32[4]",
        "i32[] f32[4]",
        **{**SCAN, "jaxpr": closed("{ lambda ; a:f32[] b:f32[]. let in (1:i32[], a) }")},
    ),
    "results of the condition of while are .f32": holding(
        while_primitive.while_p, "f32[]", "f32[]", **{**WHILE, "cond_jaxpr": NEGATED}
    ),
    "results of the body of while are .bool": holding(
        while_primitive.while_p, "f32[]", "bool[]", **{**WHILE, "body_jaxpr": POSITIVE}
    ),
    "the index of cond are .f32": holding(cond_primitive.cond_p, "f32[] f32[3]", "f32[3]", **COND),
    "operands of a branch of cond": holding(
        cond_primitive.cond_p, "i32[] i32[3]", "f32[3]", **COND
    ),
    "the results of a branch": holding(
        cond_primitive.cond_p,
        "i32[] f32[3]",
        "f32[3]",
        branches=(IDENTITY, closed("{ lambda ; a:f32[3]. let in (2.0:f32[],) }")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("message", BAD)
def test_bad_programs_are_refused(message: str) -> None:
    """A fault of a transformation shows as wrong numbers, long after it was made."""
    pattern = message.removeprefix("y.*")
    with pytest.raises(JaxprTypeError, match=pattern):
        check_jaxpr(BAD[message])


def test_programs_in_parameters_are_checked_too() -> None:
    """A fault in the body of a loop is not found."""
    inner = ClosedJaxpr(program([x], [], [y]))
    outer = holding(jit_primitive.jit_p, "f32[3]", "f32[3]", jaxpr=inner, name="f")
    with pytest.raises(JaxprTypeError, match="is not bound, in the results"):
        check_jaxpr(outer)


def test_constants_are_checked() -> None:
    """A program gets a constant of another shape than its equations were made for."""
    value = wrap(np.zeros(4, np.float32), parse_aval("f32[4]"))
    with pytest.raises(JaxprTypeError, match=r"the value of the constant .* is f32\[4\]"):
        check_jaxpr(ClosedJaxpr(Jaxpr((x,), (), (x,), ()), [value]))


def test_every_program_that_is_traced_is_checked_where_the_option_is_on() -> None:
    """The option `jax_enable_checks` checks nothing."""
    answers = [F32, I32]

    def abstract(_: ShapedArray) -> ShapedArray:
        return answers.pop(0)

    def evaluate(xp: Any, x: Any) -> Any:
        return x

    def function(x: Any) -> list[Any]:
        return [Primitive("fickle", abstract=abstract, evaluate=evaluate).bind(x)]

    with pytest.raises(JaxprTypeError, match=r"gives i32\[3\], not f32\[3\]"):
        stage(function, [F32])
    answers[:] = [F32, I32]
    with jax.enable_checks(False):
        stage(function, [F32])
    assert answers == [I32]


def test_what_transformations_make_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A transformation of programs is left out of the checks."""
    from oakum.tracing import jaxpr_verifier

    seen: list[str] = []
    real = jaxpr_verifier.check_jaxpr

    def recorded(found: Any) -> None:
        seen.extend(eqn.primitive.name for eqn in found.eqns)
        real(found)

    monkeypatch.setattr(jaxpr_verifier, "check_jaxpr", recorded)

    def body(carry: Any, a: Any) -> Any:
        return carry * lax.sin(a), carry

    def last(a: Any) -> Any:
        return lax.scan(body, 1.0, a)[0]

    jax.vmap(jax.grad(last))(np.ones((2, 3), np.float32))
    assert {"scan", "sin", "cos", "mul"} <= set(seen)

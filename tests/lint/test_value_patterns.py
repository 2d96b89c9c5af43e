"""The comparison of runs with the analysis notices what it is there for: a shape, a dtype, a tracer
that the analysis excludes, in a call that begins as one that it follows.
"""

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest
from analysed_values import Known, analysed
from compare_values import compare
from known_tracers import share_known
from oakum_as_jax import oakum_as_jax
from recorded_values import record, run_file
from value_patterns import (
    ANY,
    ArrayPattern,
    ChoicePattern,
    Home,
    NamedPattern,
    ObjectPattern,
    Pattern,
    ScalarPattern,
    Seen,
    SeenArray,
    SeenObject,
    SeenScalar,
    SeenTuple,
    TreePattern,
    TuplePattern,
    admits,
)

import oakum
from oakum.values.avals import parse_aval

ARRAY = SeenArray("array", (3,), "float32", False)
TRACER = replace(ARRAY, home="tracer")
ONE = SeenScalar("int", "1")
LIST = SeenObject(("list", "object"), (), False, False)
FUNCTION = SeenObject(("function", "object"), ("step",), True, False)


def array(aval: str, *homes: Home) -> Pattern:
    """The pattern of an array."""
    return ArrayPattern(parse_aval(aval), frozenset(homes or ("array",)))


@pytest.mark.parametrize(
    ("pattern", "seen", "expected"),
    [
        (ANY, ONE, True),
        (array("f32[3]"), ARRAY, True),
        (array("f32[?]"), ARRAY, True),
        (array("f32[...]"), ARRAY, True),
        (array("f32[4]"), ARRAY, False),
        (array("f32[3,1]"), ARRAY, False),
        (array("i32[3]"), ARRAY, False),
        (array("f32[3]"), replace(ARRAY, dtype="float64"), True),
        (array("f32[3]", "numpy"), replace(ARRAY, home="numpy", dtype="float64"), False),
        (array("~f32[3]"), ARRAY, False),
        (array("f32[3]"), TRACER, False),
        (array("f32[3]", "tracer"), TRACER, True),
        (array("f32[n,n]"), replace(ARRAY, shape=(2, 2)), True),
        (array("f32[n,n]"), replace(ARRAY, shape=(2, 3)), False),
        (array("f32[3]"), ONE, False),
        (ScalarPattern(frozenset(("int",))), ONE, True),
        (ScalarPattern(frozenset(("int",)), "2"), ONE, False),
        (ScalarPattern(frozenset(("bool",))), ONE, False),
        (TreePattern(), TRACER, True),
        (TreePattern(), ARRAY, False),
        (TreePattern(), SeenTuple("tuple", 2, (TRACER, SeenScalar("NoneType", "None"))), True),
        (TreePattern(), SeenTuple("tuple", 2, (TRACER, ONE)), False),
        (TuplePattern((ANY, ANY), ANY), SeenTuple("tuple", 3, None), False),
        (TuplePattern(None, array("f32[3]")), SeenTuple("tuple", 2, (ARRAY, ONE)), False),
        (TuplePattern(None, ANY, 2), SeenTuple("tuple", 2, None), True),
        (ChoicePattern(frozenset((array("f32[3]"), TreePattern()))), TRACER, True),
        (ObjectPattern(frozenset(("dict",))), LIST, False),
        (NamedPattern("function", "step"), FUNCTION, True),
        (NamedPattern("function", "loss"), FUNCTION, False),
        (NamedPattern("callable", ""), LIST, False),
    ],
)
def test_a_pattern_admits_what_it_stands_for(pattern: Pattern, seen: Seen, expected: bool) -> None:
    """A wrong fact would pass for a right one, or a right one for a wrong one."""
    assert admits(pattern, seen) is expected


PROGRAM = """\
import jax
import jax.numpy as jnp


@jax.jit
def double(x):
    return x * 2


def other(n):
    return n + 1


double(jnp.ones(3))
other(4)
"""


def test_a_wrong_fact_is_reported_in_calls_that_are_followed(tmp_path: Path) -> None:
    """The comparison passes whatever a program gives."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    known = analysed(path, [])
    with oakum_as_jax():
        found = record(path, [], oakum, lambda: run_file(path))
    right = compare(known, found)
    assert (right.outside, right.unfollowed, right.error) == ((), 0, None)
    assert right.compared > 6
    wrong = compare([_with_longer_arrays(each) for each in known], found)
    assert {str(each).splitlines()[0].rpartition(":")[2] for each in wrong.outside} == {
        " `jnp.ones(3)`",
        " `double(jnp.ones(3))`",
    }
    # What `double` begins with is no call that is followed then: its own lines are not compared.
    assert wrong.unfollowed == 2


def _with_longer_arrays(known: Known) -> Known:
    def longer(pattern: Pattern) -> Pattern:
        match pattern:
            case ArrayPattern(aval):
                return replace(pattern, aval=aval.update(shape=(4,)))
            case _:
                return pattern

    values = {span: dict.fromkeys(map(longer, held)) for span, held in known.values.items()}
    return Known({name: longer(each) for name, each in known.entry.items()}, values)


LOSING = """
import jax
from somewhere import table

def double(x):
    return 2 * x

def known(x):
    return double(x)

def lost(x):
    y = next(map(table[0], [x]))
    return y + 1

jax.jit(known)(jax.numpy.ones(3))
jax.vmap(lost)(jax.numpy.ones(3))
jax.jit(lambda x: table[0](x))(jax.numpy.ones(3))
"""


def test_the_share_of_tracers_that_are_known_names_what_loses_the_rest(tmp_path: Path) -> None:
    """What the analysis does not know is not reported: the measure has to say how much that is, and
    where the value came out unknown that went in as a tracer.
    """
    file = tmp_path / "program.py"
    file.write_text(LOSING)
    somewhere = ModuleType("somewhere")
    somewhere.__dict__["table"] = [oakum.numpy.sin]
    with oakum_as_jax(), patch.dict(sys.modules, somewhere=somewhere):
        found = record(file, [file], oakum, lambda: run_file(file))
    assert found.error is None, found.error
    share = share_known([file], found)
    assert (share.proved, share.likely) == (6, 1)
    call = (str(file), 12, 9, 12, 33)
    assert {each.at for each in share.lost} == {call}
    assert share.causes() == [("a call of `builtins.next`", 3)]

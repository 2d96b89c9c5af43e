"""No rule fails on what a program may pass: the linter goes on whatever it is given."""

import contextlib
import importlib
import random

import pytest

from oakum import dtypes
from oakum.errors import DTypeError, InvalidValueError, ShapeError
from oakum.values.avals import ANY_ARRAY, UNKNOWN, PythonScalar, ShapedArray, parse_aval
from oakum.values.declarations import PublicFunction
from oakum.values.facts import Facts
from oakum.values.namespaces import NAMESPACES

ODD: list[object] = [
    UNKNOWN,
    ANY_ARRAY,
    PythonScalar("int"),
    PythonScalar("float"),
    PythonScalar("str"),
    PythonScalar("bool"),
    parse_aval("f32[]"),
    parse_aval("f32[3,4]"),
    parse_aval("i32[2]"),
    parse_aval("bool[n,?]"),
    parse_aval("c64[2,3,4,5]"),
    parse_aval("key<fry>[]"),
    parse_aval("~f32[0]"),
    parse_aval("?[3]"),
    ShapedArray(None, dtypes.float8_e4m3fn),
    ShapedArray((1,) * 12, dtypes.int4),
    None,
    True,
    0,
    -1,
    7,
    10**400,
    -(10**30),
    1.5,
    float("nan"),
    float("inf"),
    2j,
    "text",
    "ij,jk->ik",
    "",
    b"bytes",
    (),
    [],
    {},
    {"a": UNKNOWN},
    (UNKNOWN, None),
    [1, 2.0, "x"],
    ((1, 2), (3,)),
    (parse_aval("f32[3]"), parse_aval("f32[4]")),
    [PythonScalar("int"), -1],
    (-1, -1),
    slice(None, UNKNOWN, -1),
    Ellipsis,
    dtypes.int8,
    float,
    object(),
]


def with_rules() -> list[Facts]:
    found: dict[str, Facts] = {}
    for namespace in sorted(NAMESPACES):
        path = f"oakum.{namespace}" if namespace else "oakum"
        try:
            module = importlib.import_module(path)
        except ModuleNotFoundError:
            continue
        for name in dir(module):
            value = getattr(module, name)
            if isinstance(value, PublicFunction) and value.facts.rule is not None:
                found[value.facts.name] = value.facts
    return list(found.values())


DECLARED = with_rules()


def test_there_are_rules_to_try() -> None:
    assert len(DECLARED) > 300


@pytest.mark.parametrize("declared", DECLARED, ids=lambda declared: declared.name)
def test_a_rule_takes_anything(declared: Facts) -> None:
    assert declared.rule is not None
    chance = random.Random(declared.name)
    for attempt in range(60):
        arguments: dict[str, object] = {}
        for name, parameter in declared.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                several = tuple(chance.choices(ODD, k=chance.randrange(3)))
                arguments[name] = UNKNOWN if chance.random() < 0.2 else several
            elif parameter.kind is parameter.VAR_KEYWORD:
                arguments[name] = {}
            elif parameter.default is not parameter.empty and chance.random() < 0.5:
                arguments[name] = parameter.default
            else:
                arguments[name] = UNKNOWN if attempt == 0 else chance.choice(ODD)
        for switch in (False, None):
            with (
                dtypes.assume_x64(switch),
                contextlib.suppress(ShapeError, DTypeError, InvalidValueError),
            ):
                declared.rule(arguments)

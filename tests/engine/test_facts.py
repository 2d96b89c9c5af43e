"""Declarations are found by the names that programs use, and calls bind as Python binds them."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import oakum
from oakum.errors import NotEvaluatedError
from oakum.values import codes, declarations
from oakum.values.avals import UNKNOWN, parse_aval
from oakum.values.binding import BindFailure, bind
from oakum.values.declarations import PublicFunction, public, transform
from oakum.values.facts import Facts, StaticUse, Transform


@public("numpy.example", static=("axis",), shapes=("shape",), sizes=("num",))
def example(a: Any, shape: Any, /, axis: int = 0, *rest: Any, num: int = 3, **more: Any) -> Any:
    """Stands for a declared function."""


def test_a_declaration_holds_what_the_decorator_was_told() -> None:
    declared = example.facts
    assert declared.name == "numpy.example"
    assert declared.static == {
        "axis": StaticUse.ARGUMENT,
        "shape": StaticUse.SHAPE,
        "num": StaticUse.SIZE,
    }
    assert declared.signature == inspect.signature(example)
    assert (example.__doc__ or "").startswith("Stands for a declared function.\n")
    assert example.facts is declared


def test_a_transform_names_what_it_traces() -> None:
    @transform("lax.example", "scan", ("f",), staged=True)
    def scan(f: Any, init: Any) -> Any: ...

    assert scan.facts.transform == Transform("scan", ("f",), True)


def test_calling_what_is_only_declared_says_so() -> None:
    with pytest.raises(NotEvaluatedError, match=r"oakum\.numpy\.example is declared") as caught:
        example(1, 2)
    assert caught.value.code is codes.NOT_EVALUATED


def test_a_function_with_a_body_is_evaluated() -> None:
    @public("numpy.twice")
    def twice(x: int) -> int:
        """Doubles."""
        return 2 * x

    assert twice(4) == 8


def test_a_declared_method_binds_to_its_instance() -> None:
    class Array:
        @public("Array.twice")
        def twice(self, by: int) -> int:
            return 2 * by

    assert Array().twice(4) == 8
    assert isinstance(Array.twice, PublicFunction)


@pytest.mark.parametrize(
    "name",
    [
        "numpy.sum",
        "numpy.linalg.norm",
        "lax.scan",
        "jit",
        "nn.relu",
        "random.normal",
        "scipy.special.logsumexp",
        "tree_util.tree_map",
    ],
)
def test_declarations_are_found_by_canonical_name(name: str) -> None:
    found = declarations.find(name)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("experimental.pjit.pjit", "jit"),
        ("tree_map", "tree_util.tree_map"),
        ("ad_checkpoint.checkpoint", "checkpoint"),
        ("tree.map", "tree_util.tree_map"),
    ],
)
def test_old_and_second_names_find_the_same_declaration(alias: str, name: str) -> None:
    found = declarations.find(alias)
    assert found is not None
    assert found.transform == declared(name).transform


def declared(name: str) -> Facts:
    found = declarations.find(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "name",
    ["", "numpy", "numpy.pi", "numpy.no_such", "no.such.module", "numpy.sum.facts", "..", "x"],
)
def test_what_is_not_declared_is_not_found(name: str) -> None:
    assert declarations.find(name) is None


def test_namespaces_are_told_from_functions() -> None:
    for name in ("", "numpy", "numpy.linalg", "scipy.stats.norm", "lax", "random"):
        assert declarations.is_namespace(name)
    for name in ("numpy.sum", "jit", "numpy.reductions", "abstract"):
        assert not declarations.is_namespace(name)


def test_the_package_offers_its_functions_when_asked() -> None:
    assert oakum.__version__ == "0.2.0"
    assert "jit" in dir(oakum)
    assert isinstance(oakum.jit, PublicFunction)
    name = "banana"
    with pytest.raises(AttributeError, match="no attribute 'banana'"):
        getattr(oakum, name)


@given(
    positional=st.lists(st.integers(0, 9), max_size=5),
    keywords=st.dictionaries(
        st.sampled_from(["a", "shape", "axis", "num", "other"]), st.integers(0, 9), max_size=3
    ),
)
def test_calls_bind_as_python_binds_them(positional: list[int], keywords: dict[str, int]) -> None:
    signature = inspect.signature(example)
    found = bind(example.facts, positional, keywords)
    try:
        expected = signature.bind(*positional, **keywords)
    except TypeError:
        assert isinstance(found, BindFailure)
        return
    expected.apply_defaults()
    assert isinstance(found, dict)
    assert found == dict(expected.arguments)
    assert list(found) == list(signature.parameters)


@public("numpy.fixed")
def fixed(a: Any, b: Any = 1, *, c: Any = 2) -> Any: ...


def test_arguments_that_a_star_may_pass_are_unknown() -> None:
    assert bind(fixed.facts, [0], {}, more_positional=True) == {"a": 0, "b": UNKNOWN, "c": 2}
    assert bind(fixed.facts, [0], {}, more_keywords=True) == {"a": 0, "b": UNKNOWN, "c": UNKNOWN}
    assert bind(fixed.facts, [], {}, more_positional=True) == {"a": UNKNOWN, "b": UNKNOWN, "c": 2}
    assert bind(example.facts, [0, 1, 2], {}, more_positional=True) == {
        "a": 0,
        "shape": 1,
        "axis": 2,
        "rest": UNKNOWN,
        "num": 3,
        "more": {},
    }


@pytest.mark.parametrize(
    ("positional", "keywords", "message"),
    [
        ([], {}, "fixed() missing a required argument: 'a'"),
        ([1, 2, 3], {}, "fixed() takes 2 positional arguments but 3 were given"),
        ([1], {"a": 2}, "fixed() got multiple values for argument 'a'"),
        ([1], {"d": 2}, "fixed() got an unexpected keyword argument 'd'"),
    ],
)
def test_a_call_that_does_not_fit_says_why(
    positional: list[int], keywords: dict[str, int], message: str
) -> None:
    found = bind(fixed.facts, positional, keywords)
    assert isinstance(found, BindFailure)
    assert found.message == message


def test_a_rule_takes_its_operands_from_the_signature() -> None:
    add = declared("numpy.add")
    assert add.rule is not None
    bound = bind(add, [parse_aval("f32[8,1]"), parse_aval("i32[3]")], {})
    assert isinstance(bound, dict)
    assert str(add.rule(bound)) == "f32[8,3]"

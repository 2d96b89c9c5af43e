"""The exceptions have JAX's names and hierarchy, so that a program's handlers still catch them."""

import builtins
import pickle
from typing import Any

import jax.errors
import numpy as np
import pytest

import oakum
from oakum import errors
from oakum.errors import Frame, OakumError, ShapeError
from oakum.values import codes

JAX_CLASSES = [
    value
    for name, value in vars(jax.errors).items()
    if isinstance(value, type) and not name.startswith("_")
]


@pytest.mark.parametrize("theirs", JAX_CLASSES, ids=lambda value: value.__name__)
def test_each_class_of_jax_exists_below_the_same_classes(theirs: type[Exception]) -> None:
    ours = getattr(errors, theirs.__name__)
    names = {base.__name__ for base in ours.__mro__}
    expected = {base.__name__ for base in theirs.__mro__ if not base.__name__.startswith("_")}
    assert expected <= names
    python = {base for base in theirs.__mro__ if getattr(builtins, base.__name__, None) is base}
    assert python <= set(ours.__mro__)
    assert issubclass(ours, OakumError)


def test_a_message_says_what_where_what_instead_and_which_page() -> None:
    error = ShapeError("f32[3] and f32[4] do not broadcast", frame=Frame("train.py", 7))
    assert str(error).splitlines() == [
        "f32[3] and f32[4] do not broadcast.",
        "At train.py:7.",
        codes.SHAPE_MISMATCH.hint,
        "OAK501 shape-mismatch: oakum explain OAK501",
    ]


def test_the_parts_of_an_error_can_be_given_and_read() -> None:
    error = errors.ConcretizationTypeError(
        "int() needs the number in `x`.", code=codes.TRACER_TO_SCALAR, hint="Keep it an array."
    )
    assert error.code is codes.TRACER_TO_SCALAR
    assert error.frame is None
    assert error.hint == "Keep it an array."
    assert str(error).startswith("int() needs the number in `x`.\nKeep it an array.\nOAK204")


@pytest.mark.parametrize(
    ("error", "caught"),
    [
        (errors.DTypeError, (TypeError, ValueError)),
        (errors.ShapeError, (TypeError, ValueError, IndexError)),
        (errors.InvalidValueError, (TypeError, ValueError)),
        (errors.StaticArgumentError, (ValueError,)),
        (errors.NotEvaluatedError, (NotImplementedError,)),
    ],
)
def test_errors_are_caught_as_python_s_own(
    error: type[OakumError], caught: tuple[type[Exception], ...]
) -> None:
    for each in caught:
        with pytest.raises(each, match="the message"):
            raise error("the message")


def test_an_error_survives_the_way_between_processes() -> None:
    error = ShapeError("no", frame=Frame("a.py", 1), hint="Fix it.")
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.frame == error.frame


def test_what_numpy_asks_of_a_tracer_is_told_of_the_line_that_called_numpy() -> None:
    """A user cannot fix a line inside NumPy."""

    def function(x: Any) -> Any:
        return np.zeros_like(x)

    with pytest.raises(errors.TracerArrayConversionError) as caught:
        oakum.jit(function)(1.0)
    assert caught.value.frame is not None
    assert caught.value.frame.file == __file__
    assert "np.zeros_like(x)" in str(caught.value)

"""The shapes of optax's losses, as far as they hang on what is known of the arguments.

`test_optax_model` compares the same rows with optax itself, for known shapes and in more time.
"""

import pytest

from oakum.errors import OakumError
from oakum.values.avals import UNKNOWN, parse_aval
from oakum_lint.models.frameworks.optax_losses import loss_of

SHAPES = """
l2_loss: f32[3] f32[3] -> f32[3]
l2_loss: f32[3] ? -> ?[3]
l2_loss: f32[...] f32[4,3] -> f32[4,3]
l2_loss: f32[3] i32[3] -> f32[3]
l2_loss: i32[3] i32[3] -> ?[3]
l2_loss: f32[3] bf16[3] -> ?[3]
l2_loss: bf16[3] f32[3] -> ?[3]
hinge_loss: f32[4,3] f32[3] -> f32[4,3]
huber_loss: f32[3] f32[4,1] -> f32[4,3]
log_cosh: f32[...] f32[3] -> f32[...]
sigmoid_binary_cross_entropy: f32[8,3] f32[8,3] -> f32[8,3]
softmax_cross_entropy: f32[8,3] f32[8,3] -> f32[8]
softmax_cross_entropy: f32[8,3] f32[3] -> f32[8]
softmax_cross_entropy: f32[8,3] f32[3] axis=0 -> f32[...]
softmax_cross_entropy: f32[8,3] f32[8,3] axis=0 -> f32[3]
softmax_cross_entropy: f32[2,8,3] f32[2,8,3] axis=1 -> f32[2,3]
softmax_cross_entropy: ? f32[8,3] -> ?[...]
cosine_similarity: f32[8,3] f32[8,3] axis=-2 -> f32[3]
softmax_cross_entropy_with_integer_labels: f32[8,3] i32[8] -> f32[8]
softmax_cross_entropy_with_integer_labels: f32[8,3] i32[1] -> f32[8]
softmax_cross_entropy_with_integer_labels: f32[8,3] ? -> ?[8]
softmax_cross_entropy_with_integer_labels: f32[1,3] ? -> ?[?]
softmax_cross_entropy_with_integer_labels: ? i32[8] -> ?[8]
softmax_cross_entropy_with_integer_labels: ? i32[1] -> ?[?]
softmax_cross_entropy_with_integer_labels: ? ? -> ?[...]
softmax_cross_entropy_with_integer_labels: f32[2,8,3] i32[2,8] -> f32[2,8]
ctc_loss: f32[2,5,3] f32[2,5] i32[2,4] f32[2,4] -> ?[2]
ctc_loss: ? ? ? f32[2,4] -> ?[2]
ctc_loss: ? ? ? ? -> ?[?]
ntxent: f32[8,3] i32[8] -> f32[]
"""


def written(text: str) -> object:
    return UNKNOWN if text == "?" else parse_aval(text)


@pytest.mark.parametrize("row", SHAPES.strip().splitlines())
def test_a_loss_has_the_shape_of_its_family(row: str) -> None:
    """What a loss has too many axes for `grad`, or too few for a sum with others, hangs on it."""
    call, _, expected = row.partition(" -> ")
    name, _, words = call.partition(": ")
    loss = loss_of(f"optax.{name}")
    assert loss is not None
    positional = [word for word in words.split() if "=" not in word]
    passed: dict[str, object] = dict(zip(loss.operands, map(written, positional), strict=False))
    passed |= {k: int(v) for k, _, v in (w.partition("=") for w in words.split()) if v}
    assert str(loss.aval(passed)) == expected


def test_an_argument_that_may_change_the_shape_leaves_it_unknown() -> None:
    """`where=mask` and its kin broadcast; one number, and the default, do not."""
    loss = loss_of("optax.l2_loss")
    assert loss is not None
    passed = {"predictions": parse_aval("f32[3]"), "targets": parse_aval("f32[3]")}
    known = {None: "f32[3]", 2.0: "f32[3]", parse_aval("f32[]"): "f32[3]"}
    unknown = {UNKNOWN: "?[...]", parse_aval("f32[3]"): "?[...]", parse_aval("f32[...]"): "?[...]"}
    for extra, expected in (known | unknown).items():
        assert str(loss.aval({**passed, "weights": extra})) == expected


@pytest.mark.parametrize(
    "row",
    [
        "l2_loss: f32[3] f32[4]",
        "hinge_loss: f32[3] f32[4]",
        "softmax_cross_entropy: f32[8,3] f32[8,4]",
        "softmax_cross_entropy_with_integer_labels: f32[8,3] i32[7]",
    ],
)
def test_operands_that_do_not_fit_are_refused(row: str) -> None:
    name, _, words = row.partition(": ")
    loss = loss_of(f"optax.{name}")
    assert loss is not None
    passed = dict(zip(loss.operands, map(written, words.split()), strict=False))
    with pytest.raises(OakumError):
        loss.aval(passed)

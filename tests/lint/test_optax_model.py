"""What the tables say of optax's losses holds for optax: shapes, dtypes and what does not fit.

When one of these fails, `oakum check` reports a loss that is one number, or misses one that is not.
"""

import contextlib
import inspect
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from tracer_probe import jax, quiet

from oakum import dtypes
from oakum.errors import OakumError
from oakum.values import avals
from oakum.values.avals import UNKNOWN, ShapedArray
from oakum_lint.models.frameworks.optax import ALTERING, TRANSFORMATIONS
from oakum_lint.models.frameworks.optax_losses import loss_of, losses

optax = pytest.importorskip("optax")
Struct: Any = jax.ShapeDtypeStruct
SHAPES = ((), (3,), (4,), (4, 3), (2, 4, 3))
TYPES = (("float32", "bfloat16"), ("bfloat16", "float32"), ("bfloat16", "int32"))
FOR_CTC = ((2, 5, 3), (2, 5), (2, 4), (2, 4))


def object_of(name: str) -> Any:
    """A loss of optax by its name."""
    return getattr(optax.losses, name)


def given_to(name: str) -> Iterator[tuple[Any, ...]]:
    """Arguments for a loss: all pairs of shapes, with labels of numbers and of classes."""
    if name == "ctc_loss":
        kinds = ("float32", "float32", "int32", "float32")
        yield tuple(map(Struct, FOR_CTC, kinds))
        return
    for one, two in itertools.product(SHAPES, repeat=2):
        types = TYPES if one == (4, 3) else ()
        for first, second in (("float32", "float32"), ("float32", "int32"), *types):
            yield Struct(one, first), Struct(two, second)


def calls_of(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Arguments for a loss by name, and further options."""
    loss = loss_of(f"optax.{name}")
    assert loss is not None
    names = [each for each in loss.operands if each != "axis"]
    for structs in given_to(name):
        given: dict[str, Any] = dict(zip(names, structs, strict=False))
        yield given, {}
        if "axis" in loss.operands:
            yield given, {"axis": 0}
        elif len(names) == 3:
            yield given | {names[2]: Struct((4, 3), "float32")}, {}


def known_of(struct: Any) -> ShapedArray:
    """What the rules take for a struct."""
    return ShapedArray(struct.shape, dtypes.find(struct.dtype.name), False)


def found_by_jax(name: str, structs: dict[str, Any], options: dict[str, Any]) -> Any:
    """What JAX says that the loss gives; None where it fails."""

    def call(given: dict[str, Any]) -> Any:
        return object_of(name)(**given, **options)

    try:
        with quiet():
            return jax.eval_shape(call, structs)
    except (TypeError, ValueError, IndexError, AssertionError):
        return None


@pytest.mark.sweep(9)
@pytest.mark.parametrize("name", losses())
def test_losses_have_the_shapes_that_the_table_says(name: str) -> None:
    """The rule gives what optax gives, also where nothing is known of one argument; where it says
    that arguments do not fit, optax raises.
    """
    loss = loss_of(f"optax.{name}")
    assert loss is not None
    told = 0
    for structs, options in calls_of(name):
        found = found_by_jax(name, structs, options)
        known = {key: known_of(struct) for key, struct in structs.items()}
        for hidden in (None, *structs):
            given: dict[str, Any] = {**known, **options}
            if hidden is not None:
                given[hidden] = UNKNOWN
            try:
                answer = loss.aval(given)
            except OakumError:
                assert found is None, (name, structs, options, hidden)
                continue
            if found is not None:
                case = (name, structs, options, hidden, str(answer))
                assert avals.is_subset(known_of(found), answer), case
                told += answer.shape is not None
    assert told


@pytest.mark.parametrize("name", losses())
def test_operands_are_parameters_in_their_order(name: str) -> None:
    """The arguments that a row names are those of the function, in positional order."""
    loss = loss_of(f"optax.{name}")
    assert loss is not None
    parameters = list(inspect.signature(object_of(name)).parameters.values())
    positional = [each.name for each in parameters if each.kind is not each.KEYWORD_ONLY]
    named = [each for each in loss.operands if each in positional]
    assert named == positional[: len(named)]
    assert set(loss.operands) <= {each.name for each in parameters}


def types_of(tree: Any) -> Any:
    """The shapes and dtypes of the leaves of a tree, in its structure."""

    def typed(leaf: Any) -> Any:
        return jax.numpy.shape(leaf), jax.numpy.result_type(leaf)

    return jax.tree.map(typed, tree)


def plain_transformations(name: str) -> Iterator[Any]:
    """A transformation made with numbers or with a schedule of optax, as far as it can be."""
    for arguments in ((), (0.1,), (2,), (0.1, 0.2), (optax.linear_schedule(0.1, 0.2, 5),)):
        with contextlib.suppress(TypeError, ValueError, AttributeError), quiet():
            made = optax.with_extra_args_support(getattr(optax, name)(*arguments))
            made.init(jax.numpy.ones(3))
            yield made


def constant(params: Any) -> Any:
    """What a line search measures."""
    return jax.numpy.float32(1)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", sorted(TRANSFORMATIONS - ALTERING))
def test_transformations_keep_types(name: str) -> None:
    """Updates are like gradients of 32 bits, in shape like all, and a new state like the old."""
    for made in plain_transformations(name):
        for dtype in ("float32", "bfloat16"):
            params = {"w": jax.numpy.ones((4, 3), dtype), "b": [jax.numpy.ones((), dtype)]}
            state = made.init(params)
            value = jax.numpy.float32(1)
            extra: dict[str, Any] = {"value": value, "grad": params, "value_fn": constant}

            def update(params: Any, state: Any, made: Any = made, extra: Any = extra) -> Any:
                return made.update(params, state, params, **extra)

            try:
                with quiet():
                    updates, new = jax.eval_shape(update, params, state)
            except (TypeError, ValueError):
                continue  # It cannot be called so.
            assert types_of(new) == types_of(state)
            got, like = types_of(updates), types_of(params)
            assert got == like if dtype == "float32" else shapes_of(got) == shapes_of(like)


def shapes_of(types: Any) -> Any:
    """The shapes alone of what `types_of` gives."""
    return [leaf[0] for leaf in (types["w"], types["b"][0])]

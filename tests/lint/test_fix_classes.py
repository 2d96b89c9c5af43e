"""Fixes of classes: children in the place of metadata, and a `self` that `jit` can take."""

from pathlib import Path
from textwrap import dedent

import pytest
from fixing import fix_text

HEAD = """\
import dataclasses
from functools import partial

import equinox as eqx
import jax
import jax.numpy as jnp


"""
TAIL = """

@jax.jit
def f(x):
    return Pair(x, {made})


f(jnp.ones(2))
"""
FIELDS = """
    x: jax.Array
    y: jax.Array
"""
INIT = """\
    def __init__(self, x, y, name=""):
        self.x, self.y, self.name = x, y, name

"""


def fixed(text: str, made: str = "2 * x") -> str:
    """The class of a program after its fixes."""
    tail = TAIL.format(made=made)
    return fix_text(HEAD + text + tail).text.removeprefix(HEAD).removesuffix(tail)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("eqx.field(static=True)", ""),
        ("eqx.field(converter=jnp.asarray, static=True)", "eqx.field(converter=jnp.asarray)"),
        ("eqx.field(static=True, default=None)  # y", "eqx.field(default=None)  # y"),
        ("eqx.field(static=STATIC)", "eqx.field(static=STATIC)"),
        ("eqx.field(static=True  # why\n    )", "eqx.field(static=True  # why\n    )"),
    ],
)
def test_a_field_loses_its_mark(before: str, after: str) -> None:
    text = "STATIC = True\n\n\nclass Pair(eqx.Module):\n    x: jax.Array\n    y: jax.Array"
    assert fixed(f"{text} = {before}\n") == f"{text}{' = ' if after else ''}{after}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"doc": "of both", "static": True', '"doc": "of both"'),
        ('"static": True, "doc": "of both"', '"doc": "of both"'),
    ],
)
def test_other_metadata_of_a_field_stays(before: str, after: str) -> None:
    text = (
        "@jax.tree_util.register_dataclass\n@dataclasses.dataclass\nclass Pair:\n    x: jax.Array\n"
    )
    field = "    y: jax.Array = dataclasses.field(metadata=MARK)\n"
    marked = text + field.replace("MARK", f"{{{before}}}")
    assert fixed(marked) == text + field.replace("MARK", f"{{{after}}}")


def test_all_fields_that_hold_arrays_become_children() -> None:
    text = "class Pair(eqx.Module):\n    x: jax.Array = eqx.field(static=True)\n"
    after = fixed(f"{text}    y: jax.Array = eqx.field(static=True)\n    n: int = 3\n")
    assert after == f"class Pair(eqx.Module):{FIELDS}    n: int = 3\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('data_fields=["x"], meta_fields=["y", "n"]', 'data_fields=["x", "y"], meta_fields=["n"]'),
        (
            'meta_fields=("x", "y"), data_fields=("n",)',
            'meta_fields=(), data_fields=("n", "x", "y")',
        ),
        ('data_fields=["x", "n"], meta_fields=META', 'data_fields=["x", "n"], meta_fields=META'),
    ],
)
def test_a_name_moves_to_the_data_fields(before: str, after: str) -> None:
    cls = f"@dataclasses.dataclass\nclass Pair:{FIELDS}    n: int = 3\n"
    decorated = 'META = ["y"]\n\n\n@partial(jax.tree_util.register_dataclass, {})\n' + cls
    assert fixed(decorated.format(before)) == decorated.format(after)
    called = f'META = ["y"]\n\n\n{cls}\n\njax.tree_util.register_dataclass(Pair, {{}})\n'
    assert fixed(called.format(before)) == called.format(after)


@pytest.mark.parametrize(
    ("flatten", "unflatten", "after"),
    [
        pytest.param(
            "return [self.x], self.y",
            "return cls(*children, metadata)",
            "return [self.x, self.y], None / return cls(*children)",
            id="all of it",
        ),
        pytest.param(
            "return (self.x,), (self.y, self.name)",
            "return cls(*children, *metadata)",
            "return (self.x, self.y), (self.name,) / return cls(*children, *metadata)",
            id="the first of a tuple",
        ),
        pytest.param(
            'metadata = {"name": self.name, "y": self.y}\n        return (self.x,), metadata',
            "return cls(*children, **metadata)",
            'metadata = {"name": self.name}\n        return (self.x, self.y), metadata / '
            "return cls(*children, **metadata)",
            id="the next parameter",
        ),
        pytest.param(
            "return (self.x,), (self.name, self.y)",
            "return cls(*children, *metadata[::-1])",
            None,
            id="in another order",
        ),
        pytest.param(
            'return (self.x,), {"y": self.y, "name": self.name}',
            'return cls(children[0], metadata["y"])',
            None,
            id="one by one",
        ),
        pytest.param(
            "return (self.x,), (self.y,  # last\n        )",
            "return cls(*children, *metadata)",
            None,
            id="with a comment",
        ),
    ],
)
def test_an_item_becomes_the_last_child(flatten: str, unflatten: str, after: str | None) -> None:
    """A child in another place would be another parameter of the class."""
    text = dedent("""\
        @jax.tree_util.register_pytree_node_class
        class Pair:
        {init}    def tree_flatten(self):
                {flatten}

            @classmethod
            def tree_unflatten(cls, metadata, children):
                {unflatten}
        """)
    before = text.format(init=INIT, flatten=flatten, unflatten=unflatten)
    first, _, second = (after or f"{flatten} / {unflatten}").partition(" / ")
    assert fixed(before) == text.format(init=INIT, flatten=first, unflatten=second)


def test_functions_that_a_class_is_registered_with_are_found() -> None:
    text = (
        "class Pair:\n" + INIT.rstrip("\n") + "\n\n\ndef flatten(pair):\n"
        "    return (pair.x,), (pair.y, pair.name)\n\n\njax.tree_util.register_pytree_node(\n"
        "    Pair, flatten, lambda metadata, children: Pair(*children, *metadata)\n)\n"
    )
    assert "    return (pair.x, pair.y), (pair.name,)\n" in fixed(text)


def test_a_field_that_python_needs_stays_metadata() -> None:
    """A branch on it would fail from then on."""
    text = (
        f"class Pair(eqx.Module):{FIELDS.rstrip()} = eqx.field(static=True)\n\n\n"
        "@jax.jit\ndef g(pair):\n    return pair.x if pair.y else -pair.x\n\n\n"
        "g(Pair(jnp.ones(2), True))\n"
    )
    assert fixed(text) == text


METHOD = """\
    @jax.jit
    def at(self, x):
        return x * self.scale
"""
MAKER = """\
class Scaler:
    def __init__(self, scale):
        self.scale = scale

"""
DATACLASS = "@dataclasses.dataclass\nclass Scaler:\n    scale: {}\n\n"


@pytest.mark.parametrize(
    ("cls", "is_fixed"),
    [
        pytest.param(MAKER, True, id="made once"),
        pytest.param(
            f"{MAKER}    def grow(self):\n        self.scale += 1\n\n", False, id="changed"
        ),
        pytest.param(
            f"{MAKER}    def __eq__(self, other):\n        return True\n\n",
            False,
            id="without a hash",
        ),
        pytest.param(DATACLASS.format("float"), True, id="a dataclass of arrays"),
        pytest.param(DATACLASS.format("object"), False, id="of whatever"),
    ],
)
def test_a_method_is_jitted_with_what_its_object_is(cls: str, is_fixed: bool) -> None:
    """A static object that changes would go on to compute what it was compiled with."""
    program = f"{HEAD}{cls}{METHOD}\n\nScaler(2.0).at(jnp.ones(3))\n"
    outcome = fix_text(program)
    assert [finding.code for finding in outcome.before] == ["OAK306"]
    assert [finding.code for finding in outcome.after] == ([] if is_fixed else ["OAK306"])
    assert ("static_argnames" in outcome.text) == (is_fixed and "dataclasses." not in cls)


def test_an_object_that_a_branch_replaces_is_selected_leaf_by_leaf() -> None:
    """`jnp.where` takes arrays alone."""
    program = (Path(__file__).parents[1] / "programs" / "branch_user_bool_method.py").read_text()
    outcome = fix_text(program)
    assert "jax.tree.map(lambda chosen, other: jnp.where(" in outcome.text
    assert not outcome.after

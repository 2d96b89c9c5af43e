"""What classes do that are not known whole is likely, and says so: bases, decorators, fields."""

import pytest
from closed_world_programs import (
    assert_likely,
    assert_proved,
    findings_with_unknown_code,
    weak_links,
)
from small_programs import only

LIKELY = {
    "a class that an unknown function gets": (
        """
        class Grid:
            def __init__(self, values):
                self.values = values

        fill(Grid)

        @jax.jit
        def total(grid):
            return grid.values.sum()

        total(Grid(jnp.ones(3)))
        """,
        "gets the class `Grid` and may register it",
    ),
    "a class that a table may register": (
        """
        import dataclasses

        class Base:
            pass

        @dataclasses.dataclass
        class Grid(Base):
            values: jax.Array

        for each in Base.__subclasses__():
            jax.tree_util.register_dataclass(each, ["values"], [])
        jax.jit(lambda grid: grid.values + 1)(Grid(jnp.ones(3)))
        """,
        "registers a class as a pytree of which it is not known which one",
    ),
    "the base of a class that an unknown function gets through one of the project": (
        """
        class Grid:
            n: int = 3

        class Fine(Grid):
            pass

        def registered(cls):
            fill(cls)

        registered(Grid)
        jax.jit(lambda grid: 2.0)(Fine())
        """,
        "gets the class `Grid` and may register it",
    ),
    "an attribute that nobody is seen to set": (
        """
        import dataclasses

        @dataclasses.dataclass
        class State:
            n: int = 3

        def f(state):
            return jnp.zeros((state.columns, 3))[:, :, 2]

        f(State())
        """,
        "nothing is seen to set `state.columns`",
    ),
    "a field that a named tuple lacks": (
        """
        from typing import NamedTuple

        class Sizes(NamedTuple):
            n: int

        def f(sizes):
            return jnp.zeros((sizes.columns, 3))[:, :, 2]

        f(Sizes(3))
        """,
        "nothing is seen to set `sizes.columns`",
    ),
    "a value of the main block of a script": (
        """
        @decorated
        class Sizes:
            n: int = 3

        if __name__ == "__main__":
            sizes = Sizes(n=4)
            rows = jnp.zeros((sizes.n, 2))
            jnp.zeros((4, 2)) + rows
        """,
        "a decorator of `Sizes` is not known",
    ),
    "one of two values that a script assigns at once": (
        """
        @decorated
        class Sizes:
            n: int = 3

        sizes, more = Sizes(n=4), 1
        rows, columns = jnp.zeros((sizes.n, 2)), more
        jnp.zeros((4, 2)) + rows
        """,
        "a decorator of `Sizes` is not known",
    ),
    "an unknown base": (
        """
        class Sizes(Base):
            n = 3

        MISFIT[Sizes().n]
        """,
        "a base of `Sizes` is not known",
    ),
    "an unknown decorator of the class": (
        """
        @decorated
        class Sizes:
            n = 3

        MISFIT[Sizes().n]
        """,
        "a decorator of `Sizes` is not known",
    ),
    "a class that computes its attributes": (
        """
        class Sizes:
            n = 3

            def __getattribute__(self, name):
                return 4

        MISFIT[Sizes().n]
        """,
        "`Sizes` computes its attributes",
    ),
    "a method that a subclass may inherit": (
        """
        class Model:
            n = 3

            def run(self):
                return MISFIT[self.n]
        """,
        "`self` may be of a subclass",
    ),
    "a field with an option that nobody knows": (
        """
        import equinox as eqx

        class Sizes(eqx.Module):
            n: int = eqx.field(frozen_value=True)

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "what `frozen_value=` means for `n` is not known",
    ),
    "a field with metadata that nobody knows": (
        """
        import dataclasses

        import flax

        @flax.struct.dataclass
        class Sizes:
            n: int = dataclasses.field(metadata={"auxiliary": True})

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "what the metadata of `n` mean is not known",
    ),
    "a field with an annotation that nobody knows": (
        """
        import flax

        @flax.struct.dataclass
        class Sizes:
            n: Static[int]

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "what the annotation of `n` says is not known",
    ),
    "a decorator with an option that nobody knows": (
        """
        import dataclasses
        from functools import partial

        @partial(jax.tree_util.register_dataclass, data_fields=["n"], meta_fields=[], kept=["n"])
        @dataclasses.dataclass
        class Sizes:
            n: int

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "not all options of the decorator of `Sizes` are known",
    ),
    "a mixin that nobody knows": (
        """
        import equinox as eqx

        class Sizes(Base, eqx.Module):
            n: int

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
        "a base of `Sizes` is not known",
    ),
    "a metaclass that makes what it likes": (
        """
        class Converting(type):
            def __call__(cls, *values):
                made = super().__call__(*values)
                made.n = jnp.asarray(made.n)
                return made

        class Sizes(metaclass=Converting):
            def __init__(self, n):
                self.n = n

        jnp.abs(Sizes([1.0, 2.0]).n)
        """,
        "the metaclass of `Sizes` is not known",
    ),
    "a keyword of a class that its library does not read": (
        """
        import equinox

        class Sizes(equinox.Module, deep=True):
            n: int

        MISFIT[Sizes(3).n]
        """,
        "what `deep=` means for `Sizes` is not known",
    ),
    "a class that converts what is set": (
        """
        class Sizes:
            def __init__(self, n):
                self.n = n

            def __setattr__(self, name, value):
                object.__setattr__(self, name, jnp.asarray(value))

        jnp.abs(Sizes([1.0, 2.0]).n)
        """,
        "`Sizes` decides itself what its attributes hold",
    ),
}

PROVED = {
    "a class with a keyword that its library checks alone": """
        import equinox

        class Sizes(equinox.Module, strict=True):
            n: int

        MISFIT[Sizes(3).n]
        """,
    "a field whose options are known": """
        import equinox as eqx

        class Sizes(eqx.Module):
            n: int = eqx.field(default=3)

        @jax.jit
        def f(sizes, x):
            return x if sizes.n > 0 else -x

        f(Sizes(3), 1.0)
        """,
    "a class that refuses to be changed": """
        class Sizes:
            def __init__(self, n):
                object.__setattr__(self, "n", n)

            def __setattr__(self, name, value):
                raise AttributeError(name)

        jnp.abs(Sizes([1.0, 2.0]).n)
        """,
}


@pytest.mark.parametrize(("program", "link"), LIKELY.values(), ids=LIKELY)
def test_what_a_class_that_is_not_known_holds_is_likely(program: str, link: str) -> None:
    """A run in CI does not fail for it, and the report says what is not certain."""
    assert_likely(program, link)


@pytest.mark.parametrize("program", PROVED.values(), ids=PROVED)
def test_what_a_known_class_holds_is_proved(program: str) -> None:
    """The gate takes nothing away from what is certain."""
    assert_proved(program)


@pytest.mark.parametrize(
    ("inside", "outside"), [("", "fill(shapes)"), ("somewhere.fill(sys.modules[__name__])", "")]
)
def test_what_a_module_holds_that_an_unknown_function_gets_is_likely(
    inside: str, outside: str
) -> None:
    """It may register the classes there, and bind its functions to others."""
    shapes = f"""
        import sys

        import somewhere

        class Grid:
            def __init__(self, values):
                self.values = values

        def norm(x):
            return jnp.sum(x)

        {inside}
        """
    program = f"""
        import shapes

        {outside}
        jax.jit(lambda grid: grid.values + 1)(shapes.Grid(jnp.ones(3)))

        @jax.jit
        def f(x):
            return x if shapes.norm(x) > 0 else -x

        f(jnp.ones(3))
        """
    registered, bound = findings_with_unknown_code(program, shapes=shapes)
    assert (registered.code, bound.code) == ("OAK305", "OAK201")
    assert "gets the class `Grid` and may register it" in weak_links(registered)
    assert "code that is not known may bind" in weak_links(bound)


def test_a_field_that_an_unknown_function_declares_is_no_tracer() -> None:
    """It may be static: what a user reads of it in a trace is not reported, and all else is."""
    program = """
        import flax

        class Sizes(flax.struct.PyTreeNode):
            m: int
            n: int = declared()

        @jax.jit
        def f(sizes, x):
            for _ in range(sizes.n):
                x = x + 1
            return x if sizes.m > 0 else -x

        f(Sizes(3, 3), 1.0)
        """
    finding = only(findings_with_unknown_code(program))
    assert (finding.code, finding.weak) == ("OAK201", ())


@pytest.mark.parametrize(
    ("names", "is_traced"), [('["values", "size"], []', True), ("named[0], named[1]", False)]
)
def test_fields_that_are_registered_by_names_that_are_not_known_may_be_static(
    names: str, is_traced: bool
) -> None:
    """What a field holds is a tracer only where the field is a leaf."""
    program = f"""
        import dataclasses

        @dataclasses.dataclass
        class Grid:
            values: jax.Array
            size: int

        def register(cls):
            fields = dataclasses.fields(cls)
            named = [
                [each.name for each in fields if each.type is not int],
                [each.name for each in fields if each.type is int],
            ]
            jax.tree_util.register_dataclass(cls, {names})

        register(Grid)

        @jax.jit
        def total(grid):
            return grid.values if grid.size > 0 else 2 * grid.values

        total(Grid(jnp.ones(3), 2))
        """
    assert bool(findings_with_unknown_code(program)) is is_traced
